"""A vector index over a real database, with an embedder that needs no model."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from biny_desktop.core.events import EventBus, IndexChanged
from biny_desktop.models.model import Embedder
from biny_desktop.models.vector_index import VectorIndex
from biny_desktop.storage.database import Database, open_database
from biny_desktop.storage.migrate import migrate
from tests.fakes.clock import FakeClock
from tests.fakes.embedder import FakeEmbedder
from tests.fakes.indexed_rows import TextRows

SECRET = bytes(range(32))


@dataclass
class IndexHome:
    """Everything an index hangs on; `embedder` may be replaced at any time."""

    db: Database
    rows: TextRows
    clock: FakeClock = field(default_factory=FakeClock)
    events: EventBus = field(default_factory=EventBus)
    fake: FakeEmbedder = field(default_factory=FakeEmbedder)
    changed: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.embedder: Embedder | None = self.fake
        self.events.subscribe(IndexChanged, lambda event: self.changed.append(event.kind))
        self.index = self.another()

    def another(self) -> VectorIndex:
        """An index over the same rows, as another process has it."""
        return VectorIndex(self.rows, self.db, lambda: self.embedder, self.clock, self.events)

    def vectors(self) -> list[tuple[int, int, int, int]]:
        """(row, part, revision, generation) of everything kept."""
        with self.db.read() as r:
            rows = r.query("SELECT row_id, part, revision, generation FROM segment_vectors ORDER BY 1, 2, 4")
        return [(row.int("row_id"), row.int("part"), row.int("revision"), row.int("generation")) for row in rows]


@pytest.fixture
def index_home(tmp_path: Path) -> Iterator[IndexHome]:
    db = open_database(tmp_path / "biny.db", SECRET)
    migrate(db)
    yield IndexHome(db, TextRows(db))
    db.close()
