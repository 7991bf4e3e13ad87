"""Idle time by the protocol `ext-idle-notify`, which KDE Plasma, Sway, Hyprland and others speak."""

import threading
from collections.abc import Sequence

from biny_desktop.capture.platforms.unix_sockets import RETRY_S
from biny_desktop.capture.platforms.wayland_client import WaylandClient
from biny_desktop.capture.platforms.wayland_wire import Arguments
from biny_desktop.core.clock import Clock
from biny_desktop.core.errors import UnavailableError

SEAT, NOTIFIER = "wl_seat", "ext_idle_notifier_v1"
_BY_ACTIVITY, _BY_INPUT = 1, 2
"""Requests for a notification; the second, of version 2, does not take a playing film for input."""
_IDLED = 0
STEP_MS = 1_000
"""The compositor tells after this time without input, and at the first input after it."""


class NotifyIdle:
    """`IdleSource` over a `WaylandClient`. Exact while idle; while active input was less than `STEP_MS` ago.

    In version 1 a film that keeps the screen on looks like input without end. There only the moment of an input after
    a pause is known, and otherwise nothing is told.
    """

    def __init__(self, path: str, clock: Clock, retry_s: Sequence[float] = RETRY_S) -> None:
        self._clock = clock
        self._client = WaylandClient(path, "wayland-idle", self._on_global, lambda _name: None, self._lose, retry_s)
        self._lock = threading.Lock()
        self._seat = self._notifier = 0
        self._version = 0
        self._begun = False
        self._idle_since_ms: int | None = None
        self._active_since_ms: int | None = None

    def idle_ms(self) -> int | None:
        """As `IdleSource`.

        Raises:
            UnavailableError: no compositor, or one that does not speak it.
        """
        self._client.start()
        if not self._client.settle() or not self._begun:
            raise UnavailableError("No idle time", "The compositor does not tell it.")
        now = self._clock.mono_ms()
        with self._lock:
            if self._idle_since_ms is not None:
                return now - self._idle_since_ms
            if self._version >= _BY_INPUT:
                return 0
            fresh = self._active_since_ms is not None and now - self._active_since_ms < STEP_MS
            return 0 if fresh else None

    def close(self) -> None:
        self._client.stop()

    def _on_global(self, client: WaylandClient, name: int, interface: str, version: int) -> None:
        if interface == SEAT and not self._seat:
            self._seat = client.bind(name, SEAT, 1, _ignore)
        elif interface == NOTIFIER:
            self._version = min(version, 2)
            self._notifier = client.bind(name, NOTIFIER, self._version, _ignore)
        if self._seat and self._notifier and not self._begun:
            self._begun = True
            way = _BY_INPUT if self._version >= _BY_INPUT else _BY_ACTIVITY
            client.send(self._notifier, way, client.new_object(self._on_notice), STEP_MS, self._seat)

    def _on_notice(self, opcode: int, _arguments: Arguments) -> None:
        now = self._clock.mono_ms()
        with self._lock:
            self._idle_since_ms = now - STEP_MS if opcode == _IDLED else None
            self._active_since_ms = None if opcode == _IDLED else now

    def _lose(self) -> None:
        with self._lock:
            self._seat = self._notifier = self._version = 0
            self._begun = False
            self._idle_since_ms = self._active_since_ms = None


def _ignore(_opcode: int, _arguments: Arguments) -> None:
    """Names and capabilities of a seat."""
