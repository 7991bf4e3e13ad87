"""Talks to one OpenAI-compatible server: a streamed chat answer under one hard deadline, and the list of models.

Each call has its own event loop, ended with the call, so that a deadline or a stop cuts it off wherever it is: while
connecting, before the first byte, between two of them. No thread, connection or client outlives it. Only a resolver
that does not answer can hold a call longer. Rejected: a blocking client, whose time-outs begin anew with each byte.

Nothing that the server says about a fault is kept: it may quote the question or the key. Redirects are not followed:
text goes only to the server that the user named.
"""

import asyncio
import contextlib
import logging
import re
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final, Literal, TypeVar

from biny_desktop.models.model import Failure
from biny_desktop.models.prompts import Message
from biny_desktop.models.slots import is_local

if TYPE_CHECKING:
    import openai

ResultT = TypeVar("ResultT")
CONNECT_S: Final = 10.0
"""Longest wait for a connection; a server that is there takes it at once."""
LOOK_S: Final = 0.1
"""How often the wish to go on is asked for."""
ANSWER_MAX: Final = 400_000
"""Characters of an answer after which reading stops; no task asks for a tenth of it."""
MODELS_MAX: Final = 1_000
STOPPED: Final = Failure("stopped")
_REFUSALS: Final = (400, 422, 501)
"""Status of a server that does not take a parameter."""
_CODE: Final = re.compile(r"^[a-z_]{3,40}$")
"""An error code that is a plain word; anything else could quote something."""
_HEADERS: Final = {
    "host", "accept", "accept-encoding", "connection", "content-type", "content-length", "transfer-encoding",
    "user-agent",
}  # fmt: skip
_FILTERED: Final = ("content_filter", "content_policy", "content management policy", "responsibleaipolicy")
_TOO_LONG: Final = ("context_length", "context length", "context size", "context_size", "maximum context", "too long")


@dataclass(frozen=True, slots=True)
class Server:
    """A base URL and its key, if any; the key is never part of its `repr`."""

    url: str
    key: str | None = field(repr=False, default=None)


@dataclass(frozen=True, slots=True)
class Manners:
    """What a server takes; begun with all, and what it refuses is left out from then on."""

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


def chat(
    server: Server, model: str, messages: Sequence[Message], *, max_tokens: int, timeout_s: float, manners: Manners,
    go_on: Callable[[], bool] | None = None,
) -> Heard | Failure:  # fmt: skip
    """Ask once; parameters that the server refuses are left out and it is asked again, within the same deadline.

    Args:
        timeout_s: seconds for all of it.
        go_on: asked every 0.1 s; when it says no, the call is given up as `stopped`.
    """
    work = _chat(server, model, messages, max_tokens, manners)
    return asyncio.run(_within(work, timeout_s, go_on))


def list_models(server: Server, timeout_s: float) -> tuple[str, ...] | Failure:
    """The names of the models that a server offers, sorted."""
    return asyncio.run(_within(_list(server), timeout_s, None))


async def _within(
    work: Coroutine[Any, Any, ResultT | Failure], timeout_s: float, go_on: Callable[[], bool] | None
) -> ResultT | Failure:
    loop = asyncio.get_running_loop()
    end = loop.time() + timeout_s
    task = asyncio.ensure_future(work)
    failure = Failure("timeout")
    try:
        while not task.done():
            left = end - loop.time()
            if left <= 0:
                return failure
            if go_on is not None and not go_on():
                return STOPPED
            await asyncio.wait({task}, timeout=left if go_on is None else min(left, LOOK_S))
        return task.result()
    finally:
        if not task.done():
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task


@asynccontextmanager
async def _client(server: Server) -> "AsyncIterator[openai.AsyncOpenAI]":
    import openai

    for name in ("openai", "httpx2", "httpcore2", "httpx", "httpcore"):  # at DEBUG they quote questions and headers
        logging.getLogger(name).setLevel(logging.WARNING)

    async def headers_of_ours(request: Any) -> None:
        for name in [name for name in request.headers if name.lower() not in _HEADERS]:
            del request.headers[name]
        request.headers.pop("Authorization", None)
        if server.key:
            request.headers["Authorization"] = f"Bearer {server.key}"

    # Nothing from the environment: keys, organisations and headers meant for other programs go to no server of ours.
    # A server on this machine is never reached through a proxy.
    http = openai.DefaultAsyncHttpxClient(
        follow_redirects=False, trust_env=not is_local(server.url), verify=server.url.startswith("https:"),
        event_hooks={"request": [headers_of_ours]},
    )  # fmt: skip
    client = openai.AsyncOpenAI(
        api_key="none", organization="", project="", admin_api_key="", webhook_secret="", base_url=server.url,
        max_retries=0, http_client=http, timeout=openai.Timeout(None, connect=CONNECT_S),
    )  # fmt: skip
    async with client:
        yield client


async def _chat(
    server: Server, model: str, messages: Sequence[Message], max_tokens: int, manners: Manners
) -> Heard | Failure:
    async with _client(server) as client:
        first: Failure | None = None
        while True:
            fault = await _faults_caught(_once(client, model, messages, max_tokens, manners))
            if not isinstance(fault, _Fault):
                return fault
            failure = fault.failure
            if failure.kind != "http" or failure.detail == "too_long" or failure.status not in _REFUSALS:
                return failure
            gentler = _without_what_it_refused(manners, fault.words)
            first = first or failure
            if gentler is None:
                return first
            manners = gentler


async def _once(
    client: "openai.AsyncOpenAI", model: str, messages: Sequence[Message], max_tokens: int, manners: Manners
) -> Heard | Failure:
    options: dict[str, Any] = {manners.tokens_name: max_tokens}
    if manners.json_mode:
        options["response_format"] = {"type": "json_object"}
    if manners.usage:
        options["stream_options"] = {"include_usage": True}
    if manners.temperature:
        options["temperature"] = 0
    stream: Any = await client.chat.completions.create(
        model=model, messages=_as_sent(messages, manners), stream=True, **options
    )
    kind = stream.response.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind == "application/json":  # a server without streaming
        return _whole(await _body(stream.response), manners)
    if kind not in ("text/event-stream", "", "text/plain", "application/octet-stream", "application/x-ndjson"):
        return Failure("http", "not_openai", stream.response.status_code)
    return await _collected(stream, manners)


def _as_sent(messages: Sequence[Message], manners: Manners) -> Any:
    if manners.system:
        return [{"role": message.role, "content": message.text} for message in messages]
    system = [message.text for message in messages if message.role == "system"]
    rest = [{"role": message.role, "content": message.text} for message in messages if message.role != "system"]
    rest[0]["content"] = "\n\n".join([*system, rest[0]["content"]])
    return rest


async def _collected(stream: Any, manners: Manners) -> Heard | Failure:
    pieces: list[str] = []
    length, finish, thought, refused, begun = 0, "", False, False, False
    usage: object = None
    async for chunk in stream:
        usage = getattr(chunk, "usage", None) or usage
        for choice in _items(getattr(chunk, "choices", None))[:1]:
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
            break
    if not begun:
        return Failure("http", "not_openai", 200)
    return _heard("".join(pieces), finish, thought=thought, refused=refused, usage=usage, manners=manners)


def _whole(body: bytes, manners: Manners) -> Heard | Failure:
    import json

    answer = json.loads(body)
    choice = answer["choices"][0]
    message = choice["message"]
    text = message.get("content")
    return _heard(
        text if isinstance(text, str) else "", str(choice.get("finish_reason") or ""),
        thought=bool(message.get("reasoning_content") or message.get("reasoning")),
        refused=bool(message.get("refusal")), usage=answer.get("usage"), manners=manners,
    )  # fmt: skip


def _heard(text: str, finish: str, *, thought: bool, refused: bool, usage: object, manners: Manners) -> Heard | Failure:
    if refused or finish == "content_filter":
        return Failure("refused", "content_filter" if finish == "content_filter" else "refusal")
    counts = usage if isinstance(usage, dict) else getattr(usage, "__dict__", {})
    tokens = [counts.get(name) for name in ("prompt_tokens", "completion_tokens")]
    tokens_in, tokens_out = (count if isinstance(count, int) and count >= 0 else None for count in tokens)
    return Heard(text, finish, thought, tokens_in, tokens_out, manners)


async def _body(response: Any) -> bytes:
    data = bytearray()
    async for piece in response.aiter_bytes():
        data += piece
        if len(data) > 8 * ANSWER_MAX:
            raise ValueError("no answer is that long")
    return bytes(data)


async def _list(server: Server) -> tuple[str, ...] | Failure:
    async def names(client: "openai.AsyncOpenAI") -> tuple[str, ...] | Failure:
        page = await client.models.list()
        found = [getattr(item, "id", None) for item in _items(getattr(page, "data", None))]
        known = sorted({name for name in found if isinstance(name, str) and 0 < len(name) <= 200})
        return tuple(known[:MODELS_MAX]) if isinstance(getattr(page, "data", None), list) else _NOT_OPENAI

    async with _client(server) as client:
        result = await _faults_caught(names(client))
    return result.failure if isinstance(result, _Fault) else result


@dataclass(frozen=True, slots=True)
class _Fault:
    """A failure with the server's own words, which are looked at and thrown away."""

    failure: Failure
    words: str = field(repr=False, default="")


_NOT_OPENAI: Final = Failure("http", "not_openai")


async def _faults_caught(work: Coroutine[Any, Any, ResultT]) -> ResultT | _Fault:
    import openai

    try:
        return await work
    except openai.APITimeoutError:
        return _Fault(Failure("timeout", "connect"))
    except openai.APIConnectionError as error:
        return _Fault(Failure("http", _why_no_connection(error)))
    except openai.APIStatusError as error:
        return _Fault(_of_status(error.status_code, error.code, words := _words(error)), words)
    except openai.APIError as error:  # an error within the stream
        return _Fault(_of_status(None, error.code, _words(error)))
    except (openai.OpenAIError, ValueError):  # no chat answer at all
        return _Fault(_NOT_OPENAI)
    except Exception as error:
        if not type(error).__module__.startswith("http"):  # the transport's own, while a plain body is read
            raise
        return _Fault(Failure("http", "disconnected"))


def _why_no_connection(error: BaseException) -> str:
    cause = error.__cause__
    if "CERTIFICATE" in str(cause).upper():
        return "certificate"
    return "unreachable" if type(cause).__name__ in ("ConnectError", "UnsupportedProtocol") else "disconnected"


def _words(error: "openai.APIError") -> str:
    return f"{error.code} {error.param} {error.message} {error.body}".lower()


def _of_status(status: int | None, code: object, words: str) -> Failure:
    if status in (None, 400, 403) and any(word in words for word in _FILTERED):
        return Failure("refused", "content_filter", status)
    if status == 413 or (status in (None, 400, 422, 500) and any(word in words for word in _TOO_LONG)):
        return Failure("http", "too_long", status)
    known = code if isinstance(code, str) and _CODE.match(code) else ("" if status else "stream")
    return Failure("http", known, status)


def _without_what_it_refused(manners: Manners, words: str) -> Manners | None:
    """What to leave out after a refusal; if the words name nothing, the JSON mode, which fewest servers know."""
    if manners.json_mode and any(word in words for word in ("response_format", "json_object", "json mode")):
        return replace(manners, json_mode=False)
    if manners.usage and any(word in words for word in ("stream_options", "include_usage")):
        return replace(manners, usage=False)
    if manners.temperature and "temperature" in words:
        return replace(manners, temperature=False)
    if manners.tokens_name == "max_tokens" and any(word in words for word in ("max_completion_tokens", "max_tokens")):
        return replace(manners, tokens_name="max_completion_tokens")
    if manners.system and "system" in words and ("role" in words or "message" in words):
        return replace(manners, system=False)
    return replace(manners, json_mode=False) if manners.json_mode else None


def _items(value: object) -> list[object]:
    return value if isinstance(value, list) else []
