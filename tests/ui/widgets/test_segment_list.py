"""The list of segments: choosing, renaming in place, the line of what is left out."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit

from biny_desktop.activity.segments.model import DayView
from biny_desktop.ui.theme import tokens
from biny_desktop.ui.widgets.segment_list import SegmentList
from tests.fakes.clock import START_MS
from tests.fakes.segment_days import a_segment


@pytest.fixture
def shown(a_day: DayView, qtbot) -> SegmentList:
    made = SegmentList()
    qtbot.addWidget(made)
    made.resize(440, 600)
    made.model.show_items(a_day.items)
    made.show()
    return made


def test_rows_have_two_lines_and_gaps_one(shown: SegmentList) -> None:
    heights = {shown.view.visualRect(shown.model.index(row)).height() for row in range(shown.model.rowCount())}
    assert heights == {tokens().px(44), tokens().px(24)}


def test_choosing_opening_and_deleting_are_told(shown: SegmentList, qtbot) -> None:
    with qtbot.waitSignal(shown.view.segment_chosen) as chosen:
        assert shown.view.choose(3)
    assert chosen.args[0].id == 3
    with qtbot.waitSignal(shown.view.segment_opened):
        qtbot.keyClick(shown.view, Qt.Key.Key_Return)
    with qtbot.waitSignal(shown.view.delete_asked):
        qtbot.keyClick(shown.view, Qt.Key.Key_Delete)
    assert not shown.view.choose(4)  # a short one, left out


def test_the_arrow_keys_step_over_gaps(shown: SegmentList, qtbot) -> None:
    shown.view.choose(3)
    qtbot.keyClick(shown.view, Qt.Key.Key_Down)
    assert shown.view.chosen().id == 5


def test_a_title_is_changed_in_place(shown: SegmentList, qtbot) -> None:
    shown.view.choose(3)
    qtbot.keyClick(shown.view, Qt.Key.Key_F2)
    editor = shown.view.findChild(QLineEdit)
    assert editor.text() == "harbour – timetable.py"
    with qtbot.waitSignal(shown.model.rename_asked) as asked:
        editor.setText("Ferry timetable")
        qtbot.keyClick(editor, Qt.Key.Key_Return)
    assert asked.args[1] == "Ferry timetable"


def test_escape_leaves_the_title_as_it_was(shown: SegmentList, qtbot) -> None:
    shown.view.choose(3)
    qtbot.keyClick(shown.view, Qt.Key.Key_F2)
    editor = shown.view.findChild(QLineEdit)
    editor.setText("Ferry")
    with qtbot.assertNotEmitted(shown.model.rename_asked):
        qtbot.keyClick(editor, Qt.Key.Key_Escape)


def test_short_ones_come_and_go_with_the_line_under_the_list(shown: SegmentList) -> None:
    assert shown.toggle.text() == "Show 1 short one"
    shown.view.choose(5)
    shown.toggle.click()
    assert shown.model.row_of(4) is not None
    assert shown.view.chosen().id == 5
    assert shown.toggle.text() == "Leave out 1 short one"
    shown.model.show_items([a_segment(1, START_MS, 10)])
    shown.relabel()
    assert not shown.toggle.isVisible()


def test_a_thousand_segments_are_listed(shown: SegmentList) -> None:
    shown.model.show_items([a_segment(n, START_MS + n * 80_000, 1) for n in range(1, 1_001)])
    assert shown.view.choose(1_000)
    assert not shown.grab().isNull()
