"""Past imports: the table, undoing one after a question, what stays, stopped in the middle, failed."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton

from biny_desktop.conversation.model import Session
from biny_desktop.conversation.session_events import NewEvent, UserMessage
from biny_desktop.core.errors import UnavailableError
from biny_desktop.storage.progress import Watch
from biny_desktop.ui.calls import Calls
from biny_desktop.ui.dialogs.past_imports import PastImportsDialog
from tests.fakes.chat_page import press
from tests.fakes.import_home import SAMPLES, ImportHome


def shown(home: ImportHome, calls: Calls, qtbot) -> PastImportsDialog:
    made = PastImportsDialog(home.imports, calls, home.clock)
    qtbot.addWidget(made)
    made.open()
    qtbot.waitUntil(lambda: not calls.busy())
    return made


def cells(dialog: PastImportsDialog, row: int) -> tuple[str, ...]:
    found = dialog.model.row(row)
    assert found is not None
    return found.cells[1:]


def take_out(dialog: PastImportsDialog, calls: Calls, qtbot) -> None:
    dialog.undo.click()
    press(dialog.box, "Undo it")
    qtbot.waitUntil(lambda: not dialog.work.running() and not calls.busy())


def write_on(home: ImportHome, session: Session) -> None:
    message = UserMessage(message_id="mine", parent_id=session.leaf_id, content="and one thing more")
    home.log.append(session.id, [NewEvent(message)])


def test_nothing_imported_yet_is_said(home: ImportHome, calls: Calls, qtbot) -> None:
    dialog = shown(home, calls, qtbot)
    assert dialog.nothing.isVisible()
    assert not dialog.boxed.isVisible()
    assert not dialog.undo.isEnabled()


def test_imports_stand_newest_first_with_what_they_brought(home: ImportHome, calls: Calls, qtbot) -> None:
    home.bring(SAMPLES / "chatgpt")
    home.bring(SAMPLES / "codex", mine=False)
    dialog = shown(home, calls, qtbot)
    assert cells(dialog, 0) == ("codex", "Codex logs", "done", "2", "8")
    assert cells(dialog, 1) == ("chatgpt", "ChatGPT export", "done", "3", "16")
    assert "not your own words" in dialog.model.row(0).tip
    assert dialog.table.hasFocus()
    qtbot.keyClick(dialog.table, Qt.Key.Key_Down)
    assert dialog.facts.texts()["Memories"].startswith("4")


def test_one_is_taken_out_after_a_question_that_says_what_goes(home: ImportHome, calls: Calls, qtbot) -> None:
    home.bring(SAMPLES / "chatgpt")
    dialog = shown(home, calls, qtbot)
    dialog.undo.click()
    assert "3 chats, 16 messages, 4 memories" in dialog.box.informativeText()
    press(dialog.box, "Cancel")
    assert len(home.sessions()) == 3
    with qtbot.waitSignal(dialog.undone):
        take_out(dialog, calls, qtbot)
    assert not home.sessions()
    assert cells(dialog, 0)[2] == "undone"
    assert dialog.facts.texts() == {"Taken out": "3 chats, 16 messages, 4 memories"}
    assert dialog.note.property("role") == "ok"
    assert not dialog.undo.isEnabled()


def test_a_chat_that_was_written_on_stays_and_is_named(home: ImportHome, calls: Calls, qtbot) -> None:
    home.bring(SAMPLES / "chatgpt")
    write_on(home, home.titled("Tomatoes in pots"))
    dialog = shown(home, calls, qtbot)
    take_out(dialog, calls, qtbot)
    assert [each.title for each in home.sessions()] == ["Tomatoes in pots"]
    assert dialog.facts.texts()["Stay"] == "Tomatoes in pots"
    assert dialog.facts.texts()["Taken out"].startswith("2 chats")
    assert "wrote on in stay" in dialog.note.text()


def test_stopped_in_the_middle_it_goes_on_when_asked_again(
    home: ImportHome, calls: Calls, qtbot, monkeypatch: pytest.MonkeyPatch
) -> None:
    home.bring(SAMPLES / "chatgpt")
    rollback = home.imports.rollback
    monkeypatch.setattr(
        home.imports, "rollback", lambda n, watch: rollback(n, Watch(watch.tell, lambda: len(home.sessions()) == 2))
    )
    dialog = shown(home, calls, qtbot)
    take_out(dialog, calls, qtbot)
    assert dialog.note.text() == "What was taken out is gone, the rest stays. Undoing it again goes on."
    assert len(home.sessions()) == 2
    assert dialog.undo.isEnabled()
    monkeypatch.setattr(home.imports, "rollback", rollback)
    take_out(dialog, calls, qtbot)
    assert not home.sessions()


def test_a_fault_is_said_in_the_dialog(home: ImportHome, calls: Calls, qtbot, monkeypatch: pytest.MonkeyPatch) -> None:
    def busy(_batch: int, _watch: Watch) -> None:
        raise UnavailableError("Another import runs", "There is one at a time.", "Wait for it, or stop it.")

    home.bring(SAMPLES / "chatgpt")
    monkeypatch.setattr(home.imports, "rollback", busy)
    dialog = shown(home, calls, qtbot)
    take_out(dialog, calls, qtbot)
    assert dialog.note.text().startswith("Another import runs. There is one at a time. Wait for it")
    assert dialog.note.property("role") == "bad"
    assert dialog.undo.isEnabled()


def test_every_control_has_a_name_and_a_tooltip(home: ImportHome, calls: Calls, qtbot) -> None:
    dialog = shown(home, calls, qtbot)
    for each in dialog.findChildren(QPushButton):
        assert each.toolTip(), each.text()
        assert each.accessibleName(), each.text()
    assert dialog.table.accessibleName()
