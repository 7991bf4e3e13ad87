"""SQL of deleting messages: which events speak of them, what is left of those, and what still has to be done after."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from biny_desktop.conversation.log import event_store, session_store, side_store
from biny_desktop.conversation.model import Event, Message
from biny_desktop.storage.database import Reader, Writer
from biny_desktop.storage.rows import JsonValue, dump_json

_AFTER: Final = "deleted_session."
_KEPT: Final = ("message_id", "parent_id", "slot_id", "call_id", "operation_id", "id", "status", "state")
"""What stays of a payload: where the node stood, never a word of it."""


@dataclass(frozen=True, slots=True)
class Gone:
    """Events that are blank now, checkpoints, and effect records with approvals that were removed."""

    events: int
    checkpoints: int
    records: int


def exists(r: Reader, session_id: str) -> bool:
    """Whether there is a session of that id."""
    return session_store.by_id(r, session_id) is not None


def covering(r: Reader, session_id: str, ids: Sequence[str]) -> list[str]:
    """Checkpoints that may quote one of these messages: all made after the first of them was said."""
    if not ids:
        return []
    rows = r.query(
        "SELECT id FROM checkpoints WHERE session_id = :session AND seq > (SELECT min(seq) FROM messages WHERE id IN "
        "(SELECT value FROM json_each(:ids)))",
        {"session": session_id, "ids": dump_json(list(ids))},
    )
    return [row.text("id") for row in rows]


def blank(w: Writer, session_id: str, gone: Sequence[Message]) -> Gone:
    """Blank every event that holds text of these nodes, and remove what hangs on them."""
    ids = {each.id for each in gone}
    calls = {call.id for each in gone for call in each.tool_calls}
    calls |= {each.call_id for each in gone if each.call_id}
    turns = {each.turn_id for each in gone if each.role == "user" and each.turn_id}
    quoting = set(covering(w, session_id, sorted(ids)))
    spoken = [
        event
        for event in event_store.after(w, session_id, 0)
        if _speaks(event, ids, calls, turns, quoting) and not event.payload.get("deleted")
    ]
    count = event_store.blank(w, session_id, [(event.seq, _left(event)) for event in spoken])
    for each in sorted(quoting):
        w.run("DELETE FROM checkpoints WHERE id = :id", {"id": each})
    return Gone(count, len(quoting), _drop_records(w, session_id, calls, turns))


def _speaks(event: Event, ids: set[str], calls: set[str], turns: set[str], quoting: set[str]) -> bool:
    if event.type in ("tool_execution", "approval_asked"):
        return event.turn_id in turns or event.payload.get("call_id") in calls
    if event.type == "checkpoint":
        return event.payload.get("id") in quoting
    if event.type in ("turn_status", "error"):
        return event.turn_id in turns
    return event.type != "message_deleted" and event.payload.get("message_id") in ids


def _drop_records(w: Writer, session_id: str, calls: set[str], turns: set[str]) -> int:
    values = {"session": session_id, "calls": dump_json(sorted(calls)), "turns": dump_json(sorted(turns))}
    where = (
        "session_id = :session AND (call_id IN (SELECT value FROM json_each(:calls)) OR "
        "turn_id IN (SELECT value FROM json_each(:turns)))"
    )
    return sum(w.run(f"DELETE FROM {table} WHERE {where}", values) for table in ("tool_executions", "approvals"))


def _left(event: Event) -> dict[str, JsonValue]:
    kept = {name: event.payload[name] for name in _KEPT if name in event.payload}
    return {"deleted": True, **{name: value for name, value in kept.items() if value is None or isinstance(value, str)}}


def blank_all(w: Writer, session_id: str) -> int:
    """Blank every event of a session; returns how many."""
    events = event_store.after(w, session_id, 0)
    return event_store.blank(w, session_id, [(event.seq, _left(event)) for event in events])


def count_records(r: Reader, session_id: str) -> int:
    """How many effect records and approvals a session has."""
    return len(side_store.executions(r, session_id, None)) + len(side_store.approvals(r, session_id))


def clear_reference(w: Writer, session_id: str) -> None:
    """Forget the block of a fork that names its origin, in its row and in its first event."""
    w.run("UPDATE sessions SET reference = '' WHERE id = :id", {"id": session_id})
    w.run(
        "UPDATE session_events SET payload = json_set(payload, '$.reference', '') "
        "WHERE session_id = :id AND type = 'session_created'",
        {"id": session_id},
    )


def mark_imported(w: Writer, session_id: str, ids: Sequence[str] | None) -> None:
    """What came by an import is not brought back by the next one: of some messages, or (None) of the whole session."""
    only = "" if ids is None else " AND message_id IN (SELECT value FROM json_each(:ids))"
    w.run(
        f"UPDATE import_seen SET deleted = 1 WHERE session_id = :session{only}",
        {"session": session_id, **({} if ids is None else {"ids": dump_json(list(ids))})},
    )


def note_after_work(w: Writer, session_id: str) -> None:
    """Note that words, checkpoint file and write-ahead log have still to be cleared."""
    w.run("INSERT INTO meta(key, value) VALUES(:key, '1') ON CONFLICT(key) DO NOTHING", {"key": _AFTER + session_id})


def waiting(r: Reader) -> list[str]:
    """Sessions with after-work that was not done."""
    rows = r.query("SELECT key FROM meta WHERE key GLOB :keys", {"keys": f"{_AFTER}*"})
    return [row.text("key").removeprefix(_AFTER) for row in rows]


def forget_after_work(w: Writer, session_ids: Sequence[str]) -> None:
    """It is done."""
    for session_id in session_ids:
        w.run("DELETE FROM meta WHERE key = :key", {"key": _AFTER + session_id})
