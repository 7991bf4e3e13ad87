"""A streamed conversation over real HTTP on the loopback: tools, faults, retries, stops."""

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from biny_desktop.core.settings import Settings, build
from biny_desktop.core.text import RedactedText
from biny_desktop.models.chat_client import ChatClient
from biny_desktop.models.chat_wire import ChatLimits
from biny_desktop.models.ledger import Ledger
from biny_desktop.models.model import ChatMessage, ChatReply, Failure, ToolCall, ToolSpec
from biny_desktop.redaction import from_row
from biny_desktop.storage.database import Database, open_database
from biny_desktop.storage.folders import prepare, resolve
from biny_desktop.storage.migrate import migrate
from biny_desktop.storage.model_keys import ModelKeys
from tests.fakes.clock import FakeClock
from tests.fakes.homes import MemoryKeyring
from tests.fakes.model_server import ModelServer

TOOL = ToolSpec("look_up", "Looks something up.", {"type": "object", "properties": {"q": {"type": "string"}}})


def text(words: str) -> RedactedText:
    return from_row(words)


class Rig:
    def __init__(self, root: Path, server: ModelServer) -> None:
        folders = prepare(resolve(root))
        self.clock, self.server = FakeClock(), server
        self.db: Database = open_database(folders.database_file, None)
        migrate(self.db)
        self.settings: Settings = build({"models": {"chat_url": server.url, "chat_model": "large"}})
        self.keys = ModelKeys(folders, MemoryKeyring())
        self.client = self.limited(20.0, 20.0)
        self.ledger = Ledger(self.db, self.clock)
        self.heard: list[tuple[str, str]] = []
        self.stop = threading.Event()

    def limited(self, first_s: float, between_s: float) -> ChatClient:
        limits = ChatLimits(first_s, between_s)
        return ChatClient(self.db, lambda: self.settings, self.keys, self.clock, limits)

    def ask(self, *messages: ChatMessage, tools: tuple[ToolSpec, ...] = (TOOL,)) -> ChatReply | Failure:
        asked = messages or (ChatMessage("system", text("rules")), ChatMessage("user", text("hi")))
        return self.client.stream(
            asked, tools, max_tokens=100, hear=self.hear, go_on=lambda: not self.stop.is_set(), version="1"
        )

    def hear(self, kind: str, piece: str) -> None:
        self.heard.append((kind, piece))

    def said(self, kind: str = "delta") -> str:
        return "".join(piece for what, piece in self.heard if what == kind)


@pytest.fixture
def rig(tmp_path: Path, model_server: ModelServer) -> Iterator[Rig]:
    made = Rig(tmp_path, model_server)
    yield made
    made.db.close()


def reply(result: ChatReply | Failure) -> ChatReply:
    assert isinstance(result, ChatReply), result
    return result


def test_an_answer_is_heard_piece_by_piece_and_returned_whole(rig: Rig) -> None:
    rig.server.answer("Good morning to you.", reasoning="They greet me.")
    got = reply(rig.ask())
    assert got.text == rig.said() == "Good morning to you."
    assert got.reasoning == rig.said("reasoning") == "They greet me."
    assert (got.finish, got.cut, got.model, got.tool_calls) == ("stop", "", "large", ())
    assert got.tokens_in is not None
    request = rig.server.requests[0]
    assert request["tools"][0]["function"]["name"] == "look_up"
    assert request["max_tokens"] == 100
    assert request["stream"] is True
    call = rig.ledger.page().calls[0]
    assert (call.task, call.slot, call.outcome, call.prompt_version) == ("conversation_chat", "chat", "ok", "1")


def test_reasoning_tags_in_the_text_are_reasoning(rig: Rig) -> None:
    rig.server.answer("<think>Hm, a greeting.</think>\n\nHello.", piece=3)
    got = reply(rig.ask())
    assert (got.text, got.reasoning) == ("Hello.", "Hm, a greeting.")


def test_two_calls_at_once_with_split_arguments_are_put_together(rig: Rig) -> None:
    calls = [
        {"id": "a", "name": "look_up", "arguments": {"q": "something rather long"}},
        {"id": "b", "name": "look_up", "arguments": {"q": "止损"}},
    ]
    rig.server.answer("", tool_calls=calls, piece=2)
    got = reply(rig.ask())
    assert [call.id for call in got.tool_calls] == ["a", "b"]
    assert got.tool_calls[0].arguments == '{"q": "something rather long"}'
    assert got.finish == "tool_calls"


def test_calls_without_ids_or_with_the_same_one_get_their_own(rig: Rig) -> None:
    calls: list[dict[str, Any]] = [{"id": "", "name": "look_up", "arguments": "{}"}] * 2
    rig.server.answer("", tool_calls=calls, stream=False)
    got = reply(rig.ask())
    assert len({call.id for call in got.tool_calls}) == 2


def test_the_history_is_sent_with_its_calls_and_results(rig: Rig) -> None:
    rig.server.answer("done")
    rig.ask(
        ChatMessage("user", text("one")), ChatMessage("user", text("two")),
        ChatMessage("assistant", text(""), (ToolCall("c", "look_up", '{"q": 1}'), ToolCall("d", "x", "{broken"))),
        ChatMessage("tool", text("found"), call_id="c"), ChatMessage("tool", text("no such tool"), call_id="d"),
    )  # fmt: skip
    sent = rig.server.requests[0]["messages"]
    assert [each["role"] for each in sent] == ["user", "assistant", "tool", "tool"]
    assert sent[0]["content"] == "one\n\ntwo"
    assert [each["function"]["arguments"] for each in sent[1]["tool_calls"]] == ['{"q": 1}', "{}"]
    assert sent[2]["tool_call_id"] == "c"


def test_a_server_that_refuses_tools_is_asked_without_them_and_from_then_on(rig: Rig) -> None:
    rig.server.rejected["tools"] = "this model does not support tools"
    rig.server.always("plain")
    history = (
        ChatMessage("user", text("hi")), ChatMessage("assistant", text("I look"), (ToolCall("c", "look_up", "{}"),)),
        ChatMessage("tool", text("found"), call_id="c"),
    )  # fmt: skip
    got = reply(rig.ask(*history))
    assert (got.text, got.tools_refused) == ("plain", True)
    assert ("tools_refused", "") in rig.heard
    sent = rig.server.requests[-1]
    assert "tools" not in sent
    assert [each["role"] for each in sent["messages"]] == ["user", "assistant", "user"]
    before = len(rig.server.requests)
    assert reply(rig.ask()).tools_refused
    assert len(rig.server.requests) == before + 1


def test_busy_servers_are_asked_again_after_one_and_four_seconds(rig: Rig) -> None:
    rig.server.answer(status=429).answer(status=503).answer("here")
    assert reply(rig.ask()).text == "here"
    assert [kind for kind, _ in rig.heard if kind == "retrying"] == ["retrying"] * 2
    assert sum(rig.clock.waits) == pytest.approx(5.0)
    assert [call.outcome for call in rig.ledger.page().calls] == ["ok", "http", "http"]


def test_retry_after_is_kept_up_to_half_a_minute(rig: Rig) -> None:
    rig.server.answer(status=429, retry_after="7").answer(status=429, retry_after="600").answer("here")
    assert reply(rig.ask()).text == "here"
    assert sum(rig.clock.waits) == pytest.approx(37.0)


def test_three_faults_are_a_failure_and_others_are_not_tried_again(rig: Rig) -> None:
    rig.server.always(status=500)
    failed = rig.ask(tools=())
    assert isinstance(failed, Failure)
    assert (failed.kind, failed.status) == ("http", 500)
    assert len(rig.server.requests) == 3
    rig.server.always(status=401)
    assert isinstance(rig.ask(tools=()), Failure)
    assert len(rig.server.requests) == 4


def test_a_request_that_is_too_long_says_so_at_once(rig: Rig) -> None:
    rig.server.answer(status=400, message="This model's maximum context length is 4096 tokens, however you requested")
    failed = rig.ask()
    assert isinstance(failed, Failure)
    assert failed.detail == "too_long"
    assert len(rig.server.requests) == 1


def test_silence_before_the_first_token_is_a_timeout_and_not_tried_again(rig: Rig) -> None:
    rig.client = rig.limited(0.3, 20.0)
    rig.server.answer(hang=True)
    assert rig.ask() == Failure("timeout", "first_token")
    assert len(rig.server.requests) == 1


def test_silence_in_the_middle_keeps_what_came(rig: Rig) -> None:
    rig.client = rig.limited(20.0, 0.3)
    rig.server.answer("one two three", piece=4, trickle_s=1.0)
    got = reply(rig.ask())
    assert got.cut == "timeout"
    assert got.text == "one "


def test_a_broken_stream_keeps_what_came_but_no_half_call(rig: Rig) -> None:
    rig.server.answer("one two three", piece=4, cut_after=3, tool_calls=[{"id": "a", "name": "x", "arguments": "{}"}])
    got = reply(rig.ask())
    assert (got.cut, got.text, got.tool_calls) == ("broken", "one two ", ())
    assert len(rig.server.requests) == 1


def test_a_stop_before_the_first_token_and_in_the_stream(rig: Rig) -> None:
    rig.stop.set()
    rig.server.answer(hang=True)
    assert rig.ask() == Failure("stopped")
    rig.stop.clear()
    rig.server.answer("one two three four", piece=4, trickle_s=0.1)

    def hear(kind: str, piece: str) -> None:
        rig.hear(kind, piece)
        rig.stop.set()

    got = reply(
        rig.client.stream(
            (ChatMessage("user", text("hi")),), (), max_tokens=9, hear=hear, go_on=lambda: not rig.stop.is_set()
        )
    )
    assert got.cut == "stopped"
    assert "four" not in got.text


def test_nothing_is_said_where_no_model_is_set_or_the_answer_is_empty(rig: Rig) -> None:
    rig.server.answer("")
    assert rig.ask() == Failure("empty", "")
    rig.server.answer("", reasoning="so much to think about", finish_reason="length")
    assert rig.ask() == Failure("truncated", "only reasoning")
    rig.settings = build({})
    assert rig.ask() == Failure("no_model")
    assert not rig.client.ready()


def test_a_server_without_streaming_is_heard_too(rig: Rig) -> None:
    rig.server.answer("all at once", stream=False)
    assert reply(rig.ask()).text == rig.said() == "all at once"


def test_what_is_known_of_the_model_comes_from_the_settings(rig: Rig) -> None:
    assert rig.client.profile().window is None
    rig.settings = build({"models": {"chat_window": 8192, "chat_output": 512, "chat_reference": 6000}})
    profile = rig.client.profile()
    assert (profile.window, profile.output, profile.reference_line) == (8192, 512, 6000)
