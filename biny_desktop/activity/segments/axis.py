"""The time axis: rows of all boots in the order they happened, each with a shown time that never runs backwards.

Inside a run the shown time advances as the monotonic clock does, so lengths are true there; the wall clock only says
where a run begins. A clock that was set ahead and came back is corrected from what came before and after; where wall
times would still overlap, the later run is shown from the end of the earlier one, until a pause takes the shift back.
Trusting the newest offset of a boot for all of it was rejected: a clock set wrong at noon would move the morning.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from biny_desktop.activity.segments.model import ActivityRow
from biny_desktop.activity.segments.presence import stirs
from biny_desktop.activity.segments.row_order import in_order
from biny_desktop.activity.segments.state_places import STEP_MS, place_states

SLEEP_MS: Final = 60_000
"""Wall time that ran ahead by more than this: the machine was suspended, ms (spec 03 §1.3)."""

Break = Literal["", "boot", "sleep", "clock_step", "zone", "pause"]
"""Why a run is another one than the run before it; `pause`: only to take a shift back."""


@dataclass(frozen=True, slots=True)
class Placed:
    """A row and the shown time it stands for, [at, end] in UTC ms; `run` is the index of its run."""

    row: ActivityRow
    at: int
    end: int
    run: int


@dataclass(frozen=True, slots=True)
class Run:
    """A stretch of rows in one boot, zone and clock setting.

    `start` is the shown time of its first row, `last` that of its last one, `end` where it gives way to the next run
    (after a clock step that is the moment of the step). `adjusted`: shown times are not what the wall clock said.
    """

    start: int
    last: int
    end: int
    zone: str
    broke: Break
    adjusted: bool


@dataclass(frozen=True, slots=True)
class Axis:
    """`rows` frames and events, `states` of the recorder, both by shown time; `deleted` rows tell of deletes."""

    rows: tuple[Placed, ...]
    states: tuple[Placed, ...]
    runs: tuple[Run, ...]
    deleted: tuple[ActivityRow, ...]

    def shown(self, wall_ms: int) -> int:
        """The shown time of a wall time after the last row."""
        if not self.rows:
            return wall_ms
        last = self.rows[-1]
        return last.at + max(0, wall_ms - last.row.stamp.at_ms)


def lay_out(rows: Sequence[ActivityRow], pause_ms: int) -> Axis:
    """Order rows and give them shown times; without activity for `pause_ms` a shift may be taken back."""
    deleted = tuple(row for row in rows if row.reason == "deleted" and row.kind == "event")
    stamped = in_order([row for row in rows if row.kind != "state" and row.reason != "deleted"])
    states = sorted((row for row in rows if row.kind == "state"), key=lambda row: row.id)
    placing = _Placing(stamped, pause_ms)
    placing.run()
    placed = tuple(
        Placed(state, shown, shown, run)
        for state, (shown, run) in zip(states, place_states(states, stamped, placing.at, placing.run_of), strict=True)
    )
    return Axis(placing.placed(), placed, tuple(placing.runs()), deleted)


@dataclass(slots=True)
class _OpenRun:
    """A run while rows are added.

    `stirred` is the end of its last activity, `wall_shift` what corrects the wall clock, `step` when that was set or
    the zone changed.
    """

    start: int
    zone: str
    broke: Break
    wall_shift: int
    stirred: int
    last: int
    end: int
    adjusted: bool
    step: int | None = None


class _Placing:
    """Walks over the ordered rows once."""

    def __init__(self, rows: list[ActivityRow], pause_ms: int) -> None:
        self._rows, self._pause_ms = rows, pause_ms
        self.at: list[int] = []
        self._until: list[int] = []
        self.run_of: list[int] = []
        self._runs: list[_OpenRun] = []

    def run(self) -> None:
        """Place all rows."""
        breaks = _breaks(self._rows)
        shifts = _shifts(self._rows, breaks)
        longest = _longest(self._rows, breaks)
        number = -1
        for place, row in enumerate(self._rows):
            if breaks[place]:
                number += 1
                self._begin(place, breaks[place], shifts[number])
            else:
                self._go_on(place)
            current = self._runs[-1]
            at = self.at[place]
            until = at + longest[place]
            self._until.append(until)
            self.run_of.append(len(self._runs) - 1)
            current.last = at
            if stirs(row):
                current.stirred = max(current.stirred, until)
            current.end = max(current.end, current.stirred)
            if at - current.stirred < self._pause_ms:
                current.end = max(current.end, at)

    def _begin(self, place: int, broke: Break, wall_shift: int) -> None:
        """A row that starts a run, at its wall time or where the run before it ends."""
        row, wall = self._rows[place], self._rows[place].stamp.at_ms - wall_shift
        floor = wall
        if place:
            before = self._runs[-1]
            reach = self.at[place - 1] + row.stamp.mono_ms - self._rows[place - 1].stamp.mono_ms
            if broke == "clock_step" and wall - reach > SLEEP_MS:
                broke = "sleep"
            if broke in ("clock_step", "zone"):
                before.step = reach
                if reach - before.stirred < self._pause_ms:
                    before.end = max(before.end, reach)
            floor = before.end
        self._open(max(wall, floor), row.stamp.zone, broke, wall_shift, wall)

    def _open(self, start: int, zone: str, broke: Break, wall_shift: int, wall: int) -> None:
        moved = abs(start - wall) > STEP_MS or wall_shift > STEP_MS
        place = len(self.at) - 1
        while place >= 0 and self.at[place] > start:  # quiet rows at the end of a run that was shown late
            self.at[place] = start
            place -= 1
        self.at.append(start)
        self._runs.append(_OpenRun(start, zone, broke, wall_shift, start, start, start, moved))

    def _go_on(self, place: int) -> None:
        """A row of the run: as much later than the row before as the monotonic clock says."""
        current, row = self._runs[-1], self._rows[place]
        at = self.at[place - 1] + row.stamp.mono_ms - self._rows[place - 1].stamp.mono_ms
        if current.adjusted and at - current.stirred >= self._pause_ms and stirs(row):
            wall = row.stamp.at_ms - current.wall_shift
            if wall < at:  # the shift shrinks by the pause
                self._open(max(wall, current.end), row.stamp.zone, "pause", current.wall_shift, wall)
                return
        self.at.append(at)

    def placed(self) -> tuple[Placed, ...]:
        """The rows; none lasts into the run after its own."""
        ends = [run.start for run in self._runs[1:]]
        out = []
        for row, at, until, run in zip(self._rows, self.at, self._until, self.run_of, strict=True):
            limit = ends[run] if run < len(ends) else until
            out.append(Placed(row, at, max(at, min(until, limit)), run))
        return tuple(out)

    def runs(self) -> list[Run]:
        """The runs."""
        following = [run.start for run in self._runs[1:]]
        return [
            Run(
                run.start,
                min([run.last, *following[n : n + 1]]),
                run.end if run.step is None else run.step,
                run.zone,
                run.broke,
                run.adjusted,
            )
            for n, run in enumerate(self._runs)
        ]


def _breaks(rows: list[ActivityRow]) -> list[Break]:
    """For each row whether a run begins with it, and why."""
    out: list[Break] = []
    for place, row in enumerate(rows):
        now = row.stamp
        if not place:
            out.append("boot")
            continue
        last = rows[place - 1].stamp
        drift = (now.at_ms - last.at_ms) - (now.mono_ms - last.mono_ms)
        if now.boot_id != last.boot_id:
            out.append("boot")
        elif abs(drift) > STEP_MS:
            out.append("clock_step")
        else:
            out.append("zone" if now.zone != last.zone else "")
    return out


def _longest(rows: list[ActivityRow], breaks: list[Break]) -> list[int]:
    """How long each row lasts, ms. `until` is a wall time, so it cannot be trusted past the end of the run."""
    out = [0] * len(rows)
    following: int | None = None
    for place in range(len(rows) - 1, -1, -1):
        row = rows[place]
        if row.until_ms is not None:
            length = max(0, row.until_ms - row.stamp.at_ms)
            if following is not None:
                first = rows[following].stamp
                same_boot = first.boot_id == row.stamp.boot_id
                room = first.mono_ms - row.stamp.mono_ms if same_boot else first.at_ms - row.stamp.at_ms
                length = min(length, room) if room >= 0 else length
            out[place] = length
        if breaks[place]:
            following = place
    return out


def _shifts(rows: list[ActivityRow], breaks: list[Break]) -> list[int]:
    """How much too late the wall clock of each run is, as far as the runs of its boot before and after it tell.

    A run may be as far ahead as both what came before it and what comes after it allow; so a clock that was set ahead
    and back is put right, while sleep (which lets the wall run ahead for good) is left alone.
    """
    firsts = [place for place, broke in enumerate(breaks) if broke]
    offsets = [rows[place].stamp.at_ms - rows[place].stamp.mono_ms for place in firsts]
    boots = [rows[place].stamp.boot_id for place in firsts]
    after = list(offsets)
    for n in range(len(offsets) - 2, -1, -1):
        if boots[n] == boots[n + 1]:
            after[n] = min(after[n], after[n + 1])
    out: list[int] = []
    before = 0
    for n, offset in enumerate(offsets):
        before = offset if not n or boots[n] != boots[n - 1] else min(before, offset)
        ahead = offset - max(before, after[n])
        out.append(ahead if ahead > STEP_MS else 0)
    return out
