"""A real log of chats with its search: database, index of vectors, sweep; the embedder may be replaced at any time."""

from dataclasses import dataclass

from biny_desktop.conversation.log.session_log import SessionLog
from biny_desktop.conversation.search.model import MessageFilters, MessageHit
from biny_desktop.conversation.search.rows import MessageRows
from biny_desktop.conversation.search.search import MessageSearch
from biny_desktop.conversation.search.sweep import MessageSweep
from biny_desktop.core.settings import Settings
from biny_desktop.models.model import Embedder
from biny_desktop.models.vector_index import VectorIndex
from biny_desktop.storage.database import Database
from tests.fakes.clock import FakeClock
from tests.fakes.conversations import Talk, redactor, talk


@dataclass
class Rig:
    db: Database
    log: SessionLog
    clock: FakeClock
    rows: MessageRows
    index: VectorIndex
    embedder: Embedder | None
    settings: Settings

    def __post_init__(self) -> None:
        self.search = MessageSearch(self.db, self.index, redactor, lambda: self.settings)
        self.sweep = MessageSweep(self.db, self.rows, self.index, lambda: self.embedder, self.clock)

    def talk(self, prefix: str = "", **session: str) -> Talk:
        return talk(self.log, self.clock, prefix, **session)

    def words(self, text: str, filters: MessageFilters | None = None, limit: int = 20) -> list[str]:
        return [hit.message_id for hit in self.search.search(text, "keyword", filters, limit).hits]

    def number(self, message_id: str) -> int:
        """Of the row of a message."""
        with self.db.read() as r:
            row = r.one("SELECT n FROM messages WHERE id = :id", {"id": message_id})
        assert row is not None
        return row.int("n")

    def swept(self) -> str:
        return self.sweep.run(lambda: True, lambda: None)

    def embedded(self) -> list[int]:
        """Numbers of the messages that have vectors."""
        with self.db.read() as r:
            return [row.int("row_id") for row in r.query("SELECT DISTINCT row_id FROM message_vectors ORDER BY 1")]


def marked(hit: MessageHit) -> list[str]:
    return [hit.snippet[low:high] for low, high in hit.marks]
