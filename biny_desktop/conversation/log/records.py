"""From events to what they stand for: one reading of every payload, for the stored and the incognito log alike."""

import logging
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from pydantic import ValidationError

from biny_desktop.conversation.model import (
    Approval,
    Attachment,
    Checkpoint,
    Event,
    Execution,
    Message,
    Role,
    Span,
    SummaryItem,
    Todo,
    TodoList,
    TurnStatus,
    Usage,
)
from biny_desktop.conversation.session_events import (
    EVENT_TYPES,
    ApprovalAsked,
    AssistantMessage,
    CheckpointMade,
    EventPayload,
    NodePayload,
    SessionChanged,
    TodosReplaced,
    ToolExecution,
    ToolResult,
    TurnEnded,
    UserMessage,
)
from biny_desktop.core.text import RedactedText, clean_title
from biny_desktop.models.model import ToolCall
from biny_desktop.redaction import from_row
from biny_desktop.storage.rows import JsonValue

log = logging.getLogger(__name__)
TITLE_MAX: Final = 60
"""Characters of a title made of the first words (own)."""
_HALF_HIDDEN: Final = re.compile(r"\[hidden:[^\]]*$")
_ROLES: Final[dict[type[NodePayload], Role]] = {UserMessage: "user", AssistantMessage: "assistant", ToolResult: "tool"}


def as_json(payload: EventPayload) -> dict[str, JsonValue]:
    """A payload as its row keeps it; of `SessionChanged` only what is set."""
    found: dict[str, JsonValue] = payload.model_dump(mode="json", exclude_unset=isinstance(payload, SessionChanged))
    return found


def read(type_: str, payload: Mapping[str, JsonValue]) -> EventPayload | None:
    """The payload of a stored event; None for one that is blank, damaged, or of a type this version does not know."""
    kind = EVENT_TYPES.get(type_)
    if kind is None or payload.get("deleted"):
        return None
    try:
        return kind.model_validate(payload)
    except ValidationError:
        log.warning("an event of type %s is damaged and passed over", type_)
        return None


def title_of(content: str) -> str:
    """A title by rule: the first words of a message."""
    line = next((line for line in content.splitlines() if line.strip()), "")
    return _HALF_HIDDEN.sub("", clean_title(line, TITLE_MAX)).rstrip()


@dataclass(frozen=True, slots=True)
class Standing:
    """How a session stands after its events: status and reason of the last turn, when it was last used (UTC ms)."""

    status: TurnStatus | None
    reason: str
    used_ms: int | None


def standing(events: Iterable[Event]) -> Standing:
    """The same that the projections follow step by step, read from all events at once, blank ones left out."""
    status: TurnStatus | None = None
    reason, used_ms = "", None
    for event in events:
        payload = read(event.type, event.payload)
        at: int | None = None
        if isinstance(payload, NodePayload):
            at = event.at_ms if payload.sent_at is None else payload.sent_at
            if isinstance(payload, UserMessage):
                status, reason = None, ""
        elif isinstance(payload, TurnEnded):
            status, reason, at = payload.status, payload.blocked_reason or payload.stop_reason, event.at_ms
        if at is not None:
            used_ms = at if used_ms is None else max(used_ms, at)
    return Standing(status, reason, used_ms)


def message_of(event: Event, payload: NodePayload) -> Message:
    """The node that an event adds."""
    user = payload if isinstance(payload, UserMessage) else None
    answer = payload if isinstance(payload, AssistantMessage) else None
    result = payload if isinstance(payload, ToolResult) else None
    return Message(
        id=payload.message_id,
        session_id=event.session_id,
        parent_id=payload.parent_id,
        slot_id=payload.slot_id,
        role=_ROLES[type(payload)],
        seq=event.seq,
        content=from_row(payload.content),
        sent_at_ms=event.at_ms if payload.sent_at is None else payload.sent_at,
        time_zone=payload.time_zone or event.time_zone,
        turn_id=event.turn_id,
        run_id=event.run_id,
        reasoning=_maybe(answer.reasoning) if answer else None,
        spans=tuple(Span(each.start, each.end, each.trust) for each in user.spans) if user else _whole(payload),
        attachments=tuple(Attachment(e.name, e.mime, e.path, e.size) for e in user.attachments) if user else (),
        tool_calls=tuple(ToolCall(e.id, e.name, e.arguments) for e in answer.tool_calls) if answer else (),
        call_id=result.call_id if result else None,
        tool_status=result.status if result else None,
        state=answer.state if answer else "complete",
        reply_to=answer.reply_to if answer else None,
        retry_of=answer.retry_of if answer else None,
        model=answer.model if answer else None,
        usage=Usage(answer.usage.tokens_in, answer.usage.tokens_out) if answer and answer.usage else None,
        estimated=payload.estimated,
        copied_from=payload.copied_from,
    )


def _maybe(text: str) -> RedactedText | None:
    return from_row(text) if text else None


def _whole(payload: NodePayload) -> tuple[Span, ...]:
    """What a model wrote is the agent's, what a tool gave is untrusted."""
    if not payload.content:
        return ()
    return (Span(0, len(payload.content), "untrusted" if isinstance(payload, ToolResult) else "agent"),)


def checkpoint_of(event: Event, made: CheckpointMade) -> Checkpoint:
    """The checkpoint that an event stands for."""
    return Checkpoint(
        id=made.id,
        session_id=event.session_id,
        reason=made.reason,
        created_at_ms=event.at_ms,
        parent_id=made.parent_id,
        first_kept_id=made.first_kept_id,
        covered_until_id=made.covered_until_id,
        covered=made.covered,
        tokens_before=made.tokens_before,
        tokens_after=made.tokens_after,
        state={name: tuple(SummaryItem(e.text, e.evidence) for e in items) for name, items in made.state.items()},
        fingerprint=made.fingerprint,
        format_version=made.format_version,
        prompt_version=made.prompt_version,
        model=made.model,
        seq=event.seq,
    )


def execution_of(event: Event, done: ToolExecution) -> Execution:
    """The state of an effect record after an event."""
    return Execution(
        done.operation_id, event.session_id, event.turn_id, event.run_id, done.call_id, done.tool, done.args,
        done.args_hash, done.effect, done.state, event.at_ms, done.status, done.target, done.before_hash,
        done.intended_hash, done.settled_by,
    )  # fmt: skip


def approval_of(event: Event, asked: ApprovalAsked) -> Approval:
    """The open approval that an event asks for."""
    return Approval(
        asked.id, event.session_id, event.turn_id, asked.call_id, asked.tool, asked.args, asked.args_hash,
        from_row(asked.shown), asked.reason, "open", event.at_ms, asked.expires_at,
    )  # fmt: skip


def todos_of(replaced: TodosReplaced) -> TodoList:
    """The list after an event."""
    return TodoList(tuple(Todo(each.content, each.status) for each in replaced.items), replaced.revision)
