"""Chats as the command line shows them: lines for a person, plain values for `--json`."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from biny_desktop.core.i18n import _

if TYPE_CHECKING:
    from biny_desktop.conversation.deleting import DeleteReceipt
    from biny_desktop.conversation.model import Checkpoint, Session, Todo
    from biny_desktop.service.chat.model import ChatView, Recovered, ShownDivider, ShownMessage


def clock(at_ms: int, zone: str) -> str:
    """A time in its zone, to the minute."""
    from biny_desktop.core.clock import to_local

    return f"{to_local(at_ms, zone):%Y-%m-%d %H:%M}"


def session_json(session: "Session") -> dict[str, object]:
    """A row of `chat sessions`."""
    return {
        "id": session.id,
        "title": session.title,
        "project_id": session.project_id,
        "project": session.project,
        "source": session.source,
        "parent": session.parent_session_id,
        "messages": session.message_count,
        "leaf": session.leaf_id,
        "status": session.turn_status,
        "reason": session.turn_reason,
        "incognito": session.incognito,
        "created_ms": session.created_at_ms,
        "updated_ms": session.updated_at_ms,
        "revision": session.revision,
    }


def view_json(view: "ChatView") -> dict[str, object]:
    """The object of `chat show`."""
    from biny_desktop.service.chat.model import ShownMessage

    items = [_item_json(each) if isinstance(each, ShownMessage) else _divider_json(each) for each in view.items]
    return {
        "session": session_json(view.session),
        "items": items,
        "todos": [todo_json(each) for each in view.todos.items],
        "approvals": [
            {"id": each.id, "tool": each.tool, "arguments": each.args, "shown": each.shown, "revision": each.revision}
            for each in view.approvals
        ],
        "recovered": None if view.recovered is None else _recovered_json(view.recovered),
        "sending": view.sending,
        "hint": view.hint,
        "next": None,
    }


def shown(view: "ChatView") -> Iterator[str]:
    """The lines of `chat show`."""
    from biny_desktop.service.chat.model import ShownMessage
    from biny_desktop.service.chat.turn_words import turn_reason, turn_status

    session = view.session
    yield f"{session.id}  {clock(session.updated_at_ms, session.time_zone)}  {session.title}"
    for item in view.items:
        yield ""
        if isinstance(item, ShownMessage):
            yield from _message_lines(item)
        else:
            words = _("{n} messages above are summed up").format(n=item.checkpoint.covered)
            yield f"── {words} ──"
    yield ""
    if view.turn_status is not None:
        yield f"{turn_status(view.turn_status)}: {turn_reason(view.turn_reason)}"
    for each in view.approvals:
        yield _("waits for approval: {tool} ({id})").format(tool=each.tool, id=each.id)
    if view.recovered is not None:
        yield from _recovered_lines(view.recovered)


def checkpoint_json(made: "Checkpoint") -> dict[str, object]:
    """A summary with its ten fields."""
    fields = {
        name: [{"text": item.text, "evidence": list(item.evidence)} for item in items]
        for name, items in made.state.items()
    }
    return {
        "id": made.id, "covered": made.covered, "tokens_before": made.tokens_before, "tokens_after": made.tokens_after,
        "first_kept": made.first_kept_id, "state": fields,
    }  # fmt: skip


def todo_json(todo: "Todo") -> dict[str, object]:
    """An item of a list."""
    return {"content": todo.content, "status": todo.status}


def receipt_json(receipt: "DeleteReceipt") -> dict[str, object]:
    """What a deletion took away."""
    from dataclasses import asdict

    return asdict(receipt)


def _item_json(item: "ShownMessage") -> dict[str, object]:
    message = item.message
    return {
        "id": message.id,
        "role": message.role,
        "content": message.content,
        "version": item.version,
        "versions": list(item.version_ids),
        "state": message.state,
        "model": message.model,
        "sent_ms": message.sent_at_ms,
        "tools": [
            {"call": each.call_id, "name": each.name, "arguments": each.arguments, "status": each.status,
             "result": each.result}
            for each in item.tools
        ],
        "fault": item.fault,
    }  # fmt: skip


def _divider_json(item: "ShownDivider") -> dict[str, object]:
    return {"role": "summary", **checkpoint_json(item.checkpoint)}


def _message_lines(item: "ShownMessage") -> Iterator[str]:
    from biny_desktop.service.chat.turn_words import tool_status, turn_reason

    message = item.message
    version = f"  {item.version}/{len(item.version_ids)}" if len(item.version_ids) > 1 else ""
    yield f"{_role(message.role)}  {clock(message.sent_at_ms, message.time_zone)}  {message.id}{version}"
    if message.content:
        yield message.content
    for each in item.tools:
        yield f"  {each.name}: {tool_status(each.status)}"
    if item.fault:
        yield _("no answer: {why}").format(why=turn_reason(item.fault))


def _role(role: str) -> str:
    return _("you") if role == "user" else _("model")


def _recovered_json(recovered: "Recovered") -> dict[str, object]:
    return {
        "turn": recovered.turn_id,
        "outcome": recovered.outcome,
        "reason": recovered.reason,
        "steps_left": recovered.steps_left,
        "unknown": [
            {"step": each.operation_id, "tool": each.tool, "arguments": each.args, "target": each.target}
            for each in recovered.unknown
        ],
        "approvals": [each.id for each in recovered.approvals],
    }


def _recovered_lines(recovered: "Recovered") -> Iterator[str]:
    from biny_desktop.service.chat.turn_words import turn_reason

    if recovered.outcome == "continue":
        yield _("interrupted; `biny chat resume` goes on, with at most {n} steps").format(n=recovered.steps_left)
    elif recovered.reason is not None:
        yield turn_reason(recovered.reason)
    for each in recovered.unknown:
        yield _("done or not? {tool} {target} ({id})").format(tool=each.tool, target=each.target, id=each.operation_id)
