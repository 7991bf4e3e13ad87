"""Unscaled grabs that wait in memory for reading, since pale small text is lost in the stored picture (spec 02 §7)."""

import threading
from collections import OrderedDict
from typing import Final

from biny_desktop.capture.ports import Pixels
from biny_desktop.core.clock import Clock

HELD_MAX: Final = 2
"""Grabs kept at most (spec 02 §7, source)."""
HELD_MS: Final = 30_000
"""How long one is kept, ms (spec 02 §7, source)."""


class HeldGrabs:
    """The newest grabs by frame id. Thread-safe; shared by the writer and the read queue."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._grabs: OrderedDict[int, tuple[int, Pixels]] = OrderedDict()

    def put(self, frame_id: int, pixels: Pixels) -> None:
        """Keep a grab; the oldest one goes when there are too many."""
        with self._lock:
            self._grabs[frame_id] = (self._clock.mono_ms(), pixels)
            while len(self._grabs) > HELD_MAX:
                self._grabs.popitem(last=False)

    def get(self, frame_id: int) -> Pixels | None:
        """The grab of that frame, while it is held."""
        with self._lock:
            self._expire()
            held = self._grabs.get(frame_id)
        return held[1] if held else None

    def drop(self, frame_ids: tuple[int, ...]) -> None:
        """Let go of the grabs of these frames."""
        with self._lock:
            for frame_id in frame_ids:
                self._grabs.pop(frame_id, None)

    def clear(self) -> None:
        """Let go of all (lock, pause, exit)."""
        with self._lock:
            self._grabs.clear()

    def _expire(self) -> None:
        oldest = self._clock.mono_ms() - HELD_MS
        for frame_id in [key for key, (at, _) in self._grabs.items() if at < oldest]:
            del self._grabs[frame_id]
