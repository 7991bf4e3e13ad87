"""The figures of a day or a week, from its segments, gaps and rows; pure (spec 03 §5, Statistics)."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from biny_desktop.activity.model import GapCause
from biny_desktop.activity.reports.groups import length_of, shown
from biny_desktop.activity.reports.model import KeyMoment, Statistics
from biny_desktop.activity.segments.model import AppTime, DayView, Segment, TitleTime

TOP: Final = 10
"""Apps, titles and key moments that are told (spec 03 §5)."""


@dataclass(frozen=True, slots=True)
class RowFigures:
    """What the rows of a stretch say: frames kept and read, times nothing was kept by reason, secrets hidden by type,
    pictures and bytes that are there now; `first_frame` id, if any."""

    kept: int = 0
    read: int = 0
    dropped: Mapping[str, int] | None = None
    hidden: Mapping[str, int] | None = None
    pictures: int = 0
    picture_bytes: int = 0
    first_frame: int | None = None


def segments_of(view: DayView) -> list[Segment]:
    """All segments of a day, in order."""
    return [item for item in view.items if isinstance(item, Segment)]


def figures(views: Sequence[DayView], rows: RowFigures) -> Statistics:
    """The statistics of one day, or of the seven days of a week.

    Args:
        views: one day, or seven in order. rows: of the whole stretch.
    """
    everything = [segment for view in views for segment in segments_of(view)]
    told = shown(everything)
    apps = _apps(told)
    gaps: Counter[GapCause] = Counter()
    for view in views:
        gaps.update({cause: ms for cause, ms in view.totals.gap_ms.items() if ms})
    week = len(views) > 1
    return Statistics(
        start_ms=views[0].start_ms, end_ms=views[-1].end_ms, zone=views[-1].zone,
        segments=sum(view.totals.segments for view in views), trivial=sum(view.totals.trivial for view in views),
        active_ms=sum(view.totals.active_ms for view in views), idle_ms=sum(view.totals.idle_ms for view in views),
        private_ms=sum(view.totals.private_ms for view in views),
        watching_ms=sum(view.totals.watching_ms for view in views), gap_ms=dict(gaps),
        hours=() if week else views[0].hours,
        days=tuple((view.day, view.totals.active_ms, view.totals.segments) for view in views) if week else (),
        apps=apps[:TOP], app_count=len(apps), projects=_projects(told), titles=_titles(told)[:TOP],
        frames_kept=rows.kept, frames_read=rows.read, dropped=dict(rows.dropped or {}),
        redactions=dict(rows.hidden or {}), pictures=rows.pictures, picture_bytes=rows.picture_bytes,
        key_moments=_key_moments(told), pending=sum(segment.status == "pending" for segment in told),
        failed=dict(Counter(segment.reason or "failed" for segment in told if segment.status == "failed")),
    )  # fmt: skip


def _apps(segments: Sequence[Segment]) -> tuple[AppTime, ...]:
    spent: Counter[str] = Counter()
    names: dict[str, str] = {}
    for segment in segments:
        for app in segment.apps:
            spent[app.app_id] += app.ms
            names[app.app_id] = app.app_name or app.app_id
    ordered = sorted(spent.items(), key=lambda item: (-item[1], item[0]))
    return tuple(AppTime(app, names[app], ms) for app, ms in ordered)


def _titles(segments: Sequence[Segment]) -> tuple[TitleTime, ...]:
    spent: Counter[tuple[str, str]] = Counter()
    for segment in segments:
        for title in segment.titles:
            spent[(title.title, title.app_id)] += title.ms
    ordered = sorted(spent.items(), key=lambda item: (-item[1], item[0]))
    return tuple(TitleTime(title, app, ms) for (title, app), ms in ordered)


def _projects(segments: Sequence[Segment]) -> tuple[tuple[str, int], ...]:
    spent: Counter[str] = Counter()
    for segment in segments:
        if segment.project:
            spent[segment.project] += length_of(segment)
    return tuple(sorted(spent.items(), key=lambda item: (-item[1], item[0])))


def _key_moments(segments: Sequence[Segment]) -> tuple[KeyMoment, ...]:
    longest = sorted(segments, key=lambda each: (-length_of(each), each.start_ms, each.id))[:TOP]
    return tuple(
        KeyMoment(each.id, each.title, each.start_ms, each.end_ms, each.zone, length_of(each)) for each in longest
    )
