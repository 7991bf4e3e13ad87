"""Stretches without a frame and what the event rows say of them; pure, so the same rows give the same gaps."""

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
_CLOSES: Final = frozenset({"unlock", "wake", "session_active"})
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
class _Span:
    start: int
    end: int
    cause: GapCause


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
    if end <= start:
        return []
    spans = [*_event_spans(events, start, end), *_state_spans(states, start, end)]
    edges = sorted({start, end, *(edge for span in spans for edge in (span.start, span.end) if start < edge < end)})
    pieces: list[_Span] = []
    for low, high in itertools.pairwise(edges):
        over = {span.cause for span in spans if span.start <= low and span.end >= high}
        cause = next((each for each in _ORDER if each in over), default)
        if pieces and pieces[-1].cause == cause:
            pieces[-1] = _Span(pieces[-1].start, high, cause)
        else:
            pieces.append(_Span(low, high, cause))
    return [Gap(piece.start, piece.end, piece.cause) for piece in _joined(pieces, min_ms)]


def _joined(pieces: list[_Span], min_ms: int) -> list[_Span]:
    """Pieces of at least `min_ms`; the shortest joins its longer neighbour until there is none left to join."""
    out = list(pieces)
    while len(out) > 1:
        place = min(range(len(out)), key=lambda i: out[i].end - out[i].start)
        if out[place].end - out[place].start >= min_ms:
            break
        sides = [i for i in (place - 1, place + 1) if 0 <= i < len(out)]
        into = max(sides, key=lambda i: out[i].end - out[i].start)
        low, high = min(place, into), max(place, into)
        out[low : high + 1] = [_Span(out[low].start, out[high].end, out[into].cause)]
        while low + 1 < len(out) and out[low + 1].cause == out[low].cause:
            out[low : low + 2] = [_Span(out[low].start, out[low + 1].end, out[low].cause)]
        while low > 0 and out[low - 1].cause == out[low].cause:
            out[low - 1 : low + 1] = [_Span(out[low - 1].start, out[low].end, out[low].cause)]
            low -= 1
    return out


def _event_spans(events: Iterable[NonFrame], start: int, end: int) -> list[_Span]:
    spans: list[_Span] = []
    open_since: dict[GapCause, int] = {}
    for event in events:
        if event.kind in _OPENS:
            open_since.setdefault(_OPENS[event.kind], event.at_ms)
        if event.kind in _CLOSES:
            spans += [_Span(since, event.at_ms, cause) for cause, since in open_since.items()]
            open_since.clear()
        cause = _BY_REASON.get(event.reason) or ("private" if event.kind == "private" else None)
        if cause is not None:
            spans.append(_Span(event.at_ms, event.at_ms if event.until_ms is None else event.until_ms, cause))
    spans += [_Span(since, end, cause) for cause, since in open_since.items()]
    return [span for span in spans if span.end > start and span.start < end]


def _state_spans(states: Iterable[StateRow], start: int, end: int) -> list[_Span]:
    """A blocked or switched-off recorder from one state row to the next; a new start means it was off until then."""
    rows: Sequence[StateRow] = sorted(states, key=lambda row: row.at_ms)
    spans: list[_Span] = []
    for place, row in enumerate(rows):
        until = rows[place + 1].at_ms if place + 1 < len(rows) else end
        if row.state == "off":
            spans.append(_Span(row.at_ms, until, _BY_REASON.get(row.reason, "off")))
        elif row.state in ("blocked", "backing_off"):
            spans.append(_Span(row.at_ms, until, _BY_REASON.get(row.reason, "stalled")))
        elif row.state == "starting" and start < row.at_ms and not (place and rows[place - 1].reason in _BROKE):
            before = rows[place - 1].at_ms if place else start
            spans.append(_Span(max(before, start), row.at_ms, "off"))
    return [span for span in spans if span.end > start and span.start < end]
