"""A generation of vectors that is made beside the present one and takes its place in one transaction (spec 01).

Rejected: a second table for it, which every delete of rows would have to know, and whose renaming changes the schema.
"""

from collections.abc import Callable, Sequence
from typing import Final

from biny_desktop.models import vector_store
from biny_desktop.models.centring import Calibration
from biny_desktop.models.vector_parts import IndexParts
from biny_desktop.models.vector_rows import Embedded
from biny_desktop.models.vector_store import Key, Staged, Vector, Why
from biny_desktop.storage.database import Reader, Writer

BATCH: Final = 1_000
"""Vectors of one transaction where nothing is embedded (spec 03 §9.2 uses the same for deletes)."""


def begin(parts: IndexParts, why: Why, fingerprint: str, calibration: Calibration) -> Staged:
    """Go on with what a killed call of the same kind left, or begin a new generation; others are given up."""
    with parts.db.read() as r:
        record = vector_store.record(r, parts.kind)
    left = record.staged if record else None
    if left is not None:
        moved = why == "centring" and left.calibration.moved_from(calibration, "passage")
        if (left.why, left.fingerprint) == (why, fingerprint) and not moved:
            return left
        discard(parts)
    with parts.db.write() as w:
        if vector_store.record(w, parts.kind) is None:
            # Nothing was embedded yet: the index begins empty, of this embedder.
            free = vector_store.free_generation(w, parts.kind)
            vector_store.put_record(w, parts.kind, free, fingerprint, calibration, parts.clock.now_ms())
        staged = Staged(vector_store.free_generation(w, parts.kind), why, fingerprint, calibration)
        vector_store.set_staged(w, parts.kind, staged)
    return staged


def discard(parts: IndexParts) -> None:
    """Give up what is being made; the present generation is untouched."""
    with parts.db.write() as w:
        vector_store.set_staged(w, parts.kind, None)
    clear_leftovers(parts, lambda: True)


def clear_leftovers(parts: IndexParts, go_on: Callable[[], bool]) -> int:
    """Delete vectors that are neither of the present generation nor of one that is being made; returns how many."""
    done = 0
    while go_on():
        with parts.db.read() as r:
            record = vector_store.record(r, parts.kind)
            keep = [record.generation] if record else []
            keep += [record.staged.generation] if record and record.staged else []
            left = vector_store.other_generations(r, parts.kind, keep)
        if not left:
            break
        with parts.db.write() as w:
            record = vector_store.record(w, parts.kind)
            if record and left[0] in (record.generation, record.staged.generation if record.staged else -1):
                continue
            done += vector_store.remove_generation(w, parts.kind, left[0], BATCH)
    return done


def is_mine(r: Reader, kind: str, staged: Staged) -> bool:
    """Whether that generation is still the one being made."""
    record = vector_store.record(r, kind)
    there = record.staged if record else None
    return there is not None and (there.generation, there.why, there.fingerprint) == (
        staged.generation, staged.why, staged.fingerprint
    )  # fmt: skip


def put_embedded(w: Writer, parts: IndexParts, staged: Staged, made: Embedded) -> int:
    """Write the vectors of rows that are still as they were embedded; returns how many rows."""
    present = parts.rows.revisions(w, [row_id for row_id, _revision in made.rows])
    ids = {row_id for row_id, revision in made.rows if present.get(row_id) == revision}
    vector_store.remove(w, parts.kind, sorted(ids), staged.generation)
    put(w, parts, staged, made.vectors(staged.calibration, ids.__contains__))
    return len(ids)


def put(w: Writer, parts: IndexParts, staged: Staged, vectors: Sequence[Vector]) -> None:
    """Write vectors of the generation; no search looks at them yet, so they count as no change."""
    vector_store.put(w, parts.kind, staged.generation, staged.fingerprint, 0, vectors)


def swap(w: Writer, parts: IndexParts, staged: Staged) -> None:
    """Make the generation the present one."""
    vector_store.put_record(
        w, parts.kind, staged.generation, staged.fingerprint, staged.calibration, parts.clock.now_ms()
    )


START: Final[Key] = (-(1 << 62), 0)
"""Before every row."""
