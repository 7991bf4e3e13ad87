"""Search among vectors: candidates from memory, then the kept rows of the best, read by id and checked (spec 03 §7).

A candidate counts only when its vector is of the row's present revision; the others are left out and more candidates
taken in their place, so that rows which were deleted or changed never come out and cost no hit.
"""

import threading
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from biny_desktop.core.clock import Clock
from biny_desktop.models import vector_memory
from biny_desktop.models.model import IndexedRows, VectorHit, Vectors
from biny_desktop.models.quantise import dots, restore
from biny_desktop.models.vector_memory import PARTS, VectorMemory, nearest
from biny_desktop.models.vector_store import IndexRecord, Key, Vector
from biny_desktop.storage.database import Reader

CANDIDATES: Final = 400
"""Best by signs that are scored anew from the kept rows (spec 03 §7)."""
MORE: Final = 4
"""How many times as many candidates are taken when too many were of rows that are gone or changed."""
FREED_AFTER_MS: Final = 600_000
"""Time without a search after which the memory is given back (spec 03 §7)."""

Ids = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Asked:
    """A question: its raw and centred unit vector (1 × dims each), how many hits, and which rows may be found."""

    raw: Vectors
    centred: Vectors
    k: int
    allowed: Ids | None


class VectorSearch:
    """Searches the vectors of one kind. Thread-safe; holds them in memory while there are searches."""

    def __init__(self, rows: IndexedRows, clock: Clock) -> None:
        self._rows, self._clock = rows, clock
        self._lock = threading.Lock()
        self._memory: VectorMemory | None = None
        self._used_ms = 0

    def free_if_idle(self) -> bool:
        """Give the memory back when nobody searched for ten minutes; True when it did."""
        with self._lock:
            idle = self._memory is not None and self._clock.mono_ms() - self._used_ms >= FREED_AFTER_MS
            if idle:
                self._memory = None
            return idle

    def best(self, r: Reader, record: IndexRecord, asked: Asked) -> list[VectorHit]:
        """The k nearest passages of present rows, best first.

        Raises:
            StorageError: the database cannot be read.
        """
        with self._lock:
            self._used_ms = self._clock.mono_ms()
            memory = self._memory
            if memory is None or not memory.fits(record):
                memory = self._memory = vector_memory.load(r, record)
            memory.follow(r, record)
            keys, scores = memory.scores(asked.centred, asked.allowed)
        hits, gone = self._checked(r, record, asked, keys, scores)
        if gone:
            with self._lock:
                memory.drop(np.array(gone, np.int64))
        return hits

    def _checked(
        self, r: Reader, record: IndexRecord, asked: Asked, keys: npt.NDArray[np.int64], scores: vector_memory.Scores
    ) -> tuple[list[VectorHit], list[int]]:
        """Hits among ever more candidates until there are enough, and the keys of vectors that are gone."""
        taken, order = 0, np.empty(0, np.int64)
        wanted = max(CANDIDATES, asked.k)
        hits: list[VectorHit] = []
        gone: list[int] = []
        while len(hits) < asked.k and taken < len(keys):
            order = nearest(scores, wanted)
            fresh = [int(key) for key in keys[order[taken:]]]
            found = vector_memory.read(r, record, [divmod(key, PARTS) for key in fresh])
            gone += [key for key in fresh if divmod(key, PARTS) not in found]
            hits += self._hits(r, record, asked, found)
            taken, wanted = len(order), wanted * MORE
        hits.sort(key=lambda hit: (-hit.centred, hit.id, hit.part))
        return hits[: asked.k], gone

    def _hits(self, r: Reader, record: IndexRecord, asked: Asked, found: dict[Key, Vector]) -> list[VectorHit]:
        present = self._rows.revisions(r, sorted({row_id for row_id, _part in found}))
        dims = record.calibration.dims
        valid = [each for each in found.values() if present.get(each.row_id) == each.revision and len(each.q) == dims]
        if not valid:
            return []
        raw = restore([each.q for each in valid], dims)
        centred = record.calibration.passages(raw, [each.script for each in valid])
        near, plain = dots(centred, asked.centred[0]), dots(raw, asked.raw[0])
        return [
            VectorHit(each.row_id, each.part, float(near[place]), float(plain[place]))
            for place, each in enumerate(valid)
        ]
