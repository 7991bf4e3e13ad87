"""Keeping an index right while nobody needs the machine: stale vectors out, missing ones in, means followed.

Every step is small and leaves the index valid, so it may be stopped or killed between any two.
"""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from biny_desktop.core.errors import BinyError
from biny_desktop.models import recentring, staging, validity, vector_store
from biny_desktop.models.model import Embedder, IndexRow
from biny_desktop.models.vector_parts import IndexParts
from biny_desktop.models.vector_store import IndexRecord
from biny_desktop.storage.database import Reader

log = logging.getLogger(__name__)
ROUND: Final = 32
"""Rows looked at in one round."""
GROUP: Final = 4
"""Rows embedded at once."""

FAILURES_MAX: Final = 8
"""Rows that may fail in one call; with more it is the embedder that fails, and the next call tries again."""

GoOn = Callable[[], bool]


class AddRows(Protocol):
    """`VectorIndex.add`."""

    def __call__(self, rows: Sequence[IndexRow]) -> object:
        """Embed rows and keep their vectors."""
        ...


@dataclass(frozen=True, slots=True)
class Healed:
    """Rows whose stale vectors were removed, rows that were embedded, rows that cannot be embedded, whether the
    vectors were centred anew; `finished`: nothing is left to do."""

    removed: int = 0
    added: int = 0
    failed: int = 0
    recentred: bool = False
    finished: bool = False


def run(parts: IndexParts, embedder: Embedder | None, add: AddRows, go_on: GoOn) -> Healed:
    """See `VectorIndex.heal`."""
    with parts.alone() as still:
        if still is None:
            return Healed()

        def may() -> bool:
            return go_on() and still()

        staging.clear_leftovers(parts, may)
        good, removed = _remove_stale(parts, may)
        added = failed = 0
        if embedder is not None and _is_of(parts, embedder):
            added, failed = _add_missing(parts, good, add, may)
        centred = recentring.follow(parts, may)
        if removed or centred:
            parts.changed()
        return Healed(removed, added, failed, centred, may())


def _is_of(parts: IndexParts, embedder: Embedder) -> bool:
    """Whether the index takes vectors of this embedder."""
    with parts.db.read() as r:
        record = vector_store.record(r, parts.kind)
        return (
            record is None
            or record.fingerprint == embedder.fingerprint.id
            or not vector_store.any_vector(r, parts.kind, record.generation)
        )


def _remove_stale(parts: IndexParts, may: GoOn) -> tuple[int, int]:
    """How many rows have valid vectors, and how many had others, which are gone now."""
    with parts.db.read() as r:
        record = vector_store.record(r, parts.kind)
    good = removed = 0
    last, more = validity.FIRST, record is not None
    while more and record is not None and may():
        with parts.db.read() as r:
            valid, stale, last, more = validity.page_after(
                r, parts.rows, record.generation, record.calibration.dims, last
            )
        good += valid
        if stale:
            removed += _remove(parts, record, stale)
    return good, removed


def _remove(parts: IndexParts, record: IndexRecord, ids: list[int]) -> int:
    with parts.db.write() as w:
        present = parts.rows.revisions(w, ids)
        have = _have(w, parts, record, ids)
        stale = [row_id for row_id, revision in have.items() if present.get(row_id) != revision]
        if stale:
            vector_store.remove(w, parts.kind, stale, record.generation)
            vector_store.next_change(w, parts.kind)
    return len(stale)


def _have(r: Reader, parts: IndexParts, record: IndexRecord, ids: list[int]) -> dict[int, int]:
    return vector_store.revisions_of(r, parts.kind, record.generation, ids, record.calibration.dims)


def _add_missing(parts: IndexParts, good: int, add: AddRows, may: GoOn) -> tuple[int, int]:
    """Embed rows without valid vectors; their texts are read only when the numbers say that there are some."""
    with parts.db.read() as r:
        missing = parts.rows.count(r) - good
    added = failed = 0
    last = validity.FIRST
    while missing > added + failed and failed < FAILURES_MAX and may():
        with parts.db.read() as r:
            record = vector_store.record(r, parts.kind)
            page = parts.rows.rows_after(r, last, ROUND)
            ids = [row.id for row in page]
            have = _have(r, parts, record, ids) if record else {}
        wanted = [row for row in page if row.passages and have.get(row.id) != row.revision]
        for start in range(0, len(wanted), GROUP):
            if failed >= FAILURES_MAX or not may():
                return added, failed
            group = wanted[start : start + GROUP]
            bad = _add(parts, group, add)
            added, failed = added + len(group) - bad, failed + bad
        if len(page) < ROUND:
            break
        last = ids[-1]
    return added, failed


def _add(parts: IndexParts, group: list[IndexRow], add: AddRows) -> int:
    """Embed a group, one by one when it fails as a whole; returns how many rows cannot be embedded."""
    try:
        add(group)
    except BinyError:
        raise
    except Exception as error:  # a text that the model stumbles over must not keep the others out
        if len(group) == 1:
            log.warning("%s %d cannot be embedded (%s)", parts.kind, group[0].id, type(error).__name__)
            return 1
        return sum(_add(parts, [row], add) for row in group)
    return 0
