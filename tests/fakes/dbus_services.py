"""D-Bus services of a desktop, on a private bus: logind and a screen saver that do as the test says."""

import threading
from typing import Any, TypeAlias

from jeepney import DBusAddress, HeaderFields, MessageType, new_error, new_method_return, new_signal
from jeepney.bus_messages import message_bus
from jeepney.io.blocking import open_dbus_connection

LOGIND = "org.freedesktop.login1"
SESSION_PATH = "/org/freedesktop/login1/session/_31"
STEP_S = 0.02

Answers: TypeAlias = dict[tuple[str, str], tuple[str, tuple[Any, ...]]]


class BusService:
    """Owns `name` on the bus and answers `answers[(path, member)] = (signature, body)`; everything else is an error."""

    def __init__(self, address: str, name: str, answers: Answers) -> None:
        self.answers = answers
        self.asked: list[tuple[str, str]] = []
        self._send = threading.Lock()
        self._stopping = threading.Event()
        self._conn = open_dbus_connection(address)
        self._conn.send_and_get_reply(message_bus.RequestName(name))
        self._thread = threading.Thread(target=self._run, name=f"fake-{name}", daemon=True)
        self._thread.start()

    def emit(self, path: str, interface: str, member: str, signature: str, *body: Any) -> None:
        """Send a signal."""
        message = new_signal(DBusAddress(path, interface=interface), member, signature, body)
        with self._send:
            self._conn.send(message)

    def close(self) -> None:
        """Give the name back; may be called twice."""
        self._stopping.set()
        self._thread.join()
        self._conn.close()

    def _run(self) -> None:
        while not self._stopping.is_set():
            try:
                message = self._conn.receive(timeout=STEP_S)
            except TimeoutError:
                continue
            except OSError:
                return  # the bus died
            if message.header.message_type is MessageType.method_call:
                fields = message.header.fields
                asked = (fields.get(HeaderFields.path, ""), fields.get(HeaderFields.member, ""))
                answer = self.answers.get(asked)
                reply = new_method_return(message, *answer) if answer else new_error(message, "org.example.Unknown")
                with self._send:
                    self._conn.send(reply)
                self.asked.append(asked)


class FakeLogind(BusService):
    """logind with one session, found by `ways` of GetSession, GetSessionByPID."""

    def __init__(self, address: str, *, locked: bool = False, way: str = "GetSessionByPID") -> None:
        self._properties: dict[str, tuple[str, bool]] = {"LockedHint": ("b", locked), "Active": ("b", True)}
        found = {("/org/freedesktop/login1", way): ("o", (SESSION_PATH,)), (SESSION_PATH, "GetAll"): self._all()}
        super().__init__(address, LOGIND, found)

    def change(self, **properties: bool) -> None:
        """Set LockedHint or Active and tell."""
        changed = {name: ("b", value) for name, value in properties.items()}
        self._properties.update(changed)
        self.answers[(SESSION_PATH, "GetAll")] = self._all()
        interface = "org.freedesktop.DBus.Properties"
        self.emit(SESSION_PATH, interface, "PropertiesChanged", "sa{sv}as", f"{LOGIND}.Session", changed, [])

    def sleep(self, *, going: bool) -> None:
        self.emit("/org/freedesktop/login1", f"{LOGIND}.Manager", "PrepareForSleep", "b", going)

    def _all(self) -> tuple[str, tuple[Any, ...]]:
        return "a{sv}", (dict(self._properties),)


class FakeSaver(BusService):
    """A screen saver, of freedesktop by default."""

    def __init__(
        self,
        address: str,
        name: str = "org.freedesktop.ScreenSaver",
        path: str = "/ScreenSaver",
        *,
        active: bool = False,
    ) -> None:
        self._name, self._path = name, path
        super().__init__(address, name, {(path, "GetActive"): ("b", (active,))})

    def set(self, *, active: bool) -> None:
        self.answers[(self._path, "GetActive")] = ("b", (active,))
        self.emit(self._path, self._name, "ActiveChanged", "b", active)
