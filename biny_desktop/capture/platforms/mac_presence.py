"""Presence on macOS: HID idle time, the login session's lock state, sleep notices of the power manager."""

import threading
from collections.abc import Mapping
from typing import Any

from biny_desktop.capture.platforms.loops import LoopThread
from biny_desktop.capture.platforms.mac_ports import MacSystem
from biny_desktop.capture.platforms.polling import Poller
from biny_desktop.capture.ports import Notify, PresenceKind, PresenceNotice
from biny_desktop.core.clock import Clock

WILL_SLEEP, HAS_POWERED_ON = 0xE0000280, 0xE0000300
"""kIOMessageSystemWillSleep, kIOMessageSystemHasPoweredOn."""
POLL_S = 1.0
"""Lock notices of the system reach only the main thread; the session is looked at this often instead."""
NOTICES_MAX = 64


class MacPresence:
    """`PresenceSource` over the calls of `MacSystem`."""

    def __init__(self, system: MacSystem, clock: Clock, poll_s: float = POLL_S) -> None:
        self._system, self._clock = system, clock
        self._loop = LoopThread("mac-power", system.power_loop())
        self._poller = Poller("mac-session", self._look, poll_s)
        self._lock = threading.Lock()
        self._pending: list[PresenceNotice] = []
        self._locked = self._away = False
        self._notify: Notify = lambda: None

    def start(self, notify: Notify) -> None:
        self._notify = notify
        self._loop.start(self._on_power)
        self._poller.start(notify)

    def stop(self) -> None:
        self._poller.stop()
        self._loop.stop()
        self._notify = lambda: None

    def idle_ms(self) -> int | None:
        seconds = self._system.idle_s()
        return None if seconds is None or not 0 <= seconds < float("inf") else int(seconds * 1000)

    def locked(self) -> bool | None:
        return locked_of(self._system.session())

    def notices(self) -> list[PresenceNotice]:
        with self._lock:
            taken, self._pending = self._pending, []
        return taken

    def _look(self) -> object:
        session = self._system.session()
        locked, away = locked_of(session) is True, away_of(session)
        if locked != self._locked:
            self._locked = locked
            self._add("lock" if locked else "unlock")
        if away != self._away:
            self._away = away
            self._add("session_inactive" if away else "session_active")
        return locked, away

    def _on_power(self, message: int, _first: int) -> None:
        if message in (WILL_SLEEP, HAS_POWERED_ON):
            self._add("sleep" if message == WILL_SLEEP else "wake")
            self._notify()

    def _add(self, kind: PresenceKind) -> None:
        with self._lock:
            self._pending = [*self._pending[-NOTICES_MAX + 1 :], PresenceNotice(kind, self._clock.mono_ms())]


def locked_of(session: Mapping[str, Any] | None) -> bool | None:
    """Whether the login session is locked; the key is there only while it is. None without a session."""
    return None if session is None else bool(session.get("CGSSessionScreenIsLocked", False))


def away_of(session: Mapping[str, Any] | None) -> bool:
    """Whether another user's session has the screen."""
    return session is not None and not session.get("kCGSSessionOnConsoleKey", True)
