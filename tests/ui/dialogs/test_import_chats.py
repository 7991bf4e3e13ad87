"""The import dialog: choose, see, bring in, undo; stopped, failed, and nothing new."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent

from biny_desktop.core.i18n import use_language
from biny_desktop.ui.calls import Calls
from biny_desktop.ui.dialogs.import_chats import ImportChatsDialog
from biny_desktop.ui.dialogs.import_parts import ChoosePart
from tests.fakes.import_home import SAMPLES, ImportHome, import_home


@pytest.fixture
def home(tmp_path: Path) -> Iterator[ImportHome]:
    with import_home(tmp_path / "home") as made:
        yield made


@pytest.fixture
def calls(qapp) -> Iterator[Calls]:
    use_language("en")
    made = Calls()
    yield made
    made.close()


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
    assert (shown["Chats"], shown["Messages"], shown["Versions"], shown["Memories"]) == ("3 new", "16 new", "2", "4")
    assert shown["Source"].startswith("ChatGPT export · ")
    assert "tool results 2" in shown["Left out"]
    assert "going in a circle 1" in shown["Malformed"]
    assert dialog.preview.mine.isChecked()
    assert dialog.bring.isDefault()
    dialog.preview.places.fold.head.click()
    assert "conversation 2, message 2" in dialog.preview.places.fold.inside.text()
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
    assert dialog.done_part.facts.texts()["Chats"] == "3"
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
    assert dialog.preview.facts.texts()["Deleted here"] == "10"
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
    dialog.choose.file.click()
    qtbot.waitUntil(lambda: not dialog.work.running())
    assert "No chats were found there" in dialog.note.text()
    assert dialog.choose.isVisible()
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
