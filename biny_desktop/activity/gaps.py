"""Stretches without a frame and what the event rows say of them; pure, so the same rows give the same gaps."""

import bisect
import heapq
import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from biny_desktop.activity.model import Gap, GapCause, NonFrame

MIN_GAP_MS: Final = 300_000
"""Shortest stretch that is told as a gap, ms (spec 03 §1.3)."""

_BY_REASON: Final[dict[str, GapCause]] = {
    "deleted": "deleted",
    "screen_locked": "locked", "session_inactive": "locked", "asleep": "asleep",
    "paused_by_user": "paused", "not_enabled": "off", "shutting_down": "off",
    "private_app": "private", "private_window": "private", "private_url": "private", "user_rule": "private",
    "password_prompt": "private", "private_text": "private",
    "unknown_window": "not_recorded", "own_window": "not_recorded", "window_changed": "not_recorded",
    "disk_low": "stalled", "folder_missing": "stalled", "no_permission": "stalled", "no_monitor": "stalled",
    "back_off": "stalled", "no_picture": "stalled", "black_picture": "stalled", "frozen_source": "stalled",
    "encode_failed": "stalled", "write_failed": "stalled", "screening_failed": "stalled",
    "hung": "stalled", "failed": "stalled",
}  # fmt: skip
_OPENS: Final[dict[str, GapCause]] = {"lock": "locked", "sleep": "asleep", "session_inactive": "locked"}
_BROKE: Final = frozenset({"hung", "failed"})
"""The recorder ended by itself, so the time until it starts again is none in which it was off."""
_CLOSES: Final[dict[str, tuple[GapCause, ...]]] = {
    "unlock": ("locked", "asleep"), "session_active": ("locked", "asleep"), "wake": ("asleep",),
}  # fmt: skip
"""A machine that wakes up is still locked; one that is unlocked is awake, even if nobody said so."""
# Where causes overlap the first one wins: what the user removed, then why nobody could be there, then what went wrong.
_ORDER: Final[tuple[GapCause, ...]] = (
    "deleted", "asleep", "locked", "off", "paused", "private", "stalled", "not_recorded", "no_input", "away"
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class StateRow:
    """A `recorder_states` row: the recorder entered `state` at that time (UTC ms)."""

    at_ms: int
    state: str
    reason: str


@dataclass(frozen=True, slots=True)
class Told:
    """Some row says why nothing was kept in [start, end), UTC ms."""

    start: int
    end: int
    cause: GapCause


def cause_of(reason: str) -> GapCause | None:
    """The cause that a reason of a row stands for; None if it explains no missing time."""
    return _BY_REASON.get(reason)


class Causes:
    """What rows told, put together once, to be asked about many stretches."""

    def __init__(self, told: Iterable[Told]) -> None:
        edges: list[tuple[int, int, int]] = []
        for each in told:
            if each.end > each.start:
                rank = _ORDER.index(each.cause)
                edges += [(each.start, 1, rank), (each.end, -1, rank)]
        edges.sort()
        over = [0] * len(_ORDER)
        self._starts: list[int] = []
        self._causes: list[GapCause | None] = []
        for at, group in itertools.groupby(edges, key=lambda edge: edge[0]):
            for _, step, rank in group:
                over[rank] += step
            self._starts.append(at)
            self._causes.append(next((_ORDER[rank] for rank, n in enumerate(over) if n), None))

    def split(self, stretch: tuple[int, int], default: GapCause, min_ms: int) -> list[Gap]:
        """The gaps of one stretch, oldest first: they cover it exactly and never overlap; arguments as in `split`."""
        start, end = stretch
        if end <= start:
            return []
        first, last = bisect.bisect_right(self._starts, start), bisect.bisect_left(self._starts, end)
        edges = [start, *self._starts[first:last], end]
        causes = [self._causes[first - 1] if first else None, *self._causes[first:last]]
        pieces: list[Told] = []
        for (low, high), told in zip(itertools.pairwise(edges), causes, strict=True):
            cause = told or default
            if pieces and pieces[-1].cause == cause:
                pieces[-1] = Told(pieces[-1].start, high, cause)
            else:
                pieces.append(Told(low, high, cause))
        return [Gap(piece.start, piece.end, piece.cause) for piece in _joined(pieces, min_ms)]


def split(
    stretch: tuple[int, int],
    events: Iterable[NonFrame],
    states: Iterable[StateRow],
    default: GapCause,
    min_ms: int = MIN_GAP_MS,
) -> list[Gap]:
    """The gaps of one stretch without frames, oldest first: they cover it exactly and never overlap.

    Args:
        stretch: [start, end), UTC ms. events: rows that touch it, states: recorder states in it and the last before it,
        both in the order of their time. default: what is claimed where no row says anything. min_ms: pieces shorter
        than this join the longer neighbour.
    """
    start, end = stretch
    return Causes([*_event_spans(events, start, end), *_state_spans(states, start, end)]).split(
        stretch, default, min_ms
    )


def _joined(pieces: list[Told], min_ms: int) -> list[Told]:
    """Pieces of at least `min_ms`; the shortest joins its longer neighbour until there is none left to join."""
    left: dict[int, Told] = {piece.start: piece for piece in pieces}
    by_end = {piece.end: piece for piece in pieces}
    heap = [(piece.end - piece.start, piece.start) for piece in pieces if piece.end - piece.start < min_ms]
    heapq.heapify(heap)

    def put(piece: Told, *gone: Told) -> None:
        for each in gone:
            del left[each.start], by_end[each.end]
        left[piece.start] = by_end[piece.end] = piece
        if piece.end - piece.start < min_ms:
            heapq.heappush(heap, (piece.end - piece.start, piece.start))

    while heap and len(left) > 1:
        length, start = heapq.heappop(heap)
        short = left.get(start)
        if short is None or short.end - short.start != length:
            continue  # it was joined meanwhile
        sides = [each for each in (by_end.get(short.start), left.get(short.end)) if each is not None]
        into = max(sides, key=lambda each: each.end - each.start)
        whole = Told(min(short.start, into.start), max(short.end, into.end), into.cause)
        gone = [short, into]
        for side in (by_end.get(whole.start), left.get(whole.end)):
            if side is not None and side.cause == whole.cause:
                whole = Told(min(whole.start, side.start), max(whole.end, side.end), whole.cause)
                gone.append(side)
        put(whole, *gone)
    return sorted(left.values(), key=lambda piece: piece.start)


def _event_spans(events: Iterable[NonFrame], start: int, end: int) -> list[Told]:
    spans: list[Told] = []
    open_since: dict[GapCause, int] = {}
    for event in events:
        if event.kind in _OPENS:
            open_since.setdefault(_OPENS[event.kind], event.at_ms)
        over = _CLOSES.get(event.kind, ())
        spans += [Told(open_since.pop(cause), event.at_ms, cause) for cause in over if cause in open_since]
        cause = _BY_REASON.get(event.reason) or ("private" if event.kind == "private" else None)
        if cause is not None:
            spans.append(Told(event.at_ms, event.at_ms if event.until_ms is None else event.until_ms, cause))
    spans += [Told(since, end, cause) for cause, since in open_since.items()]
    return [span for span in spans if span.end > start and span.start < end]


def _state_spans(states: Iterable[StateRow], start: int, end: int) -> list[Told]:
    """A blocked or switched-off recorder from one state row to the next; a new start means it was off until then."""
    rows: Sequence[StateRow] = sorted(states, key=lambda row: row.at_ms)
    spans: list[Told] = []
    for place, row in enumerate(rows):
        until = rows[place + 1].at_ms if place + 1 < len(rows) else end
        if row.state == "off":
            spans.append(Told(row.at_ms, until, _BY_REASON.get(row.reason, "off")))
        elif row.state in ("blocked", "backing_off"):
            spans.append(Told(row.at_ms, until, _BY_REASON.get(row.reason, "stalled")))
        elif row.state == "starting" and start < row.at_ms and not (place and rows[place - 1].reason in _BROKE):
            before = rows[place - 1].at_ms if place else start
            spans.append(Told(max(before, start), row.at_ms, "off"))
    return [span for span in spans if span.end > start and span.start < end]
