"""A stretch as a draft: times of apps and titles, input, and the rows in it."""

import bisect
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from biny_desktop.activity.segments.axis import Axis
from biny_desktop.activity.segments.fronts import Front
from biny_desktop.activity.segments.model import AppTime, CloseReason, Draft, SegmentKind, Span, TitleTime
from biny_desktop.activity.segments.quiet import Quiet

TITLES_MAX: Final = 40
"""Titles kept of a segment, by time (spec 03 §2)."""
TRIVIAL_MS: Final = 30_000
"""Rule 13: shorter than this …"""
TRIVIAL_EVENTS: Final = 20
"""… with fewer event rows than this …"""
TRIVIAL_FRAMES: Final = 3
"""… and fewer frames than this, a segment is trivial (spec 03 §2 rule 13)."""


@dataclass(slots=True)
class Outline:
    """A segment's borders (shown ms) and what closed it, before anything in it is counted."""

    kind: SegmentKind
    run: int
    start: int
    end: int
    zone: str
    day: str
    why: CloseReason
    open: bool
    continues: bool

    @property
    def length(self) -> int:
        """Its true length, ms."""
        return self.end - self.start


class Measure:
    """Counts what is in outlines."""

    def __init__(self, axis: Axis, fronts: Sequence[Front], quiet: Quiet) -> None:
        self._axis, self._fronts, self._quiet = axis, fronts, quiet
        self._front_ends = [front.end for front in fronts]
        self._times = [placed.at for placed in axis.rows]

    def apps_in(self, outline: Outline) -> frozenset[str]:
        """The apps that were in front."""
        return frozenset(front.app for front in self._in_front(outline))

    def draft(self, outline: Outline, *, last_row: bool) -> Draft:
        """The whole draft; `last_row` whether a row at its very end is in it (not if another one begins there)."""
        spans, active, idle, private = self._time(outline)
        frames, events, keys, clicks = self._rows(outline, last_row=last_row)
        apps, titles = self._shown(outline)
        few = len(events) < TRIVIAL_EVENTS and len(frames) < TRIVIAL_FRAMES
        return Draft(
            outline.start, outline.end, outline.zone, outline.day, outline.kind, outline.open, active, idle, private,
            spans, apps, titles, keys, clicks, frames, events, len(events), outline.why, outline.continues,
            self._axis.runs[outline.run].adjusted, outline.length < TRIVIAL_MS and few,
        )  # fmt: skip

    def _time(self, outline: Outline) -> tuple[tuple[Span, ...], int, int, int]:
        """(spans, active, idle, private ms); their sum is the length."""
        if outline.kind == "private":
            return (), 0, 0, outline.length
        if outline.kind == "watching":
            return (), outline.length, 0, 0
        spans = self._quiet.spans(outline.start, outline.end)
        idle = sum(span.end_ms - span.start_ms for span in spans if span.kind == "idle")
        private = sum(span.end_ms - span.start_ms for span in spans if span.kind == "private")
        return spans, outline.length - idle - private, idle, private

    def _rows(self, outline: Outline, *, last_row: bool) -> tuple[tuple[int, ...], tuple[int, ...], int, int]:
        low = bisect.bisect_left(self._times, outline.start)
        high = (bisect.bisect_right if last_row else bisect.bisect_left)(self._times, outline.end)
        frames: list[int] = []
        events: list[int] = []
        keys = clicks = 0
        for placed in self._axis.rows[low:high]:
            row = placed.row
            if row.kind == "frame":
                frames.append(row.id)
            else:
                events.append(row.id)
                if row.what == "input":
                    keys, clicks = keys + row.keys, clicks + row.clicks
        return tuple(frames), tuple(events), keys, clicks

    def _in_front(self, outline: Outline) -> Sequence[Front]:
        if outline.kind == "private":
            return ()
        low = bisect.bisect_right(self._front_ends, outline.start)
        high = low
        while high < len(self._fronts) and self._fronts[high].start < outline.end:
            high += 1
        return self._fronts[low:high]

    def _shown(self, outline: Outline) -> tuple[tuple[AppTime, ...], tuple[TitleTime, ...]]:
        """Apps and titles with their active time, most first."""
        apps: dict[str, int] = {}
        names: dict[str, str] = {}
        titles: dict[tuple[str, str], int] = {}
        for front in self._in_front(outline):
            start, end = max(front.start, outline.start), min(front.end, outline.end)
            ms = end - start if outline.kind == "watching" else self._quiet.active(start, end)
            names[front.app] = front.name
            if ms > 0:
                apps[front.app] = apps.get(front.app, 0) + ms
                if front.title:
                    titles[front.app, front.title] = titles.get((front.app, front.title), 0) + ms
        by_time = sorted(titles.items(), key=lambda each: (-each[1], each[0]))[:TITLES_MAX]
        return (
            tuple(
                AppTime(app, names[app], ms) for app, ms in sorted(apps.items(), key=lambda each: (-each[1], each[0]))
            ),
            tuple(TitleTime(title, app, ms) for (app, title), ms in by_time),
        )
