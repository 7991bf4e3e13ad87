"""Giving texts their vectors while nobody needs the machine: what the sweeps of all kinds of rows share (spec 03 §7).

Texts are embedded in small groups with pauses between them. One that the model stumbles over is found and blamed; what
fails for every text is the embedder's own fault, and nobody is blamed then.
"""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias, TypeVar

from biny_desktop.core.clock import Clock
from biny_desktop.core.errors import StorageError, UnavailableError
from biny_desktop.core.i18n import _
from biny_desktop.models.model import Embedder, IndexRow
from biny_desktop.models.vector_index import Also, VectorIndex
from biny_desktop.redaction import safe_constant

log = logging.getLogger(__name__)
IDLE_MS: Final = 6_000
"""Somebody who used the machine this short ago is not disturbed (spec 03 §7)."""
AGAIN_S: Final = 30
"""A sweep that had to make way is asked for again after this (spec 03 §7)."""
GROUP: Final = 4
"""Texts embedded at once, before a pause (spec 03 §7)."""
PAUSE_S: Final = 0.25
"""Spec 03 §7."""
TRIES_MAX: Final = 3
"""A text that cannot be embedded is parked after so many tries (spec 03 §7)."""
HEAL_EVERY_MS: Final = 3_600_000
"""How often the indexes look for vectors of rows that changed behind their back."""

IdleMs: TypeAlias = Callable[[], int | None]
"""Milliseconds since the last input; None where it cannot be told, which counts as idle."""
PickEmbedder: TypeAlias = Callable[[], Embedder | None]
Blame: TypeAlias = Callable[[IndexRow], None]
_Text = TypeVar("_Text")


class _EmbedderBrokenError(Exception):
    """The embedder cannot even embed a word that always works; no text is to blame."""


@dataclass
class SweepCall:
    """One call of a sweep: whether it may go on, and how many texts failed in it."""

    go_on: Callable[[], bool]
    idle_ms: IdleMs
    failed: int = 0
    disturbed: bool = False

    def may(self) -> bool:
        """Whether nobody needs the machine and the app goes on."""
        idle = self.idle_ms()
        self.disturbed = idle is not None and idle < IDLE_MS
        return not self.disturbed and self.go_on()


class EmbeddingRounds:
    """Embeds for a sweep over these indexes. One `run` at a time."""

    def __init__(self, indexes: Sequence[VectorIndex], embedder: PickEmbedder, clock: Clock) -> None:
        self._indexes, self._embedder, self._clock = tuple(indexes), embedder, clock
        self._healed_ms: int | None = None

    def run(self, call: SweepCall, work: Callable[[], None]) -> str | None:
        """Do the work, then heal the indexes when it is time.

        Returns:
            None when it is done; else in words why nothing can be embedded, empty when it had to make way, also
            half-way: run again in `AGAIN_S`.

        Raises:
            StorageError: the database cannot be used; everything committed so far stays.
        """
        try:
            if not call.may():
                return ""
            if self._embedder() is None:
                return _("no embedder")
            if any(index.state() == "mismatch" for index in self._indexes):
                return _("the index is of another embedder")
            work()
            self._heal(call)
        except UnavailableError:
            return _("no embedder")
        except _EmbedderBrokenError:
            return _("the embedder fails")
        return "" if call.disturbed else None

    def groups(self, texts: Sequence[_Text], call: SweepCall, embed: Callable[[Sequence[_Text]], None]) -> bool:
        """Hand texts over in groups with a pause after each; False when it was stopped before the end."""
        for start in range(0, len(texts), GROUP):
            if not call.may():
                return False
            embed(texts[start : start + GROUP])
            self._clock.wait(PAUSE_S)
        return True

    def embed(
        self, index: VectorIndex, rows: Sequence[IndexRow], note: Also | None, blame: Blame, call: SweepCall
    ) -> int:
        """Embed a group, one by one when it fails as a whole; returns how many rows got vectors.

        Args:
            note: called in the transaction that writes, with the ids of the rows written. blame: called with each row
                that cannot be embedded.
        """
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
                call.failed += 1
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

    def _heal(self, call: SweepCall) -> None:
        now = self._clock.mono_ms()
        if self._healed_ms is not None and now - self._healed_ms < HEAL_EVERY_MS:
            return
        for index in self._indexes:
            if not call.may():
                return
            index.heal(call.may)
        self._healed_ms = now
