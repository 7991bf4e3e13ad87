"""The means of a store: its own where it has enough texts of a side and script group, else those of the references."""

from collections.abc import Callable
from typing import Final

import numpy as np

from biny_desktop.models import vector_store
from biny_desktop.models.centring import OWN_MIN, QUESTIONS_MAX, Calibration, Group, Mean, Side
from biny_desktop.models.model import Script
from biny_desktop.models.quantise import restore
from biny_desktop.models.staging import BATCH, START
from biny_desktop.storage.database import Database

SCRIPTS: Final[tuple[Script, ...]] = ("cjk", "other")
Sums = dict[Script, tuple[Mean, int]]


def passage_means(db: Database, kind: str, generation: int, dims: int, step: Callable[[], bool]) -> Sums | None:
    """Mean and number of the vectors of a generation by script group; None when `step`, asked a page, said no.

    Raises:
        StorageError: the database cannot be read.
    """
    totals = {script: np.zeros(dims, np.float64) for script in SCRIPTS}
    counts = dict.fromkeys(SCRIPTS, 0)
    key = START
    while step():
        with db.read() as r:
            page = vector_store.after(r, kind, generation, key, BATCH)
        for script in SCRIPTS:
            rows = [each.q for each in page if each.script == script]
            if rows:
                totals[script] += restore(rows, dims).sum(axis=0, dtype=np.float64)
                counts[script] += len(rows)
        if len(page) < BATCH:
            return {
                script: (np.asarray(totals[script] / max(1, counts[script]), np.float32), counts[script])
                for script in SCRIPTS
            }
        key = (page[-1].row_id, page[-1].part)
    return None


def question_means(db: Database, fingerprint: str, dims: int) -> Sums:
    """Mean and number of the newest questions by script group.

    Raises:
        StorageError: the database cannot be read.
    """
    out: Sums = {}
    with db.read() as r:
        for script in SCRIPTS:
            rows = vector_store.questions(r, fingerprint, script, QUESTIONS_MAX)
            mean = restore(rows, dims).mean(axis=0) if rows else np.zeros(dims, np.float32)
            out[script] = (np.asarray(mean, np.float32), len(rows))
    return out


def with_own(reference: Calibration, side: Side, sums: Sums) -> Calibration:
    """The reference means with a side's own in place of them where there are enough texts (spec 01, Means)."""
    means: dict[Group, Mean] = dict(reference.means)
    own = set(reference.own)
    for script in SCRIPTS:
        mean, count = sums[script]
        if count >= OWN_MIN:
            means[side, script] = mean
            own.add((side, script))
    return Calibration(means, frozenset(own))
