"""A thread that waits at sockets and can be woken or ended from outside, by one more socket that it waits at."""

import contextlib
import socket
import threading
from collections.abc import Callable

STOP_S = 2.0
"""How long the end of a thread is waited for (s)."""

Work = Callable[[threading.Event, socket.socket], None]
"""Runs until the event is set; the socket becomes readable when the thread is woken, and ends when it is to stop."""


class WakingThread:
    """Starts, wakes and ends one thread; each start has an event and a socket of its own."""

    def __init__(self, name: str, work: Work) -> None:
        self._name, self._work = name, work
        self._thread: threading.Thread | None = None
        self._stopping = threading.Event()
        self._wake: socket.socket | None = None

    @property
    def running(self) -> bool:
        """Whether it was started and not stopped."""
        return self._thread is not None

    def start(self) -> None:
        """Begin; nothing happens while it runs."""
        if self._thread is None:
            self._stopping = threading.Event()
            ear, self._wake = socket.socketpair()
            self._wake.setblocking(False)
            self._thread = threading.Thread(
                target=self._run, args=(self._stopping, ear), name=self._name, daemon=True
            )  # fmt: skip
            self._thread.start()

    def wake(self) -> None:
        """Have it look again; nothing happens when it does not run."""
        wake = self._wake
        if wake is not None:
            with contextlib.suppress(OSError):
                wake.send(b"x")

    def stop(self) -> None:
        """End; may be called twice."""
        thread, self._thread = self._thread, None
        wake, self._wake = self._wake, None
        self._stopping.set()
        if wake is not None:
            wake.close()
        if thread is not None:
            thread.join(STOP_S)

    def _run(self, stopping: threading.Event, ear: socket.socket) -> None:
        with ear:
            self._work(stopping, ear)
