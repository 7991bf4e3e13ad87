"""Writing every chat out: a file that reads back, a folder of texts, stopped, failed, and none to write."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt

from biny_desktop.storage.progress import Watch
from biny_desktop.ui.calls import Calls
from biny_desktop.ui.dialogs.export_chats import ExportChatsDialog
from biny_desktop.ui.dialogs.save_chats import Form
from tests.fakes.import_home import SAMPLES, ImportHome, import_home


def shown(home: ImportHome, calls: Calls, qtbot, target: Path | None = None) -> ExportChatsDialog:
    made = ExportChatsDialog(home.exports, calls, home.clock)
    made.ask = lambda _name, _form: target
    qtbot.addWidget(made)
    made.open()
    qtbot.waitUntil(lambda: not calls.busy())
    return made


def test_all_chats_in_one_file_read_back_as_they_were(home: ImportHome, calls: Calls, qtbot, tmp_path: Path) -> None:
    home.bring(SAMPLES / "chatgpt")
    dialog = shown(home, calls, qtbot, tmp_path / "all.jsonl")
    assert dialog.count.text().startswith("3 chats are written out.")
    with qtbot.waitSignal(dialog.exported):
        dialog.save.click()
    texts = dialog.facts.texts()
    assert (texts["File"], texts["Chats"], texts["Messages"]) == (str(tmp_path / "all.jsonl"), "3", "16")
    assert not dialog.save.isVisible()
    with import_home(tmp_path / "other") as other:
        other.bring(tmp_path / "all.jsonl")
        assert [each.title for each in other.sessions()] == [each.title for each in home.sessions()]
        assert other.texts("Tomatoes in pots") == home.texts("Tomatoes in pots")


def test_markdown_goes_into_a_folder_of_its_own(home: ImportHome, calls: Calls, qtbot, tmp_path: Path) -> None:
    home.bring(SAMPLES / "chatgpt")
    asked: list[tuple[str, Form]] = []
    dialog = shown(home, calls, qtbot)

    def ask(name: str, form: Form) -> Path:
        asked.append((name, form))
        return tmp_path / name

    dialog.ask = ask
    dialog.markdown.click()
    with qtbot.waitSignal(dialog.exported):
        dialog.save.click()
    ((name, form),) = asked
    assert form == "md"
    assert name.startswith("biny-chats-20")
    assert len(list((tmp_path / name).glob("*.md"))) == 3


def test_nothing_is_written_where_nothing_is_chosen_or_there(home: ImportHome, calls: Calls, qtbot) -> None:
    empty = shown(home, calls, qtbot)
    assert empty.count.text() == "There is no chat to write out yet."
    assert not empty.save.isEnabled()
    home.bring(SAMPLES / "chatgpt")
    dialog = shown(home, calls, qtbot)
    dialog.save.click()
    assert not dialog.work.running()
    assert dialog.save.isEnabled()


def test_stopped_no_half_of_a_file_is_left(
    home: ImportHome, calls: Calls, qtbot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home.bring(SAMPLES / "chatgpt")
    write = home.exports.write_lines
    told: list[object] = []

    def slow(path: Path, ids: tuple[str, ...], watch: Watch) -> object:
        return write(path, ids, Watch(told.append, lambda: len(told) > 1))

    monkeypatch.setattr(home.exports, "write_lines", slow)
    (tmp_path / "all.jsonl").write_text("of before")
    dialog = shown(home, calls, qtbot, tmp_path / "all.jsonl")
    dialog.save.click()
    qtbot.waitUntil(lambda: bool(dialog.note.text()))
    assert dialog.note.text() == "Stopped. No file was written; one that was there stays as it was."
    assert [each.name for each in tmp_path.iterdir() if each.is_file()] == ["all.jsonl"]
    assert (tmp_path / "all.jsonl").read_text() == "of before"


def test_a_place_that_cannot_be_written_to_is_said(home: ImportHome, calls: Calls, qtbot, tmp_path: Path) -> None:
    home.bring(SAMPLES / "chatgpt")
    dialog = shown(home, calls, qtbot, tmp_path / "nowhere" / "all.jsonl")
    dialog.save.click()
    qtbot.waitUntil(lambda: bool(dialog.note.text()))
    assert dialog.note.property("role") == "bad"
    assert "No file was written" in dialog.note.text()
    assert dialog.save.isEnabled()


def test_the_keyboard_is_enough(home: ImportHome, calls: Calls, qtbot, tmp_path: Path) -> None:
    home.bring(SAMPLES / "chatgpt")
    dialog = shown(home, calls, qtbot, tmp_path / "texts")
    qtbot.waitUntil(dialog.lines.hasFocus)
    qtbot.keyClick(dialog.lines, Qt.Key.Key_Down)
    assert dialog.form() == "md"
    with qtbot.waitSignal(dialog.exported):
        qtbot.keyClick(dialog.markdown, Qt.Key.Key_Return)
    assert dialog.close_button.hasFocus()
