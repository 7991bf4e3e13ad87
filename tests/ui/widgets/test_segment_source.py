"""The source panel for segments: sections, editing in place, history, frames as chips."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QPushButton

from biny_desktop.core.anchors import Anchor
from biny_desktop.core.events import SegmentsChanged
from biny_desktop.core.i18n import use_language
from biny_desktop.ui.calls import Calls
from biny_desktop.ui.dialogs.conflict import ConflictDialog
from biny_desktop.ui.dialogs.delete import DeleteDialog
from biny_desktop.ui.source_panel import SourcePanel
from biny_desktop.ui.widgets.segment_facts import spread
from tests.fakes.product_pages import FakeProduct
from tests.fakes.segment_days import a_segment

ANCHOR = Anchor("segment", "1", 0, "UTC")


@pytest.fixture
def product() -> FakeProduct:
    made = FakeProduct(60)
    made.segments.all = [a_segment(1, made.timeline.start_ms, 52, keys=840)]
    made.segments.frames = made.timeline.frames(limit=30).frames
    return made


@pytest.fixture
def calls(qapp) -> Iterator[Calls]:
    use_language("en")
    made = Calls()
    yield made
    made.close()


@pytest.fixture
def panel(product: FakeProduct, calls: Calls, qtbot) -> SourcePanel:
    made = SourcePanel(product, calls)
    qtbot.addWidget(made)
    made.resize(360, 700)
    made.show()
    made.show_anchor(ANCHOR)
    qtbot.waitUntil(lambda: made.segment.shown is not None and made.segment.isVisible())
    return made


def test_every_section_is_filled(panel: SourcePanel) -> None:
    shown = panel.segment
    assert panel.heading.text() == "Activity 1"
    assert shown.title.text() == "Visual Studio Code – storage.py"
    assert shown.project.text() == "harbour"
    assert "Read pages of the write-ahead log." in shown.summary.text()
    assert shown.fields.texts()["Title is"] == "made by rule"
    assert shown.entities.texts() == {"Topics": "storage", "Issues": "#812", "Versions": "3.46"}
    assert shown.origin.texts()["Rows"] == "31 frames, 210 events"
    assert shown.when.texts()["Length"] == "52 min active"
    assert shown.when.texts()["Ended"] == "another app stayed in front"
    assert shown.kept.texts()["Summary"] == "Summarised by a model"
    assert shown.kept.texts()["Table"] == "segments, 1"


def test_a_new_title_is_saved_and_stands_in_the_history(panel: SourcePanel, product: FakeProduct, qtbot) -> None:
    field = panel.segment.title
    field.setFocus()
    field.setText("Ferry timetable")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: product.segments.segment(1).title == "Ferry timetable")
    said = "Renamed by you: Visual Studio Code – storage.py → Ferry timetable"
    qtbot.waitUntil(lambda: said in panel.segment.history.texts().values())
    assert panel.segment.fields.texts()["Title is"] == "by you"


def test_escape_and_an_empty_title_change_nothing(panel: SourcePanel, product: FakeProduct, qtbot) -> None:
    field = panel.segment.title
    field.setFocus()
    field.setText("Other")
    qtbot.keyClick(field, Qt.Key.Key_Escape)
    assert field.text() == "Visual Studio Code – storage.py"
    field.setText("  ")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert field.text() == "Visual Studio Code – storage.py"
    assert product.segment_edits.done == []


def test_a_note_is_saved_when_it_is_left(panel: SourcePanel, product: FakeProduct, qtbot) -> None:
    panel.segment.note.setFocus()
    panel.segment.note.setPlainText("Ask Jonas\nabout the crane")
    panel.segment.project.setFocus()
    qtbot.waitUntil(lambda: product.segments.segment(1).note == "Ask Jonas\nabout the crane")
    panel.segment.project.setText("north quay")
    qtbot.keyClick(panel.segment.project, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: product.segments.segment(1).project == "north quay")


def test_a_change_meanwhile_never_disturbs_who_is_writing(panel: SourcePanel, product: FakeProduct, qtbot) -> None:
    panel.segment.note.setFocus()
    panel.segment.note.setPlainText("half a")
    old = product.segments.all[0]
    product.segments.all[0] = replace(old, title="Other", note="theirs", revision=2)
    product.events.publish(SegmentsChanged(("2026-01-05",)))
    qtbot.waitUntil(lambda: panel.segment.title.text() == "Other")
    assert panel.segment.note.toPlainText() == "half a"


def test_a_conflict_shows_both(panel: SourcePanel, product: FakeProduct, qtbot) -> None:
    old = product.segments.all[0]
    product.segments.all[0] = replace(old, title="Theirs", revision=5)
    panel.segment.title.setText("Mine")
    panel.segment.title.editingFinished.emit()
    qtbot.waitUntil(lambda: panel.findChild(ConflictDialog) is not None)
    dialog = panel.findChild(ConflictDialog)
    assert (dialog.mine.text(), dialog.theirs.text()) == ("Mine", "Theirs")
    dialog.leave.click()
    qtbot.waitUntil(lambda: panel.segment.title.text() == "Theirs")


def test_frames_and_highlights_open_where_they_are(panel: SourcePanel, qtbot) -> None:
    chips = panel.segment.frames.findChildren(QPushButton)
    assert len(chips) == 12
    with qtbot.waitSignal(panel.open_requested) as opened:
        chips[0].click()
    assert opened.args[0].kind == "frame"
    with qtbot.waitSignal(panel.open_requested) as opened:
        panel.segment.highlights.findChildren(QPushButton)[0].click()
    assert opened.args[0].ref == "4"
    with qtbot.waitSignal(panel.open_requested) as opened:
        panel.segment.chip.click()
    assert opened.args[0] == ANCHOR


def test_a_failed_summary_can_be_tried_again(panel: SourcePanel, product: FakeProduct, qtbot) -> None:
    assert not panel.reread.isVisible()
    product.segments.all[0] = replace(product.segments.all[0], status="failed", reason="timeout")
    panel.show_anchor(ANCHOR)
    qtbot.waitUntil(panel.reread.isVisible)
    assert panel.segment.kept.texts()["Summary"] == "The summary failed: the model took too long"
    panel.reread.click()
    qtbot.waitUntil(lambda: product.analysis.retried == [1])


def test_copy_takes_title_times_and_summary(panel: SourcePanel) -> None:
    panel.copy.click()
    assert QGuiApplication.clipboard().text().startswith("Visual Studio Code – storage.py\n\n2026-01-05 00:00:00 – ")


def test_forgetting_shows_the_counts_first(panel: SourcePanel, product: FakeProduct, qtbot) -> None:
    panel.forget.click()
    dialog = panel.findChild(DeleteDialog)
    qtbot.waitUntil(dialog.delete.isEnabled)
    assert product.deletes.previewed[-1].what == "range"


def test_a_segment_that_goes_is_said_to_be_gone(panel: SourcePanel, product: FakeProduct, qtbot) -> None:
    product.segments.all.clear()
    product.events.publish(SegmentsChanged(("2026-01-05",)))
    qtbot.waitUntil(panel.message.isVisible)
    assert "No such segment" in panel.message.text()


def test_a_frame_and_a_segment_take_turns_in_the_panel(panel: SourcePanel, qtbot) -> None:
    panel.show_anchor(Anchor("frame", "7", 0, "UTC"))
    qtbot.waitUntil(panel.content.isVisible)
    assert not panel.segment.isVisible()
    panel.show_anchor(ANCHOR)
    qtbot.waitUntil(panel.segment.isVisible)
    assert panel.heading.text() == "Activity 1"


def test_frames_are_spread_over_the_segment_with_both_ends(product: FakeProduct) -> None:
    frames = product.segments.frames
    assert spread(frames[:5], 12) == frames[:5]
    found = spread(frames, 12)
    assert (found[0], found[-1], len(found)) == (frames[0], frames[-1], 12)
