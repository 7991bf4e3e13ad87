"""Search in bits among many vectors: nearly what an exact search finds, following changes without rereading all."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest

from biny_desktop.core.events import EventBus
from biny_desktop.models import vector_memory, vector_store
from biny_desktop.models.model import Fingerprint, IndexRow, Vectors
from biny_desktop.models.quantise import unit
from biny_desktop.models.vector_index import VectorIndex
from biny_desktop.models.vector_memory import EXACT_MAX, nearest
from biny_desktop.redaction import from_row
from biny_desktop.storage.database import Database, Reader, open_database
from biny_desktop.storage.migrate import migrate
from tests.fakes.clock import FakeClock
from tests.fakes.clusters import DIMS, Clusters, fill
from tests.models.conftest import SECRET

MANY = 25_000
QUESTIONS = 40


class ById:
    """Embeds a number as the vector of that number, and knows rows by the table `numbers`."""

    kind = "segment"
    fingerprint = Fingerprint("by id", "1", "none", DIMS, "", "")

    def __init__(self, vectors: Vectors) -> None:
        self.vectors = vectors

    def passages(self, texts: Sequence[str]) -> Vectors:
        return np.stack([self.vectors[int(text)] for text in texts])

    questions = passages

    def count_tokens(self, _text: str) -> int:
        return 1

    present = "SELECT id, 1 AS revision FROM numbers"

    def rows_after(self, _r: Reader, _row_id: int, _limit: int) -> list[IndexRow]:
        return []

    def revisions(self, r: Reader, ids: Sequence[int]) -> dict[int, int]:
        rows = r.query("SELECT id FROM numbers WHERE id IN (SELECT value FROM json_each(:i))", {"i": json.dumps(ids)})
        return {row.int("id"): 1 for row in rows}

    def count(self, r: Reader) -> int:
        row = r.one("SELECT count(*) AS n FROM numbers")
        return row.int("n") if row else 0


class Many:
    """25,000 clustered vectors and questions among them."""

    def __init__(self, db: Database) -> None:
        clusters = Clusters()
        self.db = db
        self.questions = clusters.some(QUESTIONS)
        self.raw = clusters.some(MANY)
        self.rows = ById(np.concatenate([self.questions, unit(clusters.some(5))]))
        self.means = fill(db, "segment", self.rows.fingerprint.id, self.raw)
        self.centred = self.means.passages(self.raw, ["other"] * MANY)
        with db.write() as w:
            w.script("CREATE TABLE numbers(id INTEGER PRIMARY KEY)")
            w.run(
                f"WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c WHERE x < {MANY + 5}) "
                "INSERT INTO numbers SELECT x FROM c"
            )
        self.clock = FakeClock()
        self.index = VectorIndex(self.rows, db, lambda: self.rows, self.clock, EventBus())

    def exact(self, number: int, allowed: np.ndarray | None = None) -> set[int]:
        scores = self.centred @ self.means.questions(self.questions[number][None, :], "other")[0]
        ids = np.arange(1, MANY + 1) if allowed is None else allowed
        return {int(each) for each in ids[np.argsort(-scores[ids - 1])[:20]]}

    def recall(self, allowed: np.ndarray | None = None) -> float:
        found = [
            {hit.id for hit in self.index.search(from_row(str(n)), 20, allowed=allowed).hits} for n in range(QUESTIONS)
        ]
        return float(np.mean([len(found[n] & self.exact(n, allowed)) / 20 for n in range(QUESTIONS)]))


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Many]:
    folder: Path = tmp_path_factory.mktemp("many")
    db = open_database(folder / "biny.db", SECRET)
    migrate(db)
    yield Many(db)
    db.close()


def test_bits_find_nearly_what_an_exact_search_finds(many: Many) -> None:
    assert MANY > EXACT_MAX
    assert many.recall() >= 0.95
    memory = many.index._search._memory
    assert memory is not None
    assert not memory.exact
    assert memory.bits is not None
    assert memory.bits.nbytes == 48 * MANY


def test_the_filter_is_applied_before_the_candidates_are_taken(many: Many) -> None:
    allowed = np.arange(3, MANY + 1, 97)
    assert many.recall(allowed) >= 0.95


def test_few_vectors_are_compared_exactly(many: Many, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vector_memory, "EXACT_MAX", MANY)
    many.index._search._memory = None
    assert many.recall() >= 0.97  # what int8 loses among near ties
    memory = many.index._search._memory
    assert memory is not None
    assert memory.exact
    many.index._search._memory = None


def test_it_follows_additions_and_removals_without_rereading(many: Many, monkeypatch: pytest.MonkeyPatch) -> None:
    many.index.search(from_row("0"), 5)
    pages: list[int] = []
    read = vector_store.coarse_after

    def counting(*args: object) -> list[vector_store.Coarse]:
        page = read(*args)
        pages.append(len(page))
        return page

    monkeypatch.setattr(vector_store, "coarse_after", counting)
    new = MANY + 1
    many.index.add([IndexRow(new, 1, (from_row("0"),))])
    assert many.index.search(from_row("0"), 1).hits[0].id == new
    assert pages == [1]
    with many.db.write() as w:
        many.index.remove(w, [new])
    assert new not in [hit.id for hit in many.index.search(from_row("0"), 5).hits]
    assert pages == [1, 0]


def test_the_nearest_begin_with_those_taken_before() -> None:
    scores = np.array([1, 3, 3, 2, 3, 0], np.float32)
    assert nearest(scores, 2).tolist() == [1, 2]
    assert nearest(scores, 4).tolist() == [1, 2, 4, 3]
    assert nearest(scores, 99).tolist() == [1, 2, 4, 3, 0, 5]
    assert nearest(np.empty(0, np.float32), 3).tolist() == []
