"""Following the means of a store without embedding: those of questions at once, those of passages by a new generation.

The signs of all vectors hang on the means of passages; so they are written anew beside the present ones, from the raw
vectors, and swapped as a rebuild is (spec 01, Means).
"""

from collections.abc import Callable
from dataclasses import replace

from biny_desktop.models import means, staging, vector_store
from biny_desktop.models.centring import Calibration
from biny_desktop.models.reference import known_means
from biny_desktop.models.vector_parts import IndexParts
from biny_desktop.models.vector_rows import recentred
from biny_desktop.models.vector_store import IndexRecord, Staged
from biny_desktop.storage.database import Reader

GoOn = Callable[[], bool]


def follow(parts: IndexParts, may: GoOn) -> bool:
    """Use the present means where they moved; True when anything was centred anew.

    Raises:
        StorageError: the database cannot be used; the index is as it was.
    """
    with parts.db.read() as r:
        record = vector_store.record(r, parts.kind)
    if record is None or (record.staged is not None and record.staged.fingerprint != record.fingerprint):
        return False  # half of a rebuild for another embedder waits to go on; it takes means of its own
    reference = known_means(parts.db, record.fingerprint)
    if reference is None or reference.dims != record.calibration.dims:
        reference = record.calibration
    moved = _follow_questions(parts, record, reference)
    return _follow_passages(parts, reference, may) or moved


def _follow_questions(parts: IndexParts, record: IndexRecord, reference: Calibration) -> bool:
    sums = means.question_means(parts.db, record.fingerprint, reference.dims)
    now = record.calibration.taking("question", means.with_own(reference, "question", sums))
    if not now.moved_from(record.calibration, "question"):
        return False
    with parts.db.write() as w:
        present = vector_store.record(w, parts.kind)
        if present is None or present.generation != record.generation:
            return False
        vector_store.set_calibration(w, parts.kind, now, parts.clock.now_ms())
    return True


def _follow_passages(parts: IndexParts, reference: Calibration, may: GoOn) -> bool:
    with parts.db.read() as r:
        record = vector_store.record(r, parts.kind)
    if record is None:
        return False
    half = record.staged is not None and record.staged.why == "centring"
    if record.changes == record.checked and not half:
        return False
    sums = means.passage_means(parts.db, parts.kind, record.generation, reference.dims, may)
    if sums is None:
        return False
    now = record.calibration.taking("passage", means.with_own(reference, "passage", sums))
    if now.moved_from(record.calibration, "passage"):
        return _copy_all(parts, record, now, may)
    if half:
        staging.discard(parts)
    with parts.db.write() as w:
        vector_store.set_checked(w, parts.kind, record.changes)
    return False


def _copy_all(parts: IndexParts, record: IndexRecord, calibration: Calibration, may: GoOn) -> bool:
    """Copy the present generation under other means, a page a transaction, then swap; False when told to stop."""
    staged = staging.begin(parts, "centring", record.fingerprint, calibration)
    with parts.db.read() as r:
        key = vector_store.last_key(r, parts.kind, staged.generation) or staging.START
    more = True
    while more:
        if not may():
            return False
        with parts.db.write() as w:
            if not _still(w, parts, record, staged):
                return False
            page = vector_store.after(w, parts.kind, record.generation, key, staging.BATCH)
            staging.put(w, parts, staged, recentred(page, staged.calibration))
        more = len(page) == staging.BATCH
        key = (page[-1].row_id, page[-1].part) if page else key
    while may():
        seen = _catch_up(parts, record, staged)
        if seen is not None and _swap(parts, record, staged, seen):
            staging.clear_leftovers(parts, may)
            return True
        with parts.db.read() as r:
            if not _still(r, parts, record, staged):
                return False
    return False


def _catch_up(parts: IndexParts, record: IndexRecord, staged: Staged) -> int | None:
    """Copy what was written meanwhile; the count of changes up to which nothing is missing, None when something was.

    Looking takes a second at 200,000 vectors, so it is done outside of write transactions.
    """
    with parts.db.read() as r:
        present = vector_store.record(r, parts.kind)
        gone = vector_store.without_twin(r, parts.kind, staged.generation, record.generation, staging.BATCH)
        fresh = vector_store.without_twin(r, parts.kind, record.generation, staged.generation, staging.BATCH)
    if not gone and not fresh:
        return present.changes if present else None
    with parts.db.write() as w:
        if _still(w, parts, record, staged):
            ids = sorted({row_id for row_id, _part in (*gone, *fresh)})
            vector_store.remove(w, parts.kind, ids, staged.generation)
            found = vector_store.of_rows(w, parts.kind, record.generation, ids)
            staging.put(w, parts, staged, recentred(found, staged.calibration))
    return None


def _swap(parts: IndexParts, record: IndexRecord, staged: Staged, seen: int) -> bool:
    """Make the copy the present generation unless vectors were written since `seen`.

    Deletes of rows reach both generations, so they need not be counted.
    """
    with parts.db.write() as w:
        present = vector_store.record(w, parts.kind)
        if present is None or present.changes != seen or not _still(w, parts, record, staged):
            return False
        staging.swap(w, parts, replace(staged, calibration=present.calibration.taking("passage", staged.calibration)))
    return True


def _still(r: Reader, parts: IndexParts, record: IndexRecord, staged: Staged) -> bool:
    """Whether the same generation is present and the same one is being made."""
    present = vector_store.record(r, parts.kind)
    return present is not None and present.generation == record.generation and staging.is_mine(r, parts.kind, staged)
