"""One connection to a Wayland compositor with its own thread; it opens no window and gets no input.

It exists for what compositors tell by protocol only: idle time, monitors, titles of windows. Rejected: a library
(`pywayland` needs a C compiler and libwayland on the user's machine for these few messages).
"""

import logging
import select
import socket
import threading
from collections import deque
from collections.abc import Callable, Sequence

from biny_desktop.capture.platforms.unix_sockets import RETRY_S
from biny_desktop.capture.platforms.waking_thread import WakingThread
from biny_desktop.capture.platforms.wayland_wire import Arguments, BrokenMessageError, messages, request

DISPLAY, REGISTRY, FIRST_FREE = 1, 2, 3
"""Object ids: the first is given, the others are ours to choose."""
_SYNC, _GET_REGISTRY, _BIND = 0, 1, 0
CONNECT_TIMEOUT_S = 1.0
SYNC_TIMEOUT_S = 0.2
"""A compositor that takes longer is unknown (spec 02 §3)."""
_CHUNK = 65_536
BUFFER_MAX = 4 * _CHUNK

Handler = Callable[[int, Arguments], None]
"""Gets the events of one object: opcode and arguments."""

log = logging.getLogger(__name__)


class WaylandClient:
    """Keeps a connection at `path` and tells `on_global(client, name, interface, version)` what the compositor offers,
    `on_gone(name)` what it takes back, `on_lost()` that it went away. All three run in the thread, as do handlers;
    only there `bind`, `new_object` and `send` may be used.
    """

    def __init__(
        self,
        path: str,
        name: str,
        on_global: "Callable[[WaylandClient, int, str, int], None]",
        on_gone: Callable[[int], None],
        on_lost: Callable[[], None],
        retry_s: Sequence[float] = RETRY_S,
    ) -> None:
        self._path, self._name, self._retry_s = path, name, tuple(retry_s)
        self._on_global, self._on_gone, self._on_lost = on_global, on_gone, on_lost
        self._thread = WakingThread(name, self._run)
        self._tried = threading.Event()
        self._conn: socket.socket | None = None
        self._objects: dict[int, Handler] = {}
        self._next = FIRST_FREE
        self._waiting: deque[threading.Event] = deque()

    def start(self) -> None:
        """Begin; a compositor that is missing is tried again later."""
        if not self._thread.running:
            self._tried.clear()
            self._thread.start()

    def stop(self) -> None:
        """End the thread and the connection; may be called twice."""
        self._thread.stop()

    def settle(self, timeout_s: float = SYNC_TIMEOUT_S) -> bool:
        """From another thread: wait until all that the compositor has to tell so far has arrived.

        Twice there and back, since the first answer may offer objects that tell more. False: it is not there, or did
        not answer in time.
        """
        self._tried.wait(timeout_s)
        if self._conn is None or not self._thread.running:
            return False
        done = threading.Event()
        self._waiting.append(done)
        self._thread.wake()
        return done.wait(timeout_s) and self._conn is not None

    def bind(self, name: int, interface: str, version: int, handler: Handler) -> int:
        """Use something the compositor offers; gives its object id."""
        number = self.new_object(handler)
        self.send(REGISTRY, _BIND, name, interface, version, number)
        return number

    def new_object(self, handler: Handler) -> int:
        """A new object id whose events go to `handler`."""
        number, self._next = self._next, self._next + 1
        self._objects[number] = handler
        return number

    def adopt(self, number: int, handler: Handler) -> None:
        """An object that the compositor made."""
        self._objects[number] = handler

    def drop(self, number: int) -> None:
        """No events of that object any more."""
        self._objects.pop(number, None)

    def send(self, target: int, opcode: int, *arguments: int | str) -> None:
        if self._conn is not None:
            self._conn.sendall(request(target, opcode, *arguments))

    def _run(self, stopping: threading.Event, wake_r: socket.socket) -> None:
        failures = 0
        while not stopping.is_set():
            try:
                with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as conn:
                    conn.settimeout(CONNECT_TIMEOUT_S)
                    conn.connect(self._path)
                    failures = 0
                    self._serve(conn, stopping, wake_r)
            except OSError as error:
                log.info("%s: the compositor is not there (%s)", self._name, type(error).__name__)
            except Exception:  # a bug: told with its traceback, and the thread begins anew
                log.exception("Thread %s failed", self._name)
            self._lose()
            if not stopping.is_set():
                stopping.wait(self._retry_s[min(failures, len(self._retry_s) - 1)])
                failures += 1

    def _serve(self, conn: socket.socket, stopping: threading.Event, wake_r: socket.socket) -> None:
        self._objects = {DISPLAY: self._on_display, REGISTRY: self._on_registry}
        self._next = FIRST_FREE
        self._conn = conn
        self.send(DISPLAY, _GET_REGISTRY, REGISTRY)
        self._tried.set()
        waiter = select.poll()
        waiter.register(conn, select.POLLIN)
        waiter.register(wake_r, select.POLLIN)
        buffer = bytearray()
        while not stopping.is_set():
            ready = dict(waiter.poll())
            if wake_r.fileno() in ready:
                wake_r.recv(4096)
                while self._waiting:
                    self._sync(self._waiting.popleft(), rounds=2)
            if conn.fileno() in ready:
                part = conn.recv(_CHUNK)
                if not part:
                    return
                buffer += part
                for target, opcode, arguments in messages(buffer):
                    handler = self._objects.get(target)
                    if handler is not None:
                        handler(opcode, arguments)
                if len(buffer) > BUFFER_MAX:
                    raise BrokenMessageError("a message without end")

    def _sync(self, done: threading.Event, rounds: int) -> None:
        def answered(_opcode: int, _arguments: Arguments) -> None:
            self.drop(number)
            if rounds > 1:
                self._sync(done, rounds - 1)
            else:
                done.set()

        number = self.new_object(answered)
        self.send(DISPLAY, _SYNC, number)

    def _on_display(self, opcode: int, arguments: Arguments) -> None:
        if opcode == 0:
            target, code = arguments.uint(), arguments.uint()
            raise BrokenMessageError(f"the compositor ended it: object {target}, code {code}")

    def _on_registry(self, opcode: int, arguments: Arguments) -> None:
        if opcode == 0:
            self._on_global(self, arguments.uint(), arguments.string(), arguments.uint())
        else:
            self._on_gone(arguments.uint())

    def _lose(self) -> None:
        self._conn = None
        self._objects.clear()
        self._tried.set()
        while self._waiting:
            self._waiting.popleft().set()
        self._on_lost()


def socket_path(display: str, runtime: str | None) -> str:
    """The socket that `WAYLAND_DISPLAY` names."""
    return display if display.startswith("/") else f"{runtime or '/tmp'}/{display}"
