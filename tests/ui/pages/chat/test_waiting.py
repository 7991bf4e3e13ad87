"""What stands below the last message: what is waited for, and what can be done after an answer that failed."""

import pytest
from PySide6.QtWidgets import QPushButton

from biny_desktop.conversation.model import Execution, Message, Session, TodoList
from biny_desktop.conversation.turns.state import Recovered
from biny_desktop.redaction import from_row
from biny_desktop.service.chat.model import ChatView, ShownMessage
from biny_desktop.ui.pages.chat.waiting import Waiting


@pytest.fixture
def waiting(calls: object, qtbot: object) -> Waiting:
    made = Waiting()
    qtbot.addWidget(made)
    return made


def view(role: str = "user", fault: str = "", recovered: Recovered | None = None, **others: object) -> ChatView:
    message = Message("m", "s", None, "m", role, 1, from_row("words"), 0, "UTC", turn_id="t")
    session = Session("s", "title", "rule", "chat", 0, 0, "UTC")
    return ChatView(
        session=session, items=(ShownMessage(message, 1, ("m",), fault=fault),), todos=TodoList(), approvals=(),
        recovered=recovered, sending=None, **others,
    )  # fmt: skip


def buttons(waiting: Waiting) -> list[QPushButton]:
    lines = [waiting.layout().itemAt(n).widget() for n in range(waiting.layout().count())]
    return [each for line in lines for each in line.findChildren(QPushButton)]


def words(waiting: Waiting) -> list[str]:
    return [each.text() for each in buttons(waiting)]


def press(waiting: Waiting, name: str) -> None:
    next(each for each in buttons(waiting) if each.text() == name).click()


def test_a_message_without_an_answer_is_tried_again(waiting: Waiting, qtbot: object) -> None:
    waiting.show_view(view(fault="http"))
    with qtbot.waitSignal(waiting.again_asked) as told:
        press(waiting, "Try again")
    assert told.args == ["m"]


def test_a_chat_that_does_not_fit_can_be_summed_up_and_no_model_leads_to_models(
    waiting: Waiting, qtbot: object
) -> None:
    waiting.show_view(view("assistant", turn_status="failed", turn_reason="too_long"))
    assert words(waiting) == ["Sum up now", "Try again"]
    with qtbot.waitSignal(waiting.sum_up_asked):
        press(waiting, "Sum up now")
    waiting.show_view(view(fault="no_model"))
    with qtbot.waitSignal(waiting.models_asked):
        press(waiting, "Choose a model")


def test_an_interrupted_answer_is_offered_and_can_be_given_up(waiting: Waiting, qtbot: object) -> None:
    waiting.show_view(view(recovered=Recovered("s", "t", "continue", steps_left=3)))
    assert words(waiting) == ["Give up", "Continue"]
    with qtbot.waitSignal(waiting.continue_asked):
        press(waiting, "Continue")
    waiting.show_view(view(recovered=Recovered("s", "t", "blocked", "checkpoint_damaged")))
    assert words(waiting) == ["Give up"]


def test_an_effect_nobody_knows_of_is_told_by_the_person(waiting: Waiting, qtbot: object) -> None:
    effect = Execution("o", "s", "t", "r", "c", "write_file", "{}", "h", "file", "running", 0, target="notes/a.md")
    unknown = Recovered("s", "t", "blocked", "unsafe_action_required", unknown=(effect,))
    waiting.show_view(view(recovered=unknown))
    with qtbot.waitSignal(waiting.settled) as told:
        press(waiting, "It was done")
    assert told.args == ["o", True]


def test_nothing_stands_there_while_an_answer_is_written_or_is_whole(waiting: Waiting) -> None:
    waiting.show_view(view("assistant", turn_status="completed", turn_reason="answered"))
    assert waiting.isHidden()
    waiting.show_view(view("assistant", running_turn="t", turn_status="failed", turn_reason="time"))
    assert waiting.isHidden()
    waiting.show_view(view("assistant", turn_status="completed", turn_reason="length"))
    assert not waiting.isHidden()
