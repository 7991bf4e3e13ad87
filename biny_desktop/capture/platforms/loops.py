"""A thread that runs one of the system's message loops, and starts it again when it fails."""

import logging
import threading
from collections.abc import Callable
from typing import Protocol

STOP_S = 2.0
RETRY_S = 5.0
"""A loop that ended by itself begins anew after this time."""

log = logging.getLogger(__name__)

Tell = Callable[[int, int], None]
"""Called in the loop's thread with a message and its first argument; what they mean is the loop's business."""


class Loop(Protocol):
    """A message loop of the system; `run` blocks in the thread that called it until `quit` from any other."""

    def run(self, tell: Tell) -> None:
        """Register, then deliver messages. Raises OSError when the system refuses."""
        ...

    def quit(self) -> None:
        """Make `run` return, also when it has only just begun."""
        ...


class LoopThread:
    """Runs `loop` in a thread called `name`."""

    def __init__(self, name: str, loop: Loop, retry_s: float = RETRY_S) -> None:
        self._name, self._loop, self._retry_s = name, loop, retry_s
        self._thread: threading.Thread | None = None
        self._stopping = threading.Event()

    def start(self, tell: Tell) -> None:
        if self._thread is None:
            self._stopping = threading.Event()
            self._thread = threading.Thread(target=self._run, args=(tell, self._stopping), name=self._name, daemon=True)
            self._thread.start()

    def stop(self) -> None:
        """End; may be called twice."""
        thread, self._thread = self._thread, None
        self._stopping.set()
        if thread is not None:
            self._loop.quit()
            thread.join(STOP_S)

    def _run(self, tell: Tell, stopping: threading.Event) -> None:
        while not stopping.is_set():
            try:
                self._loop.run(tell)
            except OSError as error:
                log.info("Loop %s failed: %s", self._name, type(error).__name__)
            stopping.wait(self._retry_s)
