"""The field grows with its lines, and Esc is its own while it means something."""

import pytest
from PySide6.QtCore import QMimeData, Qt, QUrl
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QVBoxLayout, QWidget

from biny_desktop.ui.pages.chat.writing import LINES_MAX, WritingField


@pytest.fixture
def field(calls: object, qtbot: object) -> WritingField:
    around = QWidget()
    qtbot.addWidget(around)
    made = WritingField()
    QVBoxLayout(around).addWidget(made)
    around.resize(400, 500)
    around.show()
    qtbot.waitExposed(around)
    made.setFocus()
    made.around = around  # it lives as long
    return made


def test_it_grows_to_eight_lines_however_they_come_about(field: WritingField) -> None:
    one, line = field.height(), field.fontMetrics().lineSpacing()
    field.setPlainText("a\nb\nc")
    assert field.height() == one + 2 * line
    field.setPlainText("word " * 40)  # one line that is broken
    assert field.height() > one
    field.setPlainText("x\n" * 30)
    assert field.height() == one + (LINES_MAX - 1) * line
    assert field.verticalScrollBarPolicy() == Qt.ScrollBarPolicy.ScrollBarAsNeeded
    field.setPlainText("")
    assert field.height() == one


def test_esc_is_the_windows_until_it_means_something_here(field: WritingField, qtbot: object) -> None:
    closed, left = [], []
    QShortcut(QKeySequence("Esc"), field.window()).activated.connect(lambda: closed.append(1))
    field.left.connect(lambda: left.append(1))
    qtbot.waitUntil(field.hasFocus)
    qtbot.keyClick(field, Qt.Key.Key_Escape)
    assert (closed, left) == ([1], [])
    field.takes_escape = True
    qtbot.keyClick(field, Qt.Key.Key_Escape)
    assert (closed, left) == ([1], [1])


def test_files_that_are_dropped_or_pasted_are_attached(field: WritingField, qtbot: object) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile("/x/a.md")])
    with qtbot.waitSignal(field.files_dropped) as told:
        field.insertFromMimeData(data)
    assert told.args == [["/x/a.md"]]
    assert field.toPlainText() == ""


def test_shift_enter_begins_a_line_and_enter_sends(field: WritingField, qtbot: object) -> None:
    qtbot.keyClicks(field, "a")
    qtbot.keyClick(field, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    qtbot.keyClicks(field, "b")
    assert field.toPlainText() == "a\nb"
    with qtbot.waitSignal(field.sent):
        qtbot.keyClick(field, Qt.Key.Key_Return)
