"""What closes a segment at once, and for how long nobody could be recorded (spec 03 §2 rule 2, §1.3 to §1.5)."""

import bisect
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from biny_desktop.activity.gaps import cause_of
from biny_desktop.activity.model import GapCause
from biny_desktop.activity.segments.axis import Axis, Break, Placed
from biny_desktop.activity.segments.model import CloseReason
from biny_desktop.activity.segments.presence import stirs

STALL_MS: Final = 60_000
"""A recorder that should record and does not for longer than this closes the segment, ms (spec 03 §2 rule 2)."""
RACE_MS: Final = 2_000
"""Activity within this after a lock or a pause was under way before it; later activity proves it over, ms (own)."""
_LOCKS: Final[dict[str, CloseReason]] = {"lock": "lock", "session_inactive": "session", "sleep": "sleep"}
_UNLOCKS: Final = frozenset({"unlock", "session_active"})
_GUESSED: Final = "gap"
"""Reason of sleep and wake rows that the recorder made of a jump of the wall clock; the axis sees that jump itself."""
_STATES: Final[dict[str, CloseReason]] = {
    "paused_by_user": "pause", "not_enabled": "off", "shutting_down": "shutdown", "failed": "crash", "hung": "stalled",
    "screen_locked": "lock", "session_inactive": "session", "asleep": "sleep",
}  # fmt: skip
_CAUSES: Final[dict[CloseReason, GapCause]] = {
    "lock": "locked", "session": "locked", "sleep": "asleep", "pause": "paused", "off": "off", "shutdown": "off",
    "crash": "off", "stalled": "stalled", "deleted": "deleted",
}  # fmt: skip
_RUNS: Final[dict[Break, CloseReason]] = {
    "boot": "crash", "sleep": "sleep", "clock_step": "clock_step", "zone": "zone",
}  # fmt: skip
_RANK: Final[tuple[CloseReason, ...]] = (
    "deleted", "lock", "session", "sleep", "pause", "off", "shutdown", "crash", "stalled", "clock_step", "zone"
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Block:
    """[start, end) in shown time without a segment; clock steps and travel may have no length, they only cut.

    `cause` is what a gap in it is told by. `late`: nobody knew of it when it began (a crash, an untold sleep), so the
    segment before it was closed by its own last event.
    """

    start: int
    end: int
    why: CloseReason
    cause: GapCause | None
    late: bool = False


class Blocks:
    """All blocks, asked in any order."""

    def __init__(self, blocks: Sequence[Block]) -> None:
        self.all = tuple(sorted(blocks, key=lambda each: (each.start, each.late, _RANK.index(each.why), each.end)))
        self._starts = [each.start for each in self.all]
        self._holes: list[tuple[int, int]] = []
        for each in self.all:
            if self._holes and each.start < self._holes[-1][1]:
                self._holes[-1] = (self._holes[-1][0], max(self._holes[-1][1], each.end))
            else:
                self._holes.append((each.start, each.end))
        self._hole_starts = [low for low, _ in self._holes]

    def next(self, at: int) -> Block | None:
        """The first one that starts at or after this time."""
        place = bisect.bisect_left(self._starts, at)
        return self.all[place] if place < len(self.all) else None

    def closing(self, at: int) -> Block | None:
        """The one that ends a session whose last item began here; a late one gives way to what was known in time."""
        place = bisect.bisect_left(self._starts, at)
        found = self.all[place] if place < len(self.all) else None
        while found is not None and found.late and place + 1 < len(self.all):
            place += 1
            if self._starts[place] >= found.end:
                break
            if not self.all[place].late:
                return self.all[place]
        return found

    def between(self, low: int, high: int) -> bool:
        """Whether one starts in [low, high)."""
        found = self.next(low)
        return found is not None and found.start < high

    def holds(self, at: int) -> bool:
        """Whether this time is inside one, its borders not counted."""
        place = bisect.bisect_left(self._hole_starts, at) - 1
        return place >= 0 and at < self._holes[place][1]


def find_blocks(axis: Axis, now: int) -> Blocks:
    """The blocks of an axis; what has not ended lasts until `now` or until somebody is seen."""
    stirred = [row.at for row in axis.rows if stirs(row.row)]
    framed = [row.at for row in axis.rows if row.row.kind == "frame"]
    ends = _Ends(stirred, framed, max(now, axis.rows[-1].end if axis.rows else now))
    found = [*_locks(axis.rows, ends), *_states(axis, ends)]
    for row in axis.deleted:
        if row.until_ms is not None:
            found.append(_block(row.stamp.at_ms, row.until_ms, "deleted"))
    return Blocks([*(each for each in found if each.end > each.start), *_breaks(axis)])


@dataclass(frozen=True, slots=True)
class _Ends:
    """When somebody was seen, when a frame was kept, and the end of everything; times in order."""

    stirred: list[int]
    framed: list[int]
    now: int

    def of(self, start: int, end: int, *, stalled: bool = False) -> int:
        """`end`, or the first sign before it that the block is over (a lost unlock, a lost state row)."""
        signs = self.framed if stalled else self.stirred
        place = bisect.bisect_right(signs, start + RACE_MS)
        return min(end, signs[place]) if place < len(signs) else end


def _locks(rows: Sequence[Placed], ends: _Ends) -> list[Block]:
    """From lock to unlock, from sleep to wake; waking up does not unlock."""
    out: list[Block] = []
    since: dict[CloseReason, int] = {}

    def close(why: CloseReason, end: int) -> None:
        start = since.pop(why)
        out.append(_block(start, ends.of(start, end), why))

    for placed in rows:
        row = placed.row
        if row.kind != "event" or row.reason == _GUESSED:
            continue
        if row.what in _LOCKS:
            why = _LOCKS["session_inactive" if row.reason == "session_inactive" else row.what]
            since.setdefault(why, placed.at)
        elif row.what in _UNLOCKS:
            for why in list(since):
                close(why, placed.at)
        elif row.what == "wake" and "sleep" in since:
            close("sleep", placed.at)
        elif since and stirs(row) and all(placed.at > start + RACE_MS for start in since.values()):
            for why in list(since):
                close(why, placed.at)
    for why in list(since):
        close(why, ends.now)
    return out


def _states(axis: Axis, ends: _Ends) -> list[Block]:
    """Pauses, times switched off, stalls longer than a minute, and crashes (a start without an end before it)."""
    out: list[Block] = []
    times = [row.at for row in axis.rows]
    bad_since: int | None = None
    bad_cause: GapCause = "stalled"
    states = axis.states
    for place, state in enumerate(states):
        end = states[place + 1].at if place + 1 < len(states) else max(ends.now, state.at)
        why = _why(state)
        if why == "stalled" and state.row.reason != "hung":
            if bad_since is None:
                bad_since, bad_cause = state.at, cause_of(state.row.reason) or "stalled"
            over = ends.of(bad_since, end, stalled=True)
            if over < end or place + 1 == len(states) or _why(states[place + 1]) != "stalled":
                if over - bad_since > STALL_MS:
                    out.append(Block(bad_since, over, "stalled", bad_cause))
                bad_since = None
            continue
        bad_since = None
        if why:
            cause = cause_of(state.row.reason) or _CAUSES[why]
            out.append(Block(state.at, ends.of(state.at, end, stalled=why == "stalled"), why, cause))
        elif state.row.what == "starting" and not (place and _ended(states[place - 1])):
            last = bisect.bisect_left(times, state.at) - 1
            if last >= 0:
                out.append(_block(times[last], state.at, "crash", late=True))
    return out


def _why(state: Placed) -> CloseReason:
    """Why this state closes a segment; empty if it does not."""
    what, reason = state.row.what, state.row.reason
    if what == "off":
        return _STATES.get(reason, "off")
    if what == "blocked":
        return _STATES.get(reason, "stalled")
    return "stalled" if what == "backing_off" else ""


def _breaks(axis: Axis) -> list[Block]:
    """Between two runs. A new boot without a word before it is a crash, or a shutdown if the recorder said so."""
    out: list[Block] = []
    offs = [state for state in axis.states if state.row.what == "off"]
    off_times = [state.at for state in offs]
    for before, run in zip(axis.runs, axis.runs[1:], strict=False):
        why = _RUNS.get(run.broke)
        if why is None:
            continue
        if run.broke in ("clock_step", "zone"):
            out.append(_block(min(before.end, run.start), run.start, why))
            continue
        start, late = min(before.last, run.start), True
        if run.broke == "boot":
            place = bisect.bisect_left(off_times, start)
            if place < len(offs) and off_times[place] <= run.start:
                start, why, late = off_times[place], _why(offs[place]), False
        out.append(_block(start, run.start, why, late=late))
    return out


def _block(start: int, end: int, why: CloseReason, *, late: bool = False) -> Block:
    return Block(start, end, why, _CAUSES.get(why), late)


def _ended(state: Placed) -> bool:
    """Whether the state already says that the recorder did not run on."""
    return state.row.what == "off" or state.row.reason == "hung"
