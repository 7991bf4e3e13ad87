"""Messages as their vector index sees them: each together with the end of what was said before it (spec 05 §9.2).

Short turns say little without their neighbour. A long message has up to three passages, the first with the neighbour.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from biny_desktop.core.text import RedactedText
from biny_desktop.models.model import IndexRow
from biny_desktop.redaction import cut, from_row, joined
from biny_desktop.storage.database import Reader
from biny_desktop.storage.rows import Row

CHARS_MIN: Final = 8
"""Shorter messages are not embedded (spec 05 §9.2)."""
BEFORE_MAX: Final = 300
"""Characters of the message before (spec 05 §9.2)."""
PART_BYTES: Final = 1_000
"""UTF-8 bytes of one passage of a message: some 300 tokens in any script, so that the neighbour fits beside them."""
PARTS_MAX: Final = 3
_UP_MAX: Final = 64
"""Tool nodes between two messages at most."""
_BELONGS: Final = f"role <> 'tool' AND length(content) >= {CHARS_MIN}"
PRESENT: Final = f"SELECT n AS id, revision FROM messages WHERE {_BELONGS}"


@dataclass(frozen=True, slots=True)
class MessageText:
    """A message's words at a revision, with where to look for those before."""

    n: int
    revision: int
    parent_id: str | None
    content: RedactedText


class MessageRows:
    """`IndexedRows` of user and assistant messages of all versions."""

    kind = "message"
    present = PRESENT

    def rows_after(self, r: Reader, row_id: int, limit: int) -> list[IndexRow]:
        rows = r.query(
            f"SELECT n, revision, parent_id, content FROM messages WHERE n > :n AND {_BELONGS} ORDER BY n LIMIT :limit",
            {"n": row_id, "limit": limit},
        )
        texts = [_text(row) for row in rows]
        before = _before(r, texts)
        return [IndexRow(each.n, each.revision, passages(each.content, before.get(each.n))) for each in texts]

    def revisions(self, r: Reader, ids: Sequence[int]) -> dict[int, int]:
        rows = r.query(f"{PRESENT} AND n IN (SELECT value FROM json_each(:ids))", {"ids": json.dumps(list(ids))})
        return {row.int("id"): row.int("revision") for row in rows}

    def count(self, r: Reader) -> int:
        row = r.one(f"SELECT count(*) AS n FROM messages WHERE {_BELONGS}")
        return row.int("n") if row else 0


def passages(content: RedactedText, before: RedactedText | None) -> tuple[RedactedText, ...]:
    """What of a message is embedded.

    Args:
        before: the message before it on its path, of which the last 300 characters go along with the first passage.
    """
    parts: list[RedactedText] = []
    start = 0
    while start < len(content) and len(parts) < PARTS_MAX:
        end = start + max(1, len(content[start : start + PART_BYTES].encode()[:PART_BYTES].decode(errors="ignore")))
        parts.append(cut(content, start, end))
        start = end
    if parts and before:
        parts[0] = joined([cut(before, max(0, len(before) - BEFORE_MAX)), parts[0]])
    return tuple(part for part in parts if part.strip())


def _before(r: Reader, texts: Sequence[MessageText]) -> dict[int, RedactedText]:
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
