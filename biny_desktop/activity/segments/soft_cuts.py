"""Soft cuts and the cap: another activity begins when an unrelated app stays in front (spec 03 §2 rules 5 to 8)."""

import bisect
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from biny_desktop.activity.segments.fronts import Alternations, Front, Visit
from biny_desktop.activity.segments.likeness import alike, project_words, title_words
from biny_desktop.activity.segments.model import CloseReason
from biny_desktop.activity.segments.quiet import Quiet
from biny_desktop.activity.segments.sessions import Stretch

SHARE: Final = 0.20
"""An app with at least this part of a segment's active time belongs to it (spec 03 §2 rule 7)."""
CAP_PAUSE_MS: Final = 900_000
"""The cap cuts in the longest pause of this much time before it, ms (spec 03 §2 rule 8)."""


@dataclass(frozen=True, slots=True)
class Grounds:
    """What all stretches are judged by: lists in order of time, lengths in ms."""

    visits: Sequence[Visit]
    fronts: Sequence[Front]
    pairs: Alternations
    quiet: Quiet
    soft_ms: int
    cap_ms: int
    idle_ms: int
    visit_starts: Sequence[int]
    front_starts: Sequence[int]


@dataclass(frozen=True, slots=True)
class SoftCut:
    """The stretch ends at `at`, for `why`."""

    at: int
    why: CloseReason


@dataclass(slots=True)
class _About:
    """What a segment was about so far."""

    active: dict[str, int] = field(default_factory=dict)
    words: dict[frozenset[str], None] = field(default_factory=dict)
    projects: set[str] = field(default_factory=set)

    def share(self, app: str) -> float:
        """The app's part of the active time."""
        total = sum(self.active.values())
        return self.active.get(app, 0) / total if total else 0.0


def soft_cuts(stretch: Stretch, day_start: int, grounds: Grounds) -> list[SoftCut]:
    """Where an active stretch is to be cut, in order.

    Decisions are taken in the order of the moment at which they can be taken, so that later rows never change them.

    Args:
        stretch: without borders inside. day_start: when its day began, for what was seen alternating "today".
    """
    return _Cutter(stretch, day_start, grounds).run()


def cap_cuts(stretch: Stretch, cap_ms: int) -> list[SoftCut]:
    """Where a watched stretch is to be cut: at the last check before the cap, which is a pause like any other."""
    return [SoftCut(at, "cap") for at in range(stretch.start + cap_ms, stretch.sure, cap_ms)]


class _Cutter:
    """One stretch, one walk over the visits in it."""

    def __init__(self, stretch: Stretch, day_start: int, grounds: Grounds) -> None:
        self._stretch, self._day_start, self._by = stretch, day_start, grounds
        self._cuts: list[SoftCut] = []
        self._begin(stretch.start)

    def _begin(self, at: int) -> None:
        """A segment starts here."""
        self._start = at
        self._about = _About()
        self._place = max(0, bisect.bisect_right(self._by.visit_starts, at) - 1)
        self._front = max(0, bisect.bisect_right(self._by.front_starts, at) - 1)

    def run(self) -> list[SoftCut]:
        """All cuts."""
        while self._step():
            pass
        return self._cuts

    def _step(self) -> bool:
        """The next visit, or the cap if that comes first; False at the end."""
        by, cap_at = self._by, self._start + self._by.cap_ms
        visit = by.visits[self._place] if self._place < len(by.visits) else None
        if visit is None or visit.start >= self._stretch.sure:
            if cap_at >= self._stretch.sure:
                return False
            self._cap(cap_at)
            return True
        until = min(visit.until, self._stretch.sure)
        if (
            not visit.again and visit.start > self._start and until - visit.start >= by.soft_ms
            and visit.start + by.soft_ms <= cap_at and self._unrelated(visit)
        ):  # fmt: skip
            self._cuts.append(SoftCut(visit.start, "app_change"))
            self._begin(visit.start)
            return True
        if cap_at < min(visit.end, self._stretch.sure):
            self._cap(cap_at)
            return True
        self._learn(visit)
        self._place += 1
        return True

    def _cap(self, cap_at: int) -> None:
        """Cut at the end of the longest pause of the last minutes, else at the cap."""
        items = self._stretch.items
        place = bisect.bisect_right(items, cap_at, key=lambda item: item.at)
        longest, at = self._by.idle_ms, cap_at
        while place > 1 and items[place - 1].at > max(self._start, cap_at - CAP_PAUSE_MS):
            pause = items[place - 1].at - items[place - 2].end
            if pause > longest:
                longest, at = pause, items[place - 1].at
            place -= 1
        self._cuts.append(SoftCut(at, "cap"))
        self._begin(at)

    def _learn(self, visit: Visit) -> None:
        """A visit that belongs to the segment."""
        start, end = max(visit.start, self._start), min(visit.end, self._stretch.sure)
        if end > start:
            active = self._about.active
            active[visit.app] = active.get(visit.app, 0) + self._by.quiet.active(start, end)

    def _read_titles(self, until: int) -> None:
        """The titles of the segment up to a time; only read when they are asked for, since most never are."""
        fronts = self._by.fronts
        while self._front < len(fronts) and fronts[self._front].start < until:
            front = fronts[self._front]
            if front.end > self._start and front.title:
                self._about.words[title_words(front.title, front.name)] = None
                self._about.projects |= project_words(front.title, front.url, front.name)
            self._front += 1

    def _unrelated(self, visit: Visit) -> bool:
        """Rule 7, for an app that has just come to front and stays there."""
        about, pairs, app = self._about, self._by.pairs, visit.app
        if not about.active or about.share(app) >= SHARE:
            return False
        for other in about.active:
            since = self._day_start if about.share(other) >= SHARE else self._start
            if other != app and pairs.seen(app, other, since, visit.start):
                return False
        return not self._goes_on(visit)

    def _goes_on(self, visit: Visit) -> bool:
        """Whether titles of the visit's first minutes have words or a project in common with the segment."""
        self._read_titles(visit.start)
        fronts = self._by.fronts
        place = bisect.bisect_left(self._by.front_starts, visit.start)
        decided = visit.start + self._by.soft_ms
        while place < len(fronts) and fronts[place].start < decided:
            front = fronts[place]
            place += 1
            if front.app != visit.app or not front.title:
                continue
            words = title_words(front.title, front.name)
            if any(alike(words, known) for known in self._about.words):
                return True
            if self._about.projects & project_words(front.title, front.url, front.name):
                return True
        return False
