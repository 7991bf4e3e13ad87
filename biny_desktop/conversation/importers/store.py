"""SQL of imports: what was ever imported, which of it is here, and the batches."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass

from biny_desktop.conversation.importers.model import COUNTS, BatchState, Counts, ImportBatch
from biny_desktop.storage.database import Reader, Writer
from biny_desktop.storage.rows import Row, SqlValue, dump_json


@dataclass(frozen=True, slots=True)
class Seen:
    """A key that was imported once: which message it became, and whether the user deleted that."""

    key: str
    message_id: str | None
    content_hash: str
    deleted: bool


@dataclass(frozen=True, slots=True)
class Place:
    """A node that is here, without its text; `key` of the source, None for what was written here."""

    id: str
    parent_id: str | None
    slot_id: str
    seq: int
    turn_id: str | None
    key: str | None
    active: bool


def seen(r: Reader, keys: Sequence[str]) -> dict[str, Seen]:
    """What is known of these keys."""
    rows = r.query(
        "SELECT key, message_id, content_hash, deleted FROM import_seen WHERE key IN "
        "(SELECT value FROM json_each(:keys))",
        {"keys": dump_json(list(keys))},
    )
    return {
        row.text("key"): Seen(
            row.text("key"), row.maybe_text("message_id"), row.text("content_hash"), row.flag("deleted")
        )
        for row in rows
    }  # fmt: skip


def session_by_key(r: Reader, key: str) -> str | None:
    """The session that a conversation became, if it is here."""
    row = r.one("SELECT id FROM sessions WHERE source_key = :key", {"key": key})
    return None if row is None else row.text("id")


def session_exists(r: Reader, session_id: str) -> bool:
    """Whether a session of that id is here."""
    return r.one("SELECT 1 AS x FROM sessions WHERE id = :id", {"id": session_id}) is not None


def last_seq(r: Reader, session_id: str) -> int:
    """The number of the last event of a session; 0 where there is none."""
    row = r.one("SELECT max(seq) AS seq FROM session_events WHERE session_id = :id", {"id": session_id})
    return (row.maybe_int("seq") if row else None) or 0


def ever_said(r: Reader, session_id: str) -> set[str]:
    """Ids of every message that was ever in a session of this home, also of deleted ones."""
    rows = r.query(
        "SELECT json_extract(payload, '$.message_id') AS id FROM session_events WHERE session_id = :id AND "
        "type IN ('user_message', 'assistant_message', 'tool_result')",
        {"id": session_id},
    )
    return {row.text("id") for row in rows}


def places(r: Reader, session_id: str) -> list[Place]:
    """The tree of a session."""
    rows = r.query(
        "SELECT id, parent_id, slot_id, seq, turn_id, source_key, active FROM messages WHERE session_id = :id "
        "ORDER BY seq",
        {"id": session_id},
    )
    return [
        Place(
            row.text("id"), row.maybe_text("parent_id"), row.text("slot_id"), row.int("seq"), row.maybe_text("turn_id"),
            row.maybe_text("source_key"), row.flag("active"),
        )
        for row in rows
    ]  # fmt: skip


def put_seen(
    w: Writer, key: str, batch_id: int, session_id: str, message_id: str | None, content_hash: str
) -> None:  # fmt: skip
    """Note that a key was imported, now."""
    w.run(
        "INSERT INTO import_seen(key, batch_id, session_id, message_id, content_hash) "
        "VALUES(:key, :batch, :session, :message, :hash) ON CONFLICT(key) DO UPDATE SET batch_id = excluded.batch_id, "
        "session_id = excluded.session_id, message_id = excluded.message_id, content_hash = excluded.content_hash, "
        "deleted = 0",
        {"key": key, "batch": batch_id, "session": session_id, "message": message_id, "hash": content_hash},
    )


def forget_seen(w: Writer, session_id: str) -> None:
    """What is rolled back may be imported again; not what the user deleted."""
    w.run("DELETE FROM import_seen WHERE session_id = :session AND deleted = 0", {"session": session_id})


def forget_messages(w: Writer, message_ids: Sequence[str]) -> None:
    """The same of single messages."""
    w.run(
        "DELETE FROM import_seen WHERE deleted = 0 AND message_id IN (SELECT value FROM json_each(:ids))",
        {"ids": dump_json(list(message_ids))},
    )


# -- batches -----------------------------------------------------------------------------------------------------------


def begin_batch(
    w: Writer, format_: str, source: str, hashes: Sequence[str], *, mine: bool, now_ms: int
) -> int:  # fmt: skip
    """The batch of the same files that did not come to its end, going on; else a new one. Others that were running have
    nobody who runs them."""
    w.run("UPDATE import_batches SET state = 'failed', ended_at = :now WHERE state = 'running'", {"now": now_ms})
    values: dict[str, SqlValue] = {"format": format_, "hashes": dump_json(list(hashes)), "mine": int(mine)}
    row = w.one(
        "SELECT id FROM import_batches WHERE format = :format AND file_hashes = :hashes AND mine = :mine AND "
        "state IN ('failed', 'cancelled') ORDER BY id DESC LIMIT 1",
        values,
    )
    if row is not None:
        w.run(
            "UPDATE import_batches SET state = 'running', ended_at = NULL WHERE id = :id", {"id": row.int("id")}
        )  # fmt: skip
        return row.int("id")
    return w.insert(
        "INSERT INTO import_batches(format, source, file_hashes, state, mine, started_at) "
        "VALUES(:format, :source, :hashes, 'running', :mine, :now)",
        {**values, "source": source, "now": now_ms},
    )


def count_in(w: Writer, batch_id: int, more: Counts) -> None:
    """Add to what a batch has brought in."""
    row = w.one("SELECT counts FROM import_batches WHERE id = :id", {"id": batch_id})
    before = _counts(row) if row else Counts()
    total = {name: getattr(before, name) + getattr(more, name) for name in COUNTS}
    w.run("UPDATE import_batches SET counts = :counts WHERE id = :id", {"id": batch_id, "counts": dump_json(total)})


def end_batch(w: Writer, batch_id: int, state: BatchState, problems: Sequence[object], now_ms: int) -> None:
    """How it ended; `problems` are dataclasses of plain values."""
    w.run(
        "UPDATE import_batches SET state = :state, problems = :problems, ended_at = :now WHERE id = :id",
        {"id": batch_id, "state": state, "now": now_ms, "problems": dump_json(list(problems))},
    )


def batches(r: Reader) -> list[ImportBatch]:
    """Every batch, newest first."""
    return [_batch(row) for row in r.query("SELECT * FROM import_batches ORDER BY id DESC")]


def batch(r: Reader, batch_id: int) -> ImportBatch | None:
    """One batch."""
    row = r.one("SELECT * FROM import_batches WHERE id = :id", {"id": batch_id})
    return None if row is None else _batch(row)


def sessions_of(r: Reader, batch_id: int) -> list[tuple[str, str, bool]]:
    """Sessions that a batch touched: id, title, whether it made them."""
    rows = r.query(
        "SELECT id, title, coalesce(import_batch = :batch, 0) AS made FROM sessions WHERE import_batch = :batch OR "
        "id IN (SELECT session_id FROM import_seen WHERE batch_id = :batch) ORDER BY created_at, id",
        {"batch": batch_id},
    )
    return [(row.text("id"), row.text("title"), row.flag("made")) for row in rows]


def newest_of(r: Reader, batch_id: int) -> str | None:
    """The session with the newest message of those that a batch touched; None where none of them is here."""
    row = r.one(
        "SELECT id FROM sessions WHERE import_batch = :batch OR "
        "id IN (SELECT session_id FROM import_seen WHERE batch_id = :batch) ORDER BY updated_at DESC, id DESC LIMIT 1",
        {"batch": batch_id},
    )
    return None if row is None else row.text("id")


def messages_of(r: Reader, batch_id: int, session_id: str) -> set[str]:
    """Ids of the messages that a batch added to a session."""
    rows = r.query(
        "SELECT message_id FROM import_seen WHERE batch_id = :batch AND session_id = :session AND deleted = 0 AND "
        "message_id IS NOT NULL",
        {"batch": batch_id, "session": session_id},
    )
    return {row.text("message_id") for row in rows}


def _batch(row: Row) -> ImportBatch:
    return ImportBatch(
        row.int("id"), row.text("format"), row.text("source"),
        row.text("state"),  # type: ignore[arg-type]  # a CHECK holds it
        row.flag("mine"), _counts(row), row.int("started_at"), row.maybe_int("ended_at"),
    )  # fmt: skip


def _counts(row: Row) -> Counts:
    found = row.json("counts")
    known = asdict(Counts())
    if isinstance(found, dict):
        known.update({name: value for name, value in found.items() if name in known and isinstance(value, int)})
    return Counts(**known)
