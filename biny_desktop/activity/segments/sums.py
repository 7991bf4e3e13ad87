"""Sums over segments: hours by app, totals of a day, heat of a month; pure, so they add up to what is listed."""

import itertools
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from biny_desktop.activity.model import Gap, GapCause
from biny_desktop.activity.segments.days import Hour
from biny_desktop.activity.segments.model import AppTime, DayTotals, HeatDay, HourBar, Segment, SegmentKind
from biny_desktop.core.clock import to_local

BAR_APPS: Final = 8
"""Apps of one bar; the rest is one part without a name."""
_HOUR_MS: Final = 3_600_000
_HOURS: Final = 24


@dataclass(frozen=True, slots=True)
class Brief:
    """What a heat map needs of a segment."""

    day: str
    start_ms: int
    end_ms: int
    zone: str
    kind: SegmentKind
    active_ms: int
    shown: bool


def hour_bars(segments: Sequence[Segment], hours: Iterable[Hour]) -> tuple[HourBar, ...]:
    """Bars that sum to the active, watching and private time of the segments, exactly.

    Inside a segment the active time lies where no idle or private span is, and is divided among its apps by their share
    of the whole segment: which app was in front in which minute is not stored.
    """
    bars = list(hours)
    edges = [bar.start_ms for bar in bars] + ([bars[-1].end_ms] if bars else [])
    active: list[Counter[str]] = [Counter() for _ in bars]
    watching, private = [0] * len(bars), [0] * len(bars)
    names: dict[str, str] = {}
    for segment in segments:
        names |= {app.app_id: app.app_name for app in segment.apps}
        shares = _shares(segment, edges, ("idle", "private"))
        for place, ms in enumerate(_divide(segment.active_ms, shares)):
            if segment.kind == "watching":
                watching[place] += ms
            elif ms:
                active[place].update(_by_app(segment, ms))
        for place, ms in enumerate(_divide(segment.private_ms, _shares_of_private(segment, edges))):
            private[place] += ms
    return tuple(
        HourBar(bar.label, bar.start_ms, bar.end_ms, counts.total(), watching[n], private[n], _most(counts, names))
        for n, (bar, counts) in enumerate(zip(bars, active, strict=True))
    )


def _shares(segment: Segment, edges: Sequence[int], without: tuple[str, ...]) -> list[int]:
    """How much of each bar the segment fills, apart from its spans of these kinds; its whole length if that is all."""
    left = [_overlap(segment.start_ms, segment.end_ms, *pair) for pair in itertools.pairwise(edges)]
    whole = list(left)
    for span in segment.spans:
        if span.kind in without:
            for place, pair in enumerate(itertools.pairwise(edges)):
                left[place] = max(0, left[place] - _overlap(span.start_ms, span.end_ms, *pair))
    return left if any(left) else whole


def _shares_of_private(segment: Segment, edges: Sequence[int]) -> list[int]:
    spans = [span for span in segment.spans if span.kind == "private"]
    out = [sum(_overlap(span.start_ms, span.end_ms, *pair) for span in spans) for pair in itertools.pairwise(edges)]
    return out if any(out) else _shares(segment, edges, ())


def _overlap(start: int, end: int, low: int, high: int) -> int:
    return max(0, min(end, high) - max(start, low))


def _divide(ms: int, shares: Sequence[int]) -> list[int]:
    """`ms` in parts like the shares, in whole milliseconds that sum to it; nothing where there is no share."""
    total = sum(shares)
    if not total or not ms:
        return [0] * len(shares)
    out, done, seen = [], 0, 0
    for share in shares:
        seen += share
        upto = ms * seen // total
        out.append(upto - done)
        done = upto
    return out


def _by_app(segment: Segment, ms: int) -> dict[str, int]:
    if not segment.apps:
        return {"": ms}
    parts = _divide(ms, [app.ms for app in segment.apps])
    if not any(parts):
        parts = _divide(ms, [1] * len(segment.apps))
    return {app.app_id: part for app, part in zip(segment.apps, parts, strict=True) if part}


def _most(counts: Counter[str], names: dict[str, str]) -> tuple[AppTime, ...]:
    order = sorted((app for app in counts if app), key=lambda app: (-counts[app], app))
    out = [AppTime(app, names.get(app, app), counts[app]) for app in order[:BAR_APPS]]
    rest = counts.total() - sum(app.ms for app in out)
    return (*out, AppTime("", "", rest)) if rest else tuple(out)


def totals(items: Iterable[Segment | Gap], frames: int) -> DayTotals:
    """Sums of a day's items; `segments` does not count trivial and hidden ones, the times do."""
    segments: list[Segment] = []
    gaps: Counter[GapCause] = Counter()
    for item in items:
        if isinstance(item, Gap):
            gaps[item.cause] += item.end_ms - item.start_ms
        else:
            segments.append(item)
    projects: Counter[str] = Counter()
    for segment in segments:
        if segment.project:
            projects[segment.project] += segment.active_ms
    return DayTotals(
        active_ms=sum(each.active_ms for each in segments if each.kind != "watching"),
        idle_ms=sum(each.idle_ms for each in segments),
        private_ms=sum(each.private_ms for each in segments),
        watching_ms=sum(each.active_ms for each in segments if each.kind == "watching"),
        gap_ms=dict(gaps),
        segments=sum(not each.trivial and not each.hidden for each in segments),
        trivial=sum(each.trivial for each in segments),
        hidden=sum(each.hidden and not each.trivial for each in segments),
        apps=len({app.app_id for each in segments for app in each.apps if app.ms}),
        frames=frames,
        projects=tuple(sorted(projects.items(), key=lambda pair: (-pair[1], pair[0]))),
    )


def heat(days: Iterable[str], briefs: Iterable[Brief], day_start: str) -> tuple[HeatDay, ...]:
    """One row a day; active time lies evenly in its segment."""
    first, minute = (int(part) for part in day_start.split(":"))
    hours = {day: [0] * _HOURS for day in days}
    counts = dict.fromkeys(hours, 0)
    for brief in briefs:
        row = hours.get(brief.day)
        if row is None:
            continue
        counts[brief.day] += brief.shown
        if brief.kind == "active":
            for place, ms in _by_hour(brief, first, minute):
                row[place] += ms
    return tuple(HeatDay(day, tuple(row), sum(row), counts[day]) for day, row in hours.items())


def _by_hour(brief: Brief, first: int, minute: int) -> list[tuple[int, int]]:
    """(hour from `day.start` on, ms of active time in it)."""
    local = to_local(brief.start_ms, brief.zone)
    into = ((local.minute - minute) % 60) * 60_000 + local.second * 1000 + local.microsecond // 1000
    place = (local.hour - first - (local.minute < minute)) % _HOURS
    places, shares, at, edge = [], [], brief.start_ms, brief.start_ms + _HOUR_MS - into
    while at < brief.end_ms:
        places.append(place)
        shares.append(min(edge, brief.end_ms) - at)
        at, edge, place = edge, edge + _HOUR_MS, (place + 1) % _HOURS
    return list(zip(places, _divide(brief.active_ms, shares), strict=True))
