"""The events that stand for what an interrupted turn lost: results marked as recovered, ends of effect records."""

from collections.abc import Callable, Sequence
from typing import Final, Literal

from biny_desktop.conversation.model import Execution, Message, ToolStatus
from biny_desktop.conversation.ports import ConversationLog
from biny_desktop.conversation.session_events import (
    EventPayload,
    NewEvent,
    ToolExecution,
    ToolResult,
    VersionSelected,
)
from biny_desktop.conversation.turns.open_step import MissingCall, OpenStep

WORDS: Final[dict[ToolStatus, str]] = {
    "succeeded": "This was done before the turn was interrupted; its result is not known any more.",
    "failed": "This failed before the turn was interrupted.",
    "cancelled": "This was not done: the turn was interrupted before it. Call it again if it is still needed.",
    "unknown": "It is not known whether this was done before the turn was interrupted. Do not do it again unasked.",
}
SETTLED: Final[dict[ToolStatus, str]] = {
    "succeeded": "The user looked: this was done.",
    "cancelled": "The user looked: this was not done.",
}
"""What the model reads in place of a result that is lost, in the language of the prompts."""


def results(
    step: OpenStep, told: Sequence[tuple[MissingCall, ToolStatus]], make_id: Callable[[], str]
) -> list[NewEvent]:  # fmt: skip
    """Results as nodes below each other, in the order of the calls, each after the end of its effect record."""
    parent, turn_id, run_id = step.leaf.id, step.node.turn_id, step.node.run_id
    events: list[NewEvent] = []
    for each, status in told:
        execution = each.execution
        if execution is not None and execution.state != "committed":
            events.append(NewEvent(committed(execution, status, "recovery"), turn_id, execution.run_id))
        result = ToolResult(
            message_id=make_id(),
            parent_id=parent,
            content=_words(execution, status),
            call_id=each.call.id,
            operation_id="" if execution is None else execution.operation_id,
            status=status,
            recovered=True,
        )
        events.append(NewEvent(result, turn_id, run_id))
        parent = result.message_id
    return events


def said_anew(node: Message, execution: Execution, status: ToolStatus, message_id: str) -> tuple[EventPayload, ...]:
    """Another version of a result that said `unknown`, with what the person says of it, selected."""
    result = ToolResult(
        message_id=message_id,
        parent_id=node.parent_id,
        slot_id=node.slot_id,
        content=SETTLED[status],
        call_id=execution.call_id,
        operation_id=execution.operation_id,
        status=status,
        recovered=True,
    )
    return result, VersionSelected(slot_id=node.slot_id, message_id=message_id)


def committed(execution: Execution, status: ToolStatus, by: Literal["recovery", "user"]) -> ToolExecution:
    """The end of an effect record."""
    return ToolExecution(
        call_id=execution.call_id,
        operation_id=execution.operation_id,
        tool=execution.tool,
        args=execution.args,
        args_hash=execution.args_hash,
        effect=execution.effect,
        state="committed",
        status=status,
        target=execution.target,
        before_hash=execution.before_hash,
        intended_hash=execution.intended_hash,
        settled_by=by,
    )


def result_of(found: ConversationLog, execution: Execution) -> str | None:
    """The id of the newest result node of an operation."""
    ids = [
        str(event.payload.get("message_id"))
        for event in found.events(execution.session_id, turn_id=execution.turn_id)
        if event.type == ToolResult.type and event.payload.get("operation_id") == execution.operation_id
    ]
    return ids[-1] if ids else None


def _words(execution: Execution | None, status: ToolStatus) -> str:
    by_user = execution is not None and execution.settled_by == "user"
    return SETTLED[status] if by_user and status in SETTLED else WORDS[status]
