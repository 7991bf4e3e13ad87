"""One X connection with its own thread: events are handled there, questions from other threads are answered in time.

A question that the server does not answer would block its caller for ever, since Xlib and XCB have no time-out; so the
caller waits for this thread instead, and gives up. Rejected: polling for replies in the caller (two threads would share
one event queue).
"""

import contextlib
import logging
import os
import select
import socket
import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import CancelledError, Future
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar

from biny_desktop.core.errors import UnavailableError

Connection: TypeAlias = Any
"""An `xcffib.Connection`; the library has no types."""

T = TypeVar("T")

CALL_TIMEOUT_S = 0.2
"""A slower answer is unknown (spec 02 §3)."""
CONNECT_TIMEOUT_S = 2.0
RETRY_S = (0.5, 1.0, 2.0, 5.0, 15.0, 30.0)
"""Waits between tries to connect again after the server went away."""
STOP_S = 1.0

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Run:
    """What one thread needs for its life. Its own, since a hanging one may outlive `stop` and the next `start`."""

    stopping: threading.Event
    tried: threading.Event
    wake_r: int
    wake_w: int


class XThread:
    """A named thread that owns one connection to `display` and connects again, with back-off, when it breaks.

    `on_connect` runs in the thread after each connect (select events there), `on_readable` whenever events may be
    waiting (drain all of them), `tick_s` gives the longest sleep between two `on_readable` (None: no tick). All three
    run in the thread only.
    """

    def __init__(
        self,
        display: str,
        name: str,
        *,
        on_connect: Callable[[Connection], None] = lambda _conn: None,
        on_readable: Callable[[Connection], None] | None = None,
        tick_s: Callable[[], float | None] = lambda: None,
    ) -> None:
        self._display, self._name = display, name
        self._on_connect, self._on_readable, self._tick_s = on_connect, on_readable or drop_events, tick_s
        self._calls: deque[tuple[Future[Any], Callable[[Connection], Any]]] = deque()
        self._run: _Run | None = None
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._socket: socket.socket | None = None

    def start(self, timeout_s: float = CONNECT_TIMEOUT_S) -> bool:
        """Begin, and say whether the server answered within that time; if not, the thread goes on trying."""
        if self._thread is not None:
            return self._socket is not None
        run = _Run(threading.Event(), threading.Event(), *os.pipe())
        os.set_blocking(run.wake_w, False)
        self._run = run
        self._thread = threading.Thread(target=self._main, args=(run,), name=self._name, daemon=True)
        self._thread.start()
        run.tried.wait(timeout_s)
        return self._socket is not None

    def stop(self) -> None:
        """End the thread and close the connection, even when the server hangs; may be called twice."""
        thread, self._thread = self._thread, None
        run = self._run
        if thread is None or run is None:
            return
        run.stopping.set()
        self._wake()
        thread.join(STOP_S)
        if thread.is_alive():
            self._break_connection()
            thread.join(STOP_S)

    def call(self, question: Callable[[Connection], T], timeout_s: float = CALL_TIMEOUT_S) -> T:
        """Run `question` with the connection in the thread and give its result.

        Raises:
            UnavailableError: not connected now.
            TimeoutError: no answer in time; a late one is thrown away.
            Exception: whatever `question` raised (X errors included).
        """
        if self._socket is None:
            raise UnavailableError("No display", "The X server does not answer.")
        future: Future[T] = Future()
        self._calls.append((future, question))
        self._wake()
        try:
            return future.result(timeout_s)
        except CancelledError:
            raise UnavailableError("No display", "The X server went away.") from None
        finally:
            future.cancel()

    def _wake(self) -> None:
        with self._lock, contextlib.suppress(BlockingIOError):
            if self._run is not None:
                os.write(self._run.wake_w, b"x")

    def _break_connection(self) -> None:
        """Make a thread that waits for a hanging server return."""
        with contextlib.suppress(OSError):
            if self._socket is not None:
                self._socket.shutdown(socket.SHUT_RDWR)

    def _main(self, run: _Run) -> None:
        try:
            self._keep_connected(run)
        finally:
            with self._lock:
                os.close(run.wake_r)
                os.close(run.wake_w)
                if self._run is run:
                    self._run = None

    def _keep_connected(self, run: _Run) -> None:
        import xcffib
        import xcffib.xproto

        connect: Callable[[str], Connection] = xcffib.connect
        failures = 0
        while not run.stopping.is_set():
            try:
                conn = connect(self._display)
            except (xcffib.XcffibException, OSError):
                conn = None
            if conn is not None and run.stopping.is_set():
                conn.disconnect()
            elif conn is not None:
                failures = 0
                self._serve_safely(conn, run)
                self._hang_up(conn)
            run.tried.set()
            if not run.stopping.is_set():
                log.info("X connection of %s is lost, try %d", self._name, failures + 1)
                run.stopping.wait(RETRY_S[min(failures, len(RETRY_S) - 1)])
                failures += 1

    def _serve_safely(self, conn: Connection, run: _Run) -> None:
        import xcffib

        try:
            self._serve(conn, run)
        except (xcffib.XcffibException, OSError):
            pass  # the server went away, or was told to by `stop`
        except Exception:  # a bug: told with its traceback, and the thread begins anew
            log.exception("Thread %s failed", self._name)

    def _serve(self, conn: Connection, run: _Run) -> None:
        fd = conn.get_file_descriptor()
        self._socket = socket.socket(fileno=os.dup(fd))
        waiter = select.poll()
        waiter.register(fd, select.POLLIN)
        waiter.register(run.wake_r, select.POLLIN)
        self._on_connect(conn)
        run.tried.set()
        while not run.stopping.is_set():
            self._answer(conn)
            conn.flush()
            self._on_readable(conn)
            if self._calls:
                continue
            conn.flush()
            tick_s = self._tick_s()
            ready = dict(waiter.poll(None if tick_s is None else tick_s * 1000))
            if run.wake_r in ready:
                os.read(run.wake_r, 4096)

    def _answer(self, conn: Connection) -> None:
        while self._calls:
            future, question = self._calls.popleft()
            if future.set_running_or_notify_cancel():
                try:
                    future.set_result(question(conn))
                except Exception as error:  # handed to the caller, who knows what it means
                    future.set_exception(error)

    def _hang_up(self, conn: Connection) -> None:
        broken, self._socket = self._socket, None
        if broken is not None:
            broken.close()
        conn.disconnect()
        while self._calls:
            self._calls.popleft()[0].cancel()


def drop_events(conn: Connection) -> None:
    """Read and forget all waiting events and errors."""
    for _event in events(conn):
        pass


def events(conn: Connection) -> list[Any]:
    """All waiting events of the connection; errors of unchecked requests (a window gone meanwhile) are left out.

    Raises:
        ConnectionException: the connection broke.
    """
    import xcffib

    found: list[Any] = []
    while True:
        try:
            event = conn.poll_for_event()
        except xcffib.ConnectionException:
            raise
        except xcffib.XcffibException:
            continue
        if event is None:
            return found
        found.append(event)
