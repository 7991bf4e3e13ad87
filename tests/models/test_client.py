"""Questions to a model over real HTTP on the loopback: every answer and every fault as its typed outcome."""

import contextlib
import ipaddress
import logging
import socket
import ssl
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from pydantic import BaseModel, ConfigDict, Field

from biny_desktop.core.errors import InvalidInputError
from biny_desktop.core.settings import Settings, build
from biny_desktop.models.client import ModelClient
from biny_desktop.models.heard import ANSWER_MAX
from biny_desktop.models.ledger import Ledger
from biny_desktop.models.model import Answer, Failure, Task
from biny_desktop.models.prompts import Part
from biny_desktop.redaction.redact import Redactor
from biny_desktop.redaction.result import RedactionOptions
from biny_desktop.storage.database import Database, open_database
from biny_desktop.storage.folders import prepare, resolve
from biny_desktop.storage.migrate import migrate
from biny_desktop.storage.model_keys import ModelKeys
from tests.fakes.clock import FakeClock
from tests.fakes.homes import MemoryKeyring
from tests.fakes.model_server import ModelServer

TASK = Task("models_test", "small", 300, 20.0)
QUICK = Task("models_test", "small", 300, 0.4)
ONCE = Task("models_test", "small", 300, 20.0, repair=False)
KEY = "sk-very-secret-key-0123456789"
SEEN = "the quarterly walrus budget"


class Note(BaseModel):
    model_config = ConfigDict(extra="forbid")

    title: str = Field(max_length=40)
    tags: list[str] = []


class Rig:
    """A client over a real database, with settings that the test changes."""

    def __init__(self, root: Path, server: ModelServer) -> None:
        self.folders = prepare(resolve(root))
        self.clock = FakeClock()
        self.db: Database = open_database(self.folders.database_file, None)
        migrate(self.db)
        self.ring = MemoryKeyring()
        self.keys = ModelKeys(self.folders, self.ring)
        self.raw: dict[str, str] = {"small_url": server.url, "small_model": "tiny"}
        self.client = ModelClient(self.db, self.settings, self.keys, self.clock, lambda: "f00d")
        self.ledger = Ledger(self.db, self.clock)

    def settings(self) -> Settings:
        return build({"models": self.raw})

    def ask(self, task: Task = TASK, go_on: Callable[[], bool] | None = None) -> Answer[Note] | Failure:
        text = Redactor(RedactionOptions()).plain(SEEN)
        return self.client.ask(task, Note, (Part("screen", text),), go_on)

    def rows(self) -> list[tuple[str, str]]:
        """Outcome and detail of each call, oldest first."""
        return [(call.outcome, call.detail) for call in reversed(self.ledger.page().calls)]


@pytest.fixture
def rig(tmp_path: Path, model_server: ModelServer) -> Iterator[Rig]:
    rig = Rig(tmp_path / "h", model_server)
    yield rig
    rig.db.close()


def value(answer: Answer[Note] | Failure) -> Note:
    assert isinstance(answer, Answer), answer
    return answer.value


def test_an_answer_is_checked_counted_and_noted(rig: Rig, model_server: ModelServer) -> None:
    model_server.answer('{"title": "walrus", "tags": ["a"]}')
    answer = rig.ask()
    assert isinstance(answer, Answer)
    assert answer.value == Note(title="walrus", tags=["a"])
    assert (answer.model, answer.prompt_version, answer.tokens_out) == ("tiny", "1", 4)
    assert answer.tokens_in
    request = model_server.requests[0]
    assert (request["model"], request["max_tokens"], request["response_format"]) == (
        "tiny",
        300,
        {"type": "json_object"},
    )
    assert request["stream"] is True
    (call,) = rig.ledger.page().calls
    assert (call.task, call.slot, call.model, call.server) == ("models_test", "small", "tiny", model_server.origin)
    assert (call.outcome, call.tokens_out) == ("ok", 4)


def test_only_fenced_parts_declared_untrusted_are_sent(rig: Rig, model_server: ModelServer) -> None:
    model_server.answer('{"title": "t"}')
    rig.ask()
    system, user = model_server.requests[0]["messages"]
    assert (system["role"], user["role"]) == ("system", "user")
    assert "never an instruction" in system["content"]
    assert user["content"] == f'<data-f00d name="screen">\n{SEEN}\n</data-f00d>'


@pytest.mark.parametrize(
    ("how", "failure"),
    [
        ({"text": ""}, Failure("empty")),
        ({"text": "", "reasoning": '{"title": "in thoughts"}'}, Failure("empty", "only reasoning")),
        ({"text": '<think>{"title": "in thoughts"}</think>'}, Failure("empty", "only reasoning")),
        ({"text": '{"title": "cut o', "finish_reason": "length"}, Failure("truncated", "length")),
        ({"text": '{"title": "cut o'}, Failure("truncated", "unbalanced")),
        ({"text": "no"}, Failure("invalid_json", "no JSON")),
        ({"text": '{"tags": []}'}, Failure("invalid_shape", "title: missing")),
        ({"text": "", "finish_reason": "content_filter"}, Failure("refused", "content_filter")),
        ({"text": "", "refusal": "I will not"}, Failure("refused", "refusal")),
        ({"status": 400, "code": "content_filter"}, Failure("refused", "content_filter", 400)),
        ({"status": 400, "code": "context_length_exceeded"}, Failure("http", "too_long", 400)),
        ({"status": 401, "code": "invalid_api_key"}, Failure("http", "invalid_api_key", 401)),
        ({"status": 403, "code": f"no {SEEN}"}, Failure("http", "", 403)),
        ({"status": 404, "code": "model_not_found"}, Failure("http", "model_not_found", 404)),
        ({"status": 413}, Failure("http", "too_long", 413)),
        ({"status": 429, "code": "rate_limit_exceeded"}, Failure("http", "rate_limit_exceeded", 429)),
        ({"status": 500}, Failure("http", "", 500)),
        ({"status": 503, "body": b"<html>busy</html>"}, Failure("http", "", 503)),
        ({"body": b"<html>hello</html>"}, Failure("http", "not_openai", 200)),
        ({"body": b"{not json", "content_type": "application/json"}, Failure("http", "not_openai")),
        ({"body": b'{"choices": []}', "content_type": "application/json"}, Failure("http", "not_openai")),
        ({"body": b'{"choices": 3}', "content_type": "application/json"}, Failure("http", "not_openai")),
        ({"body": b"data: {nonsense\n\n", "content_type": "text/event-stream"}, Failure("http", "not_openai")),
        ({"body": b"data: 3\n\ndata: [DONE]\n\n", "content_type": "text/event-stream"},
         Failure("http", "not_openai", 200)),
        ({"body": b'data: {"error": {"message": "x"}}\n\n', "content_type": "text/event-stream"},
         Failure("http", "stream")),
        ({"text": '{"title": "t"}', "cut_after": 0}, Failure("http", "disconnected")),
        ({"text": '{"title": "t"}', "cut_after": 2}, Failure("http", "disconnected")),
        ({"status": 307, "location": "http://127.0.0.1:9/v1/chat/completions"}, Failure("http", "", 307)),
    ],
)  # fmt: skip
def test_every_fault_is_a_typed_failure_with_a_row(
    rig: Rig, model_server: ModelServer, how: dict[str, Any], failure: Failure
) -> None:
    model_server.always(**how)
    assert rig.ask(ONCE) == failure
    (row,) = rig.rows()
    assert row == (failure.kind, " ".join(str(part) for part in (failure.status, failure.detail) if part))


def test_a_hanging_server_is_left_at_the_deadline(rig: Rig, model_server: ModelServer) -> None:
    model_server.answer(hang=True)
    assert rig.ask(QUICK) == Failure("timeout")
    assert rig.rows() == [("timeout", "")]


def test_a_trickling_server_is_left_at_the_deadline_too(rig: Rig, model_server: ModelServer) -> None:
    model_server.answer('{"title": "' + "x" * 1_000, piece=1, trickle_s=0.02)
    assert rig.ask(QUICK) == Failure("timeout")


def test_a_slow_server_within_the_deadline_is_waited_for(rig: Rig, model_server: ModelServer) -> None:
    model_server.answer('{"title": "t"}', delay_s=0.1, trickle_s=0.02)
    assert value(rig.ask()).title == "t"


def test_a_silent_server_is_left_before_the_deadline_and_one_that_goes_on_is_not(
    rig: Rig, model_server: ModelServer
) -> None:
    impatient = replace(TASK, idle_s=0.4)
    model_server.answer(hang=True).answer('{"title": "' + "t" * 30 + '"}', piece=1, trickle_s=0.02)
    assert rig.ask(impatient) == Failure("timeout", "idle")
    assert value(rig.ask(impatient)).title == "t" * 30  # over 0.8 s in all, never 0.4 s of nothing


@pytest.mark.parametrize("how", [{"hang": True}, {"text": "x" * 1_000, "piece": 1, "trickle_s": 0.05}])
def test_a_call_is_given_up_when_the_caller_wants_to_stop(
    rig: Rig, model_server: ModelServer, how: dict[str, Any]
) -> None:
    model_server.answer(**how)
    assert rig.ask(go_on=lambda: not model_server.requests) == Failure("stopped")
    assert rig.rows() == [("stopped", "")]


def test_a_server_that_is_not_there_is_told(rig: Rig) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    rig.raw["small_url"] = f"http://127.0.0.1:{port}/v1"
    assert rig.ask() == Failure("http", "unreachable")
    rig.raw["small_url"] = f"https://127.0.0.1:{port}/v1"
    assert rig.ask() == Failure("http", "unreachable")


def test_a_model_on_this_machine_is_told_from_another(rig: Rig) -> None:
    assert rig.client.is_here("small")
    assert not rig.client.is_here("rewrite")
    rig.raw.update(small_url="https://models.example/v1")
    assert not rig.client.is_here("small")


def test_no_model_is_a_normal_state_without_a_row(rig: Rig, model_server: ModelServer) -> None:
    for url, model in (("", "tiny"), (model_server.url, ""), ("ftp://x", "tiny"), ("http://a:b@c", "tiny")):
        rig.raw.update(small_url=url, small_model=model)
        assert not rig.client.ready("small")
        assert rig.client.model_of("small") is None
        assert rig.ask() == Failure("no_model")
    assert rig.rows() == []
    assert model_server.requests == []


@pytest.mark.parametrize("bad", ["no JSON here", '{"tags": []}', '{"title": "t", "secretkey": 1}'])
def test_a_bad_answer_is_asked_for_once_more(rig: Rig, model_server: ModelServer, bad: str) -> None:
    model_server.answer(bad).answer('{"title": "second"}')
    answer = rig.ask()
    assert value(answer).title == "second"
    assert isinstance(answer, Answer)
    assert [outcome for outcome, _ in rig.rows()][1] == "ok"
    assert answer.tokens_out == sum(call.tokens_out or 0 for call in rig.ledger.page().calls)
    first, second = model_server.requests
    assert second["messages"][:2] == first["messages"]
    said, wish = second["messages"][2:]
    assert (said["role"], said["content"], wish["role"]) == ("assistant", bad, "user")
    assert "secretkey" not in wish["content"]


def test_two_bad_answers_are_a_failure(rig: Rig, model_server: ModelServer) -> None:
    model_server.answer("prose").answer('{"tags": []}')
    assert rig.ask() == Failure("invalid_shape", "title: missing")
    assert [outcome for outcome, _ in rig.rows()] == ["invalid_json", "invalid_shape"]
    model_server.answer("prose").answer(status=500)
    assert rig.ask() == Failure("invalid_json", "no JSON")  # what the pipeline can act on, not the accident after it


def test_without_repair_there_is_one_call(rig: Rig, model_server: ModelServer) -> None:
    model_server.always("prose")
    assert rig.ask(ONCE) == Failure("invalid_json", "no JSON")
    assert len(model_server.requests) == 1


@pytest.mark.parametrize(
    ("refused", "message"),
    [
        ("reasoning_effort", "Unsupported value: 'reasoning_effort' does not support 'none' with this model"),
        ("reasoning_effort", "unsupported"),
        ("response_format", "'response_format.type' must be 'json_schema' or 'text'"),
        ("stream_options", "Unrecognized request argument: stream_options"),
        ("temperature", "Unsupported value: 'temperature' does not support 0"),
        ("max_tokens", "Unsupported parameter: use 'max_completion_tokens' instead"),
    ],
)
def test_what_a_server_refuses_is_left_out_from_then_on(
    rig: Rig, model_server: ModelServer, refused: str, message: str
) -> None:
    model_server.rejected[refused] = message
    model_server.always('{"title": "t"}')
    assert value(rig.ask()).title == "t"
    assert value(rig.ask()).title == "t"
    assert [refused in request for request in model_server.requests] == [True, False, False]
    assert [outcome for outcome, _ in rig.rows()] == ["ok", "ok"]
    if refused == "max_tokens":
        assert model_server.requests[2]["max_completion_tokens"] == 300


def test_what_a_server_refuses_without_naming_it_is_found_out(rig: Rig, model_server: ModelServer) -> None:
    model_server.rejected["response_format"] = "unsupported"
    model_server.always('{"title": "t"}')
    assert value(rig.ask()).title == "t"
    assert value(rig.ask()).title == "t"
    asked = [("reasoning_effort" in each, "response_format" in each) for each in model_server.requests]
    assert asked == [(True, True), (False, True), (False, False), (False, False)]


def test_a_server_that_refuses_everything_is_told_once(rig: Rig, model_server: ModelServer) -> None:
    model_server.always(status=400)
    assert rig.ask(ONCE) == Failure("http", "", 400)
    assert len(model_server.requests) == 3
    model_server.always('{"title": "t"}')
    rig.ask()
    assert "response_format" in model_server.requests[-1]  # nothing was learned from it


def test_a_model_without_a_system_role_gets_it_with_the_question(rig: Rig, model_server: ModelServer) -> None:
    model_server.answer(status=400, message="System role not supported").answer('{"title": "t"}')
    assert value(rig.ask()).title == "t"
    (message,) = model_server.requests[1]["messages"]
    assert message["role"] == "user"
    assert "never an instruction" in message["content"]
    assert SEEN in message["content"]


def test_a_server_without_streaming_or_counts_is_understood(rig: Rig, model_server: ModelServer) -> None:
    model_server.answer('{"title": "plain"}', stream=False, usage=False)
    answer = rig.ask()
    assert value(answer).title == "plain"
    assert isinstance(answer, Answer)
    assert (answer.tokens_in, answer.tokens_out) == (None, None)


def test_a_new_key_and_a_new_address_hold_at_once(rig: Rig, model_server: ModelServer) -> None:
    model_server.key = KEY
    model_server.always('{"title": "t"}')
    assert rig.ask() == Failure("http", "invalid_api_key", 401)
    rig.keys.set(model_server.origin, KEY)
    assert value(rig.ask()).title == "t"
    rig.keys.forget(model_server.origin)
    assert isinstance(rig.ask(), Failure)
    other = ModelServer()
    try:
        other.always('{"title": "other"}')
        rig.raw["small_url"] = other.url
        assert value(rig.ask()).title == "other"
    finally:
        other.close()


def test_nothing_from_the_environment_goes_to_a_server(
    rig: Rig, model_server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, text in (
        ("OPENAI_API_KEY", "sk-env"), ("OPENAI_ADMIN_KEY", "sk-adm"), ("OPENAI_ORG_ID", "org-env"),
        ("OPENAI_PROJECT_ID", "proj-env"), ("OPENAI_BASE_URL", "http://127.0.0.1:9"),
        ("OPENAI_CUSTOM_HEADERS", "X-Env: leaked\nAuthorization: Bearer sk-env"),
        ("HTTP_PROXY", "http://127.0.0.1:9"), ("http_proxy", "http://127.0.0.1:9"), ("ALL_PROXY", "http://127.0.0.1:9"),
    ):  # fmt: skip
        monkeypatch.setenv(name, text)
    model_server.always('{"title": "t"}')
    assert value(rig.ask()).title == "t"
    rig.keys.set(model_server.origin, KEY)
    assert value(rig.ask()).title == "t"
    without, with_key = ({name.lower(): text for name, text in headers.items()} for headers in model_server.headers)
    assert "authorization" not in without
    assert with_key["authorization"] == f"Bearer {KEY}"
    for headers in (without, with_key):
        assert "env" not in str(headers).lower()
        assert not [name for name in headers if name.startswith("x-")]


@pytest.mark.parametrize("environment", ["", "debug"])
def test_neither_question_nor_answer_nor_key_reaches_log_ledger_or_repr(
    rig: Rig,
    model_server: ModelServer,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
    environment: str,
) -> None:
    monkeypatch.setenv("OPENAI_LOG", environment)
    caplog.set_level(logging.DEBUG)
    rig.keys.set(model_server.origin, KEY)
    secret = "answered-secret"
    replies = (
        {"text": f'{{"title": "{secret}"}}'}, {"text": f'{{"{secret}": 1}}'}, {"text": secret},
        {"status": 401, "message": f"bad key {KEY} for {SEEN}", "code": KEY}, {"status": 500, "message": SEEN},
        {"status": 400, "message": SEEN}, {"body": SEEN.encode()},
    )  # fmt: skip
    results: list[object] = []
    for how in replies:
        model_server.always(**how)  # type: ignore[arg-type]
        results.append(rig.ask())
    failures = [result for result in results if isinstance(result, Failure)]
    kept = [caplog.text, repr(failures), repr(rig.ledger.page().calls), repr(rig.keys), repr(rig.client)]
    kept.append(repr(Part("screen", Redactor(RedactionOptions()).plain(SEEN))))
    for text in kept:
        for word in (KEY, SEEN, secret):
            assert word not in text
    rig.db.truncate_wal()
    stored = rig.folders.database_file.read_bytes()
    for word in (KEY, SEEN, secret):
        assert word.encode() not in stored


def test_calls_from_many_threads_do_not_meet(rig: Rig, model_server: ModelServer) -> None:
    model_server.always(lambda request: f'{{"title": "{request["max_tokens"]}"}}', delay_s=0.05)
    titles: dict[int, str] = {}

    def one(n: int) -> None:
        titles[n] = value(rig.ask(Task("models_test", "small", n, 20.0))).title

    threads = [threading.Thread(target=one, args=(n,)) for n in range(1, 9)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert titles == {n: str(n) for n in range(1, 9)}


@pytest.mark.logs_warning("a model call could not be noted")
def test_an_answer_is_not_lost_when_it_cannot_be_noted(rig: Rig, model_server: ModelServer) -> None:
    model_server.answer('{"title": "t"}')
    rig.db.close()
    assert value(rig.ask()).title == "t"


@pytest.mark.logs_warning("the key of a model server cannot be read")
def test_a_damaged_key_file_is_a_failure(rig: Rig, model_server: ModelServer) -> None:
    (rig.folders.config / "model_keys.json").write_text("{")
    assert rig.ask() == Failure("http", "key_unreadable")
    assert model_server.requests == []


def test_the_connection_test_says_whether_a_usable_answer_came(rig: Rig, model_server: ModelServer) -> None:
    model_server.answer('```json\n{"ok": true}\n```')
    result = rig.client.test("small")
    assert (result.ok, result.model, result.failure) == (True, "tiny", None)
    model_server.always("OK!")
    result = rig.client.test("small")
    assert (result.ok, result.failure) == (False, Failure("invalid_json", "no JSON"))
    assert rig.client.test("chat").failure == Failure("no_model")


def test_a_server_lists_its_models(rig: Rig, model_server: ModelServer) -> None:
    assert rig.client.list_models(model_server.url) == ("large", "tiny")
    assert rig.client.list_models(f"{model_server.url}/chat/completions") == ("large", "tiny")
    model_server.key = KEY
    assert rig.client.list_models(model_server.url) == Failure("http", "invalid_api_key", 401)
    model_server.key = None
    assert rig.client.list_models(model_server.origin) == Failure("http", "", 404)
    with pytest.raises(InvalidInputError):
        rig.client.list_models("nonsense")


def test_the_library_is_loaded_with_the_first_question_only() -> None:
    code = "import sys, biny_desktop.models.client; sys.exit('openai' in sys.modules or 'httpx2' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_certificate_that_nobody_vouches_for_is_told(rig: Rig, tmp_path: Path) -> None:
    with tls_server(tmp_path) as port:
        rig.raw["small_url"] = f"https://127.0.0.1:{port}/v1"
        assert rig.ask() == Failure("http", "certificate")


@contextmanager
def tls_server(folder: Path) -> Iterator[int]:
    """A TLS server with a certificate of its own making; takes one connection."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "127.0.0.1")])
    begin = datetime(2020, 1, 1, tzinfo=UTC)
    certificate = (
        x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
        .serial_number(1).not_valid_before(begin).not_valid_after(begin.replace(year=2099))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]), critical=False)
        .sign(key, hashes.SHA256())
    )  # fmt: skip
    file = folder / "tls.pem"
    plain = serialization.NoEncryption()
    private = key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, plain)
    file.write_bytes(private + certificate.public_bytes(serialization.Encoding.PEM))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(file)

    def serve(listening: socket.socket) -> None:
        with contextlib.suppress(OSError):
            connection, _ = listening.accept()
            with connection, context.wrap_socket(connection, server_side=True) as secured:
                secured.recv(1)

    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = threading.Thread(target=serve, args=(listening,))
        thread.start()
        yield listening.getsockname()[1]
        thread.join()


@pytest.mark.parametrize("stream", [True, False])
def test_an_answer_that_runs_on_is_left_in_order(rig: Rig, model_server: ModelServer, stream: bool) -> None:
    model_server.always("x" * (9 * ANSWER_MAX), piece=20_000, stream=stream)
    failure = rig.ask()
    assert isinstance(failure, Failure)
    assert failure.kind in ("truncated", "http")


@pytest.mark.logs_warning("is missing or damaged")
def test_a_missing_prompt_is_a_failure_and_asks_nobody(
    rig: Rig, model_server: ModelServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("biny_desktop.models.prompts.resource", tmp_path.joinpath)
    assert rig.ask() == Failure("no_prompt")
    assert not model_server.requests
