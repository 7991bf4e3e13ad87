"""The text index of frames: what a frame is found by, always recomputed from its stored rows.

Removing a row needs exactly the texts it was added with (spec 03 §6.1); so nothing here takes them from memory: they
are read from the rows before a change and again after it, in the transaction of the change.
"""

import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Final, Literal

from biny_desktop.activity import index_store
from biny_desktop.core.text import normalise
from biny_desktop.storage.database import Database, Reader, Writer
from biny_desktop.storage.text_index import TextIndex

PREFIXES: Final = (1, 2)
"""Lengths of `word*` that have an index: one CJK character is always searched so (spec 03 §6.2)."""
FRAME_INDEX: Final = TextIndex("frame_fts", ("body", "title", "meta"), frozenset({"meta"}), PREFIXES, merged_apart=True)
REBUILD_BATCH: Final = 1_000
"""Rows of one transaction of a rebuild (spec 03 §9.2 uses the same for deletes)."""
TOKEN_MAX: Final = 120
"""Longest filter token in characters; longer names are cut on both sides of the comparison."""

TokenKind = Literal["app", "app_id", "trigger", "monitor", "flag", "has", "all", "kind", "project"]
_PREFIX: Final[dict[TokenKind, str]] = {
    "app": "qxa", "app_id": "qxi", "trigger": "qxt", "monitor": "qxm", "flag": "qxf", "has": "qxh", "all": "qxall",
    "kind": "qxk", "project": "qxp",
}  # fmt: skip


def token(kind: TokenKind, value: str = "") -> str:
    """A filter token: ASCII letters and digits only, so that no tokenizer rule can split or fold it."""
    plain = unicodedata.normalize("NFKD", normalise(value))
    kept = "".join(c if c.isascii() and c.isalnum() else f"x{ord(c):x}x" for c in plain if not unicodedata.combining(c))
    return _PREFIX[kind] + kept[:TOKEN_MAX]


def app_tokens(app_id: str, app_name: str) -> list[str]:
    """What `app:` finds a frame by: id, last part of a dotted id, name, and each word of the name."""
    words = {app_id, app_id.rpartition(".")[2], app_name, *app_name.split()}
    return [token("app_id", app_id), *sorted(token("app", word) for word in words if word.strip())]


def _fields(row: index_store.IndexedRow) -> dict[str, str]:
    tokens = [token("all"), *app_tokens(row.app_id, row.app_name)]
    tokens += [token("trigger", row.trigger), token("monitor", row.monitor_key)]
    tokens += [token("flag", flag) for flag in row.flags]
    has = {"text": row.text != "", "picture": row.live, "redaction": row.redacted, "pinned": row.pinned}
    tokens += [token("has", name) for name, on in has.items() if on]
    return {"body": row.text, "title": row.title, "meta": " ".join(tokens)}


def fields_of(r: Reader, ids: Iterable[int]) -> dict[int, Mapping[str, str]]:
    """What these frames are (or have to be) indexed with, from their rows; missing frames are left out."""
    return {row.frame_id: _fields(row) for row in index_store.indexed_rows(r, ids)}


def add(w: Writer, frame_id: int) -> None:
    """Index a frame whose rows were just written."""
    for row_id, fields in fields_of(w, [frame_id]).items():
        FRAME_INDEX.add(w, row_id, fields)


@contextmanager
def reindexed(w: Writer, ids: Iterable[int], gone: set[bytes] | None = None) -> Iterator[None]:
    """Keep the index in step with a change of these frames' rows made in the block; deleted ones leave it.

    `gone` collects the words of all rows that left the index, for `clear_deleted_words`.
    """
    wanted = list(ids)
    before = fields_of(w, wanted)
    yield
    after = fields_of(w, wanted)
    for frame_id, old in before.items():
        new = after.get(frame_id)
        if new == old:
            continue
        FRAME_INDEX.remove(w, frame_id, old)
        if new is not None:
            FRAME_INDEX.add(w, frame_id, new)
    if gone is not None:
        gone |= FRAME_INDEX.words_of(w, before.values())


def prepare_index(db: Database) -> int:
    """Make the index, or make it anew when it was prepared by other rules; returns how many frames were indexed.

    Runs before anything writes frames. Killed in between, the next start goes on where it stopped.

    Raises:
        StorageError: the index cannot be written.
    """
    with db.write() as w:
        if FRAME_INDEX.ensure(w):
            index_store.set_rebuilt_to(w, 0)
    done = 0
    while True:
        with db.write() as w:
            start = index_store.rebuilt_to(w)
            if start is None:
                return done
            ids = index_store.frames_after(w, start, REBUILD_BATCH)
            for frame_id, fields in fields_of(w, ids).items():
                FRAME_INDEX.add(w, frame_id, fields)
            index_store.set_rebuilt_to(w, ids[-1] if ids else None)
            done += len(ids)


def clear_deleted_words(db: Database, gone: set[bytes] | None) -> int:
    """Take the words of deleted frames out of the inner nodes of the index; returns how many nodes held one.

    `gone` as `reindexed` collected it; None when that is not known (a delete that goes on after a kill).

    Raises:
        StorageError: the index cannot be changed.
    """
    return FRAME_INDEX.clear_deleted_words(db, gone)


def delete_loosely(db: Database, *, on: bool) -> None:
    """Make deletes of many rows quick; switched off, the deleted words are merged away in short transactions.

    Raises:
        StorageError: the index cannot be changed.
    """
    if on:
        with db.write() as w:
            FRAME_INDEX.delete_loosely(w, on=True)
        return
    first = more = True
    while more:
        with db.write() as w:
            more = FRAME_INDEX.merge_all_step(w, first=first)
        first = False
    with db.write() as w:
        FRAME_INDEX.delete_loosely(w, on=False)


def merge_pieces(db: Database, go_on: Callable[[], bool], pause: Callable[[], None]) -> int:
    """Join what the last rows added to the index, in short transactions with a pause after each; returns how many.

    With nothing to join it costs 0.1 ms; without it the index gets slow to change, never wrong.

    Raises:
        StorageError: the index cannot be changed.
    """
    steps = 0
    while go_on():
        with db.write() as w:
            if not FRAME_INDEX.merge_step(w):
                break
        steps += 1
        pause()
    return steps


def empty_index(w: Writer, last_frame: int) -> None:
    """Take all frames up to that id out of the index at once; they are about to be deleted, so none is read any more.

    Row by row this costs 20 ms a frame in a large index (secure delete edits a page for each word).
    """
    index_store.stop_reading(w, last_frame)
    FRAME_INDEX.clear(w)
    later = last_frame
    while ids := index_store.frames_after(w, later, REBUILD_BATCH):
        for frame_id, fields in fields_of(w, ids).items():
            FRAME_INDEX.add(w, frame_id, fields)
        later = ids[-1]
