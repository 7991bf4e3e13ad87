"""The conversation on the screen: what is laid out, what keeps the keyboard, what stays in sight."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication

from biny_desktop.conversation.model import Message, Session, TodoList
from biny_desktop.models.model import ToolCall
from biny_desktop.redaction import from_row
from biny_desktop.service.chat.model import ChatView, ShownMessage, ShownTool
from biny_desktop.ui.pages.chat.hearing import Live
from biny_desktop.ui.pages.chat.transcript import FIRST, MORE, Transcript

LONG = "word " * 60


def message(n: int, role: str = "user", text: str = "", turn: str | None = None) -> Message:
    calls = (ToolCall("c", "read_file", "{}"),) if text == "call" else ()
    name = f"m{n}"
    return Message(
        name, "s", None, f"slot{n}", role, n + 1, from_row(text or f"{n} {LONG}"), 0, "UTC",
        turn_id=turn or f"t{n // 2}", tool_calls=calls,
    )  # fmt: skip


def view(*items: ShownMessage, session: str = "s", **others: object) -> ChatView:
    made = Session(session, "title", "rule", "chat", 0, 0, "UTC")
    return ChatView(
        session=made, items=items, todos=TodoList(), approvals=(), recovered=None, sending=None, **others
    )  # fmt: skip


def shown(each: Message, *others: str, **fields: object) -> ShownMessage:
    return ShownMessage(each, 1 + len(others), (*others, each.id), **fields)


def talk(many: int) -> tuple[ShownMessage, ...]:
    return tuple(shown(message(n, "assistant" if n % 2 else "user")) for n in range(many))


@pytest.fixture
def script(calls: object, qtbot: object) -> Transcript:
    made = Transcript()
    qtbot.addWidget(made)
    made.resize(700, 500)
    made.show()
    qtbot.waitExposed(made)
    return made


def at_end(script: Transcript) -> bool:
    bar = script.verticalScrollBar()
    return bar.maximum() > 0 and bar.value() == bar.maximum()


def test_a_long_chat_opens_at_its_end_with_a_screen_of_messages(script: Transcript, qtbot: object) -> None:
    script.show_view(view(*talk(5_000)), 0, None)
    assert len(script.messages()) == FIRST
    qtbot.waitUntil(lambda: at_end(script) and len(script.messages()) == 2 * FIRST)


def test_scrolling_to_the_top_lays_out_more_and_keeps_what_is_in_sight(script: Transcript, qtbot: object) -> None:
    script.show_view(view(*talk(100)), 0, None)
    qtbot.waitUntil(lambda: at_end(script) and len(script.messages()) == 2 * FIRST)
    first = script.messages()[0]
    script.verticalScrollBar().setValue(0)
    qtbot.waitUntil(lambda: len(script.messages()) >= 2 * FIRST + MORE)
    assert script.messages()[MORE] is first
    qtbot.waitUntil(lambda: abs(first.mapTo(script.viewport(), first.rect().topLeft()).y()) < 100)


def test_the_end_stays_in_sight_only_for_who_is_there(script: Transcript, qtbot: object) -> None:
    items = talk(10)
    script.show_view(view(*items), 0, None)
    qtbot.waitUntil(lambda: at_end(script))
    script.show_view(view(*items, running_turn="t"), 0, Live("word\n\n" * 20, "writing"))
    qtbot.waitUntil(lambda: at_end(script))
    script.verticalScrollBar().setValue(script.verticalScrollBar().maximum() - 200)
    place = script.verticalScrollBar().value()
    high = script.verticalScrollBar().maximum()
    script.add_text("more\n\n" * 20)
    qtbot.waitUntil(lambda: script.verticalScrollBar().maximum() > high)
    assert script.verticalScrollBar().value() == place


def test_what_is_the_same_keeps_its_widget(script: Transcript) -> None:
    items = talk(4)
    script.show_view(view(*items), 0, None)
    before = script.messages()
    script.show_view(view(items[0], shown(message(9), "m1"), *items[2:]), 0, None)
    after = script.messages()
    assert [after[n] is before[n] for n in range(4)] == [True, False, True, True]


def test_the_keyboard_stays_with_the_place_when_its_version_changes(script: Transcript, qtbot: object) -> None:
    items = talk(2)
    script.show_view(view(*items), 0, None)
    script.messages()[1].setFocus()
    qtbot.waitUntil(script.messages()[1].hasFocus)
    other = Message("v2", "s", None, "slot1", "assistant", 9, from_row("other"), 0, "UTC", turn_id="t0")
    script.show_view(view(items[0], shown(other, "m1")), 0, None)
    assert script.messages()[1].shown.message.id == "v2"
    qtbot.waitUntil(script.messages()[1].hasFocus)
    with qtbot.waitSignal(script.version_asked) as told:
        qtbot.keyClick(script.messages()[1], Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
    assert told.args == ["m1"]


def test_steps_of_an_answer_stand_under_one_head_and_are_copied_and_forked_as_one(
    script: Transcript, qtbot: object
) -> None:
    steps = (message(1, "assistant", "call", "t0"), message(2, "assistant", "the end", "t0"))
    items = (shown(message(0)), *(shown(each) for each in steps), shown(message(3)))
    script.show_view(view(*items), 0, None)
    made = script.messages()
    assert [bool(each._buttons) for each in made] == [True, True, False, True]
    made[1].copy()
    assert QGuiApplication.clipboard().text() == "call\n\nthe end"
    with qtbot.waitSignal(script.fork_asked) as told:
        qtbot.keyClick(made[1], Qt.Key.Key_F)
    assert told.args == ["m2"]


def test_a_call_that_waits_for_the_person_says_so(script: Transcript) -> None:
    from biny_desktop.conversation.model import Approval
    from biny_desktop.ui.widgets.fold import Fold

    tool = ShownTool("c", "write_file", "{}", None, None)
    item = shown(message(1, "assistant", "call"), tools=(tool,))
    script.show_view(view(item, running_turn="t0"), 0, Live())
    (fold,) = script.messages()[0].findChildren(Fold)
    assert fold.head.text() == "Write a file: under way"
    asked = Approval("a", "s", "t0", "c", "write_file", "{}", "h", from_row("diff"), "", "open", 0, 1)
    script.show_view(ChatView(
        session=Session("s", "title", "rule", "chat", 0, 0, "UTC"), items=(item,), todos=TodoList(), approvals=(asked,),
        recovered=None, sending=None,
    ), 0, None)  # fmt: skip
    (fold,) = script.messages()[0].findChildren(Fold)
    assert fold.head.text() == "Write a file: waiting for you"


def test_a_word_longer_than_the_column_is_broken(script: Transcript, qtbot: object) -> None:
    long = "https://docs.example/" + "a" * 600
    script.show_view(view(shown(message(0, "user", long)), shown(message(1, "assistant", long))), 0, None)
    qtbot.waitUntil(lambda: all(each.width() > 0 for each in script.messages()))
    assert script.widget().width() <= script.viewport().width()
    assert script.widget().minimumSizeHint().width() <= script.viewport().width()
