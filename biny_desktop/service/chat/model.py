"""What a front end gets to show of a chat: the active path with its versions, dividers, to-dos, state of its turn."""

from dataclasses import dataclass, field
from typing import Literal

from biny_desktop.conversation.model import (
    Approval,
    Checkpoint,
    Message,
    Session,
    TodoList,
    ToolStatus,
    TurnStatus,
)
from biny_desktop.conversation.turns.state import BlockedReason, Outcome, Recovered
from biny_desktop.core.text import RedactedText

__all__ = [
    "BlockedReason", "ChatView", "NotSending", "Outcome", "Recovered", "ShownDivider", "ShownMessage", "ShownTool",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class FoundMessage:
    """A message with its chat, and which of how many versions of its place it is (from 1)."""

    message: Message
    session: Session
    version: int
    versions: int


@dataclass(frozen=True, slots=True)
class ShownTool:
    """A tool call under an answer: its arguments and what came of it; `status` None while it runs."""

    call_id: str
    name: str
    arguments: str = field(repr=False)
    status: ToolStatus | None
    result: RedactedText | None = field(repr=False)


@dataclass(frozen=True, slots=True)
class ShownMessage:
    """A user or assistant node of the active path, with its place among the versions of its slot.

    `version` from 1; `version_ids` all of the slot, by age; `tools` of an assistant step. Tool nodes are not shown on
    their own. `fault`: why the turn that began here has no answer (kind of its `error` event, a word of the program).
    """

    message: Message
    version: int
    version_ids: tuple[str, ...]
    tools: tuple[ShownTool, ...] = ()
    fault: str = ""


@dataclass(frozen=True, slots=True)
class ShownDivider:
    """Where a checkpoint stands for what is above it."""

    checkpoint: Checkpoint


@dataclass(frozen=True, slots=True)
class ChatView:
    """A session as it is shown now. `sending`: why nothing can be sent, None when it can.

    `running_turn`: the turn that runs here now; `streaming` the text of its answer so far, not committed yet.
    `hint`: the session is nearly full and should be forked. `read_only`: it must be opened again (spec 05 §3.2).
    """

    session: Session
    items: tuple[ShownMessage | ShownDivider, ...]
    todos: TodoList
    approvals: tuple[Approval, ...]
    recovered: Recovered | None
    sending: "NotSending | None"
    running_turn: str | None = None
    streaming: str = field(repr=False, default="")
    turn_status: TurnStatus | None = None
    turn_reason: str = ""
    hint: bool = False
    read_only: bool = False


NotSending = Literal["no_model", "running", "running_elsewhere", "full", "read_only", "closing"]
"""`no_model`: no chat model is set (link to Models); `running_elsewhere`: another process answers in this session."""
