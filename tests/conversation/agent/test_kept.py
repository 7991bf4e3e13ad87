"""What is kept of an answer: redacted text, calls that stay JSON."""

import json

from hypothesis import given
from hypothesis import strategies as st

from biny_desktop.conversation.agent.kept import arguments_of, kept, same_call
from biny_desktop.models.model import ChatReply, ToolCall
from biny_desktop.redaction import RedactionOptions, Redactor

REDACTOR = Redactor(RedactionOptions())


def reply(text: str = "", *calls: ToolCall, tokens: int | None = None) -> ChatReply:
    return ChatReply(text, "", calls, "stop", "large", tokens, None)


def test_texts_in_arguments_are_redacted_and_stay_json() -> None:
    raw = json.dumps(
        {
            "note": 'the password: "hunter2secret", ok?',
            "list": ["token ghp_16C7e42F292c6912E7710c838347Ae178B4a"],
            "n": 3,
        }
    )
    call = kept(reply("x", ToolCall("c", "note", raw)), REDACTOR).calls[0]
    arguments = arguments_of(call)
    assert arguments is not None
    assert arguments["n"] == 3
    assert "hunter2secret" not in call.arguments
    assert "16C7e42F" not in call.arguments
    assert "[hidden: " in call.arguments


def test_ordinary_arguments_stay_as_they_are() -> None:
    raw = {"path": "/home/me/a.md", "expected_hash": "2d711642b726b04401627ca9fbac32f5" * 2, "text": "止损 “quoted”"}
    call = kept(reply("x", ToolCall("c", "write_file", json.dumps(raw))), REDACTOR).calls[0]
    assert arguments_of(call) == raw


def test_the_same_call_is_told_however_it_is_written() -> None:
    one, other = ToolCall("a", "x", '{"b": 1, "a": [1, 2]}'), ToolCall("b", "x", '{"a":[1,2],"b":1}')
    assert same_call(one) == same_call(other)
    assert same_call(one) != same_call(ToolCall("a", "y", one.arguments))
    assert same_call(one) != same_call(ToolCall("a", "x", "{broken"))


def test_usage_is_kept_only_when_the_server_counts() -> None:
    assert kept(reply("x"), REDACTOR).usage is None
    usage = kept(reply("x", tokens=3), REDACTOR).usage
    assert usage is not None
    assert (usage.tokens_in, usage.tokens_out) == (3, None)


@given(st.text())
def test_any_arguments_are_kept_without_an_error(raw: str) -> None:
    call = kept(reply("x", ToolCall("c", "x", raw)), REDACTOR).calls[0]
    assert same_call(call)
