"""Talks to one OpenAI-compatible server: a streamed chat answer under one hard deadline, and the list of models.

Each call has its own event loop, ended with the call, so that a deadline or a stop cuts it off wherever it is: while
connecting, before the first byte, between two of them. No thread, connection or client outlives it. Only a resolver
that does not answer can hold a call longer. Rejected: a blocking client, whose time-outs begin anew with each byte.

Redirects are not followed: text goes only to the server that the user named.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, TypeVar

from biny_desktop.models.heard import Heard, Manners, body_of, collected, items, whole
from biny_desktop.models.model import Failure
from biny_desktop.models.prompts import Message
from biny_desktop.models.slots import is_local
from biny_desktop.models.wire_faults import NOT_OPENAI, Fault, faults_caught, without_what_it_refused

if TYPE_CHECKING:
    import openai

ResultT = TypeVar("ResultT")
CONNECT_S: Final = 10.0
"""Longest wait for a connection; a server that is there takes it at once."""
LOOK_S: Final = 0.1
"""How often the wish to go on is asked for."""
CLOSE_S: Final = 1.0
"""Longest wait for a connection to close."""
MODELS_MAX: Final = 1_000
STOPPED: Final = Failure("stopped")
SILENT: Final = Failure("timeout", "idle")
STREAM_TYPES: Final = ("text/event-stream", "", "text/plain", "application/octet-stream", "application/x-ndjson")
"""What servers call a stream of events."""
_REFUSALS: Final = (400, 422, 501)
"""Status of a server that does not take a parameter."""
_HEADERS: Final = {
    "host", "accept", "accept-encoding", "connection", "content-type", "content-length", "transfer-encoding",
    "user-agent",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Server:
    """A base URL and its key, if any; the key is never part of its `repr`."""

    url: str
    key: str | None = field(repr=False, default=None)


def chat(
    server: Server, model: str, messages: Sequence[Message], *, max_tokens: int, timeout_s: float, manners: Manners,
    go_on: Callable[[], bool] | None = None, idle_s: float | None = None,
) -> Heard | Failure:  # fmt: skip
    """Ask once; parameters that the server refuses are left out and it is asked again, within the same deadline.

    Args:
        timeout_s: seconds for all of it.
        go_on: asked every 0.1 s; when it says no, the call is given up as `stopped`.
        idle_s: longest silence in seconds, also before the first token; None: as long as `timeout_s`.
    """
    load()
    quiet = None if idle_s is None else Quiet(idle_s)
    work = _chat(server, model, messages, max_tokens, manners, quiet)
    return asyncio.run(_within(work, timeout_s, go_on, quiet))


def list_models(server: Server, timeout_s: float) -> tuple[str, ...] | Failure:
    """The names of the models that a server offers, sorted."""
    load()
    return asyncio.run(_within(_list(server), timeout_s, None))


def load() -> None:
    """Import the library before the time is taken (about a second, once), and keep it quiet."""
    import openai  # noqa: F401  # what is loaded here is found at once where it is used

    for name in ("openai", "httpx2", "httpcore2", "httpx", "httpcore"):  # at DEBUG they quote questions and headers
        logging.getLogger(name).setLevel(logging.WARNING)


class Quiet:
    """How long a server may say nothing: `heard` begins the time anew. Lives in the loop of one call."""

    def __init__(self, idle_s: float) -> None:
        self._idle_s = idle_s
        self._since: float | None = None

    def heard(self) -> None:
        """Something came."""
        self._since = asyncio.get_running_loop().time()

    def left(self) -> float:
        """Seconds until it was silent for too long."""
        now = asyncio.get_running_loop().time()
        self._since = now if self._since is None else self._since
        return self._since + self._idle_s - now


async def _within(
    work: Coroutine[Any, Any, ResultT | Failure], timeout_s: float, go_on: Callable[[], bool] | None,
    quiet: Quiet | None = None,
) -> ResultT | Failure:  # fmt: skip
    loop = asyncio.get_running_loop()
    end = loop.time() + timeout_s
    task = asyncio.ensure_future(work)
    try:
        while not task.done():
            left = end - loop.time()
            silence = left if quiet is None else quiet.left()
            if left <= 0:
                return Failure("timeout")
            if silence <= 0:
                return SILENT
            left = min(left, silence)
            if go_on is not None and not go_on():
                return STOPPED
            await asyncio.wait({task}, timeout=left if go_on is None else min(left, LOOK_S))
        return task.result()
    finally:
        if not task.done():
            task.cancel()
            await asyncio.wait({task}, timeout=CLOSE_S)
            if task.done() and not task.cancelled():
                task.exception()  # a fault while closing changes nothing any more


@asynccontextmanager
async def client(server: Server) -> AsyncIterator["openai.AsyncOpenAI"]:
    """A client of that server and of nothing else, closed with the block."""
    import openai

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
    made = openai.AsyncOpenAI(
        api_key="none", organization="", project="", admin_api_key="", webhook_secret="", base_url=server.url,
        max_retries=0, http_client=http, timeout=openai.Timeout(None, connect=CONNECT_S),
    )  # fmt: skip
    async with made:
        yield made


async def _chat(
    server: Server, model: str, messages: Sequence[Message], max_tokens: int, manners: Manners, quiet: Quiet | None
) -> Heard | Failure:
    async with client(server) as found:
        first: Failure | None = None
        while True:
            fault = await faults_caught(_once(found, model, messages, max_tokens, manners, quiet))
            if not isinstance(fault, Fault):
                return fault
            failure = fault.failure
            if failure.kind != "http" or failure.detail == "too_long" or failure.status not in _REFUSALS:
                return failure
            gentler = without_what_it_refused(manners, fault.words)
            first = first or failure
            if gentler is None:
                return first
            manners = gentler


async def _once(
    client: "openai.AsyncOpenAI", model: str, messages: Sequence[Message], max_tokens: int, manners: Manners,
    quiet: Quiet | None,
) -> Heard | Failure:  # fmt: skip
    options: dict[str, Any] = {manners.tokens_name: max_tokens}
    if manners.no_reasoning:  # the limits of tokens and time are meant for the answer (spec 03 §3, call)
        options["reasoning_effort"] = "none"
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
        return whole(await body_of(stream.response), manners)
    if kind not in STREAM_TYPES:
        return Failure("http", "not_openai", stream.response.status_code)
    return await collected(stream, manners, quiet.heard if quiet is not None else None)


def _as_sent(messages: Sequence[Message], manners: Manners) -> Any:
    if manners.system:
        return [{"role": message.role, "content": message.text} for message in messages]
    system = [message.text for message in messages if message.role == "system"]
    rest = [{"role": message.role, "content": message.text} for message in messages if message.role != "system"]
    rest[0]["content"] = "\n\n".join([*system, rest[0]["content"]])
    return rest


async def _list(server: Server) -> tuple[str, ...] | Failure:
    async def names(client: "openai.AsyncOpenAI") -> tuple[str, ...] | Failure:
        page = await client.models.list()
        found = [getattr(item, "id", None) for item in items(getattr(page, "data", None))]
        known = sorted({name for name in found if isinstance(name, str) and 0 < len(name) <= 200})
        return tuple(known[:MODELS_MAX]) if isinstance(getattr(page, "data", None), list) else NOT_OPENAI

    async with client(server) as found:
        result = await faults_caught(names(found))
    return result.failure if isinstance(result, Fault) else result
