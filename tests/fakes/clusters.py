"""Clustered vectors as a store has them, written straight into the tables, for searches among many."""

from collections.abc import Iterator

import numpy as np

from biny_desktop.models import vector_store
from biny_desktop.models.centring import Calibration
from biny_desktop.models.model import Vectors
from biny_desktop.models.quantise import quantise, signs, unit
from biny_desktop.models.vector_store import Vector
from biny_desktop.storage.database import Database

DIMS = 384


class Clusters:
    """Unit vectors around topics, squeezed together as those of e5 are; the same for the same seed."""

    def __init__(self, topics: int = 300, seed: int = 7) -> None:
        self._chance = np.random.default_rng(seed)
        self._common = unit(self._chance.standard_normal((1, DIMS)).astype(np.float32)) * 2
        self._topics = unit(self._chance.standard_normal((topics, DIMS)).astype(np.float32))

    def some(self, count: int) -> Vectors:
        """That many vectors of random topics."""
        topic = self._topics[self._chance.integers(0, len(self._topics), count)]
        own = unit(self._chance.standard_normal((count, DIMS)).astype(np.float32))
        return unit(self._common + topic + own * np.float32(0.8))


def fill(db: Database, kind: str, fingerprint: str, raw: Vectors, batch: int = 10_000) -> Calibration:
    """Make an index of rows 1 … n with these vectors, at revision 1; returns its means."""
    mean = np.asarray(raw.mean(axis=0), np.float32)
    means = Calibration({(side, script): mean for side in ("passage", "question") for script in ("cjk", "other")})
    with db.write() as w:
        vector_store.put_record(w, kind, 1, fingerprint, means, 0)
    for first in range(0, len(raw), batch):
        with db.write() as w:
            vector_store.put(w, kind, 1, fingerprint, 1, _vectors(raw[first : first + batch], first + 1, means))
    return means


def _vectors(raw: Vectors, first_id: int, means: Calibration) -> Iterator[Vector]:
    q, scales = quantise(raw)
    bits = signs(means.passages(raw, ["other"] * len(raw)))
    for place in range(len(raw)):
        yield Vector(first_id + place, 0, 1, "other", q[place].tobytes(), float(scales[place]), bits[place].tobytes())
