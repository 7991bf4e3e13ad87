"""Unix sockets of compositors: one question in time, and a thread that wakes at any news."""

import contextlib
import logging
import select
import socket
import threading
import time
from collections.abc import Callable, Sequence

from biny_desktop.capture.platforms.waking_thread import WakingThread
from biny_desktop.capture.ports import Notify
from biny_desktop.core.errors import UnavailableError

ANSWER_TIMEOUT_S = 0.18
"""A compositor that takes longer is unknown (spec 02 §3: 200 ms), with some time left for reading the answer."""
ANSWER_MAX = 8_000_000
"""Longest answer that is read (bytes)."""
RETRY_S = (0.5, 1.0, 2.0, 5.0, 15.0, 30.0)
QUIET_S = 0.05
"""News that come closer together than this are told once."""
_CHUNK = 65_536

log = logging.getLogger(__name__)


class Talk:
    """One connection that lives for one question; every step of it must be done by the same moment."""

    def __init__(self, path: str, timeout_s: float = ANSWER_TIMEOUT_S) -> None:
        self._ends = time.monotonic() + timeout_s
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            self._socket.settimeout(timeout_s)
            self._socket.connect(path)
        except OSError as error:
            self._socket.close()
            raise _gone(error) from error

    def __enter__(self) -> "Talk":
        return self

    def __exit__(self, *_error: object) -> None:
        self._socket.close()

    def send(self, data: bytes) -> None:
        """Raises UnavailableError or TimeoutError, as all methods."""
        try:
            self._socket.settimeout(self._left())
            self._socket.sendall(data)
        except OSError as error:
            raise _gone(error) from error

    def read(self, size: int) -> bytes:
        """Exactly `size` bytes."""
        if size > ANSWER_MAX:
            raise UnavailableError("No answer", "The compositor's answer is too long.")
        data = bytearray()
        while len(data) < size:
            part = self._receive(min(_CHUNK, size - len(data)))
            if not part:
                raise UnavailableError("No answer", "The compositor broke off.")
            data += part
        return bytes(data)

    def read_all(self) -> bytes:
        """Everything up to the end of the connection."""
        data = bytearray()
        while part := self._receive(_CHUNK):
            data += part
            if len(data) > ANSWER_MAX:
                raise UnavailableError("No answer", "The compositor's answer is too long.")
        return bytes(data)

    def _receive(self, size: int) -> bytes:
        try:
            self._socket.settimeout(self._left())
            return self._socket.recv(size)
        except OSError as error:
            raise _gone(error) from error

    def _left(self) -> float:
        left = self._ends - time.monotonic()
        if left <= 0:
            raise TimeoutError
        return left


class SocketNews:
    """A thread that listens at a socket and tells of any data; what the data says is asked anew by whoever is told.

    `hello` is sent after each connect. When the compositor goes away that is told too, and it is tried again later.
    """

    def __init__(
        self,
        name: str,
        path: Callable[[], str],
        hello: bytes = b"",
        retry_s: Sequence[float] = RETRY_S,
        quiet_s: float = QUIET_S,
    ) -> None:
        self._name, self._path, self._hello = name, path, hello
        self._retry_s, self._quiet_s = tuple(retry_s), quiet_s
        self._notify: Notify = lambda: None
        self._thread = WakingThread(name, self._run)

    def start(self, notify: Notify) -> None:
        """Begin; nothing happens while it runs."""
        if not self._thread.running:
            self._notify = notify
            self._thread.start()

    def stop(self) -> None:
        """End; may be called twice."""
        self._thread.stop()

    def _run(self, stopping: threading.Event, wake_r: socket.socket) -> None:
        notify = self._notify
        failures = 0
        while not stopping.is_set():
            try:
                with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as conn:
                    conn.settimeout(ANSWER_TIMEOUT_S)
                    conn.connect(self._path())
                    conn.sendall(self._hello)
                    failures = 0
                    self._listen(conn, notify, stopping, wake_r)
            except OSError as error:
                log.info("%s: the compositor is not there (%s)", self._name, type(error).__name__)
            if not stopping.is_set():
                stopping.wait(self._retry_s[min(failures, len(self._retry_s) - 1)])
                failures += 1

    def _listen(self, conn: socket.socket, notify: Notify, stopping: threading.Event, wake_r: socket.socket) -> None:
        conn.setblocking(False)
        waiter = select.poll()
        waiter.register(conn, select.POLLIN)
        waiter.register(wake_r, select.POLLIN)
        notify()
        while not stopping.is_set():
            waiter.poll()
            stopping.wait(self._quiet_s)
            alive = True
            with contextlib.suppress(BlockingIOError):
                while alive:
                    alive = bool(conn.recv(_CHUNK))
            if not stopping.is_set():
                notify()
            if not alive:
                return


def _gone(error: OSError) -> Exception:
    """A time-out stays one; everything else means that nobody is there."""
    if isinstance(error, TimeoutError):
        return error
    return UnavailableError("No answer", f"The compositor is not there ({type(error).__name__}).")
