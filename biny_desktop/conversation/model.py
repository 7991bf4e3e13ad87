"""What the users of `conversation` handle: sessions, messages, todos, checkpoints, approvals, turn states."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

from biny_desktop.core.text import RedactedText
from biny_desktop.models.model import ToolCall
from biny_desktop.storage.rows import JsonValue

Role = Literal["user", "assistant", "tool"]
Trust = Literal["owner", "untrusted", "agent", "system"]
ToolStatus = Literal["succeeded", "failed", "cancelled", "unknown"]
Effect = Literal["read", "local", "file", "external"]
MessageState = Literal["complete", "stopped"]
TurnStatus = Literal["completed", "cancelled", "failed", "incomplete", "blocked"]
FINAL: Final[tuple[TurnStatus, ...]] = ("completed", "cancelled", "failed")
"""Statuses after which a turn does not go on (spec 05 §1)."""
EVENTS_MAX: Final = 50_000
"""Events of a session (spec 05 §1)."""
EVENT_BYTES_MAX: Final = 16 * 1024 * 1024
"""Spec 05 §1."""
HINT_SHARE: Final = 0.8
"""From this share of `EVENTS_MAX` on a session is hinted to be forked (spec 05 §1)."""
TODOS_MAX: Final = 50
TODO_CHARS_MAX: Final = 500
"""Spec 05 §6."""


@dataclass(frozen=True, slots=True)
class Span:
    """Characters [start, end) of a message's content, and who stands behind them."""

    start: int
    end: int
    trust: Trust


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file given along with a message; its text, if any, stands in the content as an `untrusted` span."""

    name: str
    mime: str
    path: str
    size: int


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one answer as the server counted them."""

    tokens_in: int | None
    tokens_out: int | None


@dataclass(frozen=True, slots=True)
class Message:
    """A node of the message tree (spec 05 §2).

    `n` row number (0 in an incognito session), `seq` of the event that made it, `sent_at_ms` UTC, `estimated` whether
    the time was not in its source. `spans` cover the content without gaps. `call_id`, `tool_status`: of a tool node.
    """

    id: str
    session_id: str
    parent_id: str | None
    slot_id: str
    role: Role
    seq: int
    content: RedactedText = field(repr=False)
    sent_at_ms: int
    time_zone: str
    turn_id: str | None = None
    run_id: str | None = None
    reasoning: RedactedText | None = field(repr=False, default=None)
    spans: tuple[Span, ...] = ()
    attachments: tuple[Attachment, ...] = ()
    tool_calls: tuple[ToolCall, ...] = ()
    call_id: str | None = None
    tool_status: ToolStatus | None = None
    state: MessageState = "complete"
    reply_to: str | None = None
    retry_of: str | None = None
    model: str | None = None
    usage: Usage | None = None
    estimated: bool = False
    copied_from: str | None = None
    n: int = 0
    active: bool = True


@dataclass(frozen=True, slots=True)
class Session:
    """A conversation. `source`: `chat`, `fork`, `import:<format>`, `mcp:<client>`.

    `learn`, `recall`: what the user set for this session, None for the setting `chat.learn`, `chat.recall`.
    `turn_status` of the last turn. `todos_open`: to-dos that are not completed. `reference`: the block of a fork that
    names its origin (spec 05 §2.6). Times UTC ms.
    """

    id: str
    title: str
    title_by: Literal["rule", "user", "import"]
    source: str
    created_at_ms: int
    updated_at_ms: int
    time_zone: str
    project_id: str | None = None
    project: str | None = None
    source_key: str | None = None
    parent_session_id: str | None = None
    parent_message_id: str | None = None
    reference: RedactedText | None = field(repr=False, default=None)
    import_batch: int | None = None
    learn: bool | None = None
    recall: bool | None = None
    leaf_id: str | None = None
    message_count: int = 0
    turn_status: TurnStatus | None = None
    turn_reason: str = ""
    last_seq: int = 0
    revision: int = 1
    incognito: bool = False
    todos_open: int = 0


@dataclass(frozen=True, slots=True)
class SessionPage:
    """Sessions, last used first, and the cursor of the next page (None: the last one)."""

    sessions: tuple[Session, ...]
    next: tuple[int, str] | None


TodoStatus = Literal["pending", "in_progress", "completed"]


@dataclass(frozen=True, slots=True)
class Todo:
    """One item, `content` 1 to 500 characters."""

    content: str
    status: TodoStatus = "pending"


@dataclass(frozen=True, slots=True)
class TodoList:
    """The list of a session at a revision; 0: none was ever written."""

    items: tuple[Todo, ...] = ()
    revision: int = 0


FieldName = Literal[
    "goal", "constraints", "done", "in_progress", "blocked", "decisions", "errors_and_fixes", "user_messages",
    "next_steps", "critical_context",
]  # fmt: skip
FIELDS: Final[tuple[FieldName, ...]] = (
    "goal", "constraints", "done", "in_progress", "blocked", "decisions", "errors_and_fixes", "user_messages",
    "next_steps", "critical_context",
)  # fmt: skip
"""The ten fields of a summary, in this order (spec 05 §3.1)."""
CompactionReason = Literal["threshold", "overflow", "manual"]
CompactionFault = Literal[
    "no_model", "provider_error", "incomplete_response", "output_truncated", "invalid_structure", "invalid_evidence",
    "empty_summary", "input_budget", "no_savings",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class SummaryItem:
    """One item of a summary field; `evidence` are message ids (`<message id>` or `<message id>.call<j>`)."""

    text: str
    evidence: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A summary of the part of a path before `first_kept_id` (spec 05 §3.2); the log itself stays as it is.

    `first_kept_id` None: everything up to `covered_until_id` is summarised. `model` and `prompt_version` empty when the
    program made it alone. Tokens as estimated before and after.
    """

    id: str
    session_id: str
    reason: CompactionReason
    created_at_ms: int
    parent_id: str | None
    first_kept_id: str | None
    covered_until_id: str
    covered: int
    tokens_before: int
    tokens_after: int
    state: Mapping[FieldName, tuple[SummaryItem, ...]]
    fingerprint: str
    format_version: int
    prompt_version: str
    model: str
    seq: int = 0


@dataclass(frozen=True, slots=True)
class Execution:
    """The effect record of one tool call (spec 05 §7). `target` is the path of a `file` effect; hashes are sha256 hex,
    `before_hash` None where there was no file; `settled_by`: `recovery`, `user`, or None."""

    operation_id: str
    session_id: str
    turn_id: str | None
    run_id: str | None
    call_id: str
    tool: str
    args: str
    args_hash: str
    effect: Effect
    state: Literal["admitted", "running", "committed"]
    at_ms: int
    status: ToolStatus | None = None
    target: str = ""
    before_hash: str | None = None
    intended_hash: str | None = None
    settled_by: str | None = None


ApprovalStatus = Literal["open", "approved", "refused", "used"]


@dataclass(frozen=True, slots=True)
class Approval:
    """One exact call that waits for a person (spec 05 §8): tool and arguments; others need another one.

    `shown` is what the person reads, for a file its full diff. Valid until `expires_at_ms`, answered once, used once.
    """

    id: str
    session_id: str
    turn_id: str | None
    call_id: str
    tool: str
    args: str
    args_hash: str
    shown: RedactedText = field(repr=False)
    reason: str
    status: ApprovalStatus
    asked_at_ms: int
    expires_at_ms: int
    answered_at_ms: int | None = None
    revision: int = 1


Payload: TypeAlias = Mapping[str, JsonValue]


@dataclass(frozen=True, slots=True)
class Event:
    """A row of the session log; `payload` fits the class of its type in `session_events`."""

    session_id: str
    seq: int
    event_id: str
    type: str
    payload: Payload = field(repr=False)
    at_ms: int
    time_zone: str
    turn_id: str | None = None
    run_id: str | None = None
