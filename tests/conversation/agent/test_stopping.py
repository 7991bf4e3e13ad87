"""A stop in each phase of a run: the text so far is kept, calls get their results, the run ends while others wait."""

import threading
from collections.abc import Callable
from typing import Any

import pytest

from biny_desktop.conversation.agent.model import TurnStart
from biny_desktop.conversation.ports import Budget, ToolScene
from biny_desktop.conversation.turns.left import TurnLeftError
from tests.conversation.agent.conftest import MakeRig
from tests.fakes.agent_rig import AgentRig, FakeTool, call
from tests.waiting import wait_until


def heard(rig: AgentRig, kind: str) -> Callable[[], bool]:
    return lambda: any(each.kind == kind for each in rig.heard)


def test_before_the_first_token_nothing_is_kept(make_rig: MakeRig) -> None:
    rig = make_rig()
    rig.server.answer(hang=True)
    run = rig.running(rig.say("hi"))
    wait_until(lambda: len(rig.server.requests) == 1)
    outcome = run.stop()
    assert (outcome.status, outcome.stop_reason, outcome.leaf_id) == ("cancelled", "stopped", "u1")
    assert rig.said() == [("user", "hi")]
    assert rig.statuses() == [("cancelled", "stopped")]


def test_in_the_stream_the_text_so_far_is_kept_as_stopped(make_rig: MakeRig) -> None:
    rig = make_rig()
    rig.server.answer("One two three four five.", trickle_s=0.5, piece=4)
    run = rig.running(rig.say("count"))
    wait_until(heard(rig, "delta"))
    outcome = run.stop()
    assert outcome.status == "cancelled"
    answer = rig.path()[-1]
    assert (answer.state, answer.id) == ("stopped", outcome.leaf_id)
    assert answer.content.startswith("One ")
    assert not answer.content.endswith("five.")
    assert rig.types()[-2:] == ["assistant_message", "turn_status"]
    assert rig.turns.sessions() == ()


def test_while_waiting_to_ask_again(make_rig: MakeRig) -> None:
    rig = make_rig()
    stop = threading.Event()
    rig.server.always(status=503)
    agent = rig.agent()

    def hear(what: Any) -> None:
        rig.heard.append(what)
        if what.text == "retrying":
            stop.set()

    outcome = agent.run(rig.say("hi"), hear, lambda: not stop.is_set())
    assert outcome.status == "cancelled"
    assert len(rig.server.requests) == 1


def test_in_a_read_that_does_not_listen_the_call_is_given_up(make_rig: MakeRig) -> None:
    release = threading.Event()

    def deaf(args: Any, scene: ToolScene) -> str:
        release.wait(30.0)
        return "too late"

    rig = make_rig(FakeTool("slow", do=deaf), FakeTool("quick"), FakeTool("write", "file"))
    calls = [call("quick", "a"), call("slow", "b"), call("write", "c"), call("gone", "d")]
    rig.server.answer("I look.", tool_calls=calls)
    run = rig.running(rig.say("go"))
    wait_until(lambda: len(rig.toolbox.held["slow"].ran) == 1)  # type: ignore[attr-defined]
    outcome = run.stop()
    release.set()
    assert outcome.status == "cancelled"
    results = {each.call_id: each.tool_status for each in rig.path() if each.role == "tool"}
    assert results == {"a": "succeeded", "b": "cancelled", "c": "cancelled", "d": "cancelled"}
    assert rig.toolbox.held["write"].ran == []  # type: ignore[attr-defined]
    assert rig.statuses() == [("cancelled", "stopped")]
    assert {each.state for each in rig.log.executions(rig.session)} == {"committed"}


def test_a_tool_hears_of_the_stop(make_rig: MakeRig) -> None:
    told: list[bool] = []

    def listening(args: Any, scene: ToolScene) -> str:
        wait_until(lambda: not scene.go_on())
        told.append(True)
        return "half"

    rig = make_rig(FakeTool("slow", do=listening))
    rig.server.answer("", tool_calls=[call("slow")])
    run = rig.running(rig.say("go"))
    wait_until(heard(rig, "tool_started"))
    assert run.stop().status == "cancelled"
    wait_until(lambda: told == [True])


def test_a_write_that_has_begun_is_waited_for(make_rig: MakeRig) -> None:
    begun, release = threading.Event(), threading.Event()

    def writing(args: Any, scene: ToolScene) -> str:
        begun.set()
        release.wait(10.0)
        return "written"

    rig = make_rig(FakeTool("write", "file", writing))
    rig.server.answer("", tool_calls=[call("write", "a"), call("write", "b", q="other")])
    stop = threading.Event()
    agent, start, ended = rig.agent(), rig.say("go"), []
    thread = threading.Thread(
        target=lambda: ended.append(agent.run(start, rig.heard.append, lambda: not stop.is_set()))
    )
    thread.start()
    assert begun.wait(10.0)
    stop.set()
    release.set()
    thread.join(10.0)
    assert ended[0].status == "cancelled"
    assert [each.tool_status for each in rig.path()[2:]] == ["succeeded", "cancelled"]


def test_while_compacting(make_rig: MakeRig) -> None:
    rig = make_rig(budget=Budget(2_500, 100, 200))
    entered = threading.Event()

    def wait(go_on: Callable[[], bool]) -> None:
        entered.set()
        wait_until(lambda: not go_on())

    rig.server.always("fine")
    rig.ask("a long story " * 200)
    rig.compactor.wait = wait
    run = rig.running(rig.say("another one " * 200))
    assert entered.wait(10.0)
    assert run.stop().status == "cancelled"
    assert len(rig.server.requests) == 1


def test_a_turn_that_is_left_ends_with_nothing_more_committed(make_rig: MakeRig) -> None:
    rig = make_rig(FakeTool("look_up"))
    rig.server.answer("", tool_calls=[call("look_up")]).answer(hang=True)
    left = threading.Event()

    def go_on() -> bool:
        if left.is_set():
            raise TurnLeftError
        return True

    agent, start = rig.agent(), rig.say("go")
    raised: list[BaseException] = []

    def run() -> None:
        try:
            agent.run(start, rig.heard.append, go_on)
        except TurnLeftError as error:
            raised.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    wait_until(lambda: len(rig.server.requests) == 2)
    left.set()
    thread.join(10.0)
    assert len(raised) == 1
    assert rig.statuses() == []
    assert rig.finished == []
    state = rig.turns.load(rig.session)
    assert state is not None
    assert (state.completed_steps, state.terminal) == (1, None)

    rig.server.answer("Here we are again.")
    resumed = rig.run(TurnStart(rig.session, "turn1", "run2", "resume", completed_steps=1))
    assert (resumed.status, resumed.steps) == ("completed", 1)
    assert rig.said()[-1] == ("assistant", "Here we are again.")
    assert len(rig.toolbox.held["look_up"].ran) == 1  # type: ignore[attr-defined]


def test_a_turn_left_in_a_tool_stays_open(make_rig: MakeRig) -> None:
    release, left = threading.Event(), threading.Event()

    def slow(args: Any, scene: ToolScene) -> str:
        left.set()
        release.wait(30.0)
        return "x"

    def go_on() -> bool:
        if left.is_set():
            raise TurnLeftError
        return True

    rig = make_rig(FakeTool("slow", do=slow))
    rig.server.answer("", tool_calls=[call("slow")])
    agent, start = rig.agent(), rig.say("go")
    with pytest.raises(TurnLeftError):
        agent.run(start, rig.heard.append, go_on)
    release.set()
    assert rig.path()[-1].role == "assistant"
    assert rig.log.executions(rig.session)[0].state == "running"
