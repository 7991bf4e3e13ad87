"""Vectors held in memory between searches: centred ones while there are few, their signs when there are many.

It follows the table by its counter of changes and never reads twice what it has; rows that left the table are found out
when a search meets them (`drop`). An index of 200,000 bits takes 15 MB.
"""

from dataclasses import dataclass, field
from typing import Final

import numpy as np
import numpy.typing as npt

from biny_desktop.models import vector_store
from biny_desktop.models.model import Vectors
from biny_desktop.models.quantise import Bits, as_words, differing, dots, restore, signed_sums, signs
from biny_desktop.models.vector_store import IndexRecord, Key
from biny_desktop.storage.database import Reader

EXACT_MAX: Final = 20_000
"""Vectors up to which a search compares all of them exactly (spec 03 §7)."""
PARTS: Final = 1_024
"""More passages than a row can have; a row and a part make one number."""
REFINED: Final = 4_000
"""Best by signs alone that are ranked by the question's values too, before 400 are read: recall@20 at 200,000 clustered
vectors (topics of 700 that differ little) goes from 0.92 to 0.95 for some ms."""
_AHEAD: Final = 1_000.0
"""More than two vectors can differ in signs or sums by; dims are a few hundred."""
_PAGE: Final = 10_000
_BEYOND: Final = 1 << 62
"""Larger than any row id."""

Keys = npt.NDArray[np.int64]
Scores = npt.NDArray[np.float32]


def key_of(row_id: int, part: int) -> int:
    """One number for a row and a part."""
    return row_id * PARTS + part


@dataclass
class VectorMemory:
    """The vectors of one generation as far as `seen` changes; exact (`centred`) or coarse (`bits`)."""

    record: IndexRecord
    exact: bool
    seen: int = -1
    keys: Keys = field(default_factory=lambda: np.empty(0, np.int64))
    bits: Bits | None = None
    centred: Vectors | None = None

    def fits(self, record: IndexRecord) -> bool:
        """Whether it holds vectors of that generation, in the way their number asks for."""
        return record.generation == self.record.generation and not (self.exact and len(self.keys) > EXACT_MAX)

    def follow(self, r: Reader, record: IndexRecord) -> None:
        """Read what was written since the last time."""
        if record.changes == self.seen:
            return
        last = (self.seen, _BEYOND, PARTS)
        while True:
            page = vector_store.coarse_after(r, record.kind, record.generation, last, _PAGE)
            if page:
                self._take(r, page)
                last = (page[-1].change, page[-1].row_id, page[-1].part)
            if len(page) < _PAGE:
                break
        self.seen = record.changes

    def _take(self, r: Reader, page: list[vector_store.Coarse]) -> None:
        keys = np.array([key_of(each.row_id, each.part) for each in page], np.int64)
        if len(self.keys):
            self._keep(~np.isin(self.keys, keys))
        self.keys = np.concatenate([self.keys, keys])
        if not self.exact:
            words = as_words([each.bits for each in page], self.record.calibration.dims)
            self.bits = words if self.bits is None else np.concatenate([self.bits, words])
            return
        centred = self._centred(r, page)
        self.centred = centred if self.centred is None else np.concatenate([self.centred, centred])

    def _centred(self, r: Reader, page: list[vector_store.Coarse]) -> Vectors:
        found = read(r, self.record, [(each.row_id, each.part) for each in page])
        vectors = [found[each.row_id, each.part] for each in page]
        raw = restore([each.q for each in vectors], self.record.calibration.dims)
        return self.record.calibration.passages(raw, [each.script for each in vectors])

    def _keep(self, mask: npt.NDArray[np.bool_]) -> None:
        if mask.all():
            return
        self.keys = self.keys[mask]
        self.bits = None if self.bits is None else self.bits[mask]
        self.centred = None if self.centred is None else self.centred[mask]

    def drop(self, keys: Keys) -> None:
        """Forget vectors that left the table."""
        self._keep(~np.isin(self.keys, keys))

    def scores(self, question: Vectors, allowed: npt.NDArray[np.int64] | None) -> tuple[Keys, Scores]:
        """Keys of the vectors that may be found (rows in `allowed`, sorted ids) and how near each is, larger is nearer.

        Exact: the centred cosine. Coarse: signs that agree, and for the best `REFINED` of them, before all others, the
        question's own values summed by the signs of the vector, which ranks twice as well.
        """
        mask = None if allowed is None else self._of_rows(allowed)
        keys = self.keys if mask is None else self.keys[mask]
        if self.exact:
            if self.centred is None:
                return keys, np.empty(0, np.float32)
            scores = dots(self.centred, question[0])
            return keys, scores if mask is None else scores[mask]
        if self.bits is None:
            return keys, np.empty(0, np.float32)
        bits = self.bits if mask is None else self.bits[mask]
        scores = -differing(bits, signs(question).view(np.uint64)).astype(np.float32)
        best = nearest(scores, REFINED)
        scores[best] = _AHEAD + signed_sums(bits[best], question)
        return keys, scores

    def _of_rows(self, ids: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
        return np.isin(self.keys // PARTS, ids)


def nearest(scores: Scores, count: int) -> npt.NDArray[np.int64]:
    """Places of the `count` largest scores, largest first; of equal ones the earlier place, so that more candidates
    always begin with those that were taken before."""
    if count < len(scores):
        limit = np.partition(scores, len(scores) - count)[len(scores) - count]
        place = np.flatnonzero(scores >= limit)
    else:
        place = np.arange(len(scores))
    return np.asarray(place[np.argsort(-scores[place], kind="stable")][:count], np.int64)


def load(r: Reader, record: IndexRecord) -> VectorMemory:
    """Read a whole generation: the signs of 200,000 take about a second, once."""
    exact = vector_store.count(r, record.kind, record.generation) <= EXACT_MAX
    memory = VectorMemory(record, exact)
    memory.follow(r, record)
    return memory


def read(r: Reader, record: IndexRecord, keys: list[Key]) -> dict[Key, vector_store.Vector]:
    """The kept vectors of these keys; those that are gone are left out."""
    wanted = set(keys)
    rows = vector_store.of_rows(r, record.kind, record.generation, sorted({row for row, _part in keys}))
    return {(each.row_id, each.part): each for each in rows if (each.row_id, each.part) in wanted}
