"""The events of a session log: one pydantic class a type, and `NewEvent`, which has no number yet.

What a payload holds is the contract of spec 05 §1; `session_created`, `session_changed` and `spans_changed` are our
own, so that sessions too can be rebuilt from events. Text in a payload was redacted before it is given to `NewEvent`.
"""

from dataclasses import dataclass
from typing import ClassVar, Literal

from pydantic import BaseModel, ConfigDict

from biny_desktop.conversation.model import (
    ApprovalStatus,
    CompactionFault,
    CompactionReason,
    Effect,
    FieldName,
    MessageState,
    TodoStatus,
    ToolStatus,
    Trust,
    TurnStatus,
)


class EventPayload(BaseModel):
    """What every payload shares; `type` is its name in the log. Fields unknown to this version are kept out."""

    model_config = ConfigDict(frozen=True, extra="ignore")
    type: ClassVar[str] = ""


class SessionCreated(EventPayload):
    """The first event of a session."""

    type = "session_created"
    title: str = ""
    title_by: Literal["rule", "user", "import"] = "rule"
    source: str = "chat"
    source_key: str | None = None
    project_id: str | None = None
    parent_session_id: str | None = None
    parent_message_id: str | None = None
    reference: str = ""
    import_batch: int | None = None
    created_at: int | None = None
    """UTC ms of the source, where it is not the time of the event (imports)."""


class SessionChanged(EventPayload):
    """Fields of a session that changed; only those that are set in the payload (`model_fields_set`) count."""

    type = "session_changed"
    title: str = ""
    title_by: Literal["rule", "user", "import"] = "rule"
    project_id: str | None = None
    learn: bool | None = None
    recall: bool | None = None


class SpanData(BaseModel):
    """See `model.Span`."""

    model_config = ConfigDict(frozen=True)
    start: int
    end: int
    trust: Trust


class AttachmentData(BaseModel):
    """See `model.Attachment`."""

    model_config = ConfigDict(frozen=True)
    name: str
    mime: str = ""
    path: str = ""
    size: int = 0


class CallData(BaseModel):
    """See `models.model.ToolCall`."""

    model_config = ConfigDict(frozen=True)
    id: str
    name: str
    arguments: str


class UsageData(BaseModel):
    """See `model.Usage`."""

    model_config = ConfigDict(frozen=True)
    tokens_in: int | None = None
    tokens_out: int | None = None


class NodePayload(EventPayload):
    """What every node of the tree has. `slot_id` empty: the log fills in the slot of that parent's children."""

    message_id: str
    parent_id: str | None
    slot_id: str = ""
    content: str
    sent_at: int | None = None
    """UTC ms of the source, where it is not the time of the event (imports, copies)."""
    time_zone: str | None = None
    estimated: bool = False
    raw_time: str = ""
    source_key: str | None = None
    copied_from: str | None = None


class UserMessage(NodePayload):
    type = "user_message"
    spans: tuple[SpanData, ...] = ()
    attachments: tuple[AttachmentData, ...] = ()


class AssistantMessage(NodePayload):
    type = "assistant_message"
    reply_to: str | None = None
    retry_of: str | None = None
    reasoning: str = ""
    tool_calls: tuple[CallData, ...] = ()
    model: str | None = None
    usage: UsageData | None = None
    state: MessageState = "complete"


class ToolResult(NodePayload):
    type = "tool_result"
    call_id: str
    operation_id: str = ""
    status: ToolStatus
    recovered: bool = False


class ToolExecution(EventPayload):
    """One state of an effect record: admitted, then running, then committed; `settled_by` in the last one."""

    type = "tool_execution"
    call_id: str
    operation_id: str
    tool: str
    args: str
    args_hash: str
    effect: Effect
    state: Literal["admitted", "running", "committed"]
    status: ToolStatus | None = None
    target: str = ""
    before_hash: str | None = None
    intended_hash: str | None = None
    settled_by: Literal["recovery", "user"] | None = None


class VersionSelected(EventPayload):
    type = "version_selected"
    slot_id: str
    message_id: str


class MessageDeleted(EventPayload):
    """A message and all that hangs on it were deleted by the user; their payloads are blank from now on."""

    type = "message_deleted"
    slot_id: str
    message_id: str


class SessionDeleted(EventPayload):
    """All payloads of the session are blank, its projections gone."""

    type = "session_deleted"


class SpansChanged(EventPayload):
    """The user marked a pasted span as own words, or took that back."""

    type = "spans_changed"
    message_id: str
    spans: tuple[SpanData, ...]


class ItemData(BaseModel):
    """See `model.SummaryItem`."""

    model_config = ConfigDict(frozen=True)
    text: str
    evidence: tuple[str, ...]


class CheckpointMade(EventPayload):
    """See `model.Checkpoint`."""

    type = "checkpoint"
    id: str
    reason: CompactionReason
    parent_id: str | None = None
    first_kept_id: str | None = None
    covered_until_id: str
    covered: int
    tokens_before: int
    tokens_after: int
    state: dict[FieldName, tuple[ItemData, ...]]
    fingerprint: str
    format_version: int = 1
    prompt_version: str = ""
    model: str = ""


class CompactionFailed(EventPayload):
    type = "compaction_failed"
    kind: CompactionFault
    fingerprint: str
    reason: CompactionReason


class TurnEnded(EventPayload):
    """The `turn_status` of spec 05 §1."""

    type = "turn_status"
    status: TurnStatus
    stop_reason: str = ""
    steps: int = 0
    blocked_reason: str | None = None
    required_action: str | None = None
    summary: str | None = None


class ApprovalAsked(EventPayload):
    """See `model.Approval`."""

    type = "approval_asked"
    id: str
    call_id: str
    tool: str
    args: str
    args_hash: str
    shown: str
    reason: str = ""
    expires_at: int


class ApprovalAnswered(EventPayload):
    """`used`: the one call that it allowed was admitted."""

    type = "approval_answered"
    id: str
    status: ApprovalStatus


class TodoData(BaseModel):
    """See `model.Todo`."""

    model_config = ConfigDict(frozen=True)
    content: str
    status: TodoStatus = "pending"


class TodosReplaced(EventPayload):
    """The whole list; `revision` is the new one."""

    type = "todos_replaced"
    items: tuple[TodoData, ...]
    revision: int
    by: Literal["user", "agent"]


class ErrorNoted(EventPayload):
    """A fault of a turn: `kind` a word of the program, never captured text."""

    type = "error"
    kind: str
    detail: str = ""


EVENT_TYPES: dict[str, type[EventPayload]] = {
    each.type: each
    for each in (
        SessionCreated, SessionChanged, UserMessage, AssistantMessage, ToolResult, ToolExecution, VersionSelected,
        MessageDeleted, SessionDeleted, SpansChanged, CheckpointMade, CompactionFailed, TurnEnded, ApprovalAsked,
        ApprovalAnswered, TodosReplaced, ErrorNoted,
    )
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class NewEvent:
    """An event to be appended; its number, id and time are given by the log."""

    payload: EventPayload
    turn_id: str | None = None
    run_id: str | None = None
