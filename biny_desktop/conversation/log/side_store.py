"""SQL of what hangs on a session beside its tree: checkpoints, failures, to-dos, effect records, approvals."""

from dataclasses import replace

from biny_desktop.conversation.log import records
from biny_desktop.conversation.model import Approval, Checkpoint, Event, Execution, Todo, TodoList
from biny_desktop.conversation.session_events import (
    ApprovalAnswered,
    CheckpointMade,
    CompactionFailed,
    TodosReplaced,
)
from biny_desktop.redaction import from_row
from biny_desktop.storage.database import Reader, Writer
from biny_desktop.storage.rows import Row, dump_json

TABLES = ("checkpoints", "compaction_failures", "todos", "tool_executions", "approvals")
"""All of them have a column `session_id`."""


def put_checkpoint(w: Writer, event: Event) -> None:
    """Keep a checkpoint."""
    w.run(
        "INSERT INTO checkpoints(id, session_id, seq, payload, created_at) VALUES(:id, :session, :seq, :payload, :at)",
        {"id": str(event.payload["id"]), "session": event.session_id, "seq": event.seq,
         "payload": dump_json(event.payload), "at": event.at_ms},
    )  # fmt: skip


def checkpoints(r: Reader, session_id: str) -> list[Checkpoint]:
    """All of a session, by age; a damaged one is left out."""
    rows = r.query(
        "SELECT seq, payload, created_at FROM checkpoints WHERE session_id = :session ORDER BY seq",
        {"session": session_id},
    )
    out = []
    for row in rows:
        payload = row.json("payload")
        made = records.read("checkpoint", payload if isinstance(payload, dict) else {"deleted": True})
        if isinstance(made, CheckpointMade):
            event = Event(session_id, row.int("seq"), "", "checkpoint", {}, row.int("created_at"), "")
            out.append(records.checkpoint_of(event, made))
    return out


def put_failure(w: Writer, event: Event, failed: CompactionFailed) -> None:
    """Keep why a compaction failed."""
    w.run(
        "INSERT INTO compaction_failures(session_id, seq, kind, fingerprint, reason, at) "
        "VALUES(:session, :seq, :kind, :print, :reason, :at)",
        {"session": event.session_id, "seq": event.seq, "kind": failed.kind, "print": failed.fingerprint,
         "reason": failed.reason, "at": event.at_ms},
    )  # fmt: skip


def last_failure(r: Reader, session_id: str, fingerprint: str) -> int | None:
    """When a compaction of that fingerprint last failed, UTC ms."""
    row = r.one(
        "SELECT max(at) AS at FROM compaction_failures WHERE session_id = :session AND fingerprint = :print",
        {"session": session_id, "print": fingerprint},
    )
    return row.maybe_int("at") if row else None


def put_todos(w: Writer, event: Event, replaced: TodosReplaced) -> None:
    """Replace the list."""
    w.run(
        "INSERT INTO todos(session_id, items, revision, updated_at) VALUES(:session, :items, :revision, :at) "
        "ON CONFLICT(session_id) DO UPDATE SET items = excluded.items, revision = excluded.revision, "
        "updated_at = excluded.updated_at",
        {"session": event.session_id, "items": dump_json([[e.content, e.status] for e in replaced.items]),
         "revision": replaced.revision, "at": event.at_ms},
    )  # fmt: skip


def todos(r: Reader, session_id: str) -> TodoList:
    """The list of a session."""
    row = r.one("SELECT items, revision FROM todos WHERE session_id = :session", {"session": session_id})
    if row is None:
        return TodoList()
    items = row.json("items")
    pairs = [each for each in items if isinstance(each, list) and len(each) == 2] if isinstance(items, list) else []
    return TodoList(tuple(Todo(str(e[0]), e[1]) for e in pairs), row.int("revision"))  # type: ignore[arg-type]


def put_execution(w: Writer, done: Execution) -> None:
    """Keep the newest state of an effect record; when it was admitted stays."""
    w.run(
        "INSERT INTO tool_executions(operation_id, session_id, turn_id, run_id, call_id, tool, args, args_hash, "
        "effect, state, status, target, before_hash, intended_hash, settled_by, at, updated_at) VALUES(:id, :session, "
        ":turn, :run, :call, :tool, :args, :hash, :effect, :state, :status, :target, :before, :intended, :settled, "
        ":at, :at) "
        "ON CONFLICT(operation_id) DO UPDATE SET state = excluded.state, status = excluded.status, "
        "target = excluded.target, before_hash = excluded.before_hash, intended_hash = excluded.intended_hash, "
        "settled_by = excluded.settled_by, updated_at = excluded.updated_at",
        {"id": done.operation_id, "session": done.session_id, "turn": done.turn_id, "run": done.run_id,
         "call": done.call_id, "tool": done.tool, "args": done.args, "hash": done.args_hash, "effect": done.effect,
         "state": done.state, "status": done.status, "target": done.target, "before": done.before_hash,
         "intended": done.intended_hash, "settled": done.settled_by, "at": done.at_ms},
    )  # fmt: skip


def executions(r: Reader, session_id: str, turn_id: str | None) -> list[Execution]:
    """Effect records, by age, all or of one turn."""
    turn = "" if turn_id is None else " AND turn_id = :turn"
    rows = r.query(
        f"SELECT * FROM tool_executions WHERE session_id = :session{turn} ORDER BY rowid",
        {"session": session_id, **({} if turn_id is None else {"turn": turn_id})},
    )
    return [_execution(row) for row in rows]


def put_approval(w: Writer, asked: Approval) -> None:
    """Keep an open approval."""
    w.run(
        "INSERT INTO approvals(id, session_id, turn_id, call_id, tool, args, args_hash, shown, reason, status, "
        "asked_at, expires_at) VALUES(:id, :session, :turn, :call, :tool, :args, :hash, :shown, :reason, "
        "'open', :at, :until)",
        {"id": asked.id, "session": asked.session_id, "turn": asked.turn_id, "call": asked.call_id,
         "tool": asked.tool, "args": asked.args, "hash": asked.args_hash, "shown": asked.shown,
         "reason": asked.reason, "at": asked.asked_at_ms, "until": asked.expires_at_ms},
    )  # fmt: skip


def answer_approval(w: Writer, event: Event, answered: ApprovalAnswered) -> None:
    """Take up an answer; that it was used does not change when it was given."""
    w.run(
        "UPDATE approvals SET status = :status, revision = revision + 1, "
        "answered_at = CASE WHEN :status = 'used' THEN answered_at ELSE :at END WHERE id = :id",
        {"status": answered.status, "at": event.at_ms, "id": answered.id},
    )


def approvals(r: Reader, session_id: str) -> list[Approval]:
    """All of a session, by age."""
    rows = r.query("SELECT * FROM approvals WHERE session_id = :session ORDER BY rowid", {"session": session_id})
    return [row_approval(row) for row in rows]


def answered(approval: Approval, event: Event, answer: ApprovalAnswered) -> Approval:
    """The same in memory."""
    at = approval.answered_at_ms if answer.status == "used" else event.at_ms
    return replace(approval, status=answer.status, answered_at_ms=at, revision=approval.revision + 1)


def row_approval(row: Row) -> Approval:
    """An approval from all columns of its row."""
    return Approval(
        row.text("id"), row.text("session_id"), row.maybe_text("turn_id"), row.text("call_id"), row.text("tool"),
        row.text("args"), row.text("args_hash"), from_row(row.text("shown")), row.text("reason"),
        row.text("status"), row.int("asked_at"), row.int("expires_at"), row.maybe_int("answered_at"),  # type: ignore[arg-type]
        row.int("revision"),
    )  # fmt: skip


def delete(w: Writer, session_id: str) -> None:
    """Remove all of it."""
    for table in TABLES:
        w.run(f"DELETE FROM {table} WHERE session_id = :session", {"session": session_id})


def _execution(row: Row) -> Execution:
    return Execution(
        row.text("operation_id"), row.text("session_id"), row.maybe_text("turn_id"), row.maybe_text("run_id"),
        row.text("call_id"), row.text("tool"), row.text("args"), row.text("args_hash"), row.text("effect"),  # type: ignore[arg-type]
        row.text("state"), row.int("at"), row.maybe_text("status"), row.text("target"),  # type: ignore[arg-type]
        row.maybe_text("before_hash"), row.maybe_text("intended_hash"), row.maybe_text("settled_by"),
    )  # fmt: skip
