"""The active path as messages of a request: in groups that are sent whole or not at all, older results shortened."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from biny_desktop.conversation.agent import measure
from biny_desktop.conversation.agent.fencing import Fence, first
from biny_desktop.conversation.model import Message
from biny_desktop.conversation.tokens import bare
from biny_desktop.core.text import RedactedText
from biny_desktop.models.model import ChatMessage, ToolCall
from biny_desktop.redaction import from_row, joined, safe_constant
from biny_desktop.storage.rows import dump_json

PREVIEW_TOKENS: Final = 48
RESULTS_KEPT: Final = 2
"""Spec 05 §8.2: results shrink to a preview of 48 tokens, the newest 2 stay."""
ARGUMENTS_MAX: Final = 180
"""Longest arguments (tokens) of a call whose result was shortened (as in the input of a summary, spec 05 §3.1.3)."""
_SHORTENED: Final = safe_constant("\n[program] The rest of this result was left out to save room.")
_MISSING: Final = safe_constant(
    "[program] This call has no result: it was not done, or was left when the program ended."
)


@dataclass(frozen=True, slots=True)
class Split:
    """A path around the message to answer: whole turns before it, whole steps after it; oldest first."""

    turns: tuple[tuple[Message, ...], ...]
    current: Message | None
    steps: tuple[tuple[Message, ...], ...]


def split(path: Sequence[Message], kept: Sequence[Message]) -> Split:
    """Cut a path into groups.

    Args:
        path: all of it; the last user message on it is the one to answer, even when a summary covers it.
        kept: the part of it that is sent raw.
    """
    current = next((each for each in reversed(path) if each.role == "user"), None)
    after = current.seq if current is not None else -1
    turns: list[list[Message]] = []
    steps: list[list[Message]] = []
    for each in kept:
        if current is not None and each.id == current.id:
            continue
        groups, begins = (steps, "assistant") if each.seq > after else (turns, "user")
        if each.role == begins or not groups:
            groups.append([])
        groups[-1].append(each)
    return Split(tuple(map(tuple, turns)), current, tuple(map(tuple, steps)))


def old_results(groups: Sequence[Sequence[Message]]) -> frozenset[str]:
    """The ids of the tool nodes that may be shortened: all but the newest."""
    found = [each.id for group in groups for each in group if each.role == "tool"]
    return frozenset(found[:-RESULTS_KEPT])


def sent(group: Sequence[Message], fence: Fence, short: frozenset[str] = frozenset()) -> list[ChatMessage]:
    """A group as messages. Every call has a result behind it, and no result is without its call: servers refuse both.

    Args:
        group: nodes of the path.
        short: tool nodes whose results, and long arguments, are shortened.
    """
    out: list[ChatMessage] = []
    waiting: dict[str, str] = {}
    cut_calls = {str(each.call_id) for each in group if each.id in short}
    for each in group:
        if each.role == "tool":
            if each.call_id in waiting:
                out.append(_result(each, waiting.pop(each.call_id), fence, short=each.id in short))
            continue
        out += _missing(waiting)
        text = fence.message(each) if each.role == "user" else fence.plain(each.content)
        calls = tuple(_call(call, fence, short=call.id in cut_calls) for call in each.tool_calls)
        waiting = {call.id: call.name for call in calls}
        out.append(ChatMessage(each.role, text, calls))
    return out + _missing(waiting)


def tokens(messages: Sequence[ChatMessage]) -> int:
    """Estimated tokens of a group."""
    return sum(map(measure.of_message, messages))


def _missing(waiting: dict[str, str]) -> list[ChatMessage]:
    return [ChatMessage("tool", _MISSING, call_id=call_id) for call_id in waiting]


def _result(node: Message, tool: str, fence: Fence, *, short: bool) -> ChatMessage:
    text = fence.around(tool, node.content)
    if short and bare(node.content) > PREVIEW_TOKENS:
        text = joined((fence.around(tool, first(node.content, PREVIEW_TOKENS)), _SHORTENED), "")
    if node.tool_status in ("failed", "cancelled", "unknown"):
        text = joined((safe_constant(f"[program] {node.tool_status}"), text))
    return ChatMessage("tool", text, call_id=node.call_id)


def _call(call: ToolCall, fence: Fence, *, short: bool) -> ToolCall:
    arguments: RedactedText = fence.plain(from_row(call.arguments))
    if short and bare(arguments) > ARGUMENTS_MAX:
        arguments = from_row(dump_json({"shortened_by_the_program": first(arguments, PREVIEW_TOKENS)}))
    return ToolCall(call.id, call.name, arguments)
