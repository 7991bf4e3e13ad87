"""SQL of what messages are embedded by: their own words at their revision, and those before them on their path."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from biny_desktop.core.text import RedactedText
from biny_desktop.redaction import from_row
from biny_desktop.storage.database import Reader
from biny_desktop.storage.rows import Row

CHARS_MIN: Final = 8
"""Shorter messages are not embedded (spec 05 §9.2)."""
_UP_MAX: Final = 64
"""Tool nodes between two messages at most."""
_COLUMNS: Final = "n, revision, parent_id, content"
_BELONGS: Final = f"role <> 'tool' AND length(trim(content, char(9, 10, 13, 32))) >= {CHARS_MIN}"
PRESENT: Final = f"SELECT n AS id, revision FROM messages WHERE {_BELONGS}"


@dataclass(frozen=True, slots=True)
class MessageText:
    """A message's words at a revision, with where to look for those before."""

    n: int
    revision: int
    parent_id: str | None
    content: RedactedText


def after(r: Reader, n: int, limit: int) -> list[MessageText]:
    """Messages that belong in the index, by ascending number above that one."""
    rows = r.query(
        f"SELECT {_COLUMNS} FROM messages WHERE n > :n AND {_BELONGS} ORDER BY n LIMIT :limit",
        {"n": n, "limit": limit},
    )
    return [_text(row) for row in rows]


def due(r: Reader, above: int, below: int, limit: int) -> list[MessageText]:
    """Messages between these numbers without vectors of their present revision, newest first."""
    rows = r.query(
        f"SELECT {_COLUMNS} FROM messages WHERE n > :above AND n < :below AND NOT EXISTS("
        "SELECT 1 FROM message_vectors v WHERE v.row_id = messages.n AND v.part = 0 AND v.revision = messages.revision "
        "AND v.generation = (SELECT generation FROM vector_indexes WHERE kind = 'message')) "
        f"AND {_BELONGS} ORDER BY n DESC LIMIT :limit",
        {"above": above, "below": below, "limit": limit},
    )
    return [_text(row) for row in rows]


def newest(r: Reader) -> tuple[int, int]:
    """The generation of the vectors, and the number of the newest message; 0 for none."""
    row = r.one(
        "SELECT (SELECT max(n) FROM messages) AS n, "
        "(SELECT generation FROM vector_indexes WHERE kind = 'message') AS generation"
    )
    return (0, 0) if row is None else (row.maybe_int("generation") or 0, row.maybe_int("n") or 0)


def revisions(r: Reader, numbers: Sequence[int]) -> dict[int, int]:
    """Present revisions of those that belong in the index."""
    rows = r.query(
        f"{PRESENT} AND n IN (SELECT value FROM json_each(:numbers))", {"numbers": json.dumps(list(numbers))}
    )
    return {row.int("id"): row.int("revision") for row in rows}


def indexed(r: Reader, message_id: str) -> tuple[bool, bool, int, int]:
    """Of a message: whether its words are indexed, whether it belongs among the vectors, how many vectors it has of its
    present words, and how many in all."""
    row = r.one(
        f"SELECT n IN (SELECT id FROM messages_fts_docsize) AS words, {_BELONGS} AS belongs, "
        "(SELECT count(*) FROM message_vectors v WHERE v.row_id = n) AS vectors, "
        "(SELECT count(*) FROM message_vectors v WHERE v.row_id = n AND v.revision = messages.revision AND "
        "v.generation = (SELECT generation FROM vector_indexes WHERE kind = 'message')) AS present "
        "FROM messages WHERE id = :id",
        {"id": message_id},
    )
    if row is None:
        return False, False, 0, 0
    return bool(row.int("words")), bool(row.int("belongs")), row.int("present"), row.int("vectors")


def count(r: Reader) -> int:
    """How many belong in the index."""
    row = r.one(f"SELECT count(*) AS n FROM messages WHERE {_BELONGS}")
    return row.int("n") if row else 0


def before(r: Reader, texts: Sequence[MessageText]) -> Mapping[int, RedactedText]:
    """The message before each on its path; tool nodes and empty answers are passed over."""
    out: dict[int, RedactedText] = {}
    waiting = {each.n: each.parent_id for each in texts if each.parent_id}
    for _step in range(_UP_MAX):
        if not waiting:
            break
        rows = r.query(
            "SELECT id, parent_id, role, content FROM messages WHERE id IN (SELECT value FROM json_each(:ids))",
            {"ids": json.dumps(sorted(set(waiting.values())))},
        )
        found = {row.text("id"): row for row in rows}
        further: dict[int, str] = {}
        for n, parent_id in waiting.items():
            row = found.get(parent_id)
            if row is None:
                continue
            above = row.maybe_text("parent_id")
            if row.text("role") != "tool" and row.text("content").strip():
                out[n] = from_row(row.text("content"))
            elif above:
                further[n] = above
        waiting = further
    return out


def _text(row: Row) -> MessageText:
    return MessageText(row.int("n"), row.int("revision"), row.maybe_text("parent_id"), from_row(row.text("content")))
