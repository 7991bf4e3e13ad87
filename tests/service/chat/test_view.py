"""What a page gets to show of a log: versions, results of tools under their step, dividers, faults."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from biny_desktop.conversation.session_events import AssistantMessage, CheckpointMade, ErrorNoted, VersionSelected
from biny_desktop.service.chat.model import ShownDivider, ShownMessage
from biny_desktop.service.chat.view import shown_items
from tests.fakes.turn_home import TURN, TurnHome


@pytest.fixture
def home(tmp_path: Path) -> Iterator[TurnHome]:
    made = TurnHome(tmp_path)
    yield made
    made.close()


def kinds(home: TurnHome, running: str | None = None) -> list[str]:
    """A word an item: `divider`, or role, content, and its place among versions if there are some."""
    found = []
    for item in shown_items(home.stored, home.session, running):
        if isinstance(item, ShownDivider):
            found.append(f"divider {item.checkpoint.id}")
        else:
            many = f" {item.version}/{len(item.version_ids)}" if len(item.version_ids) > 1 else ""
            found.append(f"{item.message.role} {item.message.content}{many}")
    return found


def summed_up(home: TurnHome, name: str, until: str, kept: str | None) -> None:
    home.put(
        CheckpointMade(
            id=name, reason="manual", first_kept_id=kept, covered_until_id=until, covered=2, tokens_before=9,
            tokens_after=3, state={}, fingerprint="f",
        )
    )  # fmt: skip


def test_an_empty_session_shows_nothing(home: TurnHome) -> None:
    assert shown_items(home.stored, home.session) == ()


def test_results_stand_under_their_step_also_where_call_ids_come_again(home: TurnHome) -> None:
    home.say()
    for status in ("succeeded", "failed"):
        (call,) = home.calls("look")
        home.result(call, status)  # type: ignore[arg-type]
    home.calls("look", "note")
    tools = [item.tools for item in shown_items(home.stored, home.session) if isinstance(item, ShownMessage)]
    assert [[each.status for each in step] for step in tools] == [[], ["succeeded"], ["failed"], [None, None]]
    assert [each.name for each in tools[-1]] == ["look", "note"]
    assert tools[-1][0].result is None
    assert "look it" not in repr(tools[-1]), "arguments stay out of logs"


def test_versions_are_counted_by_age_and_only_the_path_is_shown(home: TurnHome) -> None:
    home.say()
    first = home.answer("one")
    parent, slot = home.stored.path(home.session)[-1].parent_id, home.stored.path(home.session)[-1].slot_id
    home.put(
        AssistantMessage(message_id="second", parent_id=parent, slot_id=slot, content="two"),
        VersionSelected(slot_id=slot, message_id="second"),
    )
    assert kinds(home) == ["user please", "assistant two 2/2"]
    home.put(VersionSelected(slot_id=slot, message_id=first))
    assert kinds(home) == ["user please", "assistant one 1/2"]


def test_a_divider_stands_below_what_is_summed_up_and_only_on_its_branch(home: TurnHome) -> None:
    home.say()
    until = home.answer("one")
    kept = home.say("more", turn="t2")
    home.answer("two", turn="t2")
    summed_up(home, "old", until, kept)
    summed_up(home, "new", until, kept)
    summed_up(home, "foreign", until, "elsewhere")
    assert kinds(home) == ["user please", "assistant one", "divider new", "user more", "assistant two"]
    summed_up(home, "all", home.leaf or "", None)
    assert kinds(home)[-1] == "divider all"


def test_a_turn_without_an_answer_says_why_unless_it_still_runs(home: TurnHome) -> None:
    home.say()
    home.put(ErrorNoted(kind="http"))
    home.say("again", turn="t2")
    faults = [item.fault for item in shown_items(home.stored, home.session, "t2") if isinstance(item, ShownMessage)]
    assert faults == ["http", ""]
    running = [item.fault for item in shown_items(home.stored, home.session, TURN) if isinstance(item, ShownMessage)]
    assert running == ["", ""]
