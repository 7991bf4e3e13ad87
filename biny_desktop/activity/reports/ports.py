"""What reports need from others: somebody who keeps them as files, and somebody who keeps a day's Activity section."""

from typing import Protocol

from biny_desktop.activity.reports.model import ReportKind
from biny_desktop.core.text import RedactedText


class ReportSink(Protocol):
    """Keeps a report as a file; the user's own text in that file stays (spec 03 §5, spec 06)."""

    def put_report(self, kind: ReportKind, key: str, markdown: RedactedText) -> None:
        """Write or rewrite the program's part of the file of that report."""
        ...

    def drop_report(self, kind: ReportKind, key: str) -> None:
        """Remove the program's part: the day was deleted."""
        ...


class ActivitySections(Protocol):
    """Keeps the Activity section of a day's file (spec 06)."""

    def put_activity(self, day: str, markdown: RedactedText) -> None:
        """Write or rewrite the section of that day."""
        ...
