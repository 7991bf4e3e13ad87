"""Idle and private time as spans, and how much of any stretch was active (spec 03 §2 rules 4 and 10)."""

import bisect
import itertools
from collections.abc import Sequence

from biny_desktop.activity.segments.model import Span
from biny_desktop.activity.segments.sessions import Item


class Quiet:
    """Asked by stretches of shown time; spans never overlap."""

    def __init__(self, items: Sequence[Item], idle_ms: int, end: int) -> None:
        spans: list[Span] = []
        reached: int | None = None
        for item in items:
            if reached is not None and item.at > reached + idle_ms:
                spans.append(Span("idle", reached + idle_ms, item.at))
            if item.private and item.end > item.at:
                start = max([item.at, *([spans[-1].end_ms] if spans else [])])
                if item.end > start:
                    spans.append(Span("private", start, item.end))
            reached = item.end if reached is None else max(reached, item.end)
        if reached is not None and end > reached + idle_ms:
            spans.append(Span("idle", reached + idle_ms, end))
        self._spans = spans
        self._starts = [span.start_ms for span in spans]
        self._ends = [span.end_ms for span in spans]
        self._sums = [0, *itertools.accumulate(span.end_ms - span.start_ms for span in spans)]

    def spans(self, start: int, end: int) -> tuple[Span, ...]:
        """The spans of a stretch, cut to it."""
        low, high = bisect.bisect_right(self._ends, start), bisect.bisect_left(self._starts, end)
        return tuple(
            Span(span.kind, max(span.start_ms, start), min(span.end_ms, end)) for span in self._spans[low:high]
        )

    def active(self, start: int, end: int) -> int:
        """Active ms of a stretch."""
        return end - start - self._until(end) + self._until(start)

    def _until(self, at: int) -> int:
        """Ms of all spans before a time."""
        place = bisect.bisect_right(self._starts, at)
        total = self._sums[place]
        return total - max(0, self._ends[place - 1] - at) if place else total
