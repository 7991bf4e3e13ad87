"""SQL of finding messages: rows that hold a term, under filters, and what a hit shows."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from biny_desktop.conversation.search.model import MessageFilters
from biny_desktop.core.text import RedactedText
from biny_desktop.redaction import from_row
from biny_desktop.storage.database import Reader
from biny_desktop.storage.rows import Row, SqlValue, dump_json

_HIT: Final = (
    "SELECT messages.n, messages.id, messages.session_id, sessions.title, messages.role, messages.sent_at, "
    "messages.time_zone, messages.active, messages.content FROM messages JOIN sessions ON "
    "sessions.id = messages.session_id"
)


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


def holding(r: Reader, match: str, filters: MessageFilters, limit: int) -> list[int]:
    """Row numbers of messages that an FTS5 expression finds, newest row first."""
    where, params = conditions(filters)
    rows = r.query(
        "SELECT messages_fts.rowid AS n FROM messages_fts JOIN messages ON messages.n = messages_fts.rowid"
        f"{_sessions(filters)} WHERE messages_fts MATCH :match{where} ORDER BY messages_fts.rowid DESC LIMIT :limit",
        {"match": match, "limit": limit, **params},
    )
    return [row.int("n") for row in rows]


def allowed(r: Reader, filters: MessageFilters) -> list[int]:
    """Row numbers of all messages that may be found, ascending."""
    where, params = conditions(filters)
    rows = r.query(
        f"SELECT messages.n FROM messages{_sessions(filters)} WHERE messages.role <> 'tool'{where} ORDER BY messages.n",
        params,
    )
    return [row.int("n") for row in rows]


def by_numbers(r: Reader, numbers: Sequence[int]) -> dict[int, FoundMessage]:
    """Hits by row number."""
    rows = r.query(
        f"{_HIT} WHERE messages.n IN (SELECT value FROM json_each(:numbers))", {"numbers": dump_json(list(numbers))}
    )
    return {row.int("n"): _found(row) for row in rows}


def count(r: Reader) -> int:
    """How many messages are indexed."""
    row = r.one("SELECT count(*) AS n FROM messages_fts_docsize")
    return row.int("n") if row else 0


def conditions(filters: MessageFilters) -> tuple[str, dict[str, SqlValue]]:
    """Filters as SQL behind a WHERE, and their values."""
    parts: dict[str, tuple[str, SqlValue]] = {}
    if not filters.all_versions:
        parts["active"] = ("messages.active = :active", 1)
    if filters.session_id is not None:
        parts["session"] = ("messages.session_id = :session", filters.session_id)
    if filters.role is not None:
        parts["role"] = ("messages.role = :role", filters.role)
    if filters.from_ms is not None:
        parts["from"] = ("messages.sent_at >= :from", filters.from_ms)
    if filters.to_ms is not None:
        parts["to"] = ("messages.sent_at < :to", filters.to_ms)
    if filters.project_id is not None:
        parts["project"] = ("sessions.project_id = :project", filters.project_id)
    if filters.source is not None:
        parts["source"] = ("(sessions.source = :source OR sessions.source GLOB :source || ':*')", filters.source)
    return "".join(f" AND {sql}" for sql, _ in parts.values()), {name: value for name, (_, value) in parts.items()}


def _sessions(filters: MessageFilters) -> str:
    needed = filters.project_id is not None or filters.source is not None
    return " JOIN sessions ON sessions.id = messages.session_id" if needed else ""


def _found(row: Row) -> FoundMessage:
    return FoundMessage(
        row.int("n"), row.text("id"), row.text("session_id"), row.text("title"), row.text("role"), row.int("sent_at"),
        row.text("time_zone"), row.flag("active"), from_row(row.text("content")),
    )  # fmt: skip
