"""Editors of settings tell a new value as text, and follow the stored one."""

import pytest
from PySide6.QtCore import Qt

from biny_desktop.core.settings import declarations, parse
from biny_desktop.ui.settings_form import editors
from biny_desktop.ui.settings_form.editors import FolderListEditor, LimitEditor, editor_for
from biny_desktop.ui.settings_form.words import value_words

DECLARED = {each.key: each for each in declarations()}


@pytest.fixture
def told(qtbot):
    """Makes an editor; what it tells is in the list."""

    def make(key: str):
        editor = editor_for(DECLARED[key], key)
        qtbot.addWidget(editor)
        editor.show()
        heard: list[str] = []
        editor.chosen.connect(heard.append)
        return editor, heard

    return make


def test_a_part_of_one_or_automatic(told, qtbot) -> None:
    editor, heard = told("compaction.trigger_percent")
    assert isinstance(editor, LimitEditor)
    editor.show_value("auto")
    assert editor.button.isChecked()
    assert not editor.number.isEnabled()
    qtbot.mouseClick(editor.button, Qt.MouseButton.LeftButton)
    assert heard == ["0.5"]
    editor.show_value(0.8)
    assert (editor.number.value(), editor.number.minimum(), editor.number.maximum()) == (0.8, 0.5, 0.95)
    editor.number.setValue(0.85)
    editor.number.editingFinished.emit()
    qtbot.mouseClick(editor.button, Qt.MouseButton.LeftButton)
    assert heard == ["0.5", "0.85", "auto"]
    assert [parse("compaction.trigger_percent", each) for each in heard] == [0.5, 0.85, "auto"]
    assert value_words(DECLARED["compaction.trigger_percent"], 0.85) == "0.85"


def test_whole_numbers_or_automatic_stay_whole(told, qtbot) -> None:
    editor, heard = told("compaction.keep_recent_messages")
    editor.show_value("auto")
    qtbot.mouseClick(editor.button, Qt.MouseButton.LeftButton)
    assert heard == ["1"]


def test_folders_are_added_and_removed(told, qtbot, monkeypatch) -> None:
    editor, heard = told("agent.folders")
    assert isinstance(editor, FolderListEditor)
    editor.show_value(())
    assert editor.list.isHidden()
    asked: list[str] = []
    monkeypatch.setattr(
        editors.QFileDialog, "getExistingDirectory", lambda _parent, _title, start: asked.append(start) or "/home/me/b"
    )
    qtbot.mouseClick(editor.add, Qt.MouseButton.LeftButton)
    editor.show_value(("/home/me/a", "/home/me/b"))
    qtbot.mouseClick(editor.add, Qt.MouseButton.LeftButton)  # it is there already
    assert (heard, asked) == (["/home/me/b"], ["", "/home/me"])
    assert [editor.list.item(n).text() for n in range(editor.list.count())] == ["/home/me/a", "/home/me/b"]
    editor.list.setCurrentRow(0)
    qtbot.mouseClick(editor.remove, Qt.MouseButton.LeftButton)
    assert heard[1:] == ["/home/me/b"]
    editor.list.setCurrentRow(1)
    editor.activateWindow()
    editor.list.setFocus()
    qtbot.waitUntil(editor.list.hasFocus)
    qtbot.keyClick(editor.list, Qt.Key.Key_Delete)
    assert heard[2:] == ["/home/me/a"]
    editor.show_value(("/home/me/a",))
    editor.list.setCurrentRow(0)
    qtbot.mouseClick(editor.remove, Qt.MouseButton.LeftButton)
    assert parse("agent.folders", heard[-1]) == ()


def test_nothing_is_removed_when_nothing_is_chosen(told) -> None:
    editor, heard = told("agent.folders")
    editor.show_value(("/home/me/a",))
    editor.list.setCurrentRow(-1)
    assert not editor.remove.isEnabled()
    editor.remove.clicked.emit()
    assert heard == []


def test_a_list_is_said_in_a_line() -> None:
    assert value_words(DECLARED["agent.folders"], ("/a", "/b")) == "/a, /b"
    assert value_words(DECLARED["agent.folders"], ()) == "none"
