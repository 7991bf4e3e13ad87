"""Which app and title were in front when, and which apps alternated (spec 03 §2 rules 5 and 6)."""

import bisect
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from biny_desktop.activity.segments.axis import Placed
from biny_desktop.activity.segments.blocks import Blocks
from biny_desktop.activity.segments.presence import is_private

_LOOKS: Final = frozenset({"focus", "title"})
_UNKNOWN: Final = "unknown_window"
_TEXT: Final = "private_text"
"""A text rule hid one picture; what is in front did not change."""
_STAYS: Final = frozenset({"clock_step", "zone", "lock", "session", "sleep", "stalled"})
"""After these the window in front is the one from before, until a row says otherwise."""


@dataclass(frozen=True, slots=True)
class Front:
    """An app with one title in front during [start, end) (shown ms); never of private or unknown windows."""

    start: int
    end: int
    app: str
    name: str
    title: str
    url: str


@dataclass(frozen=True, slots=True)
class Visit:
    """An app in front during [start, end), whatever its titles; `until` is when another app came to front, so it goes
    over short times without a known window. `again`: the app before it was the same one."""

    start: int
    end: int
    until: int
    app: str
    again: bool


def find_fronts(rows: Sequence[Placed], blocks: Blocks, end: int) -> list[Front]:
    """What was in front, oldest first; `end` is how long the last one lasts at most."""
    out: list[Front] = []
    current: Front | None = None
    # What is seen at the start of a block was before it, what is seen at the end of a late one is after it.
    breaks = sorted(
        (block.end, 0) if block.late else (block.start, 1) for block in blocks.all if block.why not in _STAYS
    )
    edge = 0

    def stop(at: int) -> None:
        if current is not None and at > current.start:
            out.append(Front(current.start, at, current.app, current.name, current.title, current.url))

    for placed in rows:
        while edge < len(breaks) and breaks[edge] < (placed.at, 1):
            stop(breaks[edge][0])
            current, edge = None, edge + 1
        row = placed.row
        if (is_private(row) and row.reason != _TEXT) or (row.what == "skip" and row.reason == _UNKNOWN):
            stop(placed.at)
            current = None
        elif row.kind == "frame" or (row.kind == "event" and row.what in _LOOKS):
            app = row.app_id or row.app_name
            if not app:
                continue
            name, title, url = row.app_name or app, row.title or "", row.url or ""
            if current is not None and (current.app, current.title) == (app, title) and (not url or url == current.url):
                continue
            stop(placed.at)
            current = Front(placed.at, placed.at, app, name, title, url)
    while edge < len(breaks) and current is not None:
        stop(breaks[edge][0])
        current, edge = None, edge + 1
    stop(end)
    return out


def find_visits(fronts: Sequence[Front]) -> list[Visit]:
    """Fronts of one app in a row joined; times between them stay out."""
    joined: list[tuple[int, int, str]] = []
    for front in fronts:
        if joined and joined[-1][2] == front.app and joined[-1][1] == front.start:
            joined[-1] = (joined[-1][0], front.end, front.app)
        else:
            joined.append((front.start, front.end, front.app))
    out: list[Visit] = []
    until = 0
    for place in range(len(joined) - 1, -1, -1):
        start, end, app = joined[place]
        if place + 1 == len(joined) or joined[place + 1][2] != app:
            until = end
        again = place > 0 and joined[place - 1][2] == app
        out.append(Visit(start, end, until, app, again))
    out.reverse()
    return out


class Alternations:
    """Pairs of apps each of which came back to the front within `back_ms`, with the other one in between."""

    def __init__(self, visits: Sequence[Visit], back_ms: int) -> None:
        self._times: dict[tuple[str, str], list[int]] = {}
        around: set[tuple[str, str]] = set()
        left: OrderedDict[str, int] = OrderedDict()
        for visit in visits:
            left_at = left.get(visit.app)
            if left_at is not None and not visit.again and visit.start - left_at <= back_ms:
                for other in reversed(left):
                    if other == visit.app:
                        break
                    around.add((visit.app, other))
                    if (other, visit.app) in around:
                        pair = (min(visit.app, other), max(visit.app, other))
                        self._times.setdefault(pair, []).append(visit.start)
            left[visit.app] = visit.end
            left.move_to_end(visit.app)

    def seen(self, one: str, other: str, since: int, until: int) -> bool:
        """Whether the two were seen alternating in [since, until]."""
        times = self._times.get((min(one, other), max(one, other)), [])
        place = bisect.bisect_left(times, since)
        return place < len(times) and times[place] <= until
