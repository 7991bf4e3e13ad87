"""Requests that are too long: compacted before they go out, and when the server refuses them."""

import pytest

from biny_desktop.conversation.model import Checkpoint
from biny_desktop.conversation.ports import Budget, CompactionFailure
from biny_desktop.core.errors import StorageError
from tests.conversation.agent.conftest import MakeRig
from tests.fakes.agent_rig import AgentRig

SMALL = Budget(4_000, 1_100, 300)
TOO_LONG = {"status": 400, "code": "context_length_exceeded", "message": "maximum context length is 4096 tokens"}


def summary(rig: AgentRig, first_kept: str, covered: str) -> Checkpoint:
    return Checkpoint(
        "k1", rig.session, "threshold", 0, None, first_kept, covered, 2, 2_000, 100, {}, "f", 1, "1", "large"
    )


def talked(rig: AgentRig) -> None:
    """Two turns that fill most of the room."""
    rig.server.answer("alpha " * 300).answer("beta " * 300)
    rig.ask("first " * 200)
    rig.ask("second " * 200)


def test_a_prompt_above_the_line_is_compacted_before_it_goes_out(make_rig: MakeRig) -> None:
    rig = make_rig(budget=SMALL)
    talked(rig)
    before = list(rig.compactor.asked)
    rig.compactor.answers = [summary(rig, "u2", rig.path()[1].id)]
    rig.server.answer("gamma")
    assert rig.ask("third").status == "completed"
    assert rig.compactor.asked == [*before, "threshold"]
    assert "summary k1" in rig.server.said(-1)
    assert "first first" not in rig.server.said(-1)
    assert "second second" in rig.server.said(-1)
    assert "compacted" in rig.kinds()


def test_below_the_line_nothing_is_compacted(make_rig: MakeRig) -> None:
    rig = make_rig()
    talked(rig)
    assert rig.compactor.asked == []


def test_after_a_failed_compaction_the_request_goes_out_uncut_if_it_fits_at_all(make_rig: MakeRig) -> None:
    rig = make_rig(budget=Budget(4_000, 1_500, 300))
    talked(rig)
    rig.compactor.answers = [CompactionFailure("invalid_evidence")]
    rig.server.answer("gamma")
    assert rig.ask("third").status == "completed"
    assert "first first" in rig.server.said(-1)
    assert rig.notices() == []


def test_what_does_not_fit_even_so_is_left_out_and_that_is_said_once(make_rig: MakeRig) -> None:
    rig = make_rig(budget=Budget(2_600, 300, 300))
    talked(rig)
    rig.compactor.answers = [CompactionFailure("no_model")] * 4
    rig.server.answer("gamma")
    rig.heard.clear()
    assert rig.ask("third").status == "completed"
    assert "first first" not in rig.server.said(-1)
    assert rig.notices() == ["history_cut"]


def test_with_compaction_off_the_oldest_turns_are_left_out(make_rig: MakeRig) -> None:
    rig = make_rig(budget=Budget(2_600, 300, 300), settings={"compaction": {"enabled": False}})
    talked(rig)
    rig.server.answer("gamma")
    assert rig.ask("third").status == "completed"
    assert rig.compactor.asked == []
    assert "first first" not in rig.server.said(-1)


def test_a_request_that_the_server_finds_too_long_is_compacted_and_sent_again(make_rig: MakeRig) -> None:
    rig = make_rig()
    talked(rig)
    rig.compactor.answers = [summary(rig, "u2", rig.path()[1].id)]
    rig.server.answer(**TOO_LONG).answer("gamma")
    assert rig.ask("third").status == "completed"
    assert rig.compactor.asked == ["overflow"]
    assert "summary k1" in rig.server.said(-1)


def test_after_two_overflow_compactions_the_turn_fails_with_advice(make_rig: MakeRig) -> None:
    rig = make_rig()
    talked(rig)
    rig.compactor.answers = [summary(rig, "u2", rig.path()[1].id)] * 5
    rig.server.always(**TOO_LONG)
    outcome = rig.ask("third")
    assert (outcome.status, outcome.stop_reason) == ("failed", "too_long")
    assert rig.compactor.asked == ["overflow", "overflow"]
    assert rig.log.events(rig.session)[-1].payload["required_action"] == "ask_for_less"
    assert rig.said()[-1] == ("user", "third")


def test_with_nothing_to_cut_an_overflow_fails_at_once(make_rig: MakeRig) -> None:
    rig = make_rig()
    rig.server.always(**TOO_LONG)
    assert rig.ask("hi").stop_reason == "too_long"
    assert len(rig.server.requests) == 1


@pytest.mark.parametrize("reason", ["threshold", "overflow"])
def test_a_summary_that_cannot_be_written_stops_the_run_before_its_next_request(make_rig: MakeRig, reason: str) -> None:
    rig = make_rig(budget=SMALL if reason == "threshold" else None)
    talked(rig)
    sent = len(rig.server.requests)
    rig.compactor.answers = [StorageError("The disk is full")]
    rig.server.always(**TOO_LONG)
    outcome = rig.ask("third")
    assert (outcome.status, outcome.stop_reason) == ("failed", "read_only")
    assert len(rig.server.requests) == sent + (reason == "overflow")
    assert rig.types()[-2:] == ["error", "turn_status"]


def test_later_turns_are_measured_by_what_the_server_counted(make_rig: MakeRig) -> None:
    """The server counts words; by bytes the third request is over the line."""
    rig = make_rig(budget=SMALL)
    rig.server.answer("alpha " * 300).answer("beta " * 300).answer("gamma")
    agent = rig.agent()
    for words in ("first " * 200, "second " * 200, "third"):
        assert rig.run(rig.say(words), agent).status == "completed"
    assert rig.compactor.asked == []
    assert "first first" in rig.server.said(-1)
