"""A streamed chat answer put together from its pieces: text, reasoning, tool calls; what servers send is unchecked."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from pydantic import BaseModel, Field

from biny_desktop.models.heard import ANSWER_MAX, items
from biny_desktop.models.model import ChatReply, Failure, ToolCall
from biny_desktop.models.thinking import ThinkSplitter

Hear = Callable[[Literal["delta", "reasoning", "retrying", "tools_refused"], str], None]
Cut = Literal["", "stopped", "broken", "timeout"]
CALLS_MAX: Final = 256
"""Calls of one answer that are read; the agent takes 64 of them (spec 05 §8.3)."""


@dataclass
class _Call:
    id: str = ""
    name: str = ""
    arguments: list[str] = field(default_factory=list)


class Pieces:
    """What has come of an answer so far; `begun` once anything of it came."""

    def __init__(self, hear: Hear) -> None:
        self._hear = hear
        self._text: list[str] = []
        self._reasoning: list[str] = []
        self._calls: list[_Call] = []
        self._open: dict[int, _Call] = {}
        self._split = ThinkSplitter()
        self._length = 0
        self._refused = False
        self._usage: object = None
        self._model = ""
        self.finish = ""
        self.answered = False
        self.begun = False

    @property
    def too_long(self) -> bool:
        """Whether more was sent than any answer has."""
        return self._length > ANSWER_MAX

    def chunk(self, chunk: object) -> None:
        """Take one of the library's chunks, whose fields are unchecked."""
        self._usage = getattr(chunk, "usage", None) or self._usage
        model = getattr(chunk, "model", None)
        self._model = model if isinstance(model, str) and model else self._model
        for choice in items(getattr(chunk, "choices", None))[:1]:
            self.answered = True
            self._delta(getattr(choice, "delta", None))
            self.finish = str(getattr(choice, "finish_reason", None) or self.finish)

    def whole(self, body: bytes) -> None:
        """Take the answer of a server that does not stream.

        Raises:
            ValueError: it is no chat answer.
        """
        answer = _Whole.model_validate_json(body)
        choice = answer.choices[0]
        self.answered, self.finish, self._usage, self._model = True, choice.finish_reason or "", answer.usage, ""
        message = choice.message
        self._refused = bool(message.refusal)
        self._think(message.reasoning_content or message.reasoning)
        self._say(message.content)
        for index, call in enumerate(items(message.tool_calls)):
            self._call(call, index)

    def _delta(self, delta: object) -> None:
        if delta is None:
            return
        self._refused = self._refused or bool(getattr(delta, "refusal", None))
        self._think(getattr(delta, "reasoning_content", None) or getattr(delta, "reasoning", None))
        self._say(getattr(delta, "content", None))
        for call in items(getattr(delta, "tool_calls", None)):
            index = _of(call, "index")
            self._call(call, index if isinstance(index, int) else len(self._calls))

    def _think(self, piece: object) -> None:
        if isinstance(piece, str) and piece:
            self._take(self._reasoning, "reasoning", piece)

    def _say(self, piece: object) -> None:
        if isinstance(piece, str) and piece:
            self._said(*self._split.feed(piece))

    def _said(self, text: str, reasoning: str) -> None:
        self._think(reasoning)
        if text:
            self._take(self._text, "delta", text)

    def _take(self, into: list[str], kind: Literal["delta", "reasoning"], piece: str) -> None:
        self.begun = True
        into.append(piece)
        self._length += len(piece)
        self._hear(kind, piece)

    def _call(self, raw: object, index: int) -> None:
        function, name_id = _of(raw, "function"), _of(raw, "id")
        call = self._open.get(index)
        if call is None or (isinstance(name_id, str) and name_id and call.id and name_id != call.id):
            if len(self._calls) >= CALLS_MAX:
                return
            call = self._open[index] = _Call()  # some servers number every call 0 and tell them apart by id
            self._calls.append(call)
        call.id = call.id or (name_id if isinstance(name_id, str) else "")
        name, arguments = _of(function, "name"), _of(function, "arguments")
        if isinstance(name, str) and name and not call.name:
            call.name = name
        if isinstance(arguments, dict):
            arguments = json.dumps(arguments, ensure_ascii=False)
        if isinstance(arguments, str):
            call.arguments.append(arguments)
            self._length += len(arguments)
        self.begun = True

    def reply(self, model: str, *, tools_refused: bool, cut: Cut = "") -> ChatReply | Failure:
        """The answer as far as it came; a cut one has no tool calls, since the last may be a part."""
        self._said(*self._split.end())
        if self._refused or self.finish == "content_filter":
            return Failure("refused", "content_filter" if self.finish == "content_filter" else "refusal")
        tokens_in, tokens_out = _tokens(self._usage)
        text, calls = "".join(self._text), () if cut else self._named()
        if not cut and not text.strip() and not calls:
            return Failure(
                "truncated" if self.finish == "length" else "empty", "only reasoning" * bool(self._reasoning)
            )
        return ChatReply(
            text, "".join(self._reasoning), calls, self.finish, self._model or model, tokens_in, tokens_out,
            tools_refused, cut,
        )  # fmt: skip

    def _named(self) -> tuple[ToolCall, ...]:
        """The calls, each with an id that no other one of this answer has."""
        out: list[ToolCall] = []
        taken: set[str] = set()
        for n, call in enumerate(self._calls):
            if not call.name:
                continue
            name_id = call.id if call.id and call.id not in taken else f"call_{n}"
            taken.add(name_id)
            out.append(ToolCall(name_id, call.name, "".join(call.arguments) or "{}"))
        return tuple(out)


class _Message(BaseModel):
    content: object = None
    refusal: object = None
    reasoning_content: object = None
    reasoning: object = None
    tool_calls: object = None


class _Choice(BaseModel):
    message: _Message
    finish_reason: str | None = None


class _Whole(BaseModel):
    choices: list[_Choice] = Field(min_length=1)
    usage: object = None


def _of(value: object, name: str) -> Any:
    return value.get(name) if isinstance(value, dict) else getattr(value, name, None)


def _tokens(usage: object) -> tuple[int | None, int | None]:
    counts = [_of(usage, name) for name in ("prompt_tokens", "completion_tokens")]
    tokens_in, tokens_out = (count if isinstance(count, int) and count >= 0 else None for count in counts)
    return tokens_in, tokens_out
