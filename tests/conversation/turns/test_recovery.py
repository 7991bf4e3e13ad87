"""The recovery table of spec 05 §7, line by line; nothing is executed, and what is lost is filled once."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from biny_desktop.conversation.model import ToolStatus
from biny_desktop.conversation.ports import Admission
from biny_desktop.conversation.session_events import SessionCreated, TurnEnded, UserMessage
from biny_desktop.conversation.turns.filling import SETTLED, WORDS
from biny_desktop.core.errors import InvalidInputError, NotFoundError
from biny_desktop.core.settings import build
from biny_desktop.models.model import ToolCall
from biny_desktop.redaction import safe_constant
from tests.fakes.turn_home import RUN, TURN, TurnHome


@pytest.fixture
def home(tmp_path: Path) -> Iterator[TurnHome]:
    made = TurnHome(tmp_path)
    yield made
    assert set(made.tools.ran().values()) == {0}, "recovery never executes anything"
    made.close()


def outcome(home: TurnHome) -> tuple[str, str | None] | None:
    found = home.recovery.examine(home.session)
    return None if found is None else (found.outcome, found.reason)


def test_a_session_without_an_interrupted_turn_has_nothing_to_recover(home: TurnHome) -> None:
    assert outcome(home) is None
    home.say()
    home.answer()
    home.ended("completed", "answered")
    assert outcome(home) is None
    with pytest.raises(NotFoundError):
        home.recovery.examine("nobody")


def test_0_a_damaged_checkpoint_is_shown_and_never_nothing(home: TurnHome) -> None:
    home.say()
    home.a_step()
    (home.folder / "turns" / f"{home.session}.json").write_bytes(b'{"version": 1')
    assert outcome(home) == ("blocked", "checkpoint_damaged")
    home.recovery.clear(home.session)
    assert home.turns.sessions() == (home.session,), "it stays to be shown"
    home.ended("completed")
    assert outcome(home) == ("blocked", "checkpoint_damaged"), "whatever else is true"


@pytest.mark.parametrize("change", [{"seq": 900}, {"event_id": "x"}, {"run_id": "x"}, {"turn_id": "x"}])
def test_1_a_log_that_does_not_hold_the_high_water_blocks(home: TurnHome, change: dict[str, object]) -> None:
    home.say()
    home.a_step()
    state = home.turns.load(home.session)
    assert state is not None
    home.turns.save(replace(state, high_water=replace(state.high_water, **change)))
    home.ended("completed")
    assert outcome(home) == ("blocked", "environment_unavailable")
    home.recovery.clear(home.session)
    assert home.turns.sessions() == (home.session,)


def test_2_a_final_status_wins_over_an_older_checkpoint_which_is_removed(home: TurnHome) -> None:
    home.say()
    home.a_step()
    home.answer()
    home.ended("completed", "answered")
    assert outcome(home) == ("finished", None)
    home.recovery.clear(home.session)
    assert home.turns.sessions() == ()
    assert outcome(home) is None


def test_2_a_status_of_an_earlier_run_of_the_turn_does_not_end_this_one(home: TurnHome) -> None:
    home.say()
    home.answer()
    home.ended("completed", "answered")
    home.calls("look")
    home.save(1)
    assert outcome(home) == ("continue", None)


@pytest.mark.parametrize("turn", [TURN, None])
def test_3_an_unknown_effect_of_this_or_of_no_turn_blocks_until_it_is_told(home: TurnHome, turn: str | None) -> None:
    home.say()
    home.a_step()
    (call,) = home.calls("send")
    home.tools.all["send"].veiled = True
    operation = home.record(call, "running", turn=turn)
    found = home.recovery.examine(home.session)
    assert found is not None
    assert (found.outcome, found.reason) == ("blocked", "unsafe_action_required")
    assert [(each.tool, each.args) for each in found.unknown] == [("send", call.arguments)]
    home.recovery.settle(home.session, operation, True)
    assert outcome(home) == ("continue", None)
    with pytest.raises(InvalidInputError):
        home.recovery.settle(home.session, operation, True)
    with pytest.raises(NotFoundError):
        home.recovery.settle(home.session, "x", True)


def test_3_an_effect_of_another_turn_does_not_block(home: TurnHome) -> None:
    home.say(turn="before")
    (call,) = home.calls("send", turn="before")
    home.tools.all["send"].veiled = True
    home.record(call, "running", turn="before")
    home.say()
    home.a_step()
    assert outcome(home) == ("continue", None)


def test_3_a_result_that_said_unknown_is_said_anew_once_it_is_settled(home: TurnHome) -> None:
    home.say()
    (call,) = home.calls("send")
    operation = home.record(call, "committed", "unknown")
    home.result(call, "unknown", operation)
    home.ended("blocked", "unknown_effect")
    home.save(0)
    assert outcome(home) == ("blocked", "unsafe_action_required")
    home.recovery.settle(home.session, operation, False)
    assert outcome(home) == ("continue", None)
    assert home.contents()[-1] == ("tool", SETTLED["cancelled"], "cancelled")
    assert next(node.content for node in home.stored.messages(home.session) if node.role == "tool") == "done"


def asked(home: TurnHome, call: ToolCall) -> str:
    admission = home.tools.all[call.name].admit(call.arguments, None)  # type: ignore[arg-type]
    assert isinstance(admission, Admission)
    shown = replace(admission, approval=safe_constant("write it?"))
    return home.exact.ask(home.session, TURN, RUN, call, shown).id


def test_4_a_missing_answer_blocks_and_the_answer_lets_it_go_on(home: TurnHome) -> None:
    home.say()
    (call,) = home.calls("write")
    approval = asked(home, call)
    home.ended("blocked", "approval")
    home.save(0)
    found = home.recovery.examine(home.session)
    assert found is not None
    assert (found.outcome, found.reason) == ("blocked", "missing_user_input")
    assert [each.id for each in found.approvals] == [approval]
    home.exact.answer(home.session, approval, True, found.approvals[0].revision)
    assert outcome(home) == ("continue", None)
    home.tools.allowed.discard("write")
    assert outcome(home) == ("blocked", "missing_user_input"), "the permission was withdrawn"


@pytest.mark.parametrize("how", ["refused", "expired"])
def test_4_a_refused_or_expired_approval_does_not_hold_the_turn(home: TurnHome, how: str) -> None:
    home.say()
    (call,) = home.calls("write")
    approval = asked(home, call)
    home.save(0)
    if how == "refused":
        home.exact.answer(home.session, approval, False, 1)
    else:
        home.clock.advance(24 * 60 * 60 * 1000)
    assert outcome(home) == ("continue", None)
    home.recovery.fill(home.session)
    assert home.contents()[-1][0] == "assistant", "the turn itself says what becomes of the call"


def test_5_without_steps_left_it_is_exhausted_and_the_checkpoint_removed(home: TurnHome) -> None:
    home.settings = build({"agent": {"hard_steps": 2}})
    home.say()
    home.a_step()
    home.a_step()
    home.save(2)
    assert outcome(home) == ("incomplete", None)
    home.recovery.clear(home.session)
    assert home.turns.sessions() == ()


def test_6_else_it_is_offered_with_the_steps_that_are_left(home: TurnHome) -> None:
    home.say()
    home.a_step()
    found = home.recovery.examine(home.session)
    assert found is not None
    assert (found.outcome, found.steps_left, found.turn_id) == ("continue", 95, TURN)
    home.recovery.clear(home.session)
    assert home.turns.sessions() == (home.session,)


@pytest.mark.parametrize("reason", ["time", "approval"])
def test_a_turn_that_stands_can_go_on(home: TurnHome, reason: str) -> None:
    home.say()
    home.a_step()
    home.ended("incomplete", reason)
    home.save(1)
    assert outcome(home) == ("continue", None)


def test_the_log_alone_tells_of_a_turn_that_died_before_its_first_checkpoint(home: TurnHome) -> None:
    home.say()
    assert outcome(home) == ("continue", None), "only the message was committed"
    (call,) = home.calls("send")
    assert outcome(home) == ("continue", None)
    home.tools.all["send"].veiled = True
    home.record(call, "running")
    assert outcome(home) == ("blocked", "unsafe_action_required")


def test_copies_imports_and_chats_of_other_programs_are_not_interrupted(home: TurnHome) -> None:
    home.put(UserMessage(message_id="a", parent_id=None, content="x", copied_from="other"), run=None)
    assert outcome(home) is None
    home.put(UserMessage(message_id="b", parent_id="a", content="x", source_key="claude:1"), turn="t2", run=None)
    assert outcome(home) is None
    home.session = home.stored.create(SessionCreated(source="mcp:editor")).id
    home.say()
    assert outcome(home) is None


def test_a_turn_off_the_active_path_is_not_offered_and_stays(home: TurnHome) -> None:
    home.say()
    home.a_step()
    other = UserMessage(message_id="edited", parent_id=None, content="other")
    home.put(other, TurnEnded(status="completed"), turn="t2")
    assert outcome(home) is None
    home.recovery.clear(home.session)
    assert home.turns.sessions() == (home.session,)


EXPECTED: dict[tuple[str, str], ToolStatus] = {
    ("look", "admitted"): "cancelled", ("look", "running"): "cancelled",
    ("note", "admitted"): "cancelled", ("note", "running"): "cancelled",
}  # fmt: skip


@pytest.mark.parametrize(("name", "state"), EXPECTED)
def test_reads_and_local_effects_without_a_result_were_not_done(home: TurnHome, name: str, state: str) -> None:
    home.say()
    (call,) = home.calls(name)
    operation = home.record(call, state)
    assert outcome(home) == ("continue", None)
    assert home.recovery.fill(home.session) == 1
    assert home.contents()[-1] == ("tool", WORDS["cancelled"], "cancelled")
    (record,) = home.stored.executions(home.session, TURN)
    assert (record.operation_id, record.state, record.status, record.settled_by) == (
        operation, "committed", "cancelled", "recovery",
    )  # fmt: skip
    before = home.contents()
    home.recovery.fill(home.session)
    assert home.contents() == before, "filled once"


@pytest.mark.parametrize(
    ("text", "status"), [("write it", "succeeded"), (None, "cancelled"), ("somebody else", "unknown")]
)
def test_a_file_tells_by_its_hash_what_came_of_it(home: TurnHome, text: str | None, status: ToolStatus) -> None:
    home.say()
    (call,) = home.calls("write")
    home.record(call, "running")
    if text is not None:
        home.tools.all["write"].target.write_text(text)
    if status == "unknown":
        assert outcome(home) == ("blocked", "unsafe_action_required")
        with pytest.raises(InvalidInputError):
            home.recovery.fill(home.session)
        return
    assert outcome(home) == ("continue", None)
    home.recovery.fill(home.session)
    assert home.contents()[-1] == ("tool", WORDS[status], status)


@pytest.mark.parametrize("done", [True, False])
def test_what_the_person_says_of_an_unknown_effect_is_what_the_model_reads(home: TurnHome, done: bool) -> None:
    home.say()
    (call,) = home.calls("send")
    home.tools.all["send"].veiled = True
    operation = home.record(call, "running")
    home.recovery.settle(home.session, operation, done)
    home.recovery.fill(home.session)
    status: ToolStatus = "succeeded" if done else "cancelled"
    assert home.contents()[-1] == ("tool", SETTLED[status], status)
    (record,) = home.stored.executions(home.session, TURN)
    assert record.settled_by == "user"


def test_a_tool_that_is_gone_leaves_its_effect_unknown(home: TurnHome) -> None:
    home.say()
    (call,) = home.calls("send")
    home.record(call, "running")
    home.tools.allowed.discard("send")
    assert outcome(home) == ("blocked", "unsafe_action_required")


def test_only_begun_calls_are_filled_in_the_order_of_the_calls(home: TurnHome) -> None:
    home.say()
    calls = home.calls("look", "note", "look", "write")
    home.record(calls[0], "running")
    home.record(calls[1], "running")
    home.recovery.fill(home.session)
    tools = [node for node in home.stored.path(home.session) if node.role == "tool"]
    assert [node.call_id for node in tools] == ["c0", "c1"]
    assert tools[1].parent_id == tools[0].id
    home.recovery.give_up(home.session, "new_message")
    tools = [node for node in home.stored.path(home.session) if node.role == "tool"]
    assert [node.call_id for node in tools] == ["c0", "c1", "c2", "c3"]


def test_call_ids_that_come_again_in_a_later_step_are_told_apart(home: TurnHome) -> None:
    home.say()
    home.a_step("look")
    (call,) = home.calls("look")
    assert home.recovery.fill(home.session) == 1, "the record of the first step is no record of this call"
    home.record(call, "running")
    home.recovery.fill(home.session)
    assert [status for _role, _text, status in home.contents()][-1] == "cancelled"


def test_giving_up_ends_the_turn_and_leaves_no_call_open(home: TurnHome) -> None:
    home.say()
    home.a_step()
    (call,) = home.calls("send")
    home.tools.all["send"].veiled = True
    home.record(call, "running")
    assert home.recovery.give_up(home.session, "new_message") == TURN
    assert home.contents()[-1] == ("tool", WORDS["unknown"], "unknown")
    last = home.stored.events(home.session, turn_id=TURN)[-1]
    assert (last.payload["status"], last.payload["stop_reason"]) == ("cancelled", "new_message")
    assert home.turns.sessions() == ()
    assert outcome(home) is None
    assert home.recovery.give_up(home.session, "new_message") is None


@pytest.mark.parametrize("how", ["damaged", "foreign"])
def test_giving_up_gets_rid_of_a_checkpoint_that_is_of_no_use(home: TurnHome, how: str) -> None:
    home.say()
    home.a_step()
    state = home.turns.load(home.session)
    assert state is not None
    if how == "damaged":
        (home.folder / "turns" / f"{home.session}.json").write_bytes(b"")
    else:
        home.turns.save(replace(state, turn_id="elsewhere", high_water=replace(state.high_water, seq=999)))
    assert home.recovery.give_up(home.session, "new_message") == TURN
    assert outcome(home) is None


def test_the_checkpoint_of_a_session_that_is_gone_is_removed(home: TurnHome) -> None:
    home.say()
    home.a_step()
    state = home.turns.load(home.session)
    assert state is not None
    home.turns.save(replace(state, session_id="gone"))
    with pytest.raises(NotFoundError):
        home.recovery.clear("gone")
    assert home.turns.sessions() == (home.session,)
