"""The execution checkpoint of a turn: what has to be known to go on with it, and its JSON.

A summary is never such a checkpoint: this one holds the whole context after the last step that was committed.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from biny_desktop.conversation.model import Approval, Execution
from biny_desktop.core.errors import StorageError
from biny_desktop.core.text import RedactedText
from biny_desktop.models.model import ChatMessage, ToolCall
from biny_desktop.redaction.pieces import from_row

VERSION: Final = 1
"""Of the file; another one is not read (spec 05 §7, row 0)."""
Terminal = Literal["blocked", "incomplete"]
"""How a turn stands that can go on (spec 05 §1)."""
Outcome = Literal["finished", "blocked", "incomplete", "continue"]
BlockedReason = Literal[
    "checkpoint_damaged", "environment_unavailable", "unsafe_action_required", "missing_user_input",
]  # fmt: skip


class DamagedTurnError(StorageError):
    """The checkpoint of a session cannot be read; that is never taken for "nothing was interrupted"."""

    kind = "checkpoint_damaged"


@dataclass(frozen=True, slots=True)
class HighWater:
    """The last event that was committed before the checkpoint was written."""

    event_id: str
    seq: int
    run_id: str | None
    turn_id: str | None


@dataclass(frozen=True, slots=True)
class TurnState:
    """The fields of spec 05 §7. `messages` is the full context after the last finished step and never empty.

    `budgets`: limits of the run by name (`soft_steps`, `hard_steps`, …). `terminal`: how the turn stands, None while it
    runs; `previous_terminals` how it stood before it went on. `updated_at_ms` UTC,
    set by the store.
    """

    session_id: str
    turn_id: str
    prompt: RedactedText = field(repr=False)
    system_prompt: RedactedText = field(repr=False)
    messages: tuple[ChatMessage, ...] = field(repr=False)
    completed_steps: int
    budgets: Mapping[str, int]
    high_water: HighWater
    updated_at_ms: int = 0
    terminal: Terminal | None = None
    previous_terminals: tuple[str, ...] = ()
    version: int = VERSION


@dataclass(frozen=True, slots=True)
class Recovered:
    """What became of an interrupted turn (spec 05 §7, recovery table): `continue` is offered, with the steps left.

    `unknown`: effects whose outcome a person has to tell; `approvals`: those that are waited for.
    """

    session_id: str
    turn_id: str
    outcome: Outcome
    reason: BlockedReason | None = None
    steps_left: int = 0
    unknown: tuple[Execution, ...] = ()
    approvals: tuple[Approval, ...] = ()


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class _Call(_Strict):
    id: str
    name: str
    arguments: str


class _Message(_Strict):
    role: Literal["system", "user", "assistant", "tool"]
    text: str
    tool_calls: list[_Call] = []
    call_id: str | None = None


class _HighWater(_Strict):
    event_id: str
    seq: int
    run_id: str | None
    turn_id: str | None


class _File(_Strict):
    version: Literal[1]
    session_id: str
    turn_id: str
    prompt: str
    system_prompt: str
    messages: list[_Message] = Field(min_length=1)
    completed_steps: int = Field(ge=0)
    budgets: dict[str, int]
    terminal: Terminal | None
    previous_terminals: list[str]
    high_water: _HighWater
    updated_at: int


def to_json(state: TurnState) -> bytes:
    """The file of a checkpoint, UTF-8. An empty context is a bug and raises ValueError."""
    if not state.messages:
        raise ValueError("a checkpoint holds the context of its turn")
    messages = [
        _Message(
            role=each.role,
            text=each.text,
            tool_calls=[_Call(id=c.id, name=c.name, arguments=c.arguments) for c in each.tool_calls],
            call_id=each.call_id,
        )
        for each in state.messages
    ]
    mark = state.high_water
    return _File(
        version=VERSION,
        session_id=state.session_id,
        turn_id=state.turn_id,
        prompt=state.prompt,
        system_prompt=state.system_prompt,
        messages=messages,
        completed_steps=state.completed_steps,
        budgets=dict(state.budgets),
        terminal=state.terminal,
        previous_terminals=list(state.previous_terminals),
        high_water=_HighWater(event_id=mark.event_id, seq=mark.seq, run_id=mark.run_id, turn_id=mark.turn_id),
        updated_at=state.updated_at_ms,
    ).model_dump_json().encode("utf-8", "replace")  # fmt: skip


def from_json(data: bytes, session_id: str) -> TurnState:
    """The checkpoint in a file of that session.

    Raises:
        DamagedTurnError: it is cut, of an unknown version, of another session, or no checkpoint at all.
    """
    try:
        file = _File.model_validate_json(data)
    except (ValidationError, ValueError):
        file = None
    if file is None or file.session_id != session_id:
        raise damaged()
    mark = file.high_water
    return TurnState(
        session_id=file.session_id,
        turn_id=file.turn_id,
        prompt=from_row(file.prompt),
        system_prompt=from_row(file.system_prompt),
        messages=tuple(_message(each) for each in file.messages),
        completed_steps=file.completed_steps,
        budgets=file.budgets,
        high_water=HighWater(mark.event_id, mark.seq, mark.run_id, mark.turn_id),
        updated_at_ms=file.updated_at,
        terminal=file.terminal,
        previous_terminals=tuple(file.previous_terminals),
        version=file.version,
    )


def damaged() -> DamagedTurnError:
    """The error for a checkpoint that cannot be read."""
    return DamagedTurnError(
        "The turn cannot go on",
        "Its checkpoint is damaged; what was said is whole.",
        "Look at what the last step did, then write a new message.",
    )


def _message(each: _Message) -> ChatMessage:
    calls = tuple(ToolCall(call.id, call.name, call.arguments) for call in each.tool_calls)
    return ChatMessage(each.role, from_row(each.text), calls, each.call_id)
