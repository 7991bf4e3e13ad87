"""A fork: copies of a path in another session, and the block that names where they come from (spec 05 §2.6)."""

from collections.abc import Callable, Sequence
from typing import Final

from biny_desktop.conversation.model import Message, Session
from biny_desktop.conversation.session_events import (
    AssistantMessage,
    AttachmentData,
    CallData,
    NewEvent,
    NodePayload,
    SpanData,
    ToolResult,
    UsageData,
    UserMessage,
)
from biny_desktop.core.text import RedactedText
from biny_desktop.redaction import cut, from_row, joined, safe_constant

PIECE_MAX: Final = 1_200
"""Characters of each piece of the block (spec 05 §2.6)."""


def copies(path: Sequence[Message], new_id: Callable[[], str]) -> list[NewEvent]:
    """The events that put copies of a path, root first, into a new session.

    Times, zones and turns stay; `copied_from` tells every memory that these turns were looked at already.
    """
    ids: dict[str, str] = {}
    out = []
    for message in path:
        ids[message.id] = new_id()
        parent = ids[message.parent_id] if message.parent_id else None
        out.append(NewEvent(_copy(message, ids, parent), message.turn_id))
    return out


def _copy(message: Message, ids: dict[str, str], parent_id: str | None) -> NodePayload:
    shared = {
        "message_id": ids[message.id],
        "parent_id": parent_id,
        "content": str(message.content),
        "sent_at": message.sent_at_ms,
        "time_zone": message.time_zone,
        "estimated": message.estimated,
        "copied_from": message.copied_from or message.id,
    }
    if message.role == "user":
        return UserMessage.model_validate(
            {
                **shared,
                "spans": [SpanData(start=each.start, end=each.end, trust=each.trust) for each in message.spans],
                "attachments": [
                    AttachmentData(name=each.name, mime=each.mime, path=each.path, size=each.size)
                    for each in message.attachments
                ],
            }
        )
    if message.role == "tool":
        return ToolResult.model_validate(
            {**shared, "call_id": message.call_id or "", "status": message.tool_status or "unknown"}
        )
    usage = message.usage
    return AssistantMessage.model_validate(
        {
            **shared,
            "reply_to": ids.get(message.reply_to or ""),
            "reasoning": str(message.reasoning or ""),
            "tool_calls": [
                CallData(id=each.id, name=each.name, arguments=each.arguments) for each in message.tool_calls
            ],
            "model": message.model,
            "usage": UsageData(tokens_in=usage.tokens_in, tokens_out=usage.tokens_out) if usage else None,
            "state": message.state,
        }
    )


def reference_of(session: Session, active: Sequence[Message]) -> RedactedText:
    """The block that names a fork's origin: title, first user message, last reply."""
    first = next((each.content for each in active if each.role == "user"), None)
    last = next((each.content for each in reversed(active) if each.role == "assistant" and each.content), None)
    pieces = [
        (safe_constant("This chat was forked from another one. Its title: "), from_row(session.title)),
        (safe_constant("Its first message: "), first),
        (safe_constant("The last reply there: "), last),
    ]
    return joined([joined([name, cut(text, 0, PIECE_MAX)], "") for name, text in pieces if text])
