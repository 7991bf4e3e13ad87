"""Gives new texts their vectors while nobody needs the machine: small groups, newest first (spec 03 §7).

Vectors of a row that was deleted or read anew meanwhile are dropped by the index, which looks at the revisions again in
the transaction that writes; the decision about a text is written in that same transaction.
"""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

from biny_desktop.activity.meaning import passage_store, segment_text_store
from biny_desktop.activity.meaning.decide import Decisions, decide
from biny_desktop.activity.meaning.passage_store import FrameText
from biny_desktop.activity.meaning.rows import PickEmbedder, counter, segment_row
from biny_desktop.activity.meaning.segment_text_store import SegmentText
from biny_desktop.core.clock import Clock
from biny_desktop.core.errors import StorageError, UnavailableError
from biny_desktop.core.i18n import _
from biny_desktop.models.model import IndexRow
from biny_desktop.models.vector_index import VectorIndex
from biny_desktop.redaction import safe_constant
from biny_desktop.storage.database import Database, Writer

log = logging.getLogger(__name__)
IDLE_MS: Final = 6_000
"""Somebody who used the machine this short ago is not disturbed (spec 03 §7)."""
AGAIN_S: Final = 30
"""A sweep that had to make way is asked for again after this (spec 03 §7)."""
ROUND: Final = 32
"""Texts of one round (spec 03 §7)."""
GROUP: Final = 4
"""Texts embedded at once, before a pause (spec 03 §7)."""
PAUSE_S: Final = 0.25
"""Spec 03 §7."""
TRIES_MAX: Final = 3
"""A text that cannot be embedded is parked after so many tries (spec 03 §7)."""
HEAL_EVERY_MS: Final = 3_600_000
"""How often the indexes look for vectors of rows that changed behind their back."""

IdleMs = Callable[[], int | None]
"""Milliseconds since the last input; None where it cannot be told, which counts as idle."""


class _EmbedderBrokenError(Exception):
    """The embedder cannot even embed a word that always works; no text is to blame."""


@dataclass
class _Run:
    """One call of `run`: whether it may go on, and what came of it."""

    go_on: Callable[[], bool]
    idle_ms: IdleMs
    frames: int = 0
    segments: int = 0
    left_out: int = 0
    failed: int = 0
    disturbed: bool = field(default=False)

    def may(self) -> bool:
        """Whether nobody needs the machine and the app goes on."""
        idle = self.idle_ms()
        self.disturbed = idle is not None and idle < IDLE_MS
        return not self.disturbed and self.go_on()

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
        self._generation: str | None = None
        self._healed_ms: int | None = None
        self._segment_tries: dict[tuple[int, int], int] = {}

    def run(self, go_on: Callable[[], bool], idle_ms: IdleMs) -> str:
        """Embed what is due, in rounds, until nothing is left or somebody needs the machine.

        Returns:
            What came of it in words; empty when it had to make way, also half-way: run again in `AGAIN_S`.

        Raises:
            StorageError: the database cannot be used; everything committed so far stays.
        """
        run = _Run(go_on, idle_ms)
        try:
            return self._run(run)
        except UnavailableError:
            return _("no embedder")
        except _EmbedderBrokenError:
            return _("the embedder fails")

    def _run(self, run: _Run) -> str:
        if not run.may():
            return ""
        if self._embedder() is None:
            return _("no embedder")
        for index in (self._frames, self._segments):
            if index.state() == "mismatch":
                return _("the index is of another embedder")
        self._release_orphans()
        while run.may() and self._frame_round(run):
            pass
        while run.may() and self._segment_round(run):
            pass
        self._heal(run)
        if run.disturbed:
            log.info("made way after %d screens and %d activities", run.frames, run.segments)
            return ""
        return _("{frames} screens, {segments} activities, {left_out} left out").format(
            frames=run.frames, segments=run.segments, left_out=run.left_out
        ) + (" · " + _("{n} failed").format(n=run.failed) if run.failed else "")

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
        for start in range(0, len(due), GROUP):
            if not run.may():
                return False
            self._frame_group(due[start : start + GROUP], run)
            self._clock.wait(PAUSE_S)
        return run.done > before

    def _frame_group(self, texts: Sequence[FrameText], run: _Run) -> None:
        with self._db.read() as r:
            decisions = decide(r, texts, counter(self._embedder))
        parts = {row.id: len(row.passages) for row in decisions.rows}

        def note(w: Writer, written: Sequence[int]) -> None:
            passage_store.set_embedded(w, {each: parts[each] for each in written}, self._clock.now_ms())

        def blame(row: IndexRow) -> None:
            with self._db.write() as w:
                passage_store.count_try(w, row.id, row.revision, TRIES_MAX, self._clock.now_ms())

        run.frames += self._embed(self._frames, decisions.rows, note, blame, run)
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
        for start in range(0, len(left[:ROUND]), GROUP):
            if not run.may():
                return False
            self._segment_group(left[start : min(ROUND, start + GROUP)], run)
            self._clock.wait(PAUSE_S)
        return run.done > before

    def _segment_group(self, texts: Sequence[SegmentText], run: _Run) -> None:
        count = counter(self._embedder)
        rows = [segment_row(text, count) for text in texts]

        def blame(row: IndexRow) -> None:
            key = (row.id, row.revision)
            self._segment_tries[key] = self._segment_tries.get(key, 0) + 1

        run.segments += self._embed(self._segments, rows, None, blame, run)

    def _embed(
        self,
        index: VectorIndex,
        rows: Sequence[IndexRow],
        note: Callable[[Writer, Sequence[int]], None] | None,
        blame: Callable[[IndexRow], None],
        run: _Run,
    ) -> int:
        """Embed a group, one by one when it fails as a whole; returns how many rows got vectors."""
        if not rows:
            return 0
        try:
            return index.add(rows, note).written
        except StorageError:
            raise
        except Exception:  # a text that the model stumbles over must not hold up the others
            self._check_embedder(index)
        written = 0
        for row in rows:
            try:
                written += index.add([row], note).written
            except StorageError:
                raise
            except Exception as error:
                self._check_embedder(index)
                log.warning("%s %d cannot be embedded (%s)", index.kind, row.id, type(error).__name__)
                blame(row)
                run.failed += 1
        return written

    def _check_embedder(self, index: VectorIndex) -> None:
        """Find out whether a failure was of the text.

        Raises:
            UnavailableError, _EmbedderBrokenError: it was not.
        """
        embedder = self._embedder()
        if embedder is None or index.state() == "mismatch":
            raise UnavailableError("No embedder", "It went away meanwhile.")
        try:
            embedder.passages([safe_constant("hello")])
        except Exception as error:
            raise _EmbedderBrokenError from error

    def _heal(self, run: _Run) -> None:
        now = self._clock.mono_ms()
        if self._healed_ms is not None and now - self._healed_ms < HEAL_EVERY_MS:
            return
        for index in (self._frames, self._segments):
            if not run.may():
                return
            index.heal(run.may)
        self._healed_ms = now
