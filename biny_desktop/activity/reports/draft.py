"""A report before it is written: its figures and its document, from the segments and rows of a day or a week."""

from collections.abc import Sequence
from dataclasses import dataclass

from biny_desktop.activity.model import Gap
from biny_desktop.activity.reports import report_store, words
from biny_desktop.activity.reports.day_document import day_document
from biny_desktop.activity.reports.document import Document, render
from biny_desktop.activity.reports.model import ReportKind, Statistics
from biny_desktop.activity.reports.ports import DayReader
from biny_desktop.activity.reports.skeleton import Skeleton, skeleton_of
from biny_desktop.activity.reports.statistics import figures, segments_of
from biny_desktop.activity.reports.week_document import week_document
from biny_desktop.activity.reports.weeks import days_of
from biny_desktop.activity.segments.model import DayView
from biny_desktop.core.i18n import _, listed
from biny_desktop.storage.database import Database


@dataclass(frozen=True, slots=True)
class Draft:
    """`document` is None for a time without segments; `empty` says then what is known of it, in a sentence."""

    statistics: Statistics
    document: Document | None
    empty: str = ""
    analysed: bool = False
    """Whether a model gave some of the titles."""

    @property
    def skeleton(self) -> Skeleton:
        """The facts a narrative may tell."""
        return Skeleton(()) if self.document is None else skeleton_of(self.document)


def draft(db: Database, reader: DayReader, kind: ReportKind, key: str, *, analysing: bool = True) -> Draft:
    """Look at a day or week as it is now.

    Args:
        analysing: a model is going to look at the pending activities, so that it is worth saying which.

    Raises:
        InvalidInputError, StorageError: it cannot be looked at.
    """
    views = [reader.day(day) for day in ([key] if kind == "day" else days_of(key))]
    with db.read() as r:
        rows = report_store.row_figures(r, views[0].start_ms, views[-1].end_ms)
    statistics = figures(views, rows)
    if not any(segments_of(view) for view in views):
        return Draft(statistics, None, _empty(kind, views))
    by_model = any(each.title_by == "model" for view in views for each in segments_of(view))
    whole = (
        week_document(key, views, statistics, rows)
        if kind == "week"
        else day_document(views[0], statistics, rows, analysing=analysing)
    )
    return Draft(statistics, whole, analysed=by_model)


def markdown_of(
    draft: Draft, title: str, *, model: str | None = None, narrative: str | None = None, failure: str | None = None
) -> str:
    """The Markdown of a draft.

    Args:
        title: of an empty one. model: who wrote the narrative. narrative: checked Markdown. failure: one line.
    """
    if draft.document is None:
        return f"# {title}\n\n{draft.empty}\n"
    without = _("no account by a model") if draft.analysed else _("made without a model")
    made = _("account by {model}").format(model=model) if narrative and model else without
    return render(draft.document, made=made, narrative=narrative, failure=failure)


def _empty(kind: ReportKind, views: Sequence[DayView]) -> str:
    """What is known of a time without segments."""
    gaps = [item for view in views for item in view.items if isinstance(item, Gap)]
    said = _("Nothing was recorded in this week.") if kind == "week" else _("Nothing was recorded on this day.")
    longest: dict[str, int] = {}
    for gap in gaps:
        longest[gap.cause] = longest.get(gap.cause, 0) + gap.end_ms - gap.start_ms
    causes = [words.gap_words(gap.cause, longest.pop(gap.cause)) for gap in gaps if gap.cause in longest]
    return _("{said} ({causes})").format(said=said, causes=listed(causes)) if causes else said
