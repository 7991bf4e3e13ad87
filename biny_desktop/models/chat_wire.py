"""One chat request with tools to one OpenAI-compatible server, streamed, under the limits of a conversation.

Nothing bounds the whole answer; what is bounded is the wait for its first token and between two of them, since a person
watches it come and may stop it at any time. As `wire`, each call has its own event loop, which ends with it.
"""

import asyncio
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from biny_desktop.models import wire
from biny_desktop.models.chat_pieces import Cut, Hear, Pieces
from biny_desktop.models.heard import Manners, body_of, unwound
from biny_desktop.models.model import ChatMessage, ChatReply, Failure, ToolSpec
from biny_desktop.models.wire import Server
from biny_desktop.models.wire_faults import NOT_OPENAI, Fault, faults_caught, without_what_it_refused

if TYPE_CHECKING:
    import openai

LOOK_S: Final = 0.05
"""How often the wish to go on is asked for: a stop has to work within 0.2 s (spec 05 §8)."""
REFUSALS: Final = (400, 404, 422, 500, 501)
"""Status of a server that does not take a parameter; 404 and 500 are what some answer when a model takes no tools."""
_TOOL_WORDS: Final = ("tool", "function")


_CHAT_MANNERS: Final = Manners(no_reasoning=False, json_mode=False, temperature=False)
"""A conversation leaves reasoning and temperature to the model."""


@dataclass(frozen=True, slots=True)
class ChatManners:
    """What a server takes in a chat request."""

    base: Manners = _CHAT_MANNERS
    tools: bool = True


@dataclass(frozen=True, slots=True)
class ChatLimits:
    """Seconds until the first token, and between two (spec 05 §8.3)."""

    first_s: float = 60.0
    between_s: float = 60.0


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """What is asked; `tools` empty for none."""

    server: Server
    model: str
    messages: Sequence[ChatMessage]
    tools: Sequence[ToolSpec]
    max_tokens: int


@dataclass(frozen=True, slots=True)
class Tried:
    """What came of one request, the manners it was got with, and after how many seconds the server wants to be asked
    again, if it said so."""

    result: ChatReply | Failure
    manners: ChatManners
    retry_after_s: float | None = None


def talk(
    request: ChatRequest, manners: ChatManners, limits: ChatLimits, hear: Hear, go_on: Callable[[], bool]
) -> Tried:
    """Ask once; parameters and tools that the server refuses are left out and it is asked again at once."""
    wire.load()
    return asyncio.run(_talk(request, manners, limits, hear, go_on))


async def _talk(
    request: ChatRequest, manners: ChatManners, limits: ChatLimits, hear: Hear, go_on: Callable[[], bool]
) -> Tried:
    async with wire.client(request.server) as client:
        first: Failure | None = None
        while True:
            pieces, moments = Pieces(hear), _Moments()
            work = _caught(_once(client, request, manners, pieces, moments), moments)
            ended = await _watched(work, pieces, moments, limits, go_on)
            if ended is not None:
                return Tried(_partly(ended, pieces, request, manners), manners)
            fault = moments.fault
            if fault is None:
                return Tried(_finished(pieces, request, manners), manners)
            if pieces.begun:
                refused = _refused(request, manners)
                return Tried(pieces.reply(request.model, tools_refused=refused, cut="broken"), manners)
            failure = fault.failure
            gentler = None if failure.detail == "too_long" else _gentler(request, manners, fault)
            first = first or failure
            if gentler is None:
                return Tried(first, manners, moments.retry_after_s)
            if manners.tools and not gentler.tools:
                hear("tools_refused", "")
            manners = gentler


def _partly(ended: Failure, pieces: Pieces, request: ChatRequest, manners: ChatManners) -> ChatReply | Failure:
    """What is left of an answer that was stopped or fell silent: what came of it, or that nothing did."""
    if not pieces.begun:
        return ended
    cut: Cut = "stopped" if ended.kind == "stopped" else "timeout"
    return pieces.reply(request.model, tools_refused=_refused(request, manners), cut=cut)


def _finished(pieces: Pieces, request: ChatRequest, manners: ChatManners) -> ChatReply | Failure:
    if not pieces.answered:
        return Failure("http", "not_openai", 200)
    return pieces.reply(request.model, tools_refused=_refused(request, manners))


def _refused(request: ChatRequest, manners: ChatManners) -> bool:
    return bool(request.tools) and not manners.tools


def _gentler(request: ChatRequest, manners: ChatManners, fault: Fault) -> ChatManners | None:
    """What to leave out after a refusal; None when it was none."""
    failure = fault.failure
    if failure.kind != "http" or failure.status not in REFUSALS:
        return None
    asked = bool(request.tools) and manners.tools
    if asked and any(word in fault.words for word in _TOOL_WORDS):
        return replace(manners, tools=False)
    if failure.status in (404, 500):
        return None
    base = without_what_it_refused(manners.base, fault.words)
    if base is not None:
        return replace(manners, base=base)
    return replace(manners, tools=False) if asked else None


class _Moments:
    """What happens around one request: when something last came, what went wrong, when to ask again."""

    def __init__(self) -> None:
        self.last_s: float | None = None
        self.fault: Fault | None = None
        self.retry_after_s: float | None = None


async def _caught(work: Any, moments: _Moments) -> None:
    import openai

    async def kept() -> None:
        try:
            await work
        except openai.APIStatusError as error:
            moments.retry_after_s = _seconds(error.response.headers.get("retry-after"))
            raise

    result = await faults_caught(kept())
    if isinstance(result, Fault):
        moments.fault = result


def _seconds(header: str | None) -> float | None:
    """The value of Retry-After in seconds; a date is not read."""
    try:
        return max(0.0, float(header)) if header else None
    except ValueError:
        return None


async def _watched(
    work: Any, pieces: Pieces, moments: _Moments, limits: ChatLimits, go_on: Callable[[], bool]
) -> Failure | None:
    """Let the request run; a failure says that it was given up, None that it ended by itself."""
    loop = asyncio.get_running_loop()
    begun = loop.time()
    task = asyncio.ensure_future(work)
    try:
        while not task.done():
            await asyncio.wait({task}, timeout=LOOK_S)
            if task.done():
                break
            if not go_on():
                return Failure("stopped")
            silent_s = loop.time() - (begun if moments.last_s is None else moments.last_s)
            if silent_s > (limits.between_s if pieces.begun else limits.first_s):
                return Failure("timeout", "between_tokens" if pieces.begun else "first_token")
        task.result()
        return None
    finally:
        if not task.done():
            task.cancel()
            await asyncio.wait({task}, timeout=wire.CLOSE_S)
            if task.done() and not task.cancelled():
                task.exception()  # a fault while closing changes nothing any more


async def _once(
    client: "openai.AsyncOpenAI", request: ChatRequest, manners: ChatManners, pieces: Pieces, moments: _Moments
) -> None:
    base = manners.base
    options: dict[str, Any] = {base.tokens_name: request.max_tokens}
    if base.usage:
        options["stream_options"] = {"include_usage": True}
    if request.tools and manners.tools:
        options["tools"] = [_tool(spec) for spec in request.tools]
    stream: Any = await client.chat.completions.create(
        model=request.model, messages=as_sent(request, manners), stream=True, **options
    )
    loop = asyncio.get_running_loop()
    kind = stream.response.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind == "application/json":  # a server without streaming
        pieces.whole(await body_of(stream.response))
        return
    if kind not in wire.STREAM_TYPES:
        moments.fault = Fault(replace(NOT_OPENAI, status=stream.response.status_code))
        return
    chunks = aiter(stream)
    async for chunk in chunks:
        if pieces.begun or _says_something(chunk):
            moments.last_s = loop.time()
        pieces.chunk(chunk)
        if pieces.too_long:
            pieces.finish = "length"
            await unwound(chunks)
            return


def _says_something(chunk: object) -> bool:
    """Keep-alive chunks before the first token are no token."""
    choices = getattr(chunk, "choices", None)
    delta = getattr(choices[0], "delta", None) if isinstance(choices, list) and choices else None
    return bool(
        getattr(delta, "content", None)
        or getattr(delta, "tool_calls", None)
        or getattr(delta, "reasoning_content", None)
        or getattr(delta, "reasoning", None)
    )


def _tool(spec: ToolSpec) -> dict[str, Any]:
    function = {"name": spec.name, "description": spec.description, "parameters": dict(spec.parameters)}
    return {"type": "function", "function": function}


def as_sent(request: ChatRequest, manners: ChatManners) -> Any:
    """The messages in the protocol's words.

    Neighbours of one role are joined: many chat templates want user and assistant in turn. Without tools (none given,
    or refused) earlier calls are left out and their results become text of the user's side.
    """
    with_tools = bool(request.tools) and manners.tools
    out: list[dict[str, Any]] = []
    for message in request.messages:
        sent = _message(message, with_tools=with_tools)
        if not sent["content"] and "tool_calls" not in sent and sent["role"] != "tool":
            continue
        last = out[-1] if out else None
        plain = last is not None and not ({"tool_calls", "tool_call_id"} & {*last, *sent})
        if last is not None and plain and last["role"] == sent["role"]:
            last["content"] += "\n\n" + sent["content"]
        else:
            out.append(sent)
    if not manners.base.system and out and out[0]["role"] == "system":
        return _without_system(out)
    return out


def _message(message: ChatMessage, *, with_tools: bool) -> dict[str, Any]:
    if message.role == "tool" and not with_tools:
        return {"role": "user", "content": f"[result of a tool]\n{message.text}"}
    sent: dict[str, Any] = {"role": message.role, "content": str(message.text)}
    if message.role == "tool":
        sent["tool_call_id"] = message.call_id or ""
    elif message.tool_calls and with_tools:
        sent["tool_calls"] = [
            {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": _object(call.arguments)}}
            for call in message.tool_calls
        ]
    return sent


def _object(arguments: str) -> str:
    """Arguments as they may be sent again: some servers refuse a history with broken JSON in it."""
    try:
        return arguments if isinstance(json.loads(arguments), dict) else "{}"
    except (ValueError, RecursionError):
        return "{}"


def _without_system(out: list[dict[str, Any]]) -> list[dict[str, Any]]:
    rules, rest = out[0]["content"], out[1:]
    if rest and rest[0]["role"] == "user":
        rest[0]["content"] = rules + "\n\n" + rest[0]["content"]
        return rest
    return [{"role": "user", "content": rules}, *rest]
