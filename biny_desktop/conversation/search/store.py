"""SQL of finding messages: rows that hold a term, under filters, and what a hit shows.

Joining each row of a common word to its message takes 0.6 s at 200,000 messages; its row numbers alone take 8 ms. So
rows are looked at newest first, a few of them together with their messages, and only where those are mostly of other
chats or times, the row numbers of all that may be found are read once and the rest is compared with them.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
import numpy.typing as npt

from biny_desktop.conversation.search.model import MessageFilters
from biny_desktop.core.text import RedactedText
from biny_desktop.redaction import from_row
from biny_desktop.storage.database import Reader
from biny_desktop.storage.rows import Row, SqlValue, dump_json

CHUNK: Final = 16_000
"""Rows of a term that are read at once, where few of them may be found."""
_HIT: Final = (
    "SELECT messages.n, messages.id, messages.session_id, sessions.title, messages.role, messages.sent_at, "
    "messages.time_zone, messages.active, substr(messages.content, 1, :chars) AS content FROM messages "
    "JOIN sessions ON sessions.id = messages.session_id"
)
_NUMBERS: Final = "messages.n IN (SELECT value FROM json_each(:numbers))"
SCAN_ROWS: Final = 16_000
"""Rows of a term that are looked at for those of a role, or on the path: 20 ms."""
_SOURCE: Final = "(sessions.source = :source OR substr(sessions.source, 1, length(:source) + 1) = :source || ':')"
_OF_SESSIONS: Final = "FROM sessions CROSS JOIN messages ON messages.session_id = sessions.id WHERE "

Numbers = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class FoundMessage:
    """A row as a hit shows it."""

    n: int
    message_id: str
    session_id: str
    title: str
    role: str
    sent_at_ms: int
    time_zone: str
    active: bool
    content: RedactedText


class Scope:
    """What filters let through, in one read transaction; nothing is read before it is needed."""

    def __init__(self, r: Reader, filters: MessageFilters) -> None:
        self._r, self._filters = r, filters
        self._where, self._params = _conditions(filters)
        self._sparse = False
        needed = filters.project_id is not None or filters.source is not None
        self._sessions = " JOIN sessions ON sessions.id = messages.session_id" if needed else ""

    @cached_property
    def numbers(self) -> Numbers | None:
        """Row numbers, ascending, of the chats and times that may be found; None where all may. Role and version are
        left to `passing`: no index knows them."""
        found: Numbers | None = None
        for sql, params in _narrowing(self._filters):
            row = self._r.one(f"SELECT json_group_array(messages.n) AS numbers {sql}", params)
            numbers = np.unique(_array(row))
            found = numbers if found is None else np.intersect1d(found, numbers, assume_unique=True)
        return found

    def passing(self, numbers: Sequence[int]) -> list[int]:
        """Those of these rows that all filters let through, newest first."""
        row = self._r.one(
            "SELECT json_group_array(messages.n) AS numbers FROM messages INDEXED BY messages_filtered"
            f"{self._sessions} WHERE {_NUMBERS}{self._where}",
            {"numbers": dump_json(list(numbers)), **self._params},
        )
        return sorted(_ints(row), reverse=True)

    def holding(self, match: str, limit: int, most: int = SCAN_ROWS) -> list[int]:
        """The newest rows that an FTS5 expression finds and the filters let through, newest first.

        None is left out but for `limit`; where only role or version are asked for, `most` rows are looked at.
        """
        found: list[int] = []
        high: int | None = None
        if not self._sparse:
            first = self._page(match, None, None, 2 * limit)
            found = self.passing(first.tolist())
            if len(first) < 2 * limit or len(found) >= limit:
                return found[:limit]
            high = int(first[-1]) - 1
        numbers = self.numbers
        if numbers is None:
            return self._on(match, limit, most, found, high)
        self._sparse = True
        numbers = numbers if high is None else numbers[numbers <= high]
        if not len(numbers):
            return found
        low, high = int(numbers[0]), int(numbers[-1])
        while len(found) < limit:
            page = self._page(match, low, high, CHUNK)
            may = page[np.isin(page, numbers, assume_unique=True)]
            for start in range(0, len(may), 4 * limit):
                found += self.passing(may[start : start + 4 * limit].tolist())
                if len(found) >= limit:
                    break
            if len(page) < CHUNK:
                break
            high = int(page[-1]) - 1
        return found[:limit]

    def _on(self, match: str, limit: int, most: int, found: list[int], high: int | None) -> list[int]:
        """Go on through the rows of all chats and times, in steps as long as it takes by what was found so far."""
        seen = 2 * limit
        while len(found) < limit and seen < most:
            wanted = (limit - len(found)) * seen * 5 // (4 * max(1, len(found)))
            size = min(max(wanted, limit), most - seen)
            page = self._page(match, None, high, size)
            found += self.passing(page.tolist())
            seen += size
            if len(page) < size:
                break
            high = int(page[-1]) - 1
        return found[:limit]

    def _page(self, match: str, low: int | None, high: int | None, limit: int) -> Numbers:
        """Row numbers that an expression finds, descending; as one JSON text, since rows one by one take longer."""
        bounds = ("" if low is None else " AND rowid >= :low") + ("" if high is None else " AND rowid <= :high")
        row = self._r.one(
            "SELECT json_group_array(n) AS numbers FROM (SELECT rowid AS n FROM messages_fts WHERE messages_fts MATCH "
            f":match{bounds} ORDER BY rowid DESC LIMIT :limit)",
            {"match": match, "limit": limit, **{k: v for k, v in (("low", low), ("high", high)) if v is not None}},
        )
        return np.sort(_array(row))[::-1]

    def typed(self, match: str, literal: str, limit: int) -> list[int]:
        """Rows among the newest `limit` that an expression finds whose text has these signs as they were typed."""
        rows = self._r.query(
            f"SELECT messages.n FROM messages WHERE {_NUMBERS} AND instr(lower(messages.content), :literal)",
            {"numbers": dump_json(self.holding(match, limit)), "literal": literal},
        )
        return [row.int("n") for row in rows]


def by_numbers(r: Reader, numbers: Sequence[int], chars: int = -1) -> dict[int, FoundMessage]:
    """Hits by row number, with the first characters of their texts (-1: all)."""
    limit = 1 << 30 if chars < 0 else chars
    rows = r.query(f"{_HIT} WHERE {_NUMBERS}", {"numbers": dump_json(list(numbers)), "chars": limit})
    return {row.int("n"): _found(row) for row in rows}


def unindexed(r: Reader) -> tuple[int, int]:
    """Messages with words that are missing in the index, and rows of it that are of no message."""
    row = r.one(
        "SELECT (SELECT count(*) FROM messages WHERE role <> 'tool' AND content <> '' AND n NOT IN "
        "(SELECT id FROM messages_fts_docsize)) AS missing, "
        "(SELECT count(*) FROM messages_fts_docsize WHERE id NOT IN (SELECT n FROM messages)) AS stray"
    )
    return (0, 0) if row is None else (row.int("missing"), row.int("stray"))


def count(r: Reader) -> int:
    """How many messages are indexed."""
    row = r.one("SELECT count(*) AS n FROM messages_fts_docsize")
    return row.int("n") if row else 0


def _ints(row: Row | None) -> list[int]:
    return [] if row is None else list(json.loads(row.text("numbers")))


def _array(row: Row | None) -> Numbers:
    return np.array(_ints(row), np.int64)


def _narrowing(filters: MessageFilters) -> list[tuple[str, dict[str, SqlValue]]]:
    """The filters that leave few messages, each answered by an index alone, as SQL behind the columns."""
    out: list[tuple[str, dict[str, SqlValue]]] = []
    if filters.session_id is not None:
        out.append(("FROM messages WHERE session_id = :session", {"session": filters.session_id}))
    if filters.project_id is not None:
        out.append((f"{_OF_SESSIONS}sessions.project_id = :project", {"project": filters.project_id}))
    if filters.source is not None:
        out.append((f"{_OF_SESSIONS}{_SOURCE}", {"source": filters.source}))
    if filters.from_ms is not None or filters.to_ms is not None:
        low = filters.from_ms if filters.from_ms is not None else -(1 << 62)
        high = filters.to_ms if filters.to_ms is not None else 1 << 62
        out.append(("FROM messages WHERE sent_at >= :from AND sent_at < :to", {"from": low, "to": high}))
    return out


def _conditions(filters: MessageFilters) -> tuple[str, dict[str, SqlValue]]:
    """Filters as SQL behind a WHERE, and their values."""
    parts: dict[str, tuple[str, SqlValue]] = {}
    if not filters.all_versions:
        parts["active"] = ("messages.active = :active", 1)
    if filters.session_id is not None:
        parts["session"] = ("messages.session_id = :session", filters.session_id)
    if filters.not_session_id is not None:
        parts["not_session"] = ("messages.session_id <> :not_session", filters.not_session_id)
    if filters.role is not None:
        parts["role"] = ("messages.role = :role", filters.role)
    if filters.from_ms is not None:
        parts["from"] = ("messages.sent_at >= :from", filters.from_ms)
    if filters.to_ms is not None:
        parts["to"] = ("messages.sent_at < :to", filters.to_ms)
    if filters.project_id is not None:
        parts["project"] = ("sessions.project_id = :project", filters.project_id)
    if filters.source is not None:
        parts["source"] = (_SOURCE, filters.source)
    return "".join(f" AND {sql}" for sql, _ in parts.values()), {name: value for name, (_, value) in parts.items()}


def _found(row: Row) -> FoundMessage:
    return FoundMessage(
        row.int("n"), row.text("id"), row.text("session_id"), row.text("title"), row.text("role"), row.int("sent_at"),
        row.text("time_zone"), row.flag("active"), from_row(row.text("content")),
    )  # fmt: skip
