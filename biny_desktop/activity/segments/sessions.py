"""Hard cuts: stretches of activity without a long pause in them, and stretches that were only watched."""

import bisect
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from biny_desktop.activity.segments.axis import Axis
from biny_desktop.activity.segments.blocks import Blocks
from biny_desktop.activity.segments.model import CloseReason, SegmentKind
from biny_desktop.activity.segments.presence import is_activity, is_private, is_watched

PRIVATE_HOLE_MS: Final = 5_000
"""Private rows this close to each other with no activity between are one stretch, ms (spec 02 §3.9)."""
CHECK_MS: Final = 60_000
"""Watching mode looks at least this often, so a change it found happened within this before it, ms (spec 02 §1.9)."""
WATCH_MS: Final = 300_000
"""Watched changes without input for longer than this are a segment of their own, ms (spec 03 §2 rule 11)."""
LONE_MS: Final = 1_000
"""How long a single event lasts, since no segment may be without length, ms (own)."""

_STEPS: Final = frozenset({"clock_step", "zone"})


@dataclass(frozen=True, slots=True)
class Item:
    """Somebody was there from `at` to `end` (shown ms)."""

    at: int
    end: int
    private: bool
    run: int


@dataclass(slots=True)
class Stretch:
    """A session, or a part of one, of one kind: [start, end) in shown ms, closed for `why`.

    `sure` is up to when it is certain: an open one reaches until now, its last activity is at `sure`.
    """

    kind: SegmentKind
    run: int
    start: int
    end: int
    sure: int
    why: CloseReason = ""
    open: bool = False
    items: list[Item] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Limits:
    """`hard_ms` is the pause that ends a session; `now` the shown time of now; `ended` when no more rows will come."""

    hard_ms: int
    now: int
    ended: bool


def find_items(axis: Axis, blocks: Blocks) -> list[Item]:
    """Activity and private time that is in no block, by its start; neighbouring private rows are one item."""
    out: list[Item] = []
    for placed in axis.rows:
        private = is_private(placed.row)
        if not (private or is_activity(placed.row)) or blocks.holds(placed.at):
            continue
        last = out[-1] if out else None
        if (
            private and last is not None and last.private and last.run == placed.run
            and placed.at - last.end <= PRIVATE_HOLE_MS and not blocks.between(last.at, placed.at)
        ):  # fmt: skip
            out[-1] = Item(last.at, max(last.end, placed.end), private=True, run=last.run)
        else:
            out.append(Item(placed.at, placed.end, private, placed.run))
    return out


def find_sessions(items: Sequence[Item], blocks: Blocks, limits: Limits) -> list[Stretch]:
    """Items grouped by rule 2 and rule 3, in order; none overlaps another, none is empty."""
    groups: list[list[Item]] = []
    last_end = 0
    for item in items:
        here = groups[-1] if groups else None
        if (
            here is not None and item.run == here[-1].run and item.at - last_end < limits.hard_ms
            and not blocks.between(here[-1].at, item.at)
        ):  # fmt: skip
            here.append(item)
            last_end = max(last_end, item.end)
        else:
            groups.append([item])
            last_end = item.end
    out: list[Stretch] = []
    for place, group in enumerate(groups):
        following = groups[place + 1][0].at if place + 1 < len(groups) else None
        session = _close("active", group, following, blocks, limits)
        if out and out[-1].why in _STEPS and session.start - out[-1].sure < limits.hard_ms:
            session.start = _after_step(out[-1].end, session.start, blocks)
        if session.end > session.start:
            out.append(session)
    return out


def _after_step(end: int, start: int, blocks: Blocks) -> int:
    """Where a session starts that was only cut by a clock step or by travel: right after that."""
    step = blocks.next(end)
    if step is None or step.why not in _STEPS or step.end > start or blocks.between(step.end + 1, start):
        return start
    return max(end, step.end)


def _close(kind: SegmentKind, items: list[Item], following: int | None, blocks: Blocks, limits: Limits) -> Stretch:
    """End a session at what closes it, or at its last event."""
    start, end = items[0].at, max(item.end for item in items)
    block = blocks.closing(items[-1].at)
    out = Stretch(kind, items[0].run, start, end, end, "no_input", items=items)
    if block is not None and following is not None and block.start > following:
        block = None
    if block is not None and block.start - end < limits.hard_ms:
        out.end = out.sure = min(end, block.end) if block.late else max(start, block.start)
        out.why = block.why
    elif following is not None:
        out.end = out.sure = min(end, following)
    elif not limits.ended and limits.now - end < limits.hard_ms:
        out.end, out.why, out.open = max(end, limits.now), "", True
    if out.end == start and not out.open:
        limits_ms = [start + LONE_MS, *([] if following is None else [following])]
        if block is not None:
            limits_ms.append(block.end if block.late else block.start)
        out.end = out.sure = min(limits_ms)
    return out


def find_watched(axis: Axis, sessions: Sequence[Stretch], blocks: Blocks, limits: Limits) -> list[Stretch]:
    """Rule 11: changes seen between sessions for more than five minutes without input."""
    starts = [session.start for session in sessions]
    chains: list[tuple[int, list[Item]]] = []
    for placed in axis.rows:
        if not is_watched(placed.row) or blocks.holds(placed.at):
            continue
        before = bisect.bisect_right(starts, placed.at) - 1
        if before >= 0 and placed.at < sessions[before].end:
            continue
        item = Item(placed.at, placed.at, private=False, run=placed.run)
        last = chains[-1] if chains else None
        if (
            last is not None and last[0] == before and last[1][-1].run == item.run
            and item.at - last[1][-1].at < limits.hard_ms and not blocks.between(last[1][-1].at, item.at)
        ):  # fmt: skip
            last[1].append(item)
        else:
            chains.append((before, [item]))
    found = []
    for place, (before, items) in enumerate(chains):
        following = chains[place + 1][1][0].at if place + 1 < len(chains) else None
        watched = _watched(items, sessions, before, following, blocks, limits)
        if watched is not None:
            found.append(watched)
    return found


def _watched(
    items: list[Item], sessions: Sequence[Stretch], before: int, following: int | None, blocks: Blocks, limits: Limits
) -> Stretch | None:
    """A chain of watched changes as a stretch, when it lasted long enough."""
    ahead = sessions[before] if before >= 0 else None
    behind = sessions[before + 1] if before + 1 < len(sessions) else None
    nearest = min((at for at in (behind.start if behind else None, following) if at is not None), default=None)
    out = _close("watching", items, nearest, blocks, limits)
    first, last = items[0].at, items[-1].at
    quiet_since = first
    if (
        ahead is not None and ahead.run == items[0].run and ahead.why == "no_input"
        and first - ahead.end <= CHECK_MS
    ):  # fmt: skip
        out.start = quiet_since = ahead.end
    if last - quiet_since <= WATCH_MS:
        return None
    if not out.open:
        block = blocks.next(last)
        if behind is not None and behind.run == items[0].run and behind.start - last <= CHECK_MS and (
            block is None or block.start >= behind.start
        ):  # fmt: skip
            out.end, out.why = behind.start, "kind_change"
        elif block is None or block.start - last > CHECK_MS:
            out.end, out.why = last, "no_input"
    out.end = out.end if nearest is None else min(out.end, nearest)
    out.sure = min(out.sure, out.end) if out.open else out.end
    return out if out.end > out.start else None
