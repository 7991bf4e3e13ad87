"""Stretches cut where time itself says so: long private time, fixed stretches, the span, borders of days."""

import bisect
import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from biny_desktop.activity.segments.axis import Axis
from biny_desktop.activity.segments.model import CloseReason, Fixed
from biny_desktop.activity.segments.sessions import Item, Stretch
from biny_desktop.core.days import activity_day, activity_range

_CARRIES_ON: frozenset[CloseReason] = frozenset({"cap", "day_end"})


@dataclass(slots=True)
class Piece:
    """A stretch that no border crosses any more; `continues` what ended at its start."""

    stretch: Stretch
    zone: str
    day: str
    continues: bool = False


@dataclass(frozen=True, slots=True)
class Borders:
    """`span` [from, to) in shown ms, `fixed` in order and apart, `day_start` local `HH:MM`."""

    span: tuple[int, int]
    fixed: Sequence[Fixed]
    day_start: str


def known_zone(name: str) -> str:
    """The zone, or `UTC` if it is none."""
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return "UTC"
    return name


def without_private(session: Stretch, least_ms: int) -> list[Stretch]:
    """The session with private time of at least `least_ms` (or nothing but private time) as stretches of their own."""
    items = session.items
    alone = all(item.private for item in items)
    own = [item for item in items if item.private and (alone or item.end - item.at >= least_ms)]
    if not own:
        return [session]
    out: list[Stretch] = []
    place, since = 0, session.start
    for item in [*own, None]:
        before: list[Item] = []
        while place < len(items) and (item is None or items[place] is not item):
            before.append(items[place])
            place += 1
        place += 1
        limit = session.end if item is None else max(since, item.at)
        _add_open(out, session, [each for each in before if each.at >= since], limit, last=item is None)
        if item is not None:
            _add_private(out, session, item, since, last=items[-1].at <= item.end)
            since = max(since, out[-1].end if out else since)
    return out


def _add_open(out: list[Stretch], session: Stretch, items: list[Item], end: int, *, last: bool) -> None:
    """What is between two private stretches; nothing without activity."""
    if not items or end <= items[0].at:
        return
    start = session.start if not out else items[0].at
    sure = min(session.sure, end)
    why: CloseReason = session.why if last else "private"
    out.append(Stretch("active", session.run, start, end, sure, why, session.open and last, items))


def _add_private(out: list[Stretch], session: Stretch, item: Item, since: int, *, last: bool) -> None:
    start, end = max(item.at, since), min(item.end, session.end)
    still = session.open and last
    end = session.end if still else end
    at_end = end >= session.end
    if end > start:
        why: CloseReason = session.why if at_end else "kind_change"
        if out and out[-1].kind == "private" and out[-1].end == start:
            out[-1].end, out[-1].sure, out[-1].why, out[-1].open = end, min(end, session.sure), why, still
            out[-1].items.append(item)
        else:
            sure = min(end, session.sure)
            out.append(Stretch("private", session.run, start, end, sure, why, still, [item]))


def cut_at_borders(stretches: Iterable[Stretch], axis: Axis, borders: Borders) -> list[Piece]:
    """What is left of the stretches outside of fixed ones and inside of the span, cut at the borders of days."""
    out: list[Piece] = []
    for stretch in stretches:
        zone = known_zone(axis.runs[stretch.run].zone)
        for part, continues in _outside_fixed(stretch, borders):
            out += _by_days(part, zone, borders.day_start, continues=continues)
    return out


class _Items:
    """The items of one stretch, found by time."""

    def __init__(self, items: Sequence[Item]) -> None:
        self._items = items
        self._starts = [item.at for item in items]
        self._reach = list(itertools.accumulate((item.end for item in items), max))

    def within(self, start: int, end: int, *, last: bool) -> list[Item]:
        """Those that touch [start, end), and those at its very end if it is the `last` part."""
        low = min(bisect.bisect_right(self._reach, start), bisect.bisect_left(self._starts, start))
        high = bisect.bisect_right(self._starts, end) if last else bisect.bisect_left(self._starts, end)
        return list(self._items[low:high])


def _outside_fixed(stretch: Stretch, borders: Borders) -> Iterable[tuple[Stretch, bool]]:
    low, high = max(stretch.start, borders.span[0]), min(stretch.end, borders.span[1])
    carries, items = low > stretch.start, _Items(stretch.items)
    place = bisect.bisect_right(borders.fixed, low, key=lambda each: each.end_ms)
    while low < high:
        fixed = borders.fixed[place] if place < len(borders.fixed) else None
        end = high if fixed is None else min(high, max(low, fixed.start_ms))
        why: CloseReason = stretch.why if end == stretch.end else "day_end" if end == borders.span[1] else "edited"
        part = _part(stretch, items, low, end, why)
        if part is not None:
            yield part, carries
        if fixed is None or end == high:
            return
        low, carries, place = max(low, fixed.end_ms), fixed.closed in _CARRIES_ON, place + 1


def _by_days(part: Stretch, zone: str, day_start: str, *, continues: bool) -> Iterable[Piece]:
    low, items = part.start, _Items(part.items)
    while low < part.end:
        day = activity_day(low, zone, day_start)
        border = activity_range(day, zone, day_start)
        end = min(part.end, border.end_ms) if border.end_ms > low else part.end
        piece = _part(part, items, low, end, part.why if end == part.end else "day_end")
        if piece is not None:
            yield Piece(piece, zone, day, continues or low > part.start)
        low = end


def _part(stretch: Stretch, items: _Items, start: int, end: int, why: CloseReason) -> Stretch | None:
    """[start, end) of a stretch; None if nothing happened in it. What is not certain yet stays open."""
    inside = items.within(start, end, last=end == stretch.end)
    if end <= start or not inside:
        return None
    if start == stretch.start and end == stretch.end:
        return stretch
    still = stretch.open and stretch.sure < end
    sure = max(start, min(stretch.sure, end))
    return Stretch(stretch.kind, stretch.run, start, end, sure, "" if still else why, still, inside)
