"""One D-Bus connection with its own thread that comes back after the bus died; it never raises."""

import contextlib
import logging
import os
import select
import threading
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError, Future
from typing import Any, TypeAlias

from biny_desktop.core.errors import UnavailableError

Message: TypeAlias = Any
"""A `jeepney.Message`; the library has no types."""
Body: TypeAlias = tuple[Any, ...]
Answer: TypeAlias = Callable[[Body | None], None]
Place: TypeAlias = tuple[str, str, str]
"""Bus name, object path, interface."""

RETRY_S = (1.0, 2.0, 5.0, 15.0, 60.0)
STOP_S = 2.0
AUTH_TIMEOUT_S = 1.0
ASK_TIMEOUT_S = 0.2
"""A slower answer is unknown (spec 02 §3)."""
BUS: Place = ("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus")
"""The bus itself."""

log = logging.getLogger(__name__)


class RefusedError(UnavailableError):
    """A service answered with an error, or is not there; `name` is the D-Bus name of the error."""

    def __init__(self, name: str) -> None:
        super().__init__("No answer", f"The service refused ({name}).")
        self.name = name


class BusThread:
    """Listens on the bus at `address`.

    `on_connect(bus)` and `on_signal(message)` run in the thread; the first asks and subscribes with `call` and `match`.
    `on_lost()` runs there when the bus is gone: what it told is no longer known. `on_call(message)` runs there when
    somebody calls us, and says whether there is such a method; nothing is ever given back.
    """

    def __init__(
        self,
        address: str,
        name: str,
        on_connect: "Callable[[BusThread], None]",
        on_signal: Callable[[Message], None],
        on_lost: Callable[[], None],
        retry_s: Sequence[float] = RETRY_S,
        on_call: Callable[[Message], bool] = lambda _message: False,
    ) -> None:
        self._address, self._name, self._retry_s = address, name, tuple(retry_s)
        self._on_connect, self._on_signal, self._on_lost = on_connect, on_signal, on_lost
        self._on_call = on_call
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None
        self._conn: Any = None
        self._wake_r = self._wake_w = -1
        self._answers: dict[int, Answer] = {}
        self._questions: dict[int, Future[Body]] = {}
        self._waiting: deque[tuple[Future[Body], Place, str, str, Body]] = deque()
        self._tried = threading.Event()
        self._lock = threading.Lock()

    @property
    def unique_name(self) -> str:
        """Our own name on the bus (`:1.42`); "" while there is no bus."""
        conn = self._conn
        return str(conn.unique_name) if conn is not None else ""

    def start(self) -> None:
        """Begin; a bus that is missing is tried again later."""
        if self._thread is None:
            self._stopping = threading.Event()
            self._tried.clear()
            self._wake_r, self._wake_w = os.pipe()
            os.set_blocking(self._wake_w, False)
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
        self._wake()
        thread.join(STOP_S)
        if not thread.is_alive():
            with self._lock:
                os.close(self._wake_r)
                os.close(self._wake_w)
                self._wake_r = self._wake_w = -1

    def ask(
        self, place: Place, member: str, signature: str = "", body: Body = (), timeout_s: float = ASK_TIMEOUT_S
    ) -> Body:
        """Ask `place` from any other thread, without starting a service, and wait for the answer.

        Raises:
            RefusedError: an error came back, or nobody is there.
            UnavailableError: there is no bus, or it died meanwhile.
            TimeoutError: no answer in time; a late one is thrown away.
        """
        self._tried.wait(timeout_s)
        if self._conn is None:
            raise UnavailableError("No bus", "The D-Bus of the session is not there.")
        question: Future[Body] = Future()
        self._waiting.append((question, place, member, signature, body))
        self._wake()
        try:
            return question.result(timeout_s)
        except CancelledError:
            raise UnavailableError("No bus", "The D-Bus of the session went away.") from None
        finally:
            question.cancel()

    def call(self, place: Place, member: str, signature: str, body: Body, answer: Answer) -> None:
        """Ask `place` without starting a service; `answer` gets the body, None for an error.

        Only from inside the thread.
        """
        self._answers[self._send(place, member, signature, body)] = answer

    def _send(self, place: Place, member: str, signature: str, body: Body) -> int:
        from jeepney import DBusAddress, MessageFlag, new_method_call

        name, path, interface = place
        address = DBusAddress(path, bus_name=name, interface=interface)
        message = new_method_call(address, member, signature or None, body)
        message.header.flags |= MessageFlag.no_auto_start
        serial = next(self._conn.outgoing_serial)
        self._conn.send(message, serial=serial)
        return int(serial)

    def _wake(self) -> None:
        with self._lock, contextlib.suppress(BlockingIOError):
            if self._wake_w >= 0:
                os.write(self._wake_w, b"x")

    def match(self, **rule: str) -> None:
        """Subscribe to signals. Only from inside the thread."""
        text = ",".join([f"{key}='{value}'" for key, value in {"type": "signal", **rule}.items()])
        self.call(BUS, "AddMatch", "s", (text,), lambda _body: None)

    def _run(self, stopping: threading.Event, wake_r: int) -> None:
        failures = 0
        while not stopping.is_set():
            try:
                self._conn = _connect(self._address)
                failures = 0
                self._on_connect(self)
                self._tried.set()
                self._serve(stopping, wake_r)
            except Exception as error:  # a bus can fail in any way: refused, cut off, nonsense on the wire
                log.info("Bus of %s is not there: %s", self._name, type(error).__name__)
            self._lose()
            self._tried.set()
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
            while self._waiting:
                self._put()
            if wake_r in dict(waiter.poll()):
                os.read(wake_r, 4096)

    def _put(self) -> None:
        """Send the oldest question of another thread, unless nobody waits for it any more."""
        question, place, member, signature, body = self._waiting.popleft()
        if question.set_running_or_notify_cancel():
            try:
                self._questions[self._send(place, member, signature, body)] = question
            except Exception as error:  # text that D-Bus cannot carry, or the bus died: the asker is told at once
                question.set_exception(
                    UnavailableError("No bus", f"The question was not sent ({type(error).__name__}).")
                )
                raise

    def _lose(self) -> None:
        conn, self._conn = self._conn, None
        self._answers.clear()
        questions, self._questions = list(self._questions.values()), {}
        while self._waiting:
            questions.append(self._waiting.popleft()[0])
        for question in questions:
            if not question.done() and not question.cancel():
                question.set_exception(CancelledError())
        if conn is not None:
            with contextlib.suppress(OSError):
                conn.close()
            self._on_lost()

    def _take(self, message: Message) -> None:
        from jeepney import HeaderFields, MessageType

        kind, fields = message.header.message_type, message.header.fields
        if kind is MessageType.signal:
            self._on_signal(message)
        elif kind is MessageType.method_call:
            self._reply(message)
        elif kind in (MessageType.method_return, MessageType.error):
            serial = fields.get(HeaderFields.reply_serial, 0)
            body = message.body if kind is MessageType.method_return else None
            answer, question = self._answers.pop(serial, None), self._questions.pop(serial, None)
            if answer is not None:
                answer(body)
            if question is not None and body is not None:
                question.set_result(body)
            elif question is not None:
                question.set_exception(RefusedError(str(fields.get(HeaderFields.error_name, ""))))

    def _reply(self, message: Message) -> None:
        from jeepney import MessageFlag, new_error, new_method_return

        known = self._on_call(message)
        if not message.header.flags & MessageFlag.no_reply_expected:
            unknown = "org.freedesktop.DBus.Error.UnknownMethod"
            self._conn.send(new_method_return(message) if known else new_error(message, unknown))


def _connect(address: str) -> Any:
    from jeepney.io.blocking import open_dbus_connection

    return open_dbus_connection(address, auth_timeout=AUTH_TIMEOUT_S)
