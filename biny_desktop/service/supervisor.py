"""Named threads that are started, watched and restarted with back-off, and stopped together."""

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass

from biny_desktop.core.clock import Clock

log = logging.getLogger(__name__)
FIRST_BACK_OFF_S = 0.5
LONGEST_BACK_OFF_S = 30.0
STOP_TIMEOUT_S = 10.0

Work = Callable[[threading.Event], None]
"""A loop that returns soon after the event is set; an exception or an early return means: restart me."""


@dataclass(frozen=True, slots=True)
class ThreadHealth:
    """One supervised thread: `last_error` is the type name of what ended it last (never a message with text)."""

    name: str
    alive: bool
    restarts: int
    last_error: str | None
    since_mono_ms: int


def log_unfinished(names: list[str]) -> None:
    """Note in the log which threads did not end in time; they are daemons and end with the process."""
    if names:
        log.error("did not end in time: %s", ", ".join(names))


class _Watched:
    def __init__(self, name: str, work: Work) -> None:
        self.name = name
        self.work = work
        self.thread: threading.Thread | None = None
        self.running = False
        self.restarts = 0
        self.last_error: str | None = None
        self.since_mono_ms = 0


class Supervisor:
    """Runs loops in named threads. `start` and `stop` may be called once each."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._stop = threading.Event()
        self._watched: dict[str, _Watched] = {}

    def add(self, name: str, work: Work) -> None:
        """Register a loop before `start`."""
        self._watched[name] = _Watched(name, work)

    def start(self) -> None:
        """Start every registered loop in its own thread."""
        for item in self._watched.values():
            item.thread = threading.Thread(
                target=self._keep_running, args=(item,), name=f"biny-{item.name}", daemon=True
            )
            item.thread.start()

    def ask_to_stop(self) -> None:
        """Tell all loops to end without waiting for them."""
        self._stop.set()

    def stop(self, timeout_s: float = STOP_TIMEOUT_S) -> list[str]:
        """Ask all loops to end and wait; returns the names of those that did not end in time."""
        self._stop.set()
        for item in self._watched.values():
            if item.thread is not None:
                item.thread.join(timeout_s)
        return [item.name for item in self._watched.values() if item.thread is not None and item.thread.is_alive()]

    def health(self) -> tuple[ThreadHealth, ...]:
        """How every thread is now."""
        return tuple(
            ThreadHealth(item.name, item.running, item.restarts, item.last_error, item.since_mono_ms)
            for item in self._watched.values()
        )

    def _keep_running(self, item: _Watched) -> None:
        back_off = FIRST_BACK_OFF_S
        while not self._stop.is_set():
            item.running, item.since_mono_ms = True, self._clock.mono_ms()
            try:
                item.work(self._stop)
                item.last_error = None if self._stop.is_set() else "ended"
            except Exception as error:  # whatever ends a loop is logged with its traceback and the loop starts again
                log.exception("thread %s failed", item.name)
                item.last_error = type(error).__name__
            item.running = False
            if self._stop.is_set():
                return
            lived_ms = self._clock.mono_ms() - item.since_mono_ms
            back_off = (
                FIRST_BACK_OFF_S if lived_ms > LONGEST_BACK_OFF_S * 1000 else min(back_off * 2, LONGEST_BACK_OFF_S)
            )
            item.restarts += 1
            self._stop.wait(back_off)
