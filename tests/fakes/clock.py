"""A clock that only moves when a test says so."""

import threading

from biny_desktop.core.clock import Stamp

START_MS = 1_767_571_200_000
"""2026-01-05T00:00:00Z, a Monday: no test depends on today's date."""


class FakeClock:
    """`core.clock.Clock` for tests; safe from any thread.

    `advance` moves wall and monotonic time, `suspend` only the wall (Linux' monotonic clock stands still while the
    machine sleeps), `set_wall` sets the wall alone (somebody set the clock), `set_zone` travels, `reboot` begins a new
    boot. `waits` holds every length asked of `wait`, in seconds; `wait` returns at once and advances by that much.
    """

    def __init__(
        self, at_ms: int = START_MS, zone: str = "UTC", mono_ms: int = 1_000_000, boot_id: str = "boot-1"
    ) -> None:
        self._lock = threading.Lock()
        self._at_ms, self._zone, self._mono_ms, self._boot_id = at_ms, zone, mono_ms, boot_id
        self.waits: list[float] = []

    def stamp(self) -> Stamp:
        with self._lock:
            return Stamp(self._at_ms, self._zone, self._mono_ms, self._boot_id)

    def now_ms(self) -> int:
        with self._lock:
            return self._at_ms

    def mono_ms(self) -> int:
        with self._lock:
            return self._mono_ms

    def wait(self, seconds: float) -> None:
        with self._lock:
            self.waits.append(seconds)
        self.advance(round(seconds * 1000))

    def advance(self, ms: int) -> None:
        with self._lock:
            self._at_ms += ms
            self._mono_ms += ms

    def suspend(self, ms: int) -> None:
        with self._lock:
            self._at_ms += ms

    def set_wall(self, at_ms: int) -> None:
        with self._lock:
            self._at_ms = at_ms

    def set_zone(self, zone: str) -> None:
        with self._lock:
            self._zone = zone

    def reboot(self, boot_id: str, mono_ms: int = 1_000) -> None:
        with self._lock:
            self._boot_id, self._mono_ms = boot_id, mono_ms
