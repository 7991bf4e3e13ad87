"""A read queue in memory that keeps what the reader reports."""

from collections.abc import Iterable

from biny_desktop.core.tiles import TileMask
from biny_desktop.reading.ports import Reading, ReadJob


class FakeQueue:
    """`ReadQueue`: urgent jobs first, then newest first. `reading` holds the ids taken and not reported."""

    def __init__(self, jobs: Iterable[ReadJob] = ()) -> None:
        self.waiting = list(reversed(list(jobs)))
        self.reading: set[int] = set()
        self.tiles: dict[tuple[int, int], TileMask] = {}
        self.finished: list[tuple[ReadJob, Reading]] = []
        self.failures: list[tuple[ReadJob, str]] = []
        self.gone_ids: list[int] = []

    def take(self) -> ReadJob | None:
        if not self.waiting:
            return None
        job = next((job for job in self.waiting if job.urgent), self.waiting[-1])
        self.waiting.remove(job)
        self.reading.add(job.frame_id)
        return job

    def tiles_between(self, one_frame: int, other_frame: int) -> TileMask | None:
        return self.tiles.get((one_frame, other_frame))

    def done(self, job: ReadJob, reading: Reading) -> None:
        self.reading.remove(job.frame_id)
        self.finished.append((job, reading))

    def gone(self, job: ReadJob) -> None:
        self.reading.remove(job.frame_id)
        self.gone_ids.append(job.frame_id)

    def failed(self, job: ReadJob, reason: str) -> None:
        self.reading.remove(job.frame_id)
        self.failures.append((job, reason))

    def put_back(self, job: ReadJob) -> None:
        self.reading.remove(job.frame_id)
        self.waiting.append(job)
