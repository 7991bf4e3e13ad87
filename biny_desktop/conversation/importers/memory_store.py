"""SQL of what other tools remembered."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

from biny_desktop.core.text import RedactedText
from biny_desktop.redaction import from_row
from biny_desktop.storage.database import Reader, Writer
from biny_desktop.storage.rows import Row, SqlValue, dump_json

MemoryStatus = Literal["open", "accepted", "refused", "never"]
MemoryWhich = Literal["open", "answered", "all"]
Cursor: TypeAlias = tuple[int, int]
"""When the last one of a page was imported (UTC ms), and its id."""
_WHICH: Final = {"open": "status = 'open'", "answered": "status <> 'open'", "all": "1"}


@dataclass(frozen=True, slots=True)
class ImportedMemory:
    """A memory of another tool; `kind` custom_instructions, bio or memory, `place` where it stood. Times UTC ms."""

    id: int
    batch_id: int
    format: str
    kind: str
    text: RedactedText = field(repr=False)
    place: str
    status: MemoryStatus
    observed_at_ms: int | None
    created_at_ms: int
    answered_at_ms: int | None
    revision: int


@dataclass(frozen=True, slots=True)
class NewMemory:
    """One that is put into the inbox."""

    kind: str
    text: RedactedText = field(repr=False)
    place: str
    observed_at_ms: int | None


def name_of(normalised: str) -> str:
    """By what equal texts are known."""
    return hashlib.sha256(normalised.encode()).hexdigest()


def known(r: Reader, names: Iterable[str]) -> set[str]:
    """Those of these names that are there."""
    rows = r.query(
        "SELECT text_hash FROM imported_memories WHERE text_hash IN (SELECT value FROM json_each(:names))",
        {"names": dump_json(sorted(names))},
    )
    return {row.text("text_hash") for row in rows}


def insert(w: Writer, batch_id: int, format_: str, name: str, new: NewMemory, now_ms: int) -> int:
    """Add one, unless an equal one is there; returns how many were added."""
    return w.run(
        "INSERT INTO imported_memories(batch_id, format, kind, text, text_hash, place, status, observed_at, "
        "created_at) VALUES(:batch, :format, :kind, :text, :hash, :place, 'open', :observed, :now) "
        "ON CONFLICT(text_hash) DO NOTHING",
        {"batch": batch_id, "format": format_, "kind": new.kind, "text": new.text, "hash": name, "place": new.place,
         "observed": new.observed_at_ms, "now": now_ms},
    )  # fmt: skip


def page(r: Reader, which: MemoryWhich, limit: int, before: Cursor | None) -> list[ImportedMemory]:
    """Newest first."""
    params: dict[str, SqlValue] = {"limit": limit}
    below = ""
    if before is not None:
        below = " AND (created_at, id) < (:at, :id)"
        params.update(at=before[0], id=before[1])
    rows = r.query(
        f"SELECT * FROM imported_memories WHERE {_WHICH[which]}{below} ORDER BY created_at DESC, id DESC LIMIT :limit",
        params,
    )
    return [_memory(row) for row in rows]


def one(r: Reader, memory_id: int) -> ImportedMemory | None:
    """One of them."""
    row = r.one("SELECT * FROM imported_memories WHERE id = :id", {"id": memory_id})
    return None if row is None else _memory(row)


def count_open(r: Reader) -> int:
    """How many wait."""
    row = r.one("SELECT count(*) AS n FROM imported_memories WHERE status = 'open'")
    return row.int("n") if row else 0


def answer(
    w: Writer, memory_id: int, status: MemoryStatus, revision: int, text: RedactedText, now_ms: int
) -> int:  # fmt: skip
    """Answer one that is open and still at that revision; returns how many rows changed."""
    return w.run(
        "UPDATE imported_memories SET status = :status, text = :text, answered_at = :now, revision = revision + 1 "
        "WHERE id = :id AND revision = :revision AND status = 'open'",
        {"id": memory_id, "status": status, "revision": revision, "text": text, "now": now_ms},
    )


def remove_open(w: Writer, batch_id: int) -> int:
    """Take those of a batch that nobody answered out again; returns how many."""
    return w.run(
        "DELETE FROM imported_memories WHERE batch_id = :batch AND status = 'open'", {"batch": batch_id}
    )  # fmt: skip


def _memory(row: Row) -> ImportedMemory:
    return ImportedMemory(
        row.int("id"), row.int("batch_id"), row.text("format"), row.text("kind"), from_row(row.text("text")),
        row.text("place"),
        row.text("status"),  # type: ignore[arg-type]  # a CHECK holds it
        row.maybe_int("observed_at"), row.int("created_at"), row.maybe_int("answered_at"), row.int("revision"),
    )  # fmt: skip
