"""The execution checkpoint of a run: after each step, removed at the end, and a stop when it cannot be written."""

from typing import Any

import pytest

from biny_desktop.conversation.agent.model import TurnStart
from biny_desktop.conversation.session_events import NewEvent
from biny_desktop.conversation.turns.state import TurnState
from biny_desktop.core.errors import DiskFullError, StorageError
from tests.conversation.agent.conftest import MakeRig
from tests.fakes.agent_rig import AgentRig, FakeTool, call


def test_it_is_written_after_each_step_with_results_and_names_the_last_event(make_rig: MakeRig) -> None:
    seen: list[TurnState] = []
    rig = make_rig(FakeTool("look_up"))
    save = rig.turns.save

    def noting(state: TurnState) -> None:
        last = rig.log.events(rig.session)[-1]
        assert (state.high_water.event_id, state.high_water.seq) == (last.event_id, last.seq)
        seen.append(state)
        save(state)

    rig.turns.save = noting  # type: ignore[method-assign]
    for n in range(2):
        rig.server.answer(f"step {n}", tool_calls=[call("look_up", f"c{n}", q=str(n))])
    rig.server.answer("Done.")
    assert rig.ask("go").status == "completed"
    assert [state.completed_steps for state in seen] == [1, 2]
    last = seen[-1]
    assert (last.prompt, last.turn_id, last.terminal) == ("go", "turn1", None)
    assert "Biny Desktop" in last.system_prompt
    assert [message.role for message in last.messages] == ["user", "assistant", "tool", "assistant", "tool"]
    assert last.budgets["hard_steps"] == 96
    assert rig.turns.sessions() == ()


@pytest.mark.logs_warning("the checkpoint of a turn could not be written")
def test_a_full_disk_stops_the_run_before_its_next_request_and_loses_nothing(make_rig: MakeRig) -> None:
    tool = FakeTool("look_up")
    rig = make_rig(tool)

    def full(state: TurnState) -> None:
        raise DiskFullError("The disk is full")

    rig.turns.save = full  # type: ignore[method-assign]
    rig.server.answer("I look.", tool_calls=[call("look_up")])
    outcome = rig.ask("go")
    assert (outcome.status, outcome.stop_reason) == ("failed", "checkpoint")
    assert len(rig.server.requests) == 1
    assert [each.role for each in rig.path()] == ["user", "assistant", "tool"]
    error, end = rig.log.events(rig.session)[-2:]
    assert (error.payload["kind"], end.payload["required_action"]) == ("checkpoint", "free_space")


@pytest.mark.logs_warning("is not as it should be")
def test_failing_to_remove_it_changes_nothing(make_rig: MakeRig) -> None:
    rig = make_rig()

    def stuck(session_id: str) -> None:
        raise StorageError("It is still there")

    rig.turns.remove = stuck  # type: ignore[method-assign]
    rig.server.answer("Hello.")
    assert rig.ask("hi").status == "completed"


@pytest.mark.logs_warning("cannot go on", "could not be written")
def test_a_log_that_cannot_be_written_ends_the_run_without_a_request_more(make_rig: MakeRig) -> None:
    rig = make_rig(FakeTool("look_up"))
    start = rig.say("go")

    def broken(session_id: str, events: Any) -> Any:
        raise StorageError("The database is gone")

    rig.log.append = broken  # type: ignore[method-assign]
    rig.server.always("x", tool_calls=[call("look_up")])
    outcome = rig.run(start)
    assert (outcome.status, outcome.stop_reason, outcome.leaf_id) == ("failed", "storage", "u1")
    assert len(rig.server.requests) == 1
    assert [each.status for each in rig.finished] == ["failed"]


@pytest.mark.logs_warning("cannot go on")
def test_a_fault_in_between_is_noted_once_the_log_can_be_written_again(make_rig: MakeRig) -> None:
    rig = make_rig(FakeTool("look_up"))
    start, append, tries = rig.say("go"), rig.log.append, []

    def flaky(session_id: str, events: list[NewEvent]) -> Any:
        tries.append(1)
        if len(tries) == 1:
            raise StorageError("Just once")
        return append(session_id, events)

    rig.log.append = flaky  # type: ignore[method-assign]
    rig.server.always("x", tool_calls=[call("look_up")])
    assert rig.run(start).stop_reason == "storage"
    assert rig.types()[-2:] == ["error", "turn_status"]


def test_a_damaged_one_does_not_keep_a_turn_from_going_on(make_rig: MakeRig) -> None:
    rig = make_rig()
    start = rig.say("go")
    (rig.root / "turns").mkdir()
    (rig.root / "turns" / f"{rig.session}.json").write_text("{")
    rig.server.answer("Hello.")
    assert rig.run(TurnStart(rig.session, start.turn_id, "run2", "resume")).status == "completed"


def test_an_effect_that_was_begun_and_has_no_result_is_never_done_again(make_rig: MakeRig) -> None:
    tool = FakeTool("write", "file")
    rig = make_rig(tool)
    start = rig.say("go")
    left(rig, start)
    outcome = rig.run(TurnStart(rig.session, start.turn_id, "run2", "resume"))
    assert (outcome.status, outcome.stop_reason) == ("blocked", "unknown_effect")
    assert tool.ran == [{"q": "x"}]
    assert len(rig.server.requests) == 1


def left(rig: AgentRig, start: TurnStart) -> None:
    """Die in the tool, as a kill would."""

    class Killed(BaseException):
        pass

    append = rig.log.append

    def until_the_result(session_id: str, events: list[NewEvent]) -> Any:
        if any(event.payload.type == "tool_result" for event in events):
            raise Killed
        return append(session_id, events)

    rig.log.append = until_the_result  # type: ignore[method-assign]
    rig.server.answer("", tool_calls=[call("write", q="x")])
    with pytest.raises(Killed):
        rig.run(start)
    rig.log.append = append  # type: ignore[method-assign]
