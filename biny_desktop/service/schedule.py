"""Work that comes round by itself: named jobs with a period, and for each when it ran, what came of it, when it is due.

APScheduler runs them (3.x; 4 is a pre-release). The jobs are plain functions, so that tests call them without it.
"""

import contextlib
import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Final, Literal

from biny_desktop.core.clock import Clock
from biny_desktop.core.errors import BinyError
from biny_desktop.storage.rows import JsonValue

if TYPE_CHECKING:
    from apscheduler.schedulers.background import BackgroundScheduler

log = logging.getLogger(__name__)
MISFIRE_GRACE_S: Final = 3_600
"""A run that is late by less than this (the machine slept) is made up for, once."""
WORKERS: Final = 2
"""A long job must not keep the short ones waiting."""

Outcome = Literal["never", "running", "done", "waited", "failed"]
Body = Callable[[Callable[[], bool]], str]
"""A job: asks between small steps whether it may go on; returns what came of it in a word or two without captured
text, or an empty string when it had to wait."""


@dataclass(frozen=True, slots=True)
class Job:
    """`body` is called `first_s` after the start and then every `every_s` seconds.

    `every_s` may be asked anew after each run, so that a setting holds at once. `again_s`: how soon a run that had to
    wait is tried again; None: at its next turn.
    """

    name: str
    body: Body
    every_s: int | Callable[[], int]
    first_s: int
    again_s: int | None = None


@dataclass(frozen=True, slots=True)
class JobRun:
    """How a job is: times UTC ms, `took_ms` of the last run; `result` its words, or the kind of its error.

    `done_at_ms` is the last good end, `next_at_ms` None while nothing is scheduled.
    """

    name: str
    outcome: Outcome = "never"
    result: str = ""
    started_at_ms: int | None = None
    done_at_ms: int | None = None
    took_ms: int = 0
    failures: int = 0
    next_at_ms: int | None = None

    def as_json(self) -> dict[str, JsonValue]:
        """A plain object for Doctor."""
        return {
            "name": self.name, "outcome": self.outcome, "result": self.result, "started_at_ms": self.started_at_ms,
            "done_at_ms": self.done_at_ms, "took_ms": self.took_ms, "failures": self.failures,
            "next_at_ms": self.next_at_ms,
        }  # fmt: skip


class Schedule:
    """The jobs of a running app. `start` and `stop` may be called once each; `runs` from any thread, at any time."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._jobs: dict[str, Job] = {}
        self._runs: dict[str, JobRun] = {}
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._scheduler: BackgroundScheduler | None = None

    def add(self, job: Job) -> None:
        """Register a job before `start`."""
        self._jobs[job.name], self._runs[job.name] = job, JobRun(job.name)

    def start(self) -> None:
        """Begin; returns at once."""
        from apscheduler.executors.pool import ThreadPoolExecutor
        from apscheduler.schedulers.background import BackgroundScheduler

        # Each library message of this kind is one line a run; what matters is in `runs`.
        logging.getLogger("apscheduler").setLevel(logging.ERROR)
        scheduler = BackgroundScheduler(
            executors={"default": ThreadPoolExecutor(WORKERS)},
            job_defaults={"coalesce": True, "misfire_grace_time": MISFIRE_GRACE_S, "max_instances": 1},
            timezone=UTC,
        )
        now = datetime.now(UTC)
        for job in self._jobs.values():
            first = now + timedelta(seconds=job.first_s)
            scheduler.add_job(
                self._run_due, "interval", [job.name], id=job.name, seconds=_period(job), next_run_time=first
            )
        self._scheduler = scheduler  # before it starts: a job that is due at once looks for it
        scheduler.start()

    def ask_to_stop(self) -> None:
        """Tell running jobs to end after their present step; none is started any more."""
        self._stop.set()

    def stop(self) -> None:
        """Ask running jobs to end and wait for them; no thread is left."""
        self.ask_to_stop()
        if self._scheduler is not None:
            self._scheduler.shutdown(wait=True)
            self._scheduler = None

    def run_now(self, name: str) -> JobRun:
        """Run a job in this thread and note what came of it; an error of a job is logged and counted, never raised."""
        if self._stop.is_set():
            return self._runs[name]
        began, began_mono = self._clock.now_ms(), self._clock.mono_ms()
        self._note(name, outcome="running", started_at_ms=began)
        outcome: Outcome
        try:
            result = self._jobs[name].body(lambda: not self._stop.is_set())
            outcome = "done" if result else "waited"
        except BinyError as error:
            log.warning("job %s failed (%s)", name, error.kind)
            outcome, result = "failed", error.kind
        except Exception as error:  # a bug in one job must not end the others
            log.exception("job %s failed", name)
            outcome, result = "failed", type(error).__name__
        took = self._clock.mono_ms() - began_mono
        with self._lock:
            was = self._runs[name]
            self._runs[name] = replace(
                was, outcome=outcome, result=result, took_ms=took, failures=was.failures + (outcome == "failed"),
                done_at_ms=began + took if outcome == "done" else was.done_at_ms,
            )  # fmt: skip
            return self._runs[name]

    def _run_due(self, name: str) -> None:
        """A turn of the scheduler: run, then say when the next one is, where that is not simply the period."""
        run, job, scheduler = self.run_now(name), self._jobs[name], self._scheduler
        if scheduler is None or self._stop.is_set():
            return
        wait_s = job.again_s if run.outcome == "waited" else None if isinstance(job.every_s, int) else _period(job)
        if wait_s is not None:
            with contextlib.suppress(LookupError):  # the scheduler was shut down meanwhile
                scheduler.modify_job(name, next_run_time=datetime.now(UTC) + timedelta(seconds=wait_s))

    def hurry(self, *names: str) -> None:
        """Have these jobs run now; one that is running is left alone, and without a running schedule all are."""
        scheduler = self._scheduler
        if scheduler is not None and not self._stop.is_set():
            for name in names:
                with contextlib.suppress(LookupError):  # no such job, or the scheduler was shut down meanwhile
                    scheduler.modify_job(name, next_run_time=datetime.now(UTC))

    def runs(self) -> tuple[JobRun, ...]:
        """How every job is now, in the order they were added."""
        with self._lock:
            found = tuple(self._runs.values())
        return tuple(replace(run, next_at_ms=self._next(run.name)) for run in found)

    def _next(self, name: str) -> int | None:
        scheduler = self._scheduler
        job = scheduler.get_job(name) if scheduler is not None else None
        due: datetime | None = job.next_run_time if job is not None else None
        return None if due is None else round(due.timestamp() * 1000)

    def _note(self, name: str, *, outcome: Outcome, started_at_ms: int) -> None:
        with self._lock:
            self._runs[name] = replace(self._runs[name], outcome=outcome, started_at_ms=started_at_ms)


def _period(job: Job) -> int:
    return job.every_s if isinstance(job.every_s, int) else job.every_s()
