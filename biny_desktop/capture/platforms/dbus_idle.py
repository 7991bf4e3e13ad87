"""Idle time of a Linux desktop from its buses: Mutter, the screen saver service, logind.

A source that always says 0 would look like input without end, so each one is believed only as far as it has shown to
count: several desktops answer these questions without knowing.
"""

from collections.abc import Sequence
from typing import Protocol

from biny_desktop.capture.platforms.dbus_bus import RETRY_S, Place
from biny_desktop.capture.platforms.dbus_client import BusClient
from biny_desktop.core.clock import Clock
from biny_desktop.core.errors import UnavailableError

MUTTER: Place = ("org.gnome.Mutter.IdleMonitor", "/org/gnome/Mutter/IdleMonitor/Core", "org.gnome.Mutter.IdleMonitor")
SAVER: Place = ("org.freedesktop.ScreenSaver", "/org/freedesktop/ScreenSaver", "org.freedesktop.ScreenSaver")
LOGIND_MANAGER: Place = ("org.freedesktop.login1", "/org/freedesktop/login1", "org.freedesktop.login1.Manager")
PROPERTIES = "org.freedesktop.DBus.Properties"
SESSION = "org.freedesktop.login1.Session"
REST_MS = 30_000
"""A source that is not there is asked again after this time."""
COUNT_MS = 1_500
"""A rise is measured over at least this time: seconds and milliseconds are then told apart with certainty."""
MS_SHARE = 0.1
"""A counter that rises by more than this part of the milliseconds that passed counts milliseconds, else seconds."""


class IdleSource(Protocol):
    """One way to ask; raises UnavailableError or TimeoutError, None means that it cannot tell now."""

    def idle_ms(self) -> int | None: ...
    def close(self) -> None: ...


class FirstIdle:
    """The first of some sources that can tell; one that fails rests for a while."""

    def __init__(self, sources: Sequence[IdleSource], clock: Clock) -> None:
        self._sources, self._clock = tuple(sources), clock
        self._rests_until: dict[int, int] = {}

    def idle_ms(self) -> int | None:
        """Milliseconds since the last input; None when nobody can tell. Never raises."""
        now = self._clock.mono_ms()
        for place, source in enumerate(self._sources):
            if now < self._rests_until.get(place, now):
                continue
            try:
                idle = source.idle_ms()
            except (UnavailableError, TimeoutError):
                self._rests_until[place] = now + REST_MS
                continue
            if idle is not None:
                return idle
        return None

    def close(self) -> None:
        for source in self._sources:
            source.close()


class MutterIdle:
    """GNOME: milliseconds, exact."""

    def __init__(self, address: str, retry_s: Sequence[float] = RETRY_S) -> None:
        self._bus = BusClient(address, "dbus-idle", retry_s)

    def idle_ms(self) -> int | None:
        return _count(self._bus.ask(MUTTER, "GetIdletime"))

    def close(self) -> None:
        self._bus.close()


class SaverIdle:
    """KDE and others: `GetSessionIdleTime`, which counts seconds here and milliseconds there, or stays at 0."""

    def __init__(self, address: str, clock: Clock, retry_s: Sequence[float] = RETRY_S) -> None:
        self._bus, self._clock = BusClient(address, "dbus-saver", retry_s), clock
        self._unit = IdleUnit()

    def idle_ms(self) -> int | None:
        value = _count(self._bus.ask(SAVER, "GetSessionIdleTime"))
        return None if value is None else self._unit.look(value, self._clock.mono_ms())

    def close(self) -> None:
        self._bus.close()


class IdleUnit:
    """Finds out what a counter counts by watching it rise."""

    def __init__(self) -> None:
        self._factor: int | None = None
        self._from: tuple[int, int] | None = None

    def look(self, value: int, now_ms: int) -> int | None:
        """The value in milliseconds; None until the counter has shown that it counts, and in what."""
        if self._factor is None:
            self._learn(value, now_ms)
        return None if self._factor is None else value * self._factor

    def _learn(self, value: int, now_ms: int) -> None:
        if self._from is None or value < self._from[0]:
            self._from = (value, now_ms)
            return
        rise, passed = value - self._from[0], now_ms - self._from[1]
        if passed < COUNT_MS:
            return
        if rise > 0:
            self._factor = 1 if rise > MS_SHARE * passed else 1_000
        self._from = (value, now_ms)


class LogindIdle:
    """logind's idle hint: tells when a desktop that sets it went idle, and nothing before that."""

    def __init__(
        self, address: str, clock: Clock, session_id: str | None = None, retry_s: Sequence[float] = RETRY_S
    ) -> None:
        self._bus, self._clock = BusClient(address, "dbus-logind", retry_s), clock
        self._id = session_id or "auto"

    def idle_ms(self) -> int | None:
        """Time since the hint was set; None while it is not: a hint that nobody sets must not look like input."""
        path = str(self._bus.ask(LOGIND_MANAGER, "GetSession", "s", (self._id,))[0])
        place = (LOGIND_MANAGER[0], path, PROPERTIES)
        facts = self._bus.ask(place, "GetAll", "s", (SESSION,))[0]
        since = facts.get("IdleSinceHintMonotonic", ("t", 0))[1]
        if not facts.get("IdleHint", ("b", False))[1] or not since:
            return None
        return max(0, self._clock.mono_ms() - int(since) // 1_000)

    def close(self) -> None:
        self._bus.close()


def idle_sources(
    session: str | None, system: str | None, clock: Clock, session_id: str | None, compositor: IdleSource | None = None
) -> tuple[list[IdleSource], str]:
    """The sources of a Wayland desktop, most exact first, and their names as one sentence part.

    `compositor` is the one that speaks to the compositor itself.
    """
    found: list[IdleSource] = []
    names: list[str] = []
    if session:
        found.append(MutterIdle(session))
        names.append("Mutter")
    if compositor is not None:
        found.append(compositor)
        names.append("ext-idle-notify")
    if session:
        found.append(SaverIdle(session, clock))
        names.append("the screen saver service")
    if system:
        found.append(LogindIdle(system, clock, session_id))
        names.append("logind's idle hint")
    return found, ", ".join(names)


def _count(body: tuple[object, ...]) -> int | None:
    value = body[0] if body else None
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None
