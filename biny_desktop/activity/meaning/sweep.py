"""Gives new texts their vectors while nobody needs the machine: small groups, newest first (spec 03 §7).

Vectors of a row that was deleted or read anew meanwhile are dropped by the index, which looks at the revisions again in
the transaction that writes; the decision about a text is written in that same transaction.
"""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from biny_desktop.activity.meaning import passage_store, segment_text_store
from biny_desktop.activity.meaning.decide import Decisions, decide
from biny_desktop.activity.meaning.passage_store import FrameText
from biny_desktop.activity.meaning.rows import segment_row
from biny_desktop.activity.meaning.segment_text_store import SegmentText
from biny_desktop.core.clock import Clock
from biny_desktop.core.i18n import _
from biny_desktop.models.embedding_rounds import TRIES_MAX, EmbeddingRounds, IdleMs, PickEmbedder, SweepCall
from biny_desktop.models.model import IndexRow
from biny_desktop.models.passage_tokens import counter
from biny_desktop.models.vector_index import VectorIndex
from biny_desktop.storage.database import Database, Writer

log = logging.getLogger(__name__)
ROUND: Final = 32
"""Texts of one round (spec 03 §7)."""


@dataclass
class _Run(SweepCall):
    """One call of `run`, and what came of it."""

    frames: int = 0
    segments: int = 0
    left_out: int = 0

    @property
    def done(self) -> int:
        return self.frames + self.segments + self.left_out + self.failed


class EmbeddingSweep:
    """The job that fills the indexes of frames and segments. One `run` at a time.

    Args:
        frames, segments: the indexes over `FrameRows` and `SegmentRows`. embedder: the present one, None for none.
    """

    def __init__(
        self, db: Database, frames: VectorIndex, segments: VectorIndex, embedder: PickEmbedder, clock: Clock
    ) -> None:
        self._db, self._frames, self._segments = db, frames, segments
        self._embedder, self._clock = embedder, clock
        self._rounds = EmbeddingRounds((frames, segments), embedder, clock)
        self._generation: str | None = None
        self._segment_tries: dict[tuple[int, int], int] = {}

    def run(self, go_on: Callable[[], bool], idle_ms: IdleMs) -> str:
        """Embed what is due, in rounds, until nothing is left or somebody needs the machine.

        Returns:
            What came of it in words; empty when it had to make way, also half-way: run again in `AGAIN_S`.

        Raises:
            StorageError: the database cannot be used; everything committed so far stays.
        """
        run = _Run(go_on, idle_ms)
        why = self._rounds.run(run, lambda: self._work(run))
        if run.disturbed and run.done:
            log.info("made way after %d screens and %d activities", run.frames, run.segments)
        if why is not None:
            return why
        return _("{frames} screens, {segments} activities, {left_out} left out").format(
            frames=run.frames, segments=run.segments, left_out=run.left_out
        ) + (" · " + _("{n} failed").format(n=run.failed) if run.failed else "")

    def _work(self, run: _Run) -> None:
        self._release_orphans()
        while run.may() and self._frame_round(run):
            pass
        while run.may() and self._segment_round(run):
            pass

    def _release_orphans(self) -> None:
        """After a delete, texts that were the same as a deleted one are decided anew."""
        with self._db.read() as r:
            generation = passage_store.generation(r)
        if generation != self._generation:
            with self._db.write() as w:
                passage_store.release_orphans(w)
            self._generation = generation

    def _frame_round(self, run: _Run) -> bool:
        """At most 32 texts; False when nothing was left or nothing came of it."""
        with self._db.read() as r:
            due = passage_store.due(r, ROUND)
        before = run.done
        return self._rounds.groups(due, run, lambda texts: self._frame_group(texts, run)) and run.done > before

    def _frame_group(self, texts: Sequence[FrameText], run: _Run) -> None:
        with self._db.read() as r:
            decisions = decide(r, texts, counter(self._embedder))
        parts = {row.id: len(row.passages) for row in decisions.rows}

        def note(w: Writer, written: Sequence[int]) -> None:
            passage_store.set_embedded(w, {each: parts[each] for each in written}, self._clock.now_ms())

        def blame(row: IndexRow) -> None:
            with self._db.write() as w:
                passage_store.count_try(w, row.id, row.revision, TRIES_MAX, self._clock.now_ms())

        run.frames += self._rounds.embed(self._frames, decisions.rows, note, blame, run)
        run.left_out += self._leave_out(decisions)

    def _leave_out(self, decisions: Decisions) -> int:
        """Note the texts that get no vectors and remove those of their earlier words."""
        if not decisions.short and not decisions.same:
            return 0
        now = self._clock.now_ms()
        with self._db.write() as w:
            gone = [t.frame_id for t in decisions.short if passage_store.set_short(w, t.frame_id, t.revision, now)]
            gone += [
                text.frame_id
                for text, other in decisions.same
                if passage_store.set_same(w, text.frame_id, text.revision, other, now)
            ]
            self._frames.remove(w, gone)
        return len(gone)

    def _segment_round(self, run: _Run) -> bool:
        """At most 32 segments; False when nothing was left or nothing came of it."""
        with self._db.read() as r:
            due = segment_text_store.due(r, ROUND + len(self._segment_tries))
        left = [each for each in due if self._segment_tries.get((each.segment_id, each.revision), 0) < TRIES_MAX]
        before = run.done
        return self._rounds.groups(left[:ROUND], run, lambda each: self._segment_group(each, run)) and run.done > before

    def _segment_group(self, texts: Sequence[SegmentText], run: _Run) -> None:
        count = counter(self._embedder)
        rows = [segment_row(text, count) for text in texts]

        def blame(row: IndexRow) -> None:
            key = (row.id, row.revision)
            self._segment_tries[key] = self._segment_tries.get(key, 0) + 1

        run.segments += self._rounds.embed(self._segments, rows, None, blame, run)
