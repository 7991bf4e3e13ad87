"""Passing a report on to those who keep it as files; a fault there never loses the report (spec 03 §5, writes)."""

import logging
from collections.abc import Callable, Sequence
from functools import partial

from biny_desktop.activity.reports.document import Document
from biny_desktop.activity.reports.markdown import escaped, link
from biny_desktop.activity.reports.model import ReportKind
from biny_desktop.activity.reports.ports import ActivitySections, ReportSink
from biny_desktop.core.errors import BinyError
from biny_desktop.core.text import RedactedText

log = logging.getLogger(__name__)


class Sinks:
    """All sinks of reports and Activity sections; each is asked, whatever the others do."""

    def __init__(self, reports: Sequence[ReportSink], sections: Sequence[ActivitySections]) -> None:
        self._reports, self._sections = tuple(reports), tuple(sections)

    def put(self, kind: ReportKind, key: str, markdown: RedactedText, section: RedactedText | None) -> str:
        """Have a report written, and the section of a day; returns the kind of the first error, empty when all went
        well."""
        steps = [partial(sink.put_report, kind, key, markdown) for sink in self._reports]
        if section is not None:
            return _first_error([*steps, *(partial(keeper.put_activity, key, section) for keeper in self._sections)])
        return _first_error(steps)

    def drop(self, kind: ReportKind, key: str) -> str:
        """Have a report removed; returns as `put`."""
        return _first_error([partial(sink.drop_report, kind, key) for sink in self._reports])


def section_text(document: Document) -> str:
    """The Activity section of a day: the sums, and a line a subject with a link to its longest stretch."""
    lines = [document.sums.markdown, ""]
    for section in document.sections:
        if section.told and section.heading.about:
            name, *rest = section.heading.pieces
            to = section.heading.about[0]
            words = name if isinstance(name, str) else name.text
            lines.append(f"- {link(words, to.kind, to.ref)} {escaped(''.join(str(each) for each in rest))}")
    return "\n".join(lines).rstrip() + "\n"


def _first_error(steps: Sequence[Callable[[], None]]) -> str:
    first = ""
    for step in steps:
        try:
            step()
        except BinyError as error:
            log.warning("a report could not be passed on (%s)", error.kind)
            first = first or error.kind
        except Exception as error:  # somebody else's bug: the report is in its row, and the others want it too
            log.exception("a sink of reports failed")
            first = first or type(error).__name__
    return first
