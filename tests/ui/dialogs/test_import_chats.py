"""The import dialog: choose, see, bring in, open, undo; stopped, failed, by keys only, and nothing new."""

import zipfile
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QApplication, QPushButton, QToolButton

from biny_desktop.core.errors import DiskFullError
from biny_desktop.storage.progress import Watch
from biny_desktop.ui.calls import Calls
from biny_desktop.ui.dialogs import work_dialog
from biny_desktop.ui.dialogs.import_chats import ImportChatsDialog
from biny_desktop.ui.dialogs.import_parts import ChoosePart
from tests.fakes.import_home import SAMPLES, ImportHome

SMALL_PX = 260


@pytest.fixture
def dialog(home: ImportHome, calls: Calls, qtbot) -> ImportChatsDialog:
    made = ImportChatsDialog(home.imports, calls)
    qtbot.addWidget(made)
    made.open()
    return made


def read(dialog: ImportChatsDialog, qtbot, name: str = "chatgpt") -> None:
    dialog.ask_folder = lambda: str(SAMPLES / name)
    dialog.choose.folder.click()
    qtbot.waitUntil(lambda: not dialog.work.running())


def bring(dialog: ImportChatsDialog, qtbot) -> None:
    with qtbot.waitSignal(dialog.imported):
        dialog.bring.click()


def test_what_would_come_in_is_shown_before_anything_does(dialog: ImportChatsDialog, home: ImportHome, qtbot) -> None:
    read(dialog, qtbot)
    shown = dialog.preview.facts.texts()
    assert (shown["Chats"], shown["Messages"]) == ("3 new", "16 new")
    assert shown["Other versions"].startswith("2\N{NO-BREAK SPACE}· ")
    assert shown["Memories"] == "4\N{NO-BREAK SPACE}· they wait in Approvals until you answer"
    assert shown["Source"].startswith("ChatGPT export · ")
    assert "tool results 2" in shown["Left out"]
    assert "going in a circle 1" in shown["Malformed"]
    assert dialog.preview.mine.isChecked()
    assert dialog.bring.isDefault()
    dialog.preview.places.fold.head.click()
    assert "conversation 2, message 2" in dialog.preview.places.fold.inside.widget().text()
    assert not home.sessions()


def test_it_is_brought_in_as_the_switch_says_and_undone(dialog: ImportChatsDialog, home: ImportHome, qtbot) -> None:
    read(dialog, qtbot)
    dialog.preview.mine.setChecked(False)
    bring(dialog, qtbot)
    assert dialog.done_part.facts.texts()["Messages"] == "16 new"
    assert len(home.sessions()) == 3
    assert {each.trust for each in home.path("Tomatoes in pots")[0].spans} == {"untrusted"}
    with qtbot.waitSignal(dialog.undone):
        dialog.undo.click()
    assert not home.sessions()
    assert dialog.done_part.facts.texts()["Taken out"] == "3 chats, 16 messages, 4 memories"
    assert not dialog.undo.isVisible()


def test_nothing_new_cannot_be_imported_and_something_else_can_be_chosen(
    dialog: ImportChatsDialog, home: ImportHome, qtbot
) -> None:
    home.bring(SAMPLES / "chatgpt")
    read(dialog, qtbot)
    assert not dialog.bring.isEnabled()
    assert dialog.note.text() == "There is nothing new in it."
    dialog.back.click()
    assert dialog.choose.isVisible()
    read(dialog, qtbot, "plain")
    assert not dialog.preview.mine.isChecked()


def test_what_was_deleted_comes_back_only_when_asked_for(dialog: ImportChatsDialog, home: ImportHome, qtbot) -> None:
    home.bring(SAMPLES / "chatgpt")
    home.deletes.session(home.titled("Tomatoes in pots").id)
    read(dialog, qtbot)
    assert dialog.preview.facts.texts()["Deleted here"].startswith("10")
    assert not dialog.bring.isEnabled()
    dialog.preview.bring_back.click()
    bring(dialog, qtbot)
    assert len(home.path("Tomatoes in pots")) == 7


def test_a_file_that_is_dropped_is_read(dialog: ImportChatsDialog, qtbot) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(SAMPLES / "plain/talk.md"))])
    buttons, modifiers = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    dialog.dropEvent(QDropEvent(QPointF(QPoint(5, 5)), Qt.DropAction.CopyAction, data, buttons, modifiers))
    qtbot.waitUntil(dialog.preview.isVisible)
    assert dialog.preview.facts.texts()["Source"].startswith("Transcript")


def test_what_cannot_be_read_is_said_and_one_may_choose_again(dialog: ImportChatsDialog, tmp_path: Path, qtbot) -> None:
    (tmp_path / "notes.json").write_text("{}")
    dialog.ask_file = lambda: str(tmp_path / "notes.json")
    dialog.choose.file.setFocus()
    dialog.choose.file.click()
    qtbot.waitUntil(lambda: not dialog.work.running())
    assert "No chats were found there" in dialog.note.text()
    assert dialog.choose.isVisible()
    assert dialog.choose.file.hasFocus()
    dialog.ask_file = lambda: ""
    dialog.choose.file.click()
    assert not dialog.work.running()


def test_esc_stops_the_work_before_it_closes(
    dialog: ImportChatsDialog, home: ImportHome, qtbot, monkeypatch: pytest.MonkeyPatch
) -> None:
    read(dialog, qtbot)
    apply = home.imports.apply

    def slow(plan: object, *, mine: bool, bring_back: bool, watch: object) -> object:
        qtbot_free = watch.cancelled  # type: ignore[attr-defined]
        while not qtbot_free():
            home.clock.wait(0.01)
        return apply(plan, mine=mine, bring_back=bring_back, watch=watch)  # type: ignore[arg-type]

    monkeypatch.setattr(home.imports, "apply", slow)
    dialog.bring.click()
    qtbot.waitUntil(dialog.work.running)
    assert not dialog.close_button.isEnabled()
    with qtbot.waitSignal(dialog.imported):
        dialog.reject()
    assert dialog.isVisible()
    assert dialog.heading.text() == "Stopped"
    assert home.imports.batches()[0].state == "cancelled"
    dialog.reject()
    assert not dialog.isVisible()


def test_logs_on_this_computer_are_offered(qapp, qtbot, tmp_path: Path) -> None:
    (tmp_path / ".codex/sessions").mkdir(parents=True)
    part = ChoosePart(tmp_path)
    qtbot.addWidget(part)
    assert [each.text() for each in part.known] == ["Codex on this computer"]
    with qtbot.waitSignal(part.chosen) as heard:
        part.known[0].click()
    assert heard.args == [str(tmp_path / ".codex/sessions")]


def test_the_newest_chat_of_it_can_be_opened(dialog: ImportChatsDialog, home: ImportHome, qtbot) -> None:
    read(dialog, qtbot)
    bring(dialog, qtbot)
    newest = max(home.sessions(), key=lambda each: each.updated_at_ms)
    with qtbot.waitSignal(dialog.open_asked) as heard:
        dialog.open_newest.click()
    assert heard.args == [newest.id]
    assert not dialog.isVisible()


def test_reading_can_be_stopped_and_nothing_was_brought_in(
    dialog: ImportChatsDialog, home: ImportHome, qtbot, monkeypatch: pytest.MonkeyPatch
) -> None:
    def slow(_plan: object, *, watch: Watch) -> None:
        while True:
            watch.at("import_preview", 1, 10)
            home.clock.wait(0.01)

    monkeypatch.setattr(home.imports, "preview", slow)
    dialog.ask_folder = lambda: str(SAMPLES / "chatgpt")
    dialog.choose.folder.click()
    qtbot.waitUntil(dialog.work.cancel.hasFocus)
    qtbot.keyClick(dialog.work.cancel, Qt.Key.Key_Escape)
    assert dialog.work.how_far.text() == "Stopping at the next safe place…"
    qtbot.waitUntil(lambda: not dialog.work.running())
    assert dialog.note.text() == "Stopped. Nothing was brought in."
    assert dialog.choose.isVisible()
    assert not home.sessions()


def test_stopped_in_the_middle_what_came_in_stays_and_the_same_again_goes_on(
    dialog: ImportChatsDialog, home: ImportHome, qtbot, monkeypatch: pytest.MonkeyPatch
) -> None:
    apply = home.imports.apply
    monkeypatch.setattr(
        home.imports, "apply",
        lambda plan, *, watch, **how: apply(plan, watch=Watch(watch.tell, lambda: len(home.sessions()) == 1), **how),
    )  # fmt: skip
    read(dialog, qtbot)
    bring(dialog, qtbot)
    assert dialog.note.text() == "What came in before stays. The same import again goes on where it stopped."
    assert len(home.sessions()) == 1
    monkeypatch.setattr(home.imports, "apply", apply)
    read(dialog, qtbot)
    bring(dialog, qtbot)
    assert len(home.sessions()) == 3
    assert len(home.imports.batches()) == 1


def test_a_write_that_fails_says_what_was_kept(
    dialog: ImportChatsDialog, home: ImportHome, qtbot, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_args: object, **_how: object) -> None:
        raise DiskFullError("The disk is full", "Writing failed.", "Free some space.")

    monkeypatch.setattr(home.imports, "apply", full)
    read(dialog, qtbot)
    dialog.bring.click()
    qtbot.waitUntil(lambda: bool(dialog.note.text()))
    said = "The disk is full. Writing failed. Free some space. What came in before stays."
    assert dialog.note.text().startswith(said)
    assert dialog.preview.isVisible()
    assert dialog.bring.isEnabled()


def test_a_damaged_zip_is_said_and_one_may_choose_again(dialog: ImportChatsDialog, tmp_path: Path, qtbot) -> None:
    broken = tmp_path / "export.zip"
    with zipfile.ZipFile(broken, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.write(SAMPLES / "chatgpt/conversations.json", "conversations.json")
    broken.write_bytes(broken.read_bytes()[:-60])
    dialog.ask_file = lambda: str(broken)
    dialog.choose.file.click()
    qtbot.waitUntil(lambda: not dialog.work.running())
    assert dialog.note.property("role") == "bad"
    assert dialog.note.text()
    assert dialog.choose.file.isEnabled()


def test_the_keyboard_is_enough(dialog: ImportChatsDialog, home: ImportHome, qtbot) -> None:
    dialog.ask_folder = lambda: str(SAMPLES / "chatgpt")
    dialog.activateWindow()
    dialog.choose.file.setFocus()
    qtbot.keyClick(dialog.choose.file, Qt.Key.Key_Tab)
    assert QApplication.focusWidget() is dialog.choose.folder
    qtbot.keyClick(dialog.choose.folder, Qt.Key.Key_Space)
    qtbot.waitUntil(dialog.bring.hasFocus)
    reached = []
    for _ in range(8):
        qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
        reached.append(QApplication.focusWidget())
    assert {dialog.preview.places.fold.head, dialog.preview.mine, dialog.back, dialog.close_button} <= set(reached)
    dialog.preview.mine.setFocus()
    qtbot.keyClick(dialog.preview.mine, Qt.Key.Key_Space)
    assert not dialog.preview.mine.isChecked()
    with qtbot.waitSignal(dialog.imported):
        qtbot.keyClick(dialog.preview.mine, Qt.Key.Key_Return)
    assert len(home.sessions()) == 3
    assert dialog.open_newest.hasFocus()
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    assert not dialog.isVisible()


def test_every_control_has_a_name_and_a_tooltip(dialog: ImportChatsDialog, qtbot) -> None:
    read(dialog, qtbot)
    for each in (*dialog.findChildren(QPushButton), *dialog.findChildren(QToolButton)):
        assert each.toolTip(), each.text()
        assert each.accessibleName() or each.text()


def test_on_a_small_screen_what_would_come_in_scrolls_and_the_buttons_stay(
    dialog: ImportChatsDialog, qtbot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(work_dialog, "SPARE_PX", dialog.screen().availableGeometry().height() - SMALL_PX)
    read(dialog, qtbot)
    dialog.preview.places.fold.head.click()
    qtbot.waitUntil(lambda: dialog.height() == SMALL_PX)
    assert dialog.rect().contains(dialog.bring.geometry())
    qtbot.waitUntil(lambda: dialog.preview.height() > dialog.preview.visibleRegion().boundingRect().height())
