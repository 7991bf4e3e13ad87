"""Presence on Microsoft Windows: idle ticks, the lock state, and session and power messages."""

import threading

from biny_desktop.capture.platforms.loops import LoopThread
from biny_desktop.capture.platforms.windows_ports import WindowsSystem
from biny_desktop.capture.platforms.windows_windows import on_default_desktop
from biny_desktop.capture.ports import Notify, PresenceKind, PresenceNotice
from biny_desktop.core.clock import Clock

SESSION_CHANGE, POWER = 0x02B1, 0x0218
"""WM_WTSSESSION_CHANGE, WM_POWERBROADCAST."""
_KINDS: dict[tuple[int, int], PresenceKind] = {
    (SESSION_CHANGE, 1): "session_active",  # console connect
    (SESSION_CHANGE, 2): "session_inactive",  # console disconnect: another user's turn
    (SESSION_CHANGE, 3): "session_active",  # remote connect
    (SESSION_CHANGE, 4): "session_inactive",  # remote disconnect
    (SESSION_CHANGE, 7): "lock",
    (SESSION_CHANGE, 8): "unlock",
    (POWER, 4): "sleep",  # suspend
    (POWER, 7): "wake",  # resume by the user
    (POWER, 18): "wake",  # resume, always sent
}
TICKS = 1 << 32
"""`GetLastInputInfo` counts ticks in 32 bits and begins anew after 49.7 days."""
NOTICES_MAX = 64
"""Notices kept when nobody takes them; the oldest go."""


def idle_between(now_ticks: int, input_ticks: int) -> int:
    """Milliseconds from the last input to now, by the low 32 bits of both (spec 02 §11 row 24).

    An input that seems to lie ahead came between the two questions: 0.
    """
    passed = (now_ticks - input_ticks) % TICKS
    return 0 if passed >= TICKS // 2 else passed


def kind_of(message: int, first: int) -> PresenceKind | None:
    """What a session or power message says; None for one that says nothing about presence."""
    return _KINDS.get((message, first))


class WindowsPresence:
    """`PresenceSource` over the calls of `WindowsSystem`."""

    def __init__(self, system: WindowsSystem, clock: Clock) -> None:
        self._system, self._clock = system, clock
        self._loop = LoopThread("windows-session", system.session_loop())
        self._lock = threading.Lock()
        self._pending: list[PresenceNotice] = []
        self._notify: Notify = lambda: None

    def start(self, notify: Notify) -> None:
        self._notify = notify
        self._loop.start(self._on_message)

    def stop(self) -> None:
        self._loop.stop()
        self._notify = lambda: None

    def idle_ms(self) -> int | None:
        last = self._system.last_input_ticks()
        return None if last is None else idle_between(self._system.ticks(), last)

    def locked(self) -> bool | None:
        """Locked when the session says so, or no window is in front and input goes to the secure desktop."""
        if not self._system.foreground() and not on_default_desktop(self._system):
            return True
        return self._system.session_locked()

    def notices(self) -> list[PresenceNotice]:
        with self._lock:
            taken, self._pending = self._pending, []
        return taken

    def _on_message(self, message: int, first: int) -> None:
        kind = kind_of(message, first)
        if kind is not None:
            with self._lock:
                self._pending = [*self._pending[-NOTICES_MAX + 1 :], PresenceNotice(kind, self._clock.mono_ms())]
            self._notify()
