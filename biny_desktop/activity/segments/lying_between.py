"""What lay between the segments of a stretch: gaps with causes that, with the segments, are the stretch exactly."""

from collections.abc import Sequence
from typing import Final

from biny_desktop.activity import event_store, timeline_store
from biny_desktop.activity.gaps import split
from biny_desktop.activity.model import Gap, GapCause
from biny_desktop.storage.database import Reader

MIN_MS: Final = 60_000
"""Pieces of one gap that are shorter join their neighbour, ms (own)."""
_ROWS_MAX: Final = 20_000


def gaps_between(
    r: Reader, times: Sequence[tuple[int, int]], known: Sequence[Gap], stretch: tuple[int, int], default: GapCause,
    min_ms: int = 0,
) -> list[Gap]:  # fmt: skip
    """The gaps between segments, in order; with the segments they are the stretch.

    Args:
        times: (start, end) of all segments with a part in the stretch, in order. known: gaps the rules gave when they
        cut, in order; where they say nothing the event rows are asked. stretch: [start, end) UTC ms. default: what is
        claimed where no row says anything. min_ms: shorter gaps are left out.
    """
    start, end = stretch
    found: list[Gap] = []
    at = start
    for low, high in times:
        found += _gaps(r, known, (at, min(low, end)), default, min_ms)
        at = max(at, high)
    return found + _gaps(r, known, (at, end), default, min_ms)


def _gaps(r: Reader, known: Sequence[Gap], stretch: tuple[int, int], default: GapCause, min_ms: int) -> list[Gap]:
    start, end = stretch
    if end <= start or end - start < min_ms:
        return []
    out: list[Gap] = []
    at = start
    for gap in known:
        if gap.end_ms <= at or gap.start_ms >= end:
            continue
        if gap.start_ms > at:
            out += _asked(r, (at, gap.start_ms), default)
        out.append(Gap(max(at, gap.start_ms), min(end, gap.end_ms), gap.cause))
        at = out[-1].end_ms
    if at < end:
        out += _asked(r, (at, end), default)
    return _joined(out)


def _asked(r: Reader, stretch: tuple[int, int], default: GapCause) -> list[Gap]:
    events = event_store.events_touching(r, *stretch, _ROWS_MAX)
    states = timeline_store.states_around(r, *stretch, _ROWS_MAX)
    return split(stretch, events, states, default, MIN_MS)


def _joined(gaps: list[Gap]) -> list[Gap]:
    """Neighbours with one cause as one."""
    out: list[Gap] = []
    for gap in gaps:
        if out and out[-1].cause == gap.cause and out[-1].end_ms == gap.start_ms:
            out[-1] = Gap(out[-1].start_ms, gap.end_ms, gap.cause)
        else:
            out.append(gap)
    return out
