"""The reader loop: takes one job after another, reads it in short units, and hands the text back to the queue."""

import threading
from collections.abc import Callable
from dataclasses import dataclass

from biny_desktop.core.clock import Clock
from biny_desktop.core.errors import BinyError, UnavailableError
from biny_desktop.reading.child import OcrChild, OcrRestingError
from biny_desktop.reading.lines import ReadCancelledError, never, read_picture
from biny_desktop.reading.memory import LineMemory
from biny_desktop.reading.ports import ReadJob, ReadQueue

LOOK_S = 0.5  # s between two looks at the stop sign while there is nothing to do
RETRY_MS = 15_000  # how long at most until the queue is asked again: the user may be idle now, or the rest over
MISSING_MS = 600_000  # rest when the engine is not installed, as after failures (spec 02 §7, child)


@dataclass(frozen=True, slots=True)
class ReaderStatus:
    """What Doctor and the pages show; `resting_until_mono_ms` None: not resting. `last_error` holds no text read."""

    resting_until_mono_ms: int | None
    child_pid: int | None
    restarts: int
    pictures_read: int
    last_error: str


class Reader:
    """Reads the pictures of a queue, one at a time. `step` and `run` from one thread, all else from any.

    `idle_ok` says whether jobs that are not urgent may run now (on battery: the user is idle, spec 02 §7, when).
    """

    def __init__(
        self, queue: ReadQueue, child: OcrChild, clock: Clock, *, idle_ok: Callable[[], bool] = lambda: True
    ) -> None:
        self._queue = queue
        self._child = child
        self._clock = clock
        self._idle_ok = idle_ok
        self._memory = LineMemory()
        self._woken = threading.Event()
        self._stopping: Callable[[], bool] = never
        self._missing_until: int | None = None
        self._pictures = 0
        self._last_error = ""

    def step(self) -> bool:
        """Read at most one job; True when something was done and the next may be taken at once.

        Raises:
            Exception: a bug, after the job was reported as failed; known faults never leave.
        """
        if self._resting_until() is not None:
            return False
        job = self._queue.take()
        if job is None:
            return False
        if not job.urgent and not self._idle_ok():
            self._queue.put_back(job)
            return False
        try:
            return self._read(job)
        except (ReadCancelledError, OcrRestingError) as fault:
            self._queue.put_back(job)
            self._last_error = self._last_error if isinstance(fault, ReadCancelledError) else str(fault)
            return False
        except UnavailableError as fault:
            self._missing_until = self._clock.mono_ms() + MISSING_MS
            self._queue.put_back(job)
            self._last_error = str(fault)
            return False
        except BinyError as fault:
            self._last_error = str(fault)
            self._queue.failed(job, str(fault))
            return True
        except Exception as fault:
            self._last_error = type(fault).__name__
            self._queue.failed(job, type(fault).__name__)
            raise

    def run(self, stop: threading.Event) -> None:
        """Read until `stop` is set, at most a second longer: a job under way is put back, the child ended."""
        self._stopping = stop.is_set
        try:
            while not stop.is_set():
                self._woken.clear()
                if not self.step():
                    self._wait(stop)
        finally:
            self._stopping = never
            self._child.close()

    def wake(self) -> None:
        """Something was queued, or jobs may run now."""
        self._woken.set()

    def forget(self) -> None:
        """Drop all text, pixels and the job under way (put back): on lock, pause and exit."""
        self._memory = LineMemory()

    def status(self) -> ReaderStatus:
        """How reading goes."""
        return ReaderStatus(
            self._resting_until(), self._child.pid(), self._child.restarts, self._pictures, self._last_error
        )

    def _read(self, job: ReadJob) -> bool:
        picture = job.load()
        if picture is None:
            self._queue.gone(job)
            return True
        memory = self._memory
        last = memory.last(job.monitor_key)
        changed = None if last is None else self._queue.tiles_between(last.frame_id, job.frame_id)

        def cancelled() -> bool:
            return self._stopping() or self._memory is not memory

        self._child.begin_picture()
        self._child.cancelled = cancelled
        try:
            reading = read_picture(
                picture,
                self._child,
                memory,
                changed,
                monitor=job.monitor_key,
                frame_id=job.frame_id,
                clock=self._clock,
                cancelled=cancelled,
            )
        finally:
            self._child.cancelled = never
        self._pictures += 1
        self._queue.done(job, reading)
        return True

    def _resting_until(self) -> int | None:
        if self._missing_until is not None and self._clock.mono_ms() >= self._missing_until:
            self._missing_until = None
        return self._missing_until or self._child.resting_until()

    def _wait(self, stop: threading.Event) -> None:
        until = self._clock.mono_ms() + RETRY_MS
        while not stop.is_set() and self._clock.mono_ms() < until:
            if self._woken.wait(LOOK_S):
                return
