"""Watching mode: when to look although nobody touches the machine (spec 02 §1.9)."""

from collections import deque
from dataclasses import dataclass

QUIET_MS = 30_000
"""Without input for this long, looks that find nothing move further apart (§1.9)."""
MAX_FACTOR = 5
"""Longest interval between two looks, in plain intervals (§1.9)."""
HOUR_MS = 3_600_000


@dataclass(frozen=True, slots=True)
class WatchTiming:
    """Lengths in ms, `max_per_hour` in frames."""

    enabled: bool = False
    interval_ms: int = 12_000
    max_per_hour: int = 200
    max_idle_ms: int = 3_600_000


class Watch:
    """The timing alone; all times are monotonic ms. It looks only while the recorder asks it to (armed, unlocked)."""

    def __init__(self, timing: WatchTiming | None = None) -> None:
        self._timing = timing or WatchTiming()
        self._still = 0
        self._input_ms = 0
        self._next_ms = 0
        self._kept: deque[int] = deque()

    @property
    def enabled(self) -> bool:
        return self._timing.enabled

    def configure(self, timing: WatchTiming, now_ms: int) -> None:
        """Take new settings; switching it on begins a fresh interval."""
        if timing.enabled and not self._timing.enabled:
            self._still, self._input_ms, self._next_ms = 0, now_ms, now_ms + timing.interval_ms
        self._timing = timing

    def begin(self, now_ms: int) -> None:
        """The recorder is armed (again): count from now."""
        self._still, self._input_ms, self._next_ms = 0, now_ms, now_ms + self._timing.interval_ms

    def touched(self, at_ms: int) -> None:
        """Somebody used the machine: plain intervals again, and no stop for want of input."""
        self._still = 0
        self._input_ms = max(self._input_ms, at_ms)
        self._next_ms = min(self._next_ms, at_ms + self._timing.interval_ms)

    def looked(self, at_ms: int, *, changed: bool) -> None:
        """An attempt of any kind ended: with a changed picture, or without."""
        self._still = 0 if changed else self._still + 1
        quiet = at_ms - self._input_ms > QUIET_MS
        factor = min(MAX_FACTOR, 1 + self._still) if quiet else 1
        self._next_ms = at_ms + factor * self._timing.interval_ms

    def next_ms(self) -> int | None:
        """When the next look is due; None while watching is off or stopped for want of input."""
        if not self._timing.enabled or self._next_ms - self._input_ms > self._timing.max_idle_ms:
            return None
        return self._next_ms

    def kept(self, at_ms: int) -> None:
        """A look was kept as a frame."""
        self._kept.append(at_ms)

    def full(self, now_ms: int) -> bool:
        """Whether the last hour already holds as many watched frames as are allowed (`watch_limit`)."""
        while self._kept and now_ms - self._kept[0] >= HOUR_MS:
            self._kept.popleft()
        return len(self._kept) >= self._timing.max_per_hour
