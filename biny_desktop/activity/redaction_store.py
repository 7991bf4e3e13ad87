"""SQL of redaction: the user's patterns, how much was hidden, and how long private time lasted."""

from dataclasses import dataclass

from biny_desktop.core.errors import InvalidInputError, NotFoundError, StaleRevisionError
from biny_desktop.core.text import clean
from biny_desktop.redaction.custom import check_custom
from biny_desktop.storage.database import Database, Reader, Writer
from biny_desktop.storage.rows import Row

NAME_MAX = 100
"""Longest name of a pattern (characters)."""
_QUARTER_MS = 900_000
"""Days may begin at any minute; a quarter of an hour is near enough for a chart (ms)."""


@dataclass(frozen=True, slots=True)
class Pattern:
    """A regular expression of the user; what it matches is hidden as `custom`. `revision` to change or delete it."""

    id: int
    name: str
    pattern: str
    enabled: bool
    revision: int


@dataclass(frozen=True, slots=True)
class HiddenCount:
    """Secrets of one type hidden in the quarter of an hour that begins at `at_ms` (UTC)."""

    at_ms: int
    type: str
    count: int


@dataclass(frozen=True, slots=True)
class PrivateTime:
    """Private time by reason: rows, triggers they stand for, and how long (ms)."""

    reason: str
    rows: int
    count: int
    ms: int


def patterns(db: Database) -> list[Pattern]:
    """All patterns, in the order they were made."""
    with db.read() as r:
        rows = r.query("SELECT id, name, pattern, enabled, revision FROM redaction_patterns ORDER BY id")
    return [_pattern(row) for row in rows]


def add_pattern(db: Database, name: str, pattern: str, now_ms: int, *, enabled: bool = True) -> Pattern:
    """Store a new pattern.

    Raises:
        InvalidInputError: the name or the pattern cannot be used.
    """
    name = _checked(name, pattern)
    with db.write() as w:
        pattern_id = w.insert(
            "INSERT INTO redaction_patterns(name, pattern, enabled, created_at, updated_at) "
            "VALUES(:name, :pattern, :enabled, :now, :now)",
            {"name": name, "pattern": pattern, "enabled": int(enabled), "now": now_ms},
        )
    return Pattern(pattern_id, name, pattern, enabled, 1)


def change_pattern(db: Database, wanted: Pattern, now_ms: int) -> None:
    """Change a pattern that was seen at `wanted.revision`; one that is the same already is left alone.

    Raises:
        InvalidInputError, StaleRevisionError, NotFoundError: nothing was changed.
    """
    name = _checked(wanted.name, wanted.pattern)
    with db.write() as w:
        found = _seen(w, wanted.id, wanted.revision)
        if (found.name, found.pattern, found.enabled) == (name, wanted.pattern, wanted.enabled):
            return
        w.run(
            "UPDATE redaction_patterns SET name = :name, pattern = :pattern, enabled = :enabled, "
            "revision = revision + 1, updated_at = :now WHERE id = :id",
            {"name": name, "pattern": wanted.pattern, "enabled": int(wanted.enabled), "now": now_ms, "id": wanted.id},
        )


def delete_pattern(db: Database, pattern_id: int, revision: int) -> None:
    """Delete a pattern that was seen at `revision`. Raises StaleRevisionError, NotFoundError."""
    with db.write() as w:
        _seen(w, pattern_id, revision)
        w.run("DELETE FROM redaction_patterns WHERE id = :id", {"id": pattern_id})


def hidden_by_quarter(r: Reader, start_ms: int, end_ms: int) -> list[HiddenCount]:
    """How much was hidden in [start, end), by quarter of an hour and type, oldest first."""
    rows = r.query(
        "SELECT at / :quarter * :quarter AS quarter, type, sum(count) AS n FROM redactions "
        "WHERE at >= :start AND at < :end GROUP BY quarter, type ORDER BY quarter, type",
        {"quarter": _QUARTER_MS, "start": start_ms, "end": end_ms},
    )
    return [HiddenCount(row.int("quarter"), row.text("type"), row.int("n")) for row in rows]


def private_time(r: Reader, start_ms: int, end_ms: int) -> list[PrivateTime]:
    """Private time that began in [start, end), by reason, longest first."""
    rows = r.query(
        "SELECT reason, count(*) AS rows, sum(count) AS n, sum(max(0, coalesce(until, at) - at)) AS ms "
        "FROM frame_events WHERE kind = 'private' AND at >= :start AND at < :end "
        "GROUP BY reason ORDER BY ms DESC, reason",
        {"start": start_ms, "end": end_ms},
    )
    return [PrivateTime(row.text("reason"), row.int("rows"), row.int("n"), row.int("ms")) for row in rows]


def _checked(name: str, pattern: str) -> str:
    cleaned = clean(name).strip()
    if not cleaned or len(cleaned) > NAME_MAX:
        raise InvalidInputError("The pattern needs a name", f"Use 1 to {NAME_MAX} characters.", "Nothing was saved.")
    check_custom(pattern)
    return cleaned


def _seen(w: Writer, pattern_id: int, revision: int) -> Pattern:
    row = w.one(
        "SELECT id, name, pattern, enabled, revision FROM redaction_patterns WHERE id = :id", {"id": pattern_id}
    )
    if row is None:
        raise NotFoundError("The pattern is gone", "It was deleted meanwhile.")
    found = _pattern(row)
    if found.revision != revision:
        raise StaleRevisionError("The pattern was changed meanwhile", "Nothing was saved.", "Look at it and try again.")
    return found


def _pattern(row: Row) -> Pattern:
    return Pattern(row.int("id"), row.text("name"), row.text("pattern"), row.flag("enabled"), row.int("revision"))
