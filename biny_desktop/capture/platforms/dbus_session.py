"""Lock, sleep and session of a Linux desktop: logind on the system bus, the screen saver on the session bus."""

import os
import threading
from collections.abc import Sequence

from biny_desktop.capture.platforms.dbus_bus import RETRY_S, Body, BusThread, Message
from biny_desktop.capture.ports import Notify, PresenceKind, PresenceNotice
from biny_desktop.core.clock import Clock

_LOGIND = "org.freedesktop.login1"
_MANAGER = (_LOGIND, "/org/freedesktop/login1", "org.freedesktop.login1.Manager")
_SESSION = "org.freedesktop.login1.Session"
_PROPERTIES = "org.freedesktop.DBus.Properties"
_BUS = "org.freedesktop.DBus"
_SAVERS = {
    "org.freedesktop.ScreenSaver": ("/org/freedesktop/ScreenSaver", "/ScreenSaver"),
    "org.gnome.ScreenSaver": ("/org/gnome/ScreenSaver",),
}
"""Bus name (also the interface) of each screen saver and the paths it answers at."""
NOTICES_MAX = 64
"""Notices kept when nobody takes them; the oldest go."""


class DbusSession:
    """What the buses tell about this session; without them it knows nothing.

    `session_bus`, `system_bus` are D-Bus addresses, None for a bus that does not exist here. `session_id` is logind's
    id of our session, None to let logind find it.
    """

    def __init__(
        self,
        clock: Clock,
        session_bus: str | None,
        system_bus: str | None,
        session_id: str | None = None,
        retry_s: Sequence[float] = RETRY_S,
    ) -> None:
        self._clock, self._session_id = clock, session_id
        self._notify: Notify = lambda: None
        self._lock = threading.Lock()
        self._locks: dict[str, bool] = {}
        self._active = True
        self._session_path = ""
        self._pending: list[PresenceNotice] = []
        self._buses: list[BusThread] = []
        if system_bus:
            self._buses.append(
                BusThread(system_bus, "dbus-system", self._ask_logind, self._on_logind, self._lose_logind, retry_s)
            )
        if session_bus:
            self._buses.append(
                BusThread(session_bus, "dbus-session", self._ask_savers, self._on_saver, self._lose_savers, retry_s)
            )

    def start(self, notify: Notify) -> None:
        """Begin to listen; never fails."""
        self._notify = notify
        for bus in self._buses:
            bus.start()

    def stop(self) -> None:
        for bus in self._buses:
            bus.stop()
        self._notify = lambda: None

    def locked(self) -> bool | None:
        """True when anybody says so, False when somebody says the contrary, None when nobody knows."""
        with self._lock:
            return any(self._locks.values()) if self._locks else None

    def notices(self) -> list[PresenceNotice]:
        with self._lock:
            taken, self._pending = self._pending, []
        return taken

    # What follows runs in the threads of the buses.

    def _tell(self, kind: PresenceKind) -> None:
        with self._lock:
            self._add(kind)
        self._notify()

    def _add(self, kind: PresenceKind) -> None:
        self._pending = [*self._pending[-NOTICES_MAX + 1 :], PresenceNotice(kind, self._clock.mono_ms())]

    def _set_lock(self, source: str, locked: bool | None) -> None:
        """Keep what one source says (None: it no longer says anything) and tell when the sum of all changed."""
        with self._lock:
            before = any(self._locks.values())
            if locked is None:
                self._locks.pop(source, None)
            else:
                self._locks[source] = locked
            after = any(self._locks.values())
            if before != after:
                self._add("lock" if after else "unlock")
        if before != after:
            self._notify()

    def _set_active(self, active: bool) -> None:
        before, self._active = self._active, active
        if before != active:
            self._tell("session_active" if active else "session_inactive")

    def _ask_logind(self, bus: BusThread) -> None:
        bus.match(sender=_LOGIND, interface=_MANAGER[2], member="PrepareForSleep")
        ways: list[tuple[str, str, Body]] = [("GetSession", "s", (self._session_id,))] if self._session_id else []
        ways += [("GetSessionByPID", "u", (os.getpid(),)), ("GetSession", "s", ("auto",))]
        self._find_session(bus, ways)

    def _find_session(self, bus: BusThread, ways: list[tuple[str, str, Body]]) -> None:
        """Ask for our session in one way after the other until one works."""
        if not ways:
            return
        (member, signature, body), rest = ways[0], ways[1:]

        def found(answer: Body | None) -> None:
            if answer is None:
                self._find_session(bus, rest)
            else:
                self._watch_session(bus, str(answer[0]))

        bus.call(_MANAGER, member, signature, body, found)

    def _watch_session(self, bus: BusThread, path: str) -> None:
        self._session_path = path
        bus.match(sender=_LOGIND, interface=_PROPERTIES, member="PropertiesChanged", path=path)
        bus.call((_LOGIND, path, _PROPERTIES), "GetAll", "s", (_SESSION,), self._read_session)

    def _read_session(self, body: Body | None) -> None:
        changed = body[0] if body else {}
        if "LockedHint" in changed:
            self._set_lock(_LOGIND, bool(changed["LockedHint"][1]))
        if "Active" in changed:
            self._set_active(bool(changed["Active"][1]))

    def _on_logind(self, message: Message) -> None:
        path, member = header_of(message)
        if member == "PrepareForSleep":
            self._tell("sleep" if message.body[0] else "wake")
        elif member == "PropertiesChanged" and path == self._session_path and message.body[0] == _SESSION:
            self._read_session((message.body[1],))

    def _lose_logind(self) -> None:
        self._session_path = ""
        self._set_lock(_LOGIND, None)
        self._set_active(True)

    def _ask_savers(self, bus: BusThread) -> None:
        for name in _SAVERS:
            bus.match(interface=name, member="ActiveChanged")
            bus.match(sender=_BUS, interface=_BUS, member="NameOwnerChanged", arg0=name)
            self._ask_saver(bus, name)

    def _ask_saver(self, bus: BusThread, name: str) -> None:
        def answer(body: Body | None) -> None:
            if body:
                self._set_lock(name, bool(body[0]))

        for path in _SAVERS[name]:
            bus.call((name, path, name), "GetActive", "", (), answer)

    def _on_saver(self, message: Message) -> None:
        _, member = header_of(message)
        if member == "ActiveChanged":
            self._set_lock(_interface(message), bool(message.body[0]))
        elif member == "NameOwnerChanged" and message.body[0] in _SAVERS:
            name, _, owner = message.body
            self._set_lock(name, None)
            if owner:
                self._ask_saver(self._buses[-1], name)

    def _lose_savers(self) -> None:
        for name in _SAVERS:
            self._set_lock(name, None)


def header_of(message: Message) -> tuple[str, str]:
    """(path, member) of a signal."""
    from jeepney import HeaderFields

    fields = message.header.fields
    return fields.get(HeaderFields.path, ""), fields.get(HeaderFields.member, "")


def sender_of(message: Message) -> str:
    """The unique name of who sent a message."""
    from jeepney import HeaderFields

    return str(message.header.fields.get(HeaderFields.sender, ""))


def _interface(message: Message) -> str:
    from jeepney import HeaderFields

    return str(message.header.fields.get(HeaderFields.interface, ""))
