"""Making every vector of an index anew while the present ones are searched: batches, own means, one swap (spec 01)."""

import logging
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from biny_desktop.core.errors import BinyError
from biny_desktop.models import means, staging, validity, vector_faults, vector_store
from biny_desktop.models.model import Embedder, IndexRow
from biny_desktop.models.reference import reference_means
from biny_desktop.models.vector_parts import IndexParts
from biny_desktop.models.vector_rows import Embedded, embed, recentred
from biny_desktop.models.vector_store import Staged
from biny_desktop.storage.database import Writer
from biny_desktop.storage.progress import CancelledError, Watch

log = logging.getLogger(__name__)
BATCH: Final = 64
"""Rows read at once (spec 01, vectors)."""
GROUP: Final = 8
"""Rows of a batch embedded and written at once: about how long a person who cancels waits."""
PASSES: Final = 5
"""Rows that change while they are embedded are embedded again so often; then healing does the rest."""

FAILURES_MAX: Final = 100
"""Texts of one pass that may fail; with more it is the embedder that fails."""


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """Rows and vectors of the new index, and rows that are left for healing."""

    rows: int
    vectors: int
    left: int


def run(parts: IndexParts, embedder: Embedder, watch: Watch) -> Rebuilt:
    """See `VectorIndex.rebuild`."""
    reference = reference_means(parts.db, embedder)
    with parts.alone() as still:
        if still is None:
            raise vector_faults.busy()
        staged = staging.begin(parts, "rebuild", embedder.fingerprint.id, reference)
        try:
            for number in range(PASSES):
                written = _embed_missing(parts, embedder, staged, watch, still)
                staged = _centre(parts, staged, embedder, watch)
                if _swap(parts, staged, force=written == 0 or number == PASSES - 1):
                    break
        except CancelledError:
            staging.discard(parts)
            raise
        parts.changed()
        staging.clear_leftovers(parts, still)
    with parts.db.read() as r:
        good, _stale = validity.count_valid(r, parts.rows, staged.generation, staged.calibration.dims)
        return Rebuilt(good, vector_store.count(r, parts.kind, staged.generation), parts.rows.count(r) - good)


def _embed_missing(
    parts: IndexParts, embedder: Embedder, staged: Staged, watch: Watch, still: Callable[[], bool]
) -> int:
    """Embed the rows that have no vectors of their present words in the new generation; returns how many got some."""
    last, done, written, failed = validity.FIRST, 0, 0, 0
    while True:
        with parts.db.read() as r:
            total = parts.rows.count(r)
            page = parts.rows.rows_after(r, last, BATCH)
            ids = [row.id for row in page]
            have = vector_store.revisions_of(r, parts.kind, staged.generation, ids, staged.calibration.dims)
        missing = [row for row in page if row.passages and have.get(row.id) != row.revision]
        done += len(page) - len(missing)
        for start in range(0, len(missing), GROUP):
            watch.at("embed", min(done, total), total)
            group = missing[start : start + GROUP]
            made = _made(parts.kind, embedder, group)
            failed += len(group) - sum(len(each.rows) for each in made)
            if failed > FAILURES_MAX:
                raise vector_faults.broken()
            written += _put(parts, staged, made, still)
            done += len(group)
        watch.at("embed", min(done, total), total)
        if len(page) < BATCH:
            return written
        last = ids[-1]


def _made(kind: str, embedder: Embedder, group: list[IndexRow]) -> list[Embedded]:
    """A group embedded, row by row when it fails as a whole; a row that cannot be embedded is left out."""
    try:
        return [embed(embedder, group)]
    except BinyError:
        raise
    except Exception as error:  # a text that the model stumbles over must not keep the others out
        if len(group) == 1:
            log.warning("%s %d cannot be embedded (%s)", kind, group[0].id, type(error).__name__)
            return []
        return [made for row in group for made in _made(kind, embedder, [row])]


def _put(parts: IndexParts, staged: Staged, made: list[Embedded], still: Callable[[], bool]) -> int:
    if not still():
        raise vector_faults.busy()
    with parts.db.write() as w:
        _require_mine(w, parts, staged)
        return sum(staging.put_embedded(w, parts, staged, each) for each in made)


def _centre(parts: IndexParts, staged: Staged, embedder: Embedder, watch: Watch) -> Staged:
    """Take the means of the new vectors, and write their signs under these."""
    dims = embedder.fingerprint.dims
    with parts.db.read() as r:
        total = vector_store.count(r, parts.kind, staged.generation)

    def step() -> bool:
        watch.at("centre", 0, total)
        return True

    passages = means.passage_means(parts.db, parts.kind, staged.generation, dims, step)
    assert passages is not None
    questions = means.question_means(parts.db, staged.fingerprint, dims)
    own = means.with_own(reference_means(parts.db, embedder), "passage", passages)
    calibration = means.with_own(own, "question", questions)
    if calibration.id == staged.calibration.id:
        return staged
    key, done = staging.START, 0
    while True:
        with parts.db.read() as r:
            page = vector_store.after(r, parts.kind, staged.generation, key, staging.BATCH)
        fresh = recentred(page, calibration)
        with parts.db.write() as w:
            _require_mine(w, parts, staged)
            bits = {(each.row_id, each.part): each.bits for each in fresh}
            vector_store.set_bits(w, parts.kind, staged.generation, bits)
        done += len(page)
        watch.at("centre", min(done, total), total)
        if len(page) < staging.BATCH:
            break
        key = (page[-1].row_id, page[-1].part)
    staged = replace(staged, calibration=calibration)
    with parts.db.write() as w:
        _require_mine(w, parts, staged)
        vector_store.set_staged(w, parts.kind, staged)
    return staged


def _swap(parts: IndexParts, staged: Staged, *, force: bool) -> bool:
    """Make the new generation the present one when every row is in it at its present revision, or when forced."""
    with parts.db.write() as w:
        _require_mine(w, parts, staged)
        good = 0
        stale: list[int] = []
        for valid, gone, _last in validity.pages(w, parts.rows, staged.generation, staged.calibration.dims):
            good += valid
            stale += gone
        vector_store.remove(w, parts.kind, stale, staged.generation)
        if good < parts.rows.count(w) and not force:
            return False
        staging.swap(w, parts, staged)
        return True


def _require_mine(w: Writer, parts: IndexParts, staged: Staged) -> None:
    if not staging.is_mine(w, parts.kind, staged):
        raise vector_faults.busy()
