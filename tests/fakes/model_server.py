"""A language-model server on the loopback: the OpenAI chat protocol with streaming, answering what a test scripts."""

import json
import threading
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final

Request = dict[str, Any]
Text = str | Callable[[Request], str]
LONGEST_S: Final = 60.0
"""No request is held longer, whatever a test forgot."""


@dataclass(frozen=True)
class Reply:
    """How one request is answered.

    `text` the answer, or a function of the request's JSON; `finish_reason` stop, length, content_filter; `status` other
    than 200 answers with an error body of that `code` and `message`; `reasoning` is sent as `reasoning_content`;
    `refusal` as such. `hang`: nothing is sent until the server is closed or the client is gone. `delay_s` before the
    first byte; `trickle_s` between two pieces of `piece` characters; `cut_after`: the connection is broken after that
    many pieces. `stream=False`: plain JSON even if a stream was asked for. `body`: these bytes instead of all.
    `usage=False`: no token counts. `tool_calls`: `{"id", "name", "arguments"}` each, `arguments` a string (any) or an
    object; their arguments come in pieces, those of several calls in turn; then `finish_reason` is `tool_calls` unless
    another one is given. `retry_after`: that header, with another status than 200.
    """

    text: Text = "{}"
    finish_reason: str = "stop"
    status: int = 200
    code: str | None = None
    message: str = "scripted"
    reasoning: str = ""
    refusal: str = ""
    hang: bool = False
    delay_s: float = 0.0
    trickle_s: float = 0.0
    piece: int = 7
    cut_after: int | None = None
    stream: bool = True
    body: bytes | None = None
    content_type: str = "text/html"
    location: str = ""
    usage: bool = True
    tool_calls: Sequence[Mapping[str, Any]] = ()
    retry_after: str = ""

    @property
    def finish(self) -> str:
        """The reason for the end that is sent."""
        return "tool_calls" if self.tool_calls and self.finish_reason == "stop" else self.finish_reason


class ModelServer:
    """`url` is the base URL for a model slot. Scripted replies are used up in order, then `always` holds.

    `requests` are the JSON bodies of chat requests in order, `headers` their headers. A request that was not scripted
    is answered with status 500.
    """

    def __init__(self, models: tuple[str, ...] = ("tiny", "large")) -> None:
        self.models = models
        self.requests: list[Request] = []
        self.headers: list[dict[str, str]] = []
        self.listings = 0
        self.rejected: dict[str, str] = {}
        """Parameters that are answered with 400, with the message."""
        self.key: str | None = None
        """If set, other keys get 401."""
        self.released = threading.Event()
        self._lock = threading.Lock()
        self._queue: deque[Reply] = deque()
        self._always = Reply(status=500, message="nothing was scripted")
        self._http = _Server(("127.0.0.1", 0), _handler(self))
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.02,), name="model-server")
        self._thread.start()

    @property
    def origin(self) -> str:
        """Scheme, host and port."""
        return f"http://127.0.0.1:{self._http.server_address[1]}"

    @property
    def url(self) -> str:
        """The base URL for a slot."""
        return f"{self.origin}/v1"

    def answer(self, text: Text = "{}", **how: Any) -> "ModelServer":
        """Script the next reply; `how`: the fields of `Reply`. Returns the server, for chains."""
        with self._lock:
            self._queue.append(Reply(text=text, **how))
        return self

    def always(self, text: Text = "{}", **how: Any) -> "ModelServer":
        """Script every reply after the queue is used up."""
        with self._lock:
            self._always = Reply(text=text, **how)
        return self

    def said(self, number: int = -1) -> str:
        """All message texts of a request, joined."""
        return "\n".join(str(message["content"]) for message in self.requests[number]["messages"])

    def release(self) -> None:
        """Let hanging requests go, and hang no more."""
        self.released.set()

    def close(self) -> None:
        """Stop; every thread ends."""
        self.release()
        self._http.shutdown()
        self._thread.join()
        self._http.server_close()

    def next_reply(self, request: Request) -> Reply:
        """What this request gets."""
        with self._lock:
            self.requests.append(request)
            for name, message in self.rejected.items():
                if name in request:
                    return Reply(status=400, message=message)
            reply = self._queue.popleft() if self._queue else self._always
        return replace(reply, text=reply.text(request)) if callable(reply.text) else reply


class _Server(ThreadingHTTPServer):
    daemon_threads = False  # server_close joins them
    block_on_close = True

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that went away is no fault."""


@dataclass
class _Pieces:
    """A reply as events of a stream."""

    reply: Reply
    request: Request
    made: list[dict[str, Any]] = field(default_factory=list)

    def events(self) -> list[dict[str, Any]]:
        self._add({"role": "assistant", "content": ""})
        for n in range(0, len(self.reply.reasoning), self.reply.piece):
            self._add({"reasoning_content": self.reply.reasoning[n : n + self.reply.piece]})
        text = str(self.reply.text)
        for n in range(0, len(text), self.reply.piece):
            self._add({"content": text[n : n + self.reply.piece]})
        self._add_calls()
        if self.reply.refusal:
            self._add({"refusal": self.reply.refusal})
        self._add({}, self.reply.finish)
        if self.reply.usage and self.request.get("stream_options", {}).get("include_usage"):
            self.made.append({**self._frame(), "choices": [], "usage": _usage(self.request, text)})
        return self.made

    def _add_calls(self) -> None:
        rest = []
        for index, call in enumerate(self.reply.tool_calls):
            function = {"name": call["name"], "arguments": ""}
            self._add({"tool_calls": [{"index": index, "id": call["id"], "type": "function", "function": function}]})
            rest.append(_arguments(call))
        while any(rest):
            for index, text in enumerate(rest):
                if text:
                    piece, rest[index] = text[: self.reply.piece], text[self.reply.piece :]
                    self._add({"tool_calls": [{"index": index, "function": {"arguments": piece}}]})

    def _add(self, delta: dict[str, Any], finish: str | None = None) -> None:
        self.made.append({**self._frame(), "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]})

    def _frame(self) -> dict[str, Any]:
        return {"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": self.request.get("model", "")}


def _arguments(call: Mapping[str, Any]) -> str:
    return call["arguments"] if isinstance(call["arguments"], str) else json.dumps(call["arguments"])


def _whole_calls(reply: Reply) -> list[dict[str, Any]] | None:
    return [
        {"id": call["id"], "type": "function", "function": {"name": call["name"], "arguments": _arguments(call)}}
        for call in reply.tool_calls
    ] or None


def _usage(request: Request, text: str) -> dict[str, int]:
    sent = sum(len(str(message["content"]).split()) for message in request["messages"])
    return {"prompt_tokens": sent, "completion_tokens": len(text.split()), "total_tokens": sent + len(text.split())}


def _handler(server: ModelServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_: object) -> None:
            """Silent."""

        def do_GET(self) -> None:
            server.listings += 1
            if not self._allowed():
                return
            if self.path.endswith("/v1/models"):
                self._json(200, {"object": "list", "data": [{"id": name, "object": "model"} for name in server.models]})
            else:
                self._json(404, {"error": {"message": "no such page"}})

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            if not self.path.endswith("/v1/chat/completions"):
                self._json(404, {"error": {"message": "no such page"}})
                return
            server.headers.append(dict(self.headers.items()))
            request = json.loads(body)
            reply = server.next_reply(request)
            if not self._allowed():
                return
            if reply.hang:
                self._hang()
                return
            server.released.wait(reply.delay_s)
            self._answer(reply, request)

        def _allowed(self) -> bool:
            if server.key is None or self.headers.get("Authorization") == f"Bearer {server.key}":
                return True
            self._json(401, {"error": {"message": "Incorrect API key provided", "code": "invalid_api_key"}})
            return False

        def _hang(self) -> None:
            self.connection.settimeout(0.02)
            for _ in range(int(LONGEST_S / 0.02)):
                if server.released.is_set():
                    break
                try:
                    if not self.connection.recv(1):
                        break
                except TimeoutError:
                    continue
                except OSError:
                    break
            self.close_connection = True

        def _answer(self, reply: Reply, request: Request) -> None:
            if reply.body is not None:
                self._send(reply.status, reply.body, reply.content_type)
            elif reply.status != 200:
                error = {"error": {"message": reply.message, "code": reply.code}}
                extra = {"Retry-After": reply.retry_after} if reply.retry_after else {}
                self._json(reply.status, error, reply.location, extra)
            elif request.get("stream") and reply.stream:
                self._stream(reply, request)
            else:
                message = {"role": "assistant", "content": reply.text, "reasoning_content": reply.reasoning or None,
                           "refusal": reply.refusal or None, "tool_calls": _whole_calls(reply)}  # fmt: skip
                self._json(200, {
                    "id": "c1", "object": "chat.completion", "created": 1, "model": request.get("model", ""),
                    "choices": [{"index": 0, "message": message, "finish_reason": reply.finish}],
                    "usage": _usage(request, str(reply.text)) if reply.usage else None,
                })  # fmt: skip

        def _stream(self, reply: Reply, request: Request) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            for n, event in enumerate(_Pieces(reply, request).events()):
                if reply.cut_after is not None and n >= reply.cut_after:
                    self.close_connection = True
                    return
                self._chunk(f"data: {json.dumps(event)}\n\n".encode())
                if reply.trickle_s:
                    server.released.wait(reply.trickle_s)
            self._chunk(b"data: [DONE]\n\n")
            self.wfile.write(b"0\r\n\r\n")

        def _chunk(self, data: bytes) -> None:
            self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
            self.wfile.flush()

        def _json(self, status: int, value: object, location: str = "", extra: Mapping[str, str] | None = None) -> None:
            headers = {**({"Location": location} if location else {}), **(extra or {})}
            self._send(status, json.dumps(value).encode(), "application/json", headers)

        def _send(self, status: int, data: bytes, content_type: str, extra: Mapping[str, str] | None = None) -> None:
            self.send_response(status)
            self.send_header("Content-Type", content_type)
            self.send_header("Content-Length", str(len(data)))
            for name, value in (extra or {}).items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(data)

    return Handler
