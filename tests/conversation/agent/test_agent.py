"""Runs of the agent over real HTTP: steps, calls, faults of the server, limits."""

import json
from typing import Any

import pytest

from biny_desktop.conversation.ports import ToolAnswer
from biny_desktop.conversation.session_events import NewEvent, TodoData, TodosReplaced
from biny_desktop.core.settings import build
from biny_desktop.models.ledger import Ledger
from tests.conversation.agent.conftest import MakeRig
from tests.fakes.agent_rig import AgentRig, FakeTool, call, text
from tests.fakes.model_server import ModelServer


def test_an_answer_without_calls_is_committed_with_the_end_of_the_turn_in_one_append(make_rig: MakeRig) -> None:
    rig = make_rig()
    rig.server.answer("Good morning.", reasoning="They greet me.")
    outcome = rig.ask("hi")
    assert (outcome.status, outcome.stop_reason, outcome.steps) == ("completed", "answered", 0)
    assert rig.said() == [("user", "hi"), ("assistant", "Good morning.")]
    answer = rig.path()[-1]
    assert (answer.id, answer.reply_to, answer.model, answer.reasoning) == (
        outcome.leaf_id, "u1", "large", "They greet me.",
    )  # fmt: skip
    assert answer.usage is not None
    last, end = rig.log.events(rig.session)[-2:]
    assert (last.type, end.type, end.seq - last.seq, last.at_ms) == ("assistant_message", "turn_status", 1, end.at_ms)
    assert "".join(each.text for each in rig.heard if each.kind == "delta") == "Good morning."
    assert rig.heard[-1].kind == "ended"
    assert [(each.turn_id, each.leaf_id, each.status) for each in rig.finished] == [
        ("turn1", outcome.leaf_id, "completed")
    ]
    assert rig.turns.sessions() == ()


def test_the_ledger_names_the_version_of_the_rules_and_no_text(make_rig: MakeRig) -> None:
    rig = make_rig()
    rig.server.answer("ok")
    rig.ask("hi")
    row = Ledger(rig.db, rig.clock).page().calls[0]
    assert (row.task, row.prompt_version, row.outcome) == ("conversation_chat", "1", "ok")


def test_calls_with_split_arguments_are_carried_out_and_their_results_are_sent_back(make_rig: MakeRig) -> None:
    look, write = FakeTool("look_up"), FakeTool("note", "local")
    rig = make_rig(look, write)
    calls = [call("look_up", "a", q="something rather long"), call("note", "b", q="止损")]
    rig.server.answer("I look.", tool_calls=calls, piece=3).answer("Found.")
    outcome = rig.ask("look it up")
    assert (outcome.status, outcome.steps) == ("completed", 1)
    assert look.ran == [{"q": "something rather long"}]
    assert write.ran == [{"q": "止损"}]
    assert [each.role for each in rig.path()] == ["user", "assistant", "tool", "tool", "assistant"]
    sent = rig.server.requests[1]["messages"]
    assert [message["role"] for message in sent] == ["system", "user", "assistant", "tool", "tool"]
    assert [message.get("tool_call_id") for message in sent[3:]] == ["a", "b"]
    assert "found it" in sent[3]["content"]
    assert "They greet" not in json.dumps(sent)
    assert rig.kinds() == [
        "step", "tool_started", "tool_ended", "step", "tool_started", "tool_ended", "step", "ended",
    ]  # fmt: skip


def test_an_effect_is_written_down_before_it_and_ends_with_its_result(make_rig: MakeRig) -> None:
    states: list[str] = []

    def do(args: Any, scene: Any) -> str:
        states.extend(each.state for each in scene.log.executions(scene.session_id))
        return "done"

    rig = make_rig(FakeTool("write", "file", do))
    rig.server.answer("", tool_calls=[call("write", q="x")]).answer("Done.")
    rig.ask("write it")
    assert states == ["running"]
    events = rig.log.events(rig.session)
    noted = [event.payload["state"] for event in events if event.type == "tool_execution"]
    assert noted == ["admitted", "running", "committed"]
    ended = next(event for event in events if event.payload.get("state") == "committed")
    result = next(event for event in events if event.type == "tool_result")
    assert result.seq == ended.seq + 1
    record = rig.log.executions(rig.session)[0]
    assert (record.target, record.before_hash, record.intended_hash) == ("/t", "b", "i")
    assert (record.state, record.status, record.effect) == ("committed", "succeeded", "file")


def test_events_of_a_local_tool_are_committed_with_its_result(make_rig: MakeRig) -> None:
    todos = TodosReplaced(items=(TodoData(content="buy milk"),), revision=1, by="agent")
    rig = make_rig(
        FakeTool("todo_write", "local", lambda a, s: ToolAnswer("succeeded", text("ok"), (NewEvent(todos),)))
    )
    rig.server.answer("", tool_calls=[call("todo_write", q="x")]).answer("Noted.")
    rig.ask("remember milk")
    assert [item.content for item in rig.log.todos(rig.session).items] == ["buy milk"]
    event = next(event for event in rig.log.events(rig.session) if event.type == "todos_replaced")
    assert (event.turn_id, event.run_id) == ("turn1", "run1")
    assert "buy milk" in rig.server.said(1)
    assert "buy milk" not in rig.server.said(0)


@pytest.mark.parametrize(
    ("calls", "word"),
    [
        ([{"id": "a", "name": "look_up", "arguments": '{"q": '}], "not one JSON object"),
        ([{"id": "a", "name": "look_up", "arguments": "[1]"}], "not one JSON object"),
        ([call("look_down", "a")], "look_up"),
        ([call("look_up", "a", q="forbidden")], "forbidden"),
    ],
)
def test_a_call_that_cannot_be_made_is_told_to_the_model_and_the_turn_goes_on(
    make_rig: MakeRig, calls: list[dict[str, Any]], word: str
) -> None:
    tool = FakeTool("look_up")
    rig = make_rig(tool)
    rig.server.answer("", tool_calls=calls).answer("So be it.")
    assert rig.ask("go").status == "completed"
    assert tool.ran == []
    result = rig.path()[2]
    assert (result.role, result.tool_status) == ("tool", "failed")
    assert word in result.content
    assert word in rig.server.said(1)
    assert rig.log.executions(rig.session) == ()


@pytest.mark.logs_warning("the tool look_up failed")
def test_a_bug_in_a_tool_is_a_failed_result(make_rig: MakeRig) -> None:
    def broken(args: Any, scene: Any) -> str:
        raise RuntimeError("secret words")

    rig = make_rig(FakeTool("look_up", do=broken))
    rig.server.answer("", tool_calls=[call("look_up")]).answer("Sorry.")
    assert rig.ask("go").status == "completed"
    assert rig.path()[2].tool_status == "failed"


@pytest.mark.logs_warning("the tool write failed")
def test_a_write_of_unknown_outcome_stops_the_turn_for_the_person_to_look(make_rig: MakeRig) -> None:
    def broken(args: Any, scene: Any) -> str:
        raise RuntimeError

    rig = make_rig(FakeTool("write", "file", broken, outcome="unknown"))
    rig.server.answer("", tool_calls=[call("write")])
    outcome = rig.ask("go")
    assert (outcome.status, outcome.stop_reason) == ("blocked", "unknown_effect")
    assert rig.path()[-1].tool_status == "unknown"
    assert len(rig.server.requests) == 1


@pytest.mark.parametrize("status", [429, 500])
def test_a_busy_server_is_asked_again_before_the_first_token(make_rig: MakeRig, status: int) -> None:
    rig = make_rig()
    rig.server.answer(status=status).answer("At last.")
    assert rig.ask("hi").status == "completed"
    assert rig.notices() == ["retrying"]


def test_a_server_that_stays_broken_fails_the_turn_with_its_kind(make_rig: MakeRig) -> None:
    rig = make_rig()
    rig.server.always(status=500)
    outcome = rig.ask("hi")
    assert (outcome.status, outcome.stop_reason) == ("failed", "http")
    assert len(rig.server.requests) == 3
    assert rig.types()[-2:] == ["error", "turn_status"]
    assert rig.log.events(rig.session)[-2].payload["kind"] == "http"
    assert rig.said() == [("user", "hi")]
    assert [each.status for each in rig.finished] == ["failed"]


def test_a_silent_server_fails_the_turn_without_a_second_wait(make_rig: MakeRig) -> None:
    rig = make_rig()
    rig.limited(0.2, 0.2)
    rig.server.answer(hang=True)
    outcome = rig.ask("hi")
    assert (outcome.status, outcome.stop_reason) == ("failed", "timeout")


def test_an_answer_that_breaks_off_is_kept_as_far_as_it_came(make_rig: MakeRig) -> None:
    rig = make_rig()
    rig.server.answer("One two three four five six.", cut_after=3)
    outcome = rig.ask("count")
    assert (outcome.status, outcome.stop_reason) == ("failed", "broken")
    assert rig.path()[-1].state == "stopped"
    assert rig.path()[-1].content.startswith("One two")
    assert len(rig.server.requests) == 1


def test_a_server_without_tools_is_talked_to_without_them_and_that_is_said_once(make_rig: MakeRig) -> None:
    rig = make_rig(FakeTool("look_up"))
    rig.server.rejected["tools"] = "tools are not supported"
    rig.server.always("Hello.")
    assert rig.ask("hi").status == "completed"
    assert rig.notices() == ["tools_refused"]
    assert "tools" not in rig.server.requests[-1]
    assert rig.ask("and again").status == "completed"


def test_no_tools_are_offered_when_they_are_switched_off(make_rig: MakeRig) -> None:
    rig = make_rig(FakeTool("look_up"), settings={"agent": {"tools": False}})
    rig.server.always("Hello.")
    rig.ask("hi")
    assert "tools" not in rig.server.requests[0]


def test_tools_that_are_taken_away_in_a_turn_are_gone_from_its_next_step_on(make_rig: MakeRig) -> None:
    def switch_off(args: Any, scene: Any) -> str:
        rig.settings = build({"models": {"chat_url": rig.server.url, "chat_model": "large"}, "agent": {"tools": False}})
        return "off"

    rig = make_rig(FakeTool("look_up", do=switch_off))
    rig.server.answer("", tool_calls=[call("look_up")]).answer("Done.")
    assert rig.ask("go").status == "completed"
    assert ["tools" in request for request in rig.server.requests] == [True, False]


def _different(server: ModelServer) -> None:
    """Each answer is another call."""
    for n in range(40):
        server.answer("", tool_calls=[call("look_up", f"c{n}", q=str(n))])


def test_the_model_is_told_to_finish_and_stopped_at_the_hard_limit(make_rig: MakeRig) -> None:
    rig = make_rig(FakeTool("look_up"), settings={"agent": {"soft_steps": 2, "hard_steps": 4}})
    _different(rig.server)
    outcome = rig.ask("go")
    assert (outcome.status, outcome.stop_reason, outcome.steps) == ("incomplete", "exhausted", 4)
    told = ["Finish now" in rig.server.said(n) for n in range(len(rig.server.requests))]
    assert told == [False, False, True, True]
    assert rig.notices() == ["finishing"]
    assert rig.turns.sessions() == ()


def test_the_same_call_three_times_in_a_row_stops_the_turn_before_the_third(make_rig: MakeRig) -> None:
    tool = FakeTool("look_up")
    rig = make_rig(tool)
    for n, arguments in enumerate(['{"q": 1, "r": 2}', '{"r":2,"q":1}', '{"q": 1,  "r": 2}']):
        rig.server.answer("", tool_calls=[{"id": f"c{n}", "name": "look_up", "arguments": arguments}])
    outcome = rig.ask("go")
    assert (outcome.status, outcome.stop_reason) == ("incomplete", "repeated_action")
    assert len(tool.ran) == 2
    last = rig.path()[-1]
    assert (last.tool_status, outcome.leaf_id) == ("cancelled", last.id)
    assert rig.turns.sessions() == ()


def test_three_equal_calls_in_one_step_run_twice(make_rig: MakeRig) -> None:
    tool = FakeTool("look_up")
    rig = make_rig(tool)
    rig.server.answer("", tool_calls=[call("look_up", f"c{n}", q="x") for n in range(4)])
    assert rig.ask("go").stop_reason == "repeated_action"
    assert len(tool.ran) == 2
    assert [each.tool_status for each in rig.path()[2:]] == ["succeeded", "succeeded", "cancelled", "cancelled"]


def test_a_step_has_at_most_64_calls(make_rig: MakeRig) -> None:
    tool = FakeTool("look_up")
    rig = make_rig(tool)
    rig.server.answer("", tool_calls=[call("look_up", f"c{n}", q=str(n)) for n in range(66)], stream=False)
    rig.server.answer("Done.")
    assert rig.ask("go").status == "completed"
    assert len(tool.ran) == 64
    assert [each.tool_status for each in rig.path()[-3:-1]] == ["failed", "failed"]


def test_a_turn_that_took_too_long_stands_still_and_can_go_on(make_rig: MakeRig) -> None:
    rig: AgentRig

    def slow(args: Any, scene: Any) -> str:
        rig.clock.advance(31 * 60 * 1000)
        return "late"

    rig = make_rig(FakeTool("look_up", do=slow))
    rig.server.answer("", tool_calls=[call("look_up")])
    outcome = rig.ask("go")
    assert (outcome.status, outcome.stop_reason) == ("incomplete", "time")
    state = rig.turns.load(rig.session)
    assert state is not None
    assert (state.terminal, state.turn_id) == ("incomplete", "turn1")


def test_secrets_in_an_answer_and_its_calls_are_hidden_before_anything_is_done(make_rig: MakeRig) -> None:
    tool = FakeTool("look_up")
    rig = make_rig(tool)
    rig.server.answer("my password: hunter2secret", tool_calls=[call("look_up", password="hunter2secret")])
    rig.server.answer("ok", reasoning="the password: hunter2secret")
    rig.ask("go")
    assert tool.ran == [{"password": "[hidden: password]"}]
    rows = json.dumps([dict(event.payload) for event in rig.log.events(rig.session)], default=str)
    assert "hunter2secret" not in rows
    assert "hunter2secret" not in json.dumps(rig.server.requests[1])


def test_an_incognito_session_has_one_tool_and_no_checkpoint(make_rig: MakeRig) -> None:
    rig = make_rig(FakeTool("look_up"), FakeTool("todo_write", "local"), incognito=True)
    rig.server.answer("", tool_calls=[call("todo_write", q="x"), call("look_up", "c2")]).answer("Done.")
    assert rig.ask("go").status == "completed"
    assert [tool["function"]["name"] for tool in rig.server.requests[0]["tools"]] == ["todo_write"]
    assert [each.tool_status for each in rig.path()[2:4]] == ["succeeded", "failed"]
    assert not (rig.turns.sessions())
    assert rig.finished[0].incognito


def test_an_answer_cut_at_its_longest_says_so(make_rig: MakeRig) -> None:
    rig = make_rig()
    rig.server.answer("so far", finish_reason="length")
    assert rig.ask("hi").stop_reason == "length"
    assert rig.path()[-1].state == "complete"


def test_reasoning_is_never_sent_back(make_rig: MakeRig) -> None:
    rig = make_rig()
    rig.server.answer("Hello.", reasoning="deep thoughts").answer("Again.")
    rig.ask("hi")
    rig.ask("and?")
    assert "deep thoughts" not in json.dumps(rig.server.requests[1])
    assert rig.path()[1].reasoning == "deep thoughts"
