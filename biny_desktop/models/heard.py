"""A chat answer as it came from a server, streamed or whole, and what a server takes in a question."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from pydantic import BaseModel, Field

from biny_desktop.models.model import Failure

ANSWER_MAX: Final = 400_000
"""Characters of an answer after which reading stops; no task asks for a tenth of it."""


@dataclass(frozen=True, slots=True)
class Manners:
    """What a server takes; begun with all, and what it refuses is left out from then on."""

    no_reasoning: bool = True
    json_mode: bool = True
    usage: bool = True
    temperature: bool = True
    system: bool = True
    tokens_name: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"


@dataclass(frozen=True, slots=True)
class Heard:
    """An answer as it came: `finish` the server's reason for the end (empty: it gave none), `thought` whether there was
    reasoning in a field of its own, `manners` those it was got with."""

    text: str = field(repr=False)
    finish: str
    thought: bool
    tokens_in: int | None
    tokens_out: int | None
    manners: Manners


class _Message(BaseModel):
    content: object = None
    refusal: object = None
    reasoning_content: object = None
    reasoning: object = None


class _Choice(BaseModel):
    message: _Message
    finish_reason: str | None = None


class _Whole(BaseModel):
    choices: list[_Choice] = Field(min_length=1)
    usage: object = None


async def collected(
    stream: Any, manners: Manners, heard: Callable[[], None] | None = None
) -> Heard | Failure:  # fmt: skip
    """The answer of a stream of `openai`'s chunks, whose fields are unchecked; `heard` is called with each of them."""
    pieces: list[str] = []
    length, finish, thought, refused, begun = 0, "", False, False, False
    usage: object = None
    chunks = aiter(stream)
    async for chunk in chunks:
        if heard is not None:
            heard()
        usage = getattr(chunk, "usage", None) or usage
        for choice in items(getattr(chunk, "choices", None))[:1]:
            begun = True
            delta = getattr(choice, "delta", None)
            piece = getattr(delta, "content", None)
            if isinstance(piece, str):
                pieces.append(piece)
                length += len(piece)
            thought = thought or bool(getattr(delta, "reasoning_content", None) or getattr(delta, "reasoning", None))
            refused = refused or bool(getattr(delta, "refusal", None))
            finish = str(getattr(choice, "finish_reason", None) or finish)
        if length > ANSWER_MAX:
            finish = "length"
            await unwound(chunks)
            break
    if not begun:
        return Failure("http", "not_openai", 200)
    return _heard("".join(pieces), finish, thought=thought, refused=refused, usage=usage, manners=manners)


def whole(body: bytes, manners: Manners) -> Heard | Failure:
    """The answer of a server that does not stream.

    Raises:
        ValueError: it is no chat answer.
    """
    answer = _Whole.model_validate_json(body)
    message = answer.choices[0].message
    return _heard(
        message.content if isinstance(message.content, str) else "",
        answer.choices[0].finish_reason or "",
        thought=bool(message.reasoning_content or message.reasoning),
        refused=bool(message.refusal),
        usage=answer.usage,
        manners=manners,
    )


async def body_of(response: Any) -> bytes:
    """The whole body of a response that was opened as a stream.

    Raises:
        ValueError: it is longer than any answer.
    """
    data = bytearray()
    pieces = response.aiter_bytes()
    async for piece in pieces:
        data += piece
        if len(data) > 8 * ANSWER_MAX:
            await unwound(pieces)
            raise ValueError("no answer is that long")
    return bytes(data)


async def unwound(stream: AsyncIterator[object]) -> None:
    """End a stream that is not wanted any more, by a cancellation while it waits for its next piece: so each generator
    under it ends in its turn. Left alone they are closed side by side with the loop, and fail over each other."""
    task = asyncio.current_task()
    assert task is not None
    task.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        with contextlib.suppress(Exception):  # whatever the rest of it would have been
            async for _piece in stream:
                pass
        await asyncio.sleep(0)  # it came to its end by itself: the cancellation waits here
    if task.uncancel():
        raise asyncio.CancelledError  # the caller's own


def _heard(text: str, finish: str, *, thought: bool, refused: bool, usage: object, manners: Manners) -> Heard | Failure:
    if refused or finish == "content_filter":
        return Failure("refused", "content_filter" if finish == "content_filter" else "refusal")
    counts = usage if isinstance(usage, dict) else getattr(usage, "__dict__", {})
    tokens = [counts.get(name) for name in ("prompt_tokens", "completion_tokens")]
    tokens_in, tokens_out = (count if isinstance(count, int) and count >= 0 else None for count in tokens)
    return Heard(text, finish, thought, tokens_in, tokens_out, manners)


def items(value: object) -> list[object]:
    """A list of anything, or an empty one."""
    return value if isinstance(value, list) else []
