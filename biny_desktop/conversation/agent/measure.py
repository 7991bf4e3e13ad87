"""What a request takes: the server's own count for what it begins with, where there is one, and estimates."""

import hashlib
import json
import threading
from collections.abc import Sequence
from typing import Final

from biny_desktop.conversation.ports import Reported
from biny_desktop.conversation.tokens import BLOCK_TOKENS, bare, estimate
from biny_desktop.models.model import ChatMessage, ToolSpec

COUNTS_KEPT: Final = 64
"""Sessions; the next request of any other one is estimated."""


def of_message(message: ChatMessage) -> int:
    """Estimated tokens of one message with its calls."""
    return estimate(message.text) + sum(BLOCK_TOKENS + bare(c.name) + bare(c.arguments) for c in message.tool_calls)


def of_tools(tools: Sequence[ToolSpec]) -> int:
    """Estimated tokens of what the model is told of its tools."""
    return sum(estimate(_written(tool)) for tool in tools)


def of_request(messages: Sequence[ChatMessage], tools: Sequence[ToolSpec], reported: Reported | None) -> int:
    """Tokens of a request: what was reported for its beginning and the estimate of the rest, or estimates alone."""
    known = reported.messages if reported is not None else 0
    if reported is not None and 0 < known <= len(messages) and digest(messages[:known], tools) == reported.digest:
        return reported.tokens + sum(map(of_message, messages[known:]))
    return of_tools(tools) + sum(map(of_message, messages))


class Counts:
    """What servers counted for the last request of each session, of the newest sessions; no text. Thread-safe."""

    def __init__(self) -> None:
        self._kept: dict[str, Reported] = {}
        self._lock = threading.Lock()

    def of(self, session_id: str) -> Reported | None:
        """The last count of a session."""
        return self._kept.get(session_id)

    def put(self, session_id: str, count: Reported) -> None:
        """Keep the newest count of a session."""
        with self._lock:
            self._kept.pop(session_id, None)
            self._kept[session_id] = count
            while len(self._kept) > COUNTS_KEPT:
                del self._kept[next(iter(self._kept))]


def reported(messages: Sequence[ChatMessage], tools: Sequence[ToolSpec], tokens: int) -> Reported:
    """What is kept of a request whose tokens the server counted; no text of it."""
    return Reported(len(messages), digest(messages, tools), tokens)


def digest(messages: Sequence[ChatMessage], tools: Sequence[ToolSpec]) -> str:
    """32 hexadecimal digits that two requests share only when they are the same."""
    made = hashlib.blake2b(digest_size=16)
    for tool in tools:
        made.update(_written(tool).encode("utf-8", "replace") + b"\x1e")
    for message in messages:
        calls = [[call.id, call.name, call.arguments] for call in message.tool_calls]
        made.update(json.dumps([message.role, message.text, message.call_id, calls]).encode() + b"\x1e")
    return made.hexdigest()


def _written(tool: ToolSpec) -> str:
    return json.dumps([tool.name, tool.description, dict(tool.parameters)], ensure_ascii=False)
