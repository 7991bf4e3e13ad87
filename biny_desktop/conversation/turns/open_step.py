"""What an interrupted turn left undone in the log: calls of its last step without a result, and their effects."""

import itertools
from dataclasses import dataclass

from biny_desktop.conversation.model import FINAL, Approval, Event, Execution, Message
from biny_desktop.conversation.ports import ConversationLog
from biny_desktop.conversation.session_events import AssistantMessage, ToolExecution, ToolResult, TurnEnded, UserMessage
from biny_desktop.models.model import ToolCall

_WORK = (UserMessage.type, AssistantMessage.type, ToolResult.type, ToolExecution.type)


@dataclass(frozen=True, slots=True)
class MissingCall:
    """A call without a result: its effect record and the approval that was asked for it, if there are."""

    call: ToolCall
    execution: Execution | None
    approval: Approval | None


@dataclass(frozen=True, slots=True)
class OpenStep:
    """The last assistant node with calls on the active path of a turn; `leaf`: the next node hangs on it."""

    node: Message
    leaf: Message
    missing: tuple[MissingCall, ...]


def open_turn(log: ConversationLog, session_id: str) -> str | None:
    """The turn of the active leaf, if something of it was committed after its last status, or it stands blocked.

    Copied and imported turns, and those that an outside agent feeds, are not ours to go on with.
    """
    leaf = log.leaf(session_id)
    turn_id = leaf.turn_id if leaf else None
    if turn_id is None or log.session(session_id).source.startswith("mcp:"):
        return None
    events = log.events(session_id, turn_id=turn_id)
    last = last_status(events)
    work = [event.seq for event in events if _own_work(event)]
    if not work or (last is not None and last.payload.get("status") != "blocked" and work[-1] < last.seq):
        return None
    return turn_id


def _own_work(event: Event) -> bool:
    foreign = event.payload.get("copied_from") or event.payload.get("source_key")
    return event.type in _WORK and not foreign


def last_status(events: tuple[Event, ...]) -> Event | None:
    """The newest `turn_status` among the events of a turn."""
    return next((event for event in reversed(events) if event.type == TurnEnded.type), None)


def ended_after(events: tuple[Event, ...], seq: int) -> bool:
    """Whether a turn got a final status after that event."""
    last = last_status(events)
    return last is not None and last.seq > seq and last.payload.get("status") in FINAL


def open_step(log: ConversationLog, session_id: str, turn_id: str) -> OpenStep | None:
    """The step of that turn at the end of the active path, None when its last word is an answer without calls."""
    path = [node for node in log.path(session_id) if node.turn_id == turn_id]
    results = list(itertools.takewhile(lambda node: node.role == "tool", reversed(path)))
    rest = path[: len(path) - len(results)]
    if not rest or not rest[-1].tool_calls:
        return None
    node = rest[-1]
    answered = {result.call_id for result in results}
    used = {
        str(event.payload.get("operation_id", ""))
        for event in log.events(session_id, turn_id=turn_id)
        if event.type == ToolResult.type
    }
    executions = [each for each in log.executions(session_id, turn_id) if each.operation_id not in used]
    approvals = [each for each in log.approvals(session_id) if each.turn_id == turn_id and each.status != "used"]
    missing = tuple(
        MissingCall(call, _newest(executions, call), _asked(approvals, call))
        for call in node.tool_calls
        if call.id not in answered
    )
    return OpenStep(node, path[-1], missing)


def finished_steps(log: ConversationLog, session_id: str, turn_id: str) -> int:
    """How many steps of a turn on the active path have all their results."""
    path = [node for node in log.path(session_id) if node.turn_id == turn_id]
    steps = sum(1 for node in path if node.tool_calls)
    step = open_step(log, session_id, turn_id)
    return steps - (1 if step is not None and step.missing else 0)


def _newest(executions: list[Execution], call: ToolCall) -> Execution | None:
    found = [each for each in executions if each.call_id == call.id and each.tool == call.name]
    return found[-1] if found else None


def _asked(approvals: list[Approval], call: ToolCall) -> Approval | None:
    found = [each for each in approvals if each.call_id == call.id and each.tool == call.name]
    return found[-1] if found else None
