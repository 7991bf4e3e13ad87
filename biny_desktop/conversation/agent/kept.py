"""An answer of the model as it is kept: redacted, its calls too, since what is kept is also what is carried out."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from biny_desktop.conversation.approvals import canonical
from biny_desktop.conversation.session_events import CallData, UsageData
from biny_desktop.core.text import RedactedText
from biny_desktop.models.model import ChatReply, ToolCall
from biny_desktop.redaction import Redactor
from biny_desktop.storage.rows import JsonValue, dump_json, read_json

ID_MAX: Final = 200
"""Longest id of a call that is kept; servers send 9 to 40 characters."""


@dataclass(frozen=True, slots=True)
class KeptReply:
    """The parts of an assistant node."""

    content: RedactedText = field(repr=False)
    reasoning: RedactedText = field(repr=False)
    calls: tuple[ToolCall, ...]
    model: str
    usage: UsageData | None

    @property
    def call_data(self) -> tuple[CallData, ...]:
        """The calls as an event holds them."""
        return tuple(CallData(id=call.id, name=call.name, arguments=call.arguments) for call in self.calls)

    @property
    def empty(self) -> bool:
        """Whether there is nothing to show of it."""
        return not (self.content.strip() or self.reasoning.strip() or self.calls)


def kept(reply: ChatReply, redactor: Redactor) -> KeptReply:
    """The reply, redacted."""
    counted = reply.tokens_in is not None or reply.tokens_out is not None
    usage = UsageData(tokens_in=reply.tokens_in, tokens_out=reply.tokens_out) if counted else None
    return KeptReply(
        redactor.plain(reply.text), redactor.plain(reply.reasoning), _calls(reply.tool_calls, redactor),
        str(redactor.plain(reply.model)), usage,
    )  # fmt: skip


def arguments_of(call: ToolCall) -> dict[str, JsonValue] | None:
    """The arguments of a call as an object; None when they are none."""
    value = read_json(call.arguments)
    return value if isinstance(value, dict) else None


def same_call(call: ToolCall) -> str:
    """A text that two calls share when name and arguments are the same, however they are written."""
    arguments = arguments_of(call)
    written = call.arguments if arguments is None else canonical(arguments)
    return f"{call.name}\n{written}"


def _calls(calls: Sequence[ToolCall], redactor: Redactor) -> tuple[ToolCall, ...]:
    return tuple(
        ToolCall(call.id[:ID_MAX], str(redactor.plain(call.name)), _arguments(call, redactor)) for call in calls
    )


def _arguments(call: ToolCall, redactor: Redactor) -> str:
    """Redacted in each text and then as a whole, for a name beside a value can tell that the value is a secret."""
    value = arguments_of(call)
    if value is None:
        return redactor.plain(call.arguments)
    return redactor.plain(dump_json(_redacted(value, redactor)))


def _redacted(value: JsonValue, redactor: Redactor) -> JsonValue:
    if isinstance(value, str):
        return redactor.plain(value)
    if isinstance(value, list):
        return [_redacted(each, redactor) for each in value]
    if isinstance(value, dict):
        return {str(redactor.plain(key)): _redacted(each, redactor) for key, each in value.items()}
    return value
