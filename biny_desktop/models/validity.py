"""Which vectors are of the present words of their rows, and of the length they have to be."""

from collections.abc import Iterator
from typing import Final

from biny_desktop.models import vector_store
from biny_desktop.models.model import IndexedRows
from biny_desktop.storage.database import Reader

PAGE: Final = 1_000
FIRST: Final = -(1 << 62)
"""Before every row id."""


def pages(r: Reader, rows: IndexedRows, generation: int, dims: int) -> Iterator[tuple[int, list[int], int]]:
    """The rows with vectors, in pages: how many are valid, the ids of the others, and the last id."""
    last = FIRST
    while True:
        valid, stale, last, more = page_after(r, rows, generation, dims, last)
        if valid or stale:
            yield valid, stale, last
        if not more:
            return


def page_after(r: Reader, rows: IndexedRows, generation: int, dims: int, last: int) -> tuple[int, list[int], int, bool]:
    """A page of them above an id; False at the end of all."""
    page = vector_store.revisions_after(r, rows.kind, generation, last, PAGE, dims)
    present = rows.revisions(r, [row_id for row_id, _revision in page])
    stale = [row_id for row_id, revision in page if present.get(row_id) != revision]
    return len(page) - len(stale), stale, page[-1][0] if page else last, len(page) == PAGE


def count_valid(r: Reader, rows: IndexedRows, generation: int, dims: int) -> tuple[int, int]:
    """How many rows have vectors of their present words, and how many have vectors of something else."""
    there, good = vector_store.count_valid(r, rows.kind, generation, dims, rows.present)
    return good, there - good
