"""The text index of segments: what one is found by, always recomputed from its stored row (as `activity.index`)."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Final

from biny_desktop.activity.index import app_tokens, token
from biny_desktop.activity.segments import store
from biny_desktop.activity.segments.model import Segment
from biny_desktop.storage.database import Database, Reader, Writer
from biny_desktop.storage.text_index import TextIndex

SEGMENT_INDEX: Final = TextIndex("segment_fts", ("body", "title", "meta"), frozenset({"meta"}), (1, 2))
"""Same columns as the index of frames, so that the same queries work; `title` holds title and project."""
REBUILD_BATCH: Final = 500


def fields_of(segment: Segment) -> dict[str, str]:
    """What a segment is indexed with; `body` are its note, summary, description and highlights, one a line."""
    return {
        "title": "\n".join(part for part in (segment.title, segment.project) if part),
        "body": body_of(segment),
        "meta": " ".join(_tokens(segment)),
    }


def body_of(segment: Segment) -> str:
    """The text in which the words of a query are marked."""
    said = segment.analysis
    parts = (segment.note, said.summary, said.description, *(each.text for each in said.highlights))
    return "\n".join(part for part in parts if part)


def _tokens(segment: Segment) -> list[str]:
    out = [token("all"), token("kind", segment.kind)]
    for app in segment.apps:
        out += app_tokens(app.app_id, app.app_name)
    if segment.project:
        words = {segment.project, *segment.project.split()}
        out += sorted(token("project", word) for word in words if word.strip())
    has = {"text": bool(segment.analysis.summary), "highlight": bool(segment.analysis.highlights)}
    out += [token("has", name) for name, on in has.items() if on]
    return list(dict.fromkeys(out))


def _stored(r: Reader, ids: Iterable[int]) -> dict[int, Mapping[str, str]]:
    return {segment_id: fields_of(segment) for segment_id, segment in store.by_id(r, ids).items()}


def add(w: Writer, segment_id: int) -> None:
    """Index a segment whose row was just written."""
    for row_id, fields in _stored(w, [segment_id]).items():
        SEGMENT_INDEX.add(w, row_id, fields)


@contextmanager
def reindexed(w: Writer, ids: Iterable[int], gone: set[bytes] | None = None) -> Iterator[None]:
    """Keep the index in step with a change of these segments' rows made in the block; removed ones leave it.

    `gone` collects the words of what left the index, for `clear_deleted_words`.
    """
    wanted = list(ids)
    before = _stored(w, wanted)
    yield
    after = _stored(w, wanted)
    changed = {segment_id: old for segment_id, old in before.items() if after.get(segment_id) != old}
    for segment_id, old in changed.items():
        SEGMENT_INDEX.remove(w, segment_id, old)
        if segment_id in after:
            SEGMENT_INDEX.add(w, segment_id, after[segment_id])
    if gone is not None and changed:
        gone |= SEGMENT_INDEX.words_of(w, changed.values())


def prepare_segment_index(db: Database) -> int:
    """Make the index, or make it anew when it was prepared by other rules; returns how many segments were indexed.

    Killed in between, the next start goes on: what is missing is what has no row in the index.

    Raises:
        StorageError: the index cannot be written.
    """
    with db.write() as w:
        SEGMENT_INDEX.ensure(w)
    done = 0
    while True:
        with db.write() as w:
            rows = w.query(
                "SELECT id FROM segments WHERE id NOT IN (SELECT id FROM segment_fts_docsize) ORDER BY id LIMIT :limit",
                {"limit": REBUILD_BATCH},
            )
            for row in rows:
                add(w, row.int("id"))
        done += len(rows)
        if len(rows) < REBUILD_BATCH:
            return done


def clear_deleted_words(db: Database, gone: set[bytes] | None) -> int:
    """Take the words of removed segments out of the inner nodes of the index; see `activity.index`.

    Raises:
        StorageError: the index cannot be changed.
    """
    return SEGMENT_INDEX.clear_deleted_words(db, gone)
