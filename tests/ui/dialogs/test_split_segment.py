"""Where a segment is split."""

import pytest
from PySide6.QtCore import Qt

from biny_desktop.activity.segments.model import Span
from biny_desktop.core.i18n import use_language
from biny_desktop.ui.dialogs.split_segment import SplitDialog
from tests.fakes.clock import START_MS
from tests.fakes.segment_days import HOUR_MS, MINUTE_MS, a_segment


@pytest.fixture
def dialog(qapp, qtbot) -> SplitDialog:
    use_language("en")
    start = START_MS + 10 * HOUR_MS
    pause = Span("idle", start + 10 * MINUTE_MS, start + 14 * MINUTE_MS)
    made = SplitDialog(a_segment(1, start, 60, spans=(pause,)))
    made.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)  # the test takes it down
    qtbot.addWidget(made)
    made.show()
    return made


def test_it_offers_the_longest_pause(dialog: SplitDialog) -> None:
    assert dialog.time.text() == "10:12:00"
    assert dialog.halves.text() == "12 min before, 48 min after"


def test_a_typed_time_moves_the_cut_and_one_outside_cannot_be_taken(dialog: SplitDialog, qtbot) -> None:
    dialog.time.setFocus()
    dialog.time.clear()
    qtbot.keyClicks(dialog.time, "10:30")
    assert dialog.at_ms() == START_MS + 10 * HOUR_MS + 30 * MINUTE_MS
    dialog.time.clear()
    qtbot.keyClicks(dialog.time, "11:30")
    assert not dialog.split.isEnabled()
    dialog.time.clear()
    qtbot.keyClicks(dialog.time, "soon")
    assert not dialog.split.isEnabled()


def test_the_slider_and_a_click_on_the_band_move_it(dialog: SplitDialog, qtbot) -> None:
    dialog.slider.setValue(600)
    assert dialog.at_ms() == START_MS + 10 * HOUR_MS + 10 * MINUTE_MS
    qtbot.mouseClick(dialog.bands, Qt.MouseButton.LeftButton, pos=dialog.bands.rect().center())
    assert abs(dialog.at_ms() - (START_MS + 10 * HOUR_MS + 30 * MINUTE_MS)) < MINUTE_MS
    with qtbot.waitSignal(dialog.split_asked) as asked:
        dialog.split.click()
    assert asked.args[0] == dialog.at_ms()


def test_a_time_after_midnight_is_found(qapp, qtbot) -> None:
    use_language("en")
    made = SplitDialog(a_segment(1, START_MS + 23 * HOUR_MS, 120))
    made.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)  # the test takes it down
    qtbot.addWidget(made)
    made.time.setText("00:30")
    made.time.textEdited.emit("00:30")
    assert made.at_ms() == START_MS + 24 * HOUR_MS + 30 * MINUTE_MS
