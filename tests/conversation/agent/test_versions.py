"""Retries and edits: a new version beside the old one, and nothing of another version in any request."""

from biny_desktop.conversation.agent.model import TurnStart
from biny_desktop.conversation.session_events import NewEvent, SpanData, UserMessage, VersionSelected
from tests.conversation.agent.conftest import MakeRig
from tests.fakes.agent_rig import FakeTool, call


def test_a_retry_is_a_new_version_of_the_answer_and_is_chosen_with_it(make_rig: MakeRig) -> None:
    rig = make_rig()
    rig.server.answer("Red.").answer("Blue.")
    old = rig.ask("a colour").leaf_id
    outcome = rig.run(TurnStart(rig.session, "turn1", "run2", "retry", retry_of=old))
    assert rig.said() == [("user", "a colour"), ("assistant", "Blue.")]
    new = rig.path()[-1]
    first = next(each for each in rig.log.messages(rig.session) if each.id == old)
    assert (new.id, new.retry_of, new.slot_id, new.reply_to) == (outcome.leaf_id, old, first.slot_id, "u1")
    assert "Red." not in rig.server.said(1)
    assert rig.types()[-3:] == ["assistant_message", "version_selected", "turn_status"]


def test_a_retry_with_tools_hangs_its_steps_below_the_new_version(make_rig: MakeRig) -> None:
    rig = make_rig(FakeTool("look_up"))
    rig.server.answer("Red.").answer("I look.", tool_calls=[call("look_up")]).answer("Green.")
    old = rig.ask("a colour").leaf_id
    outcome = rig.run(TurnStart(rig.session, "turn1", "run2", "retry", retry_of=old))
    assert outcome.steps == 1
    assert [each.role for each in rig.path()] == ["user", "assistant", "tool", "assistant"]
    assert rig.types().count("version_selected") == 1
    assert "Red." not in rig.server.said(1) + rig.server.said(2)


def test_a_retry_that_fails_leaves_the_old_answer_chosen(make_rig: MakeRig) -> None:
    rig = make_rig()
    rig.server.answer("Red.").always(status=500)
    old = rig.ask("a colour").leaf_id
    assert rig.run(TurnStart(rig.session, "turn1", "run2", "retry", retry_of=old)).status == "failed"
    assert rig.said()[-1] == ("assistant", "Red.")


def test_an_edit_answers_the_new_text_alone(make_rig: MakeRig) -> None:
    rig = make_rig()
    rig.server.answer("Red it is.").answer("Round it is.")
    rig.ask("a colour")
    edited = UserMessage(
        message_id="e1", parent_id=None, content="a shape", spans=(SpanData(start=0, end=7, trust="owner"),)
    )
    old = rig.path()[0]
    rig.log.append(rig.session, [
        NewEvent(edited, "turn2"), NewEvent(VersionSelected(slot_id=old.slot_id, message_id="e1"), "turn2"),
    ])  # fmt: skip
    rig.run(TurnStart(rig.session, "turn2", "run2", "answer"))
    assert rig.said() == [("user", "a shape"), ("assistant", "Round it is.")]
    assert "colour" not in rig.server.said(1)
    assert "Red" not in rig.server.said(1)
