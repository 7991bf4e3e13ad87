"""Gives new messages their vectors while nobody needs the machine, 64 a batch, newest first (spec 05 §9.2).

Words of a message never change, so what is below the newest one seen when nothing was left needs no second look, unless
the vectors are of another generation. Rejected: a list of messages that wait, as frames have one: messages are few, and
none is left out for being like another; and leaving all to `VectorIndex.heal`, which reads every message to find one.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from biny_desktop.conversation.search import row_store
from biny_desktop.conversation.search.rows import MessageRows
from biny_desktop.core.clock import Clock
from biny_desktop.core.i18n import _, ngettext
from biny_desktop.models.embedding_rounds import TRIES_MAX, EmbeddingRounds, IdleMs, PickEmbedder, SweepCall
from biny_desktop.models.model import IndexRow
from biny_desktop.models.vector_index import VectorIndex
from biny_desktop.storage.database import Database

BATCH: Final = 64
"""Messages of one batch (spec 05 §9.2)."""


@dataclass
class _Run(SweepCall):
    """One call of `run`, and what came of it."""

    added: int = 0


class MessageSweep:
    """The job that fills the index of messages. One `run` at a time.

    Args:
        index: over `rows`. embedder: the present one, None for none.
    """

    def __init__(
        self, db: Database, rows: MessageRows, index: VectorIndex, embedder: PickEmbedder, clock: Clock
    ) -> None:
        self._db, self._rows, self._index = db, rows, index
        self._rounds = EmbeddingRounds((index,), embedder, clock)
        self._done: tuple[int, int] = (0, 0)
        self._tries: dict[tuple[int, int], int] = {}

    def run(self, go_on: Callable[[], bool], idle_ms: IdleMs) -> str:
        """Embed what is missing until nothing is left or somebody needs the machine.

        Returns:
            What came of it in words; empty when it had to make way: run again in `embedding_rounds.AGAIN_S`.

        Raises:
            StorageError: the database cannot be used; everything committed so far stays.
        """
        run = _Run(go_on, idle_ms)
        why = self._rounds.run(run, lambda: self._work(run))
        if why is not None:
            return why
        said = ngettext("{n} message", "{n} messages", run.added).format(n=run.added)
        return said + (" · " + _("{n} failed").format(n=run.failed) if run.failed else "")

    def _work(self, run: _Run) -> None:
        with self._db.read() as r:
            seen = row_store.newest(r)
        below = seen[1] + 1
        while run.may():
            with self._db.read() as r:
                due = self._rows.due(r, self._after(seen), below, BATCH)
            if not due:
                if not any(tries < TRIES_MAX for tries in self._tries.values()):
                    self._done = seen
                return
            left = [row for row in due if row.passages and self._tries.get((row.id, row.revision), 0) < TRIES_MAX]
            if not self._rounds.groups(left, run, lambda rows: self._group(rows, run)):
                return
            below = due[-1].id

    def _after(self, seen: tuple[int, int]) -> int:
        generation, number = self._done
        return number if generation == seen[0] else 0

    def _group(self, rows: Sequence[IndexRow], run: _Run) -> None:
        def blame(row: IndexRow) -> None:
            key = (row.id, row.revision)
            self._tries[key] = self._tries.get(key, 0) + 1

        run.added += self._rounds.embed(self._index, rows, None, blame, run)
