"""Presence on Wayland: idle time from whoever can tell it, lock and sleep from the buses."""

from biny_desktop.capture.platforms.dbus_idle import FirstIdle
from biny_desktop.capture.platforms.dbus_session import DbusSession
from biny_desktop.capture.ports import Notify, PresenceNotice


class WaylandPresence:
    """`PresenceSource` over a `DbusSession` and some ways to ask for the idle time."""

    def __init__(self, session: DbusSession, idle: FirstIdle) -> None:
        self._session, self._idle = session, idle

    def start(self, notify: Notify) -> None:
        self._session.start(notify)

    def stop(self) -> None:
        self._session.stop()
        self._idle.close()

    def idle_ms(self) -> int | None:
        return self._idle.idle_ms()

    def locked(self) -> bool | None:
        return self._session.locked()

    def notices(self) -> list[PresenceNotice]:
        return self._session.notices()
