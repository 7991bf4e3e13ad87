"""SQL of the message tree: nodes, what was selected in their slots, which of them are on the active path."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Final

from biny_desktop.conversation.model import Attachment, Message, Span, Trust, Usage
from biny_desktop.conversation.tree import Node
from biny_desktop.models.model import ToolCall
from biny_desktop.redaction import from_row
from biny_desktop.storage.database import Reader, Writer
from biny_desktop.storage.rows import Row, dump_json

_INSERT: Final = (
    "INSERT INTO messages(n, id, session_id, parent_id, slot_id, role, seq, turn_id, run_id, content, reasoning, "
    "spans, attachments, tool_calls, call_id, tool_status, state, reply_to, retry_of, model, usage, sent_at, "
    "time_zone, estimated, raw_time, source_key, copied_from, active) VALUES(:n, :id, :session, :parent, :slot, "
    ":role, :seq, :turn, :run, :content, :reasoning, :spans, :attachments, :calls, :call, :status, :state, :reply, "
    ":retry, :model, :usage, :sent, :zone, :estimated, :raw_time, :key, :copied, :active)"
)


def insert(w: Writer, message: Message, raw_time: str, source_key: str | None, n: int | None = None) -> int:
    """Add a node; returns its row number (`n`: the one it had before a rebuild)."""
    return w.insert(_INSERT, {
        "n": n, "id": message.id, "session": message.session_id, "parent": message.parent_id,
        "slot": message.slot_id, "role": message.role, "seq": message.seq, "turn": message.turn_id,
        "run": message.run_id, "content": message.content, "reasoning": message.reasoning or "",
        "spans": spans_json(message.spans), "attachments": dump_json([asdict(each) for each in message.attachments]),
        "calls": dump_json([_call_json(each) for each in message.tool_calls]),
        "call": message.call_id, "status": message.tool_status, "state": message.state, "reply": message.reply_to,
        "retry": message.retry_of, "model": message.model,
        "usage": dump_json([message.usage.tokens_in, message.usage.tokens_out]) if message.usage else None,
        "sent": message.sent_at_ms, "zone": message.time_zone, "estimated": int(message.estimated),
        "raw_time": raw_time, "key": source_key, "copied": message.copied_from, "active": int(message.active),
    })  # fmt: skip


def _call_json(call: ToolCall) -> dict[str, str]:
    return {"id": call.id, "name": call.name, "arguments": call.arguments}


def spans_json(spans: Iterable[Span]) -> str:
    """Spans as their column keeps them."""
    return dump_json([[each.start, each.end, each.trust] for each in spans])


def set_spans(w: Writer, message_id: str, spans: Iterable[Span]) -> None:
    """Another reading of who stands behind a text."""
    w.run("UPDATE messages SET spans = :spans WHERE id = :id", {"spans": spans_json(spans), "id": message_id})


def skeleton(r: Reader, session_id: str) -> list[Node]:
    """All nodes without their texts."""
    rows = r.query(
        "SELECT id, parent_id, slot_id, seq FROM messages WHERE session_id = :session ORDER BY seq",
        {"session": session_id},
    )
    return [Node(row.text("id"), row.maybe_text("parent_id"), row.text("slot_id"), row.int("seq")) for row in rows]


def node(r: Reader, session_id: str, message_id: str) -> Node | None:
    """One node without its text; None if it is not in that session."""
    row = r.one(
        "SELECT id, parent_id, slot_id, seq FROM messages WHERE id = :id AND session_id = :session",
        {"id": message_id, "session": session_id},
    )
    return Node(row.text("id"), row.maybe_text("parent_id"), row.text("slot_id"), row.int("seq")) if row else None


def slot_under(r: Reader, session_id: str, parent_id: str | None) -> str | None:
    """The slot under a node (None: of the roots); None while it is empty."""
    row = r.one(
        "SELECT slot_id FROM messages WHERE session_id = :session AND parent_id IS :parent ORDER BY seq LIMIT 1",
        {"session": session_id, "parent": parent_id},
    )
    return row.text("slot_id") if row else None


def of_session(r: Reader, session_id: str) -> list[Message]:
    """All nodes, by seq."""
    return [
        row_message(row)
        for row in r.query("SELECT * FROM messages WHERE session_id = :session ORDER BY seq", {"session": session_id})
    ]


def active(r: Reader, session_id: str) -> list[Message]:
    """The active path, root to leaf."""
    rows = r.query(
        "SELECT * FROM messages WHERE session_id = :session AND active = 1 ORDER BY seq", {"session": session_id}
    )
    return [row_message(row) for row in rows]


def path_to(r: Reader, session_id: str, leaf_id: str) -> list[Message]:
    """The path to a node, root first; empty if it is not in that session."""
    rows = r.query(
        "WITH RECURSIVE up(id) AS (SELECT id FROM messages WHERE id = :leaf AND session_id = :session UNION ALL "
        "SELECT parent.id FROM up JOIN messages AS child ON child.id = up.id JOIN messages AS parent ON "
        "parent.id = child.parent_id) SELECT messages.* FROM up JOIN messages ON messages.id = up.id ORDER BY seq",
        {"leaf": leaf_id, "session": session_id},
    )
    return [row_message(row) for row in rows]


def by_ids(r: Reader, ids: Sequence[str]) -> dict[str, Message]:
    """Nodes by id; those that are gone are left out."""
    rows = r.query(
        "SELECT * FROM messages WHERE id IN (SELECT value FROM json_each(:ids))", {"ids": dump_json(list(ids))}
    )
    return {message.id: message for message in map(row_message, rows)}


def numbers(r: Reader, session_id: str) -> dict[str, int]:
    """Row numbers by id."""
    rows = r.query("SELECT id, n FROM messages WHERE session_id = :session", {"session": session_id})
    return {row.text("id"): row.int("n") for row in rows}


def set_active(w: Writer, session_id: str, path: Sequence[str]) -> None:
    """Mark exactly these nodes as the active path."""
    w.run(
        "UPDATE messages SET active = id IN (SELECT value FROM json_each(:path)) WHERE session_id = :session AND "
        "active <> (id IN (SELECT value FROM json_each(:path)))",
        {"session": session_id, "path": dump_json(list(path))},
    )


def delete(w: Writer, session_id: str, ids: Sequence[str] | None = None) -> None:
    """Remove nodes, all or some, and what was selected in their slots."""
    only = "" if ids is None else " AND id IN (SELECT value FROM json_each(:ids))"
    chosen = "" if ids is None else " AND message_id IN (SELECT value FROM json_each(:ids))"
    values = {"session": session_id, **({} if ids is None else {"ids": dump_json(list(ids))})}
    w.run(f"DELETE FROM messages WHERE session_id = :session{only}", values)
    w.run(f"DELETE FROM slot_selected WHERE session_id = :session{chosen}", values)


def select(w: Writer, session_id: str, slot_id: str, message_id: str, seq: int) -> None:
    """The user chose a version."""
    w.run(
        "INSERT INTO slot_selected(session_id, slot_id, message_id, seq) VALUES(:session, :slot, :message, :seq) "
        "ON CONFLICT(session_id, slot_id) DO UPDATE SET message_id = excluded.message_id, seq = excluded.seq",
        {"session": session_id, "slot": slot_id, "message": message_id, "seq": seq},
    )


def selected(r: Reader, session_id: str) -> dict[str, str]:
    """What is selected, by slot."""
    rows = r.query("SELECT slot_id, message_id FROM slot_selected WHERE session_id = :session", {"session": session_id})
    return {row.text("slot_id"): row.text("message_id") for row in rows}


def row_message(row: Row) -> Message:
    """A node from all columns of its row."""
    usage, reasoning = row.json("usage"), row.text("reasoning")
    return Message(
        id=row.text("id"),
        session_id=row.text("session_id"),
        parent_id=row.maybe_text("parent_id"),
        slot_id=row.text("slot_id"),
        role=row.text("role"),  # type: ignore[arg-type]  # a CHECK holds it
        seq=row.int("seq"),
        content=from_row(row.text("content")),
        sent_at_ms=row.int("sent_at"),
        time_zone=row.text("time_zone"),
        turn_id=row.maybe_text("turn_id"),
        run_id=row.maybe_text("run_id"),
        reasoning=from_row(reasoning) if reasoning else None,
        spans=tuple(Span(*each) for each in _triples(row, "spans")),
        attachments=tuple(
            Attachment(str(e.get("name")), str(e.get("mime")), str(e.get("path")), int(e.get("size") or 0))
            for e in _items(row, "attachments")
            if isinstance(e, dict)
        ),
        tool_calls=tuple(
            ToolCall(str(e.get("id")), str(e.get("name")), str(e.get("arguments")))
            for e in _items(row, "tool_calls")
            if isinstance(e, dict)
        ),
        call_id=row.maybe_text("call_id"),
        tool_status=row.maybe_text("tool_status"),  # type: ignore[arg-type]  # only `ToolResult` sets it
        state=row.text("state"),  # type: ignore[arg-type]  # a CHECK holds it
        reply_to=row.maybe_text("reply_to"),
        retry_of=row.maybe_text("retry_of"),
        model=row.maybe_text("model"),
        usage=Usage(*usage) if isinstance(usage, list) and len(usage) == 2 else None,  # type: ignore[arg-type]
        estimated=row.flag("estimated"),
        copied_from=row.maybe_text("copied_from"),
        n=row.int("n"),
        active=row.flag("active"),
    )


def _items(row: Row, name: str) -> list[object]:
    value = row.json(name)
    return list(value) if isinstance(value, list) else []


def _triples(row: Row, name: str) -> list[tuple[int, int, Trust]]:
    return [tuple(each) for each in _items(row, name) if isinstance(each, list) and len(each) == 3]
