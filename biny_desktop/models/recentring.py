"""Following the means of a store without embedding: those of questions at once, those of passages by a new generation.

The signs of all vectors hang on the means of passages; so they are written anew beside the present ones, from the raw
vectors, and swapped as a rebuild is (spec 01, Means).
"""

from collections.abc import Callable
from dataclasses import replace

from biny_desktop.models import means, staging, vector_memory, vector_store
from biny_desktop.models.centring import Calibration
from biny_desktop.models.reference import known_means
from biny_desktop.models.vector_parts import IndexParts
from biny_desktop.models.vector_rows import recentred
from biny_desktop.models.vector_store import IndexRecord, Staged
from biny_desktop.storage.database import Writer

GoOn = Callable[[], bool]


def follow(parts: IndexParts, may: GoOn) -> bool:
    """Use the present means where they moved; True when anything was centred anew.

    Raises:
        StorageError: the database cannot be used; the index is as it was.
    """
    with parts.db.read() as r:
        record = vector_store.record(r, parts.kind)
    if record is None or (record.staged is not None and record.staged.why == "rebuild"):
        return False
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
    if record is None or (record.changes == record.checked and record.staged is None):
        return False
    sums = means.passage_means(parts.db, parts.kind, record.generation, reference.dims, may)
    if sums is None:
        return False
    now = record.calibration.taking("passage", means.with_own(reference, "passage", sums))
    if now.moved_from(record.calibration, "passage"):
        return _copy_all(parts, record, now, may)
    if record.staged is not None:
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
        done = _swap(parts, record, staged)
        if done is not None:
            break
    else:
        return False
    if done:
        staging.clear_leftovers(parts, may)
    return done


def _swap(parts: IndexParts, record: IndexRecord, staged: Staged) -> bool | None:
    """Make the copy the present generation, with what was written meanwhile; None when that was too much for once."""
    with parts.db.write() as w:
        if not _still(w, parts, record, staged):
            return False
        gone = vector_store.without_twin(w, parts.kind, staged.generation, record.generation, staging.BATCH)
        vector_store.remove(w, parts.kind, sorted({row for row, _part in gone}), staged.generation)
        fresh = vector_store.without_twin(w, parts.kind, record.generation, staged.generation, staging.BATCH)
        found = vector_memory.read(w, record, fresh)
        staging.put(w, parts, staged, recentred(list(found.values()), staged.calibration))
        if len(gone) == staging.BATCH or len(fresh) == staging.BATCH:
            return None
        present = vector_store.record(w, parts.kind)
        assert present is not None
        staging.swap(w, parts, replace(staged, calibration=present.calibration.taking("passage", staged.calibration)))
    return True


def _still(w: Writer, parts: IndexParts, record: IndexRecord, staged: Staged) -> bool:
    """Whether the same generation is present and the same one is being made."""
    present = vector_store.record(w, parts.kind)
    return present is not None and present.generation == record.generation and staging.is_mine(w, parts.kind, staged)
