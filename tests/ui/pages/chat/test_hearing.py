"""Pieces come in bundles, in the order they were said, and never twice."""

from collections.abc import Callable

import pytest
from PySide6.QtCore import QObject

from biny_desktop.conversation.ports import Heard
from biny_desktop.ui.pages.chat.hearing import Hearing, Live


class FakeDesk:
    """Lets a test speak as a turn does."""

    def __init__(self) -> None:
        self.hearers: list[Callable[[Heard], None]] = []

    def listen(self, hear: Callable[[Heard], None]) -> Callable[[], None]:
        self.hearers.append(hear)
        return lambda: self.hearers.remove(hear)

    def say(self, kind: str, text: str = "", name: str = "") -> None:
        for hear in self.hearers:
            hear(Heard("s", "t", kind, text, name))


@pytest.fixture
def desk() -> FakeDesk:
    return FakeDesk()


@pytest.fixture
def hearing(desk: FakeDesk, calls: object) -> Hearing:
    owner = QObject()
    made = Hearing(desk, owner)
    made.owner = owner
    return made


def test_pieces_that_come_together_are_handed_over_together(hearing: Hearing, desk: FakeDesk, qtbot: object) -> None:
    came = []
    hearing.text_came.connect(lambda session, text: came.append((session, text)))
    for each in ("a", "b", "c"):
        desk.say("delta", each)
    qtbot.waitUntil(lambda: bool(came))
    assert came == [("s", "abc")]
    assert hearing.live("s", "ab").text == "abc"  # the desk was asked a little earlier


def test_a_step_begins_a_new_text_after_what_came_before_it(hearing: Hearing, desk: FakeDesk) -> None:
    order = []
    hearing.text_came.connect(lambda _session, text: order.append(text))
    hearing.happened.connect(lambda heard: order.append(heard.kind))
    desk.say("delta", "first")
    desk.say("step")
    desk.say("delta", "second")
    hearing.flush()
    assert order == ["first", "step", "second"]
    assert hearing.live("s", "second").text == "second"


def test_what_the_model_does_and_what_was_noticed_is_told_once(hearing: Hearing, desk: FakeDesk) -> None:
    told = []
    hearing.doing_changed.connect(lambda _session: told.append(hearing.live("s", "").doing))
    for kind, text, name in (
        ("reasoning", "a", ""), ("reasoning", "b", ""), ("notice", "retrying", ""), ("notice", "retrying", ""),
        ("delta", "x", ""), ("tool_started", "", "read_file"),
    ):  # fmt: skip
        desk.say(kind, text, name)
    assert told == ["thinking", "thinking", "writing", "tool"]
    assert hearing.live("s", "x").notices == ["retrying"]
    desk.say("ended")
    assert hearing.live("s", "") == Live()


def test_a_turn_that_was_under_way_before_is_taken_up_from_the_desk(hearing: Hearing, desk: FakeDesk) -> None:
    assert hearing.live("s", "so far").text == "so far"
    desk.say("delta", " and on")
    assert hearing.live("s", "so far and on").text == "so far and on"


def test_it_stops_listening_when_the_page_goes(hearing: Hearing, desk: FakeDesk, qtbot: object) -> None:
    hearing.owner.deleteLater()
    qtbot.waitUntil(lambda: desk.hearers == [])
