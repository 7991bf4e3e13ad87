"""Presence on X11: idle time from the server's screen saver extension, lock and sleep from the buses."""

from typing import Any

from biny_desktop.capture.platforms.dbus_session import DbusSession
from biny_desktop.capture.platforms.x11_thread import Connection, XThread
from biny_desktop.capture.ports import Notify, PresenceNotice
from biny_desktop.core.errors import UnavailableError

_EXTENSION = "MIT-SCREEN-SAVER"


class X11Presence:
    """`PresenceSource` over one X connection of its own and a `DbusSession`."""

    def __init__(self, display: str, session: DbusSession) -> None:
        self._session = session
        self._thread = XThread(display, "x11-presence", on_connect=self._look)
        self._root = 0
        self._can_tell = False

    def start(self, notify: Notify) -> None:
        """Begin to listen; without a server or bus it knows nothing."""
        self._thread.start()
        self._session.start(notify)

    def stop(self) -> None:
        self._thread.stop()
        self._session.stop()

    def idle_ms(self) -> int | None:
        import xcffib

        if not self._can_tell:
            return None
        try:
            return self._thread.call(self._ask)
        except (UnavailableError, TimeoutError, xcffib.XcffibException):
            return None

    def locked(self) -> bool | None:
        return self._session.locked()

    def notices(self) -> list[PresenceNotice]:
        return self._session.notices()

    def _look(self, conn: Connection) -> None:
        self._root = conn.setup.roots[conn.pref_screen].root
        self._can_tell = bool(conn.core.QueryExtension(len(_EXTENSION), _EXTENSION).reply().present)

    def _ask(self, conn: Connection) -> int:
        import xcffib.screensaver

        saver: Any = xcffib.screensaver
        return int(conn(saver.key).QueryInfo(self._root).reply().ms_since_user_input)
