"""Rows turned into vectors that can be kept: embedded outside any transaction, centred, quantised."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from biny_desktop.models.centring import Calibration, script_of
from biny_desktop.models.model import Embedder, IndexRow, Script, Vectors
from biny_desktop.models.quantise import quantise, restore, signs
from biny_desktop.models.vector_store import Vector


@dataclass(frozen=True, slots=True)
class Embedded:
    """Passages of rows with their raw unit vectors, not yet centred; `keys` are (row, part, revision)."""

    rows: tuple[tuple[int, int], ...]
    keys: tuple[tuple[int, int, int], ...]
    scripts: tuple[Script, ...]
    raw: Vectors

    def vectors(self, calibration: Calibration, keep: Callable[[int], bool]) -> list[Vector]:
        """What is kept of the rows that `keep` wants (by id), centred by these means: arithmetic only."""
        if not self.keys:
            return []
        q, scales = quantise(self.raw)
        bits = signs(calibration.passages(self.raw, self.scripts))
        return [
            Vector(row_id, part, revision, script, q[n].tobytes(), float(scales[n]), bits[n].tobytes())
            for n, ((row_id, part, revision), script) in enumerate(zip(self.keys, self.scripts, strict=True))
            if keep(row_id)
        ]


def embed(embedder: Embedder, rows: Sequence[IndexRow]) -> Embedded:
    """Embed all passages of some rows; slow (a passage of 400 tokens takes up to a second).

    Raises:
        Whatever the embedder raises.
    """
    texts = [text for row in rows for text in row.passages]
    keys = tuple((row.id, part, row.revision) for row in rows for part in range(len(row.passages)))
    return Embedded(
        tuple((row.id, row.revision) for row in rows), keys, tuple(script_of(text) for text in texts),
        embedder.passages(texts),
    )  # fmt: skip


def recentred(vectors: Sequence[Vector], calibration: Calibration) -> list[Vector]:
    """The same vectors with their signs under other means."""
    if not vectors:
        return []
    raw = restore([each.q for each in vectors], calibration.dims)
    bits = signs(calibration.passages(raw, [each.script for each in vectors]))
    return [
        Vector(each.row_id, each.part, each.revision, each.script, each.q, each.scale, bits[n].tobytes())
        for n, each in enumerate(vectors)
    ]
