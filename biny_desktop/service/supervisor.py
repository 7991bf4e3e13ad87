"""Named threads that are started, watched and restarted with back-off, and stopped together.

A thread that hangs cannot be ended. Where its loop can be taken over (the recorder's), another thread runs it again,
and the one that hung ends by itself as soon as it moves.
"""

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass

from biny_desktop.core.clock import Clock

log = logging.getLogger(__name__)
FIRST_BACK_OFF_S = 0.5
LONGEST_BACK_OFF_S = 30.0
STOP_TIMEOUT_S = 10.0
WATCH_S = 5.0
"""A loop that hangs is noticed within this time after it counts as hung."""
HUNG_MS = 30_000
LONGEST_HUNG_MS = 600_000
"""A run is given this long before another takes over; twice as long after each that hung, up to the longest (ms)."""

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
    def __init__(self, name: str, work: Work, hung: Callable[[], bool] | None) -> None:
        self.name = name
        self.work = work
        self.hung = hung
        self.run = 0
        self.hangs = 0
        self.thread: threading.Thread | None = None
        self.running = False
        self.restarts = 0
        self.last_error: str | None = None
        self.since_mono_ms = 0


class Supervisor:
    """Runs loops in named threads. `start` and `stop` may be called once each."""

    def __init__(self, clock: Clock, watch_s: float = WATCH_S) -> None:
        self._clock, self._watch_s = clock, watch_s
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._watched: dict[str, _Watched] = {}

    def add(self, name: str, work: Work, hung: Callable[[], bool] | None = None) -> None:
        """Register a loop before `start`; `hung` tells whether it hangs, for one that another thread may take over."""
        self._watched[name] = _Watched(name, work, hung)

    def start(self) -> None:
        """Start every registered loop in its own thread."""
        for item in self._watched.values():
            self._launch(item)
        if any(item.hung is not None for item in self._watched.values()):
            threading.Thread(target=self._watch, name="biny-watchdog", daemon=True).start()

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

    def _launch(self, item: _Watched) -> None:
        item.run += 1
        item.thread = threading.Thread(
            target=self._keep_running, args=(item, item.run), name=f"biny-{item.name}", daemon=True
        )
        item.running, item.since_mono_ms = True, self._clock.mono_ms()
        item.thread.start()

    def _watch(self) -> None:
        """Have loops that hang taken over."""
        while not self._stop.wait(self._watch_s):
            for item in self._watched.values():
                if item.hung is None or not item.running or not item.hung():
                    continue
                patience_ms = min(LONGEST_HUNG_MS, HUNG_MS * 2 ** min(item.hangs, 16))
                with self._lock:
                    if self._stop.is_set() or self._clock.mono_ms() - item.since_mono_ms < patience_ms:
                        continue
                    log.error("thread %s hangs; another one goes on", item.name)
                    item.hangs, item.restarts, item.last_error = item.hangs + 1, item.restarts + 1, "hung"
                    self._launch(item)

    def _keep_running(self, item: _Watched, run: int) -> None:
        back_off = FIRST_BACK_OFF_S
        while not self._stop.is_set():
            error_name = None
            try:
                item.work(self._stop)
                error_name = None if self._stop.is_set() else "ended"
            except Exception as error:  # whatever ends a loop is logged with its traceback and the loop starts again
                log.exception("thread %s failed", item.name)
                error_name = type(error).__name__
            with self._lock:
                if item.run != run:  # it hung, and another thread runs the loop now
                    return
                item.running, item.last_error = False, error_name
            if self._stop.is_set():
                return
            lived_ms = self._clock.mono_ms() - item.since_mono_ms
            back_off = (
                FIRST_BACK_OFF_S if lived_ms > LONGEST_BACK_OFF_S * 1000 else min(back_off * 2, LONGEST_BACK_OFF_S)
            )
            item.restarts += 1
            if self._stop.wait(back_off):
                return
            item.running, item.since_mono_ms = True, self._clock.mono_ms()
