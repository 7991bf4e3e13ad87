"""The one vector index, for any kind of rows: keeps their vectors valid, and finds what lies near a question (spec 01).

A vector is valid only for its row's present revision: rows are embedded outside any transaction and looked at again in
the one that writes. Vectors of another embedder are never compared; a rebuild makes new ones beside them.
"""

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from biny_desktop.core.clock import Clock
from biny_desktop.core.errors import BinyError
from biny_desktop.core.events import EventBus, IndexChanged
from biny_desktop.core.text import RedactedText
from biny_desktop.models import healing, rebuild, validity, vector_faults, vector_store
from biny_desktop.models.centring import GROUPS, QUESTIONS_MAX, name_of, script_of
from biny_desktop.models.model import (
    Embedder,
    Fingerprint,
    IndexedRows,
    IndexRow,
    IndexState,
    IndexStatus,
    VectorFound,
    Vectors,
)
from biny_desktop.models.quantise import quantise
from biny_desktop.models.reference import reference_means
from biny_desktop.models.vector_parts import IndexParts
from biny_desktop.models.vector_rows import Embedded, embed
from biny_desktop.models.vector_search import Asked, VectorSearch
from biny_desktop.models.vector_store import IndexRecord
from biny_desktop.redaction import cut
from biny_desktop.storage.database import Database, Reader, Writer
from biny_desktop.storage.progress import Watch

Also = Callable[[Writer, Sequence[int]], None]
"""Called with the rows that were written, in the transaction that writes them."""
QUESTION_MAX: Final = 2_000
"""Characters of a question that are embedded; a model reads about as many."""


@dataclass(frozen=True, slots=True)
class Added:
    """Rows whose vectors were written, and rows that had changed or gone by the time theirs were ready."""

    written: int
    late: int


class VectorIndex:
    """Vectors of one kind of rows. Thread-safe; several processes may use the same database.

    Args:
        rows: the rows of that kind. embedder: the present one, None for none; asked at each use.
    """

    def __init__(
        self,
        rows: IndexedRows,
        db: Database,
        embedder: Callable[[], Embedder | None],
        clock: Clock,
        events: EventBus,
    ) -> None:
        self._rows, self._db, self._embedder, self._clock, self._events = rows, db, embedder, clock, events
        self._parts = IndexParts(rows, db, clock, self._changed)
        self._search = VectorSearch(rows, clock)
        self._lock = threading.Lock()
        self._last: tuple[str, str, Vectors] | None = None

    @property
    def kind(self) -> str:
        """The kind of rows."""
        return self._rows.kind

    def add(self, rows: Sequence[IndexRow], also: Also | None = None) -> Added:
        """Embed rows and keep their vectors in place of earlier ones.

        Args:
            rows: with their revision and passages; one without passages loses its vectors.
            also: called in the transaction that writes, with the ids of the rows written in it.

        Raises:
            UnavailableError: there is no embedder, or the index was made by another one and has to be rebuilt.
            StorageError: nothing was written.
        """
        embedder = self._need()
        self._begin(embedder)
        made = embed(embedder, rows)
        with self._db.write() as w:
            written = self._write(w, embedder.fingerprint, made)
            if also is not None:
                also(w, written)
        if written:
            self._changed()
        self._search.free_if_idle()
        return Added(len(written), len(rows) - len(written))

    def _begin(self, embedder: Embedder) -> None:
        """Make sure that the index is of this embedder; an empty one becomes so."""
        name = embedder.fingerprint.id
        with self._db.read() as r:
            record = vector_store.record(r, self.kind)
            if record and record.fingerprint == name:
                return
            if record and vector_store.any_vector(r, self.kind, record.generation):
                raise vector_faults.mismatch()
        means = reference_means(self._db, embedder)
        with self._db.write() as w:
            record = vector_store.record(w, self.kind)
            if record and record.fingerprint == name:
                return
            if record and vector_store.any_vector(w, self.kind, record.generation):
                raise vector_faults.mismatch()
            free = vector_store.free_generation(w, self.kind)
            vector_store.put_record(w, self.kind, free, name, means, self._clock.now_ms())

    def _write(self, w: Writer, fingerprint: Fingerprint, made: Embedded) -> list[int]:
        record = vector_store.record(w, self.kind)
        if record is None or record.fingerprint != fingerprint.id:
            return []
        present = self._rows.revisions(w, [row_id for row_id, _revision in made.rows])
        ids = [row_id for row_id, revision in made.rows if present.get(row_id) == revision]
        wanted = set(ids)
        vector_store.remove(w, self.kind, ids, record.generation)
        change = vector_store.next_change(w, self.kind)
        vectors = made.vectors(record.calibration, wanted.__contains__)
        vector_store.put(w, self.kind, record.generation, fingerprint.id, change, vectors)
        return ids

    def remove(self, w: Writer, ids: Sequence[int]) -> None:
        """Delete the vectors of rows, in the transaction that changes or deletes the rows."""
        if ids and vector_store.remove(w, self.kind, ids):
            vector_store.next_change(w, self.kind)

    def search(
        self,
        question: RedactedText,
        k: int,
        *,
        allowed: npt.NDArray[np.int64] | None = None,
        floor: float | None = None,
    ) -> VectorFound:
        """Passages near a question, best first.

        Args:
            k: how many. allowed: sorted ids of the rows that may be found, None for all; it is applied before
            candidates are taken. floor: the lowest centred similarity of a hit.

        Raises:
            StorageError: the database cannot be read.
            UnavailableError: the embedder failed.
        """
        embedder = self._embedder()
        if embedder is None:
            return VectorFound((), "no_embedder")
        with self._db.read() as r:
            state = self._state_of(r, vector_store.record(r, self.kind), embedder)
        if state == "empty":
            return VectorFound((), "no_vectors")
        if state == "mismatch":
            return VectorFound((), "index_mismatch")
        raw = self._question(embedder, question)
        with self._db.read() as r:
            record = vector_store.record(r, self.kind)
            if record is None or record.fingerprint != embedder.fingerprint.id:
                return VectorFound((), "index_mismatch")
            asked = Asked(raw, record.calibration.questions(raw, script_of(question)), max(1, k), allowed)
            hits = self._search.best(r, record, asked)
        good = tuple(hit for hit in hits if floor is None or hit.centred >= floor)
        if good:
            return VectorFound(good)
        return VectorFound((), "below_floor" if hits else "no_vectors")

    def note_question(self, question: RedactedText) -> None:
        """Keep the vector of a question, never its words: the mean of questions comes from the newest ones.

        Raises:
            StorageError: the database cannot be written. UnavailableError: the embedder failed.
        """
        embedder = self._embedder()
        if embedder is None or not question.strip():
            return
        q, scales = quantise(self._question(embedder, question))
        with self._db.write() as w:
            vector_store.put_question(
                w, script_of(question), q[0].tobytes(), float(scales[0]), embedder.fingerprint.id,
                self._clock.now_ms(), QUESTIONS_MAX,
            )  # fmt: skip

    def _question(self, embedder: Embedder, question: RedactedText) -> Vectors:
        """The raw vector of a question; the last one is remembered, since it is searched for and then noted."""
        name, text = embedder.fingerprint.id, cut(question, 0, QUESTION_MAX)
        with self._lock:
            if self._last is not None and self._last[:2] == (name, text):
                return self._last[2]
        try:
            raw = embedder.questions([text])
        except BinyError:
            raise
        except Exception as fault:  # the libraries of the models raise errors of their own
            raise vector_faults.question_failed() from fault
        with self._lock:
            self._last = (name, text, raw)
        return raw

    def state(self) -> IndexState:
        """How the index is, without counting anything.

        Raises:
            StorageError: the database cannot be read.
        """
        self._search.free_if_idle()
        with self._db.read() as r:
            return self._shown_state(r, vector_store.record(r, self.kind), self._embedder())

    def _shown_state(self, r: Reader, record: IndexRecord | None, embedder: Embedder | None) -> IndexState:
        rebuilt = record is not None and record.staged is not None and record.staged.why == "rebuild"
        return "rebuilding" if rebuilt and self._parts.worked_on(r) else self._state_of(r, record, embedder)

    def _state_of(self, r: Reader, record: IndexRecord | None, embedder: Embedder | None) -> IndexState:
        if embedder is None:
            return "no_embedder"
        if record is None or not vector_store.any_vector(r, self.kind, record.generation):
            return "empty"
        if record.fingerprint != embedder.fingerprint.id:
            return "mismatch"
        return "ready"

    def status(self) -> IndexStatus:
        """All that is known of the index; every vector's revision is looked at (0.2 s at 200,000 rows).

        Raises:
            StorageError: the database cannot be read.
        """
        self._search.free_if_idle()
        with self._db.read() as r:
            record = vector_store.record(r, self.kind)
            state = self._shown_state(r, record, self._embedder())
            rows = self._rows.count(r)
            good, stale = (
                (0, 0)
                if record is None
                else validity.count_valid(r, self._rows, record.generation, record.calibration.dims)
            )
            vectors = 0 if record is None else vector_store.count(r, self.kind, record.generation)
        if record is None:
            return IndexStatus(self.kind, state, rows, 0, rows, 0, 0, "", "", (), None)
        own = tuple(name_of(group) for group in GROUPS if group in record.calibration.own)
        return IndexStatus(
            self.kind, state, rows, good, max(0, rows - good), stale, vectors, record.fingerprint,
            record.calibration.id, own, record.built_at_ms,
        )  # fmt: skip

    def rebuild(self, watch: Watch) -> rebuild.Rebuilt:
        """Embed every row anew, in batches, beside the present vectors, which are searched until all is ready.

        Killed, the next call goes on; cancelled or failed, the index is as it was.

        Raises:
            CancelledError: it was stopped; the new vectors are removed again.
            UnavailableError: there is no embedder, or another process rebuilds it.
            StorageError, DiskFullError: it cannot be written; what is ready stays for the next call.
        """
        return rebuild.run(self._parts, self._need(), watch)

    def heal(self, go_on: Callable[[], bool]) -> healing.Healed:
        """Remove vectors of rows that are gone or changed, embed rows without vectors, centre anew when a mean moved.

        Args:
            go_on: asked between small steps; where it says no, the next call goes on.

        Raises:
            StorageError: the database cannot be used.
            UnavailableError: the embedder failed.
        """
        self._search.free_if_idle()
        return healing.run(self._parts, self._embedder(), self.add, go_on)

    def _changed(self) -> None:
        self._events.publish(IndexChanged(self.kind))

    def _need(self) -> Embedder:
        embedder = self._embedder()
        if embedder is None:
            raise vector_faults.no_embedder()
        return embedder
