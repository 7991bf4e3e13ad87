"""One D-Bus connection with its own thread that comes back after the bus died; it never raises."""

import contextlib
import logging
import os
import select
import threading
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

Message: TypeAlias = Any
"""A `jeepney.Message`; the library has no types."""
Body: TypeAlias = tuple[Any, ...]
Answer: TypeAlias = Callable[[Body | None], None]
Place: TypeAlias = tuple[str, str, str]
"""Bus name, object path, interface."""

RETRY_S = (1.0, 2.0, 5.0, 15.0, 60.0)
STOP_S = 2.0
AUTH_TIMEOUT_S = 1.0

log = logging.getLogger(__name__)


class BusThread:
    """Listens on the bus at `address`.

    `on_connect(bus)` and `on_signal(message)` run in the thread; the first asks and subscribes with `call` and `match`.
    `on_lost()` runs there when the bus is gone: what it told is no longer known.
    """

    def __init__(
        self,
        address: str,
        name: str,
        on_connect: "Callable[[BusThread], None]",
        on_signal: Callable[[Message], None],
        on_lost: Callable[[], None],
        retry_s: Sequence[float] = RETRY_S,
    ) -> None:
        self._address, self._name, self._retry_s = address, name, tuple(retry_s)
        self._on_connect, self._on_signal, self._on_lost = on_connect, on_signal, on_lost
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None
        self._conn: Any = None
        self._wake_r = self._wake_w = -1
        self._answers: dict[int, Answer] = {}

    def start(self) -> None:
        """Begin; a bus that is missing is tried again later."""
        if self._thread is None:
            self._stopping = threading.Event()
            self._wake_r, self._wake_w = os.pipe()
            self._thread = threading.Thread(
                target=self._run, args=(self._stopping, self._wake_r), name=self._name, daemon=True
            )
            self._thread.start()

    def stop(self) -> None:
        """End the thread and the connection; may be called twice."""
        thread, self._thread = self._thread, None
        if thread is None:
            return
        self._stopping.set()
        os.write(self._wake_w, b"x")
        thread.join(STOP_S)
        if not thread.is_alive():
            os.close(self._wake_r)
            os.close(self._wake_w)

    def call(self, place: Place, member: str, signature: str, body: Body, answer: Answer) -> None:
        """Ask `place` without starting a service; `answer` gets the body, None for an error.

        Only from inside the thread.
        """
        from jeepney import DBusAddress, MessageFlag, new_method_call

        name, path, interface = place
        address = DBusAddress(path, bus_name=name, interface=interface)
        message = new_method_call(address, member, signature or None, body)
        message.header.flags |= MessageFlag.no_auto_start
        serial = next(self._conn.outgoing_serial)
        self._answers[serial] = answer
        self._conn.send(message, serial=serial)

    def match(self, **rule: str) -> None:
        """Subscribe to signals. Only from inside the thread."""
        text = ",".join([f"{key}='{value}'" for key, value in {"type": "signal", **rule}.items()])
        place = ("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus")
        self.call(place, "AddMatch", "s", (text,), lambda _body: None)

    def _run(self, stopping: threading.Event, wake_r: int) -> None:
        failures = 0
        while not stopping.is_set():
            try:
                self._conn = _connect(self._address)
                failures = 0
                self._on_connect(self)
                self._serve(stopping, wake_r)
            except Exception as error:  # a bus can fail in any way: refused, cut off, nonsense on the wire
                log.info("Bus of %s is not there: %s", self._name, type(error).__name__)
            self._lose()
            if not stopping.is_set():
                stopping.wait(self._retry_s[min(failures, len(self._retry_s) - 1)])
                failures += 1

    def _serve(self, stopping: threading.Event, wake_r: int) -> None:
        waiter = select.poll()
        waiter.register(self._conn.sock, select.POLLIN)
        waiter.register(wake_r, select.POLLIN)
        while not stopping.is_set():
            with contextlib.suppress(TimeoutError):
                while True:
                    self._take(self._conn.receive(timeout=0))
            waiter.poll()

    def _lose(self) -> None:
        conn, self._conn = self._conn, None
        self._answers.clear()
        if conn is not None:
            with contextlib.suppress(OSError):
                conn.close()
            self._on_lost()

    def _take(self, message: Message) -> None:
        from jeepney import HeaderFields, MessageType

        kind, fields = message.header.message_type, message.header.fields
        if kind is MessageType.signal:
            self._on_signal(message)
        elif kind in (MessageType.method_return, MessageType.error):
            answer = self._answers.pop(fields.get(HeaderFields.reply_serial, 0), None)
            if answer is not None:
                answer(message.body if kind is MessageType.method_return else None)


def _connect(address: str) -> Any:
    from jeepney.io.blocking import open_dbus_connection

    return open_dbus_connection(address, auth_timeout=AUTH_TIMEOUT_S)
