"""Names that every system takes, and a question before a file is replaced."""

from pathlib import Path

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QMessageBox

from biny_desktop.core.i18n import use_language
from biny_desktop.ui.dialogs.save_chats import SaveDialog, file_name, free_folder


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("What is a/b?", "What is a b"),
        ("..", "chat"),
        ("", "chat"),
        ('a\x00b:"c"', "a b c"),
        ("con", "con_"),
        ("Com1.txt", "Com1.txt_"),
        ("渡轮时刻表", "渡轮时刻表"),
        ("x" * 100, "x" * 60),
    ],
)
def test_a_title_becomes_a_name_that_every_system_takes(title: str, name: str) -> None:
    use_language("en")
    assert file_name(title) == name


def test_a_folder_that_is_there_is_left_alone(tmp_path: Path) -> None:
    assert free_folder(tmp_path, "chats") == tmp_path / "chats"
    (tmp_path / "chats").mkdir()
    (tmp_path / "chats-2").mkdir()
    assert free_folder(tmp_path, "chats") == tmp_path / "chats-3"


@pytest.fixture
def dialog(qtbot, tmp_path: Path) -> SaveDialog:
    use_language("en")
    made = SaveDialog("Where?", "ferry v1.2", ("jsonl", "md"))
    qtbot.addWidget(made)
    made.setDirectory(str(tmp_path))
    return made


def test_the_name_has_the_suffix_of_its_form(dialog: SaveDialog) -> None:
    assert (dialog.path().name, dialog.form()) == ("ferry v1.2.jsonl", "jsonl")
    dialog.selectNameFilter(dialog.nameFilters()[1])
    dialog.filterSelected.emit(dialog.nameFilters()[1])
    assert Path(dialog.selectedFiles()[0]).name == "ferry v1.2.md"
    assert (dialog.path().name, dialog.form()) == ("ferry v1.2.md", "md")


def test_replacing_a_file_is_asked_about_also_when_its_suffix_was_not_typed(
    dialog: SaveDialog, qtbot, tmp_path: Path
) -> None:
    (tmp_path / "ferry.jsonl").write_text("of before")
    asked: list[str] = []

    def refuse() -> None:
        box = QApplication.activeModalWidget()
        if isinstance(box, QMessageBox):
            asked.append(box.text())
            box.button(QMessageBox.StandardButton.No).click()

    dialog.open()
    dialog.selectFile(str(tmp_path / "ferry"))
    QTimer.singleShot(100, refuse)
    dialog.accept()
    assert len(asked) == 1
    assert "ferry.jsonl" in asked[0]
    assert dialog.isVisible()
    dialog.selectFile(str(tmp_path / "another"))
    dialog.accept()
    assert not dialog.isVisible()
    assert dialog.path() == tmp_path / "another.jsonl"
