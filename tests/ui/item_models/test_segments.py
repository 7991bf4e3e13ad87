"""Segments as rows, without a window."""

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt

from biny_desktop.activity.model import Gap
from biny_desktop.activity.segments.model import Segment
from biny_desktop.ui.item_models.segments import SegmentsModel
from biny_desktop.ui.item_models.timeline import ITEM
from tests.fakes.segment_days import MINUTE_MS, a_segment


def items() -> list[Segment | Gap]:
    """A segment, a long gap, a short one, a trivial segment, a short gap, a hidden one."""
    return [
        a_segment(1, 0, 30), Gap(30 * MINUTE_MS, 60 * MINUTE_MS, "away"),
        a_segment(2, 60 * MINUTE_MS, 0.2, trivial=True), Gap(61 * MINUTE_MS, 62 * MINUTE_MS, "away"),
        a_segment(3, 62 * MINUTE_MS, 20, hidden=True), a_segment(4, 82 * MINUTE_MS, 10),
    ]  # fmt: skip


@pytest.fixture
def model(qapp) -> SegmentsModel:
    made = SegmentsModel()
    made.show_items(items())
    return made


def listed(model: SegmentsModel) -> list[int | str]:
    rows = [model.index(row).data(ITEM) for row in range(model.rowCount())]
    return [item.id if isinstance(item, Segment) else item.cause for item in rows]


def test_short_and_hidden_ones_are_left_out_and_counted(model: SegmentsModel) -> None:
    assert listed(model) == [1, "away", 4]
    assert model.left_out() == (1, 1)
    model.show_all(on=True)
    assert listed(model) == [1, "away", 2, 3, 4]


def test_only_segments_can_be_chosen_and_renamed(model: SegmentsModel) -> None:
    assert model.flags(model.index(0)) & Qt.ItemFlag.ItemIsEditable
    assert model.flags(model.index(1)) == Qt.ItemFlag.NoItemFlags


def test_a_new_title_is_asked_for_and_never_set_by_itself(model: SegmentsModel, qtbot) -> None:
    with qtbot.waitSignal(model.rename_asked) as asked:
        assert model.setData(model.index(0), "  Ferry\n timetable ")
    assert asked.args[0].id == 1
    assert asked.args[1] == "Ferry timetable"
    assert model.segment(0).title == "Visual Studio Code – storage.py"
    assert not model.setData(model.index(0), "   ")
    assert not model.setData(model.index(0), model.segment(0).title)


def test_a_change_of_one_row_leaves_the_others_alone(model: SegmentsModel, qtbot) -> None:
    changed = items()
    changed[5] = replace(changed[5], title="Other", revision=2)
    with qtbot.assertNotEmitted(model.modelReset), qtbot.waitSignal(model.dataChanged) as told:
        model.show_items(changed)
    assert told.args[0].row() == 2
    assert model.segment(2).title == "Other"


def test_what_follows_may_be_one_that_is_left_out(model: SegmentsModel) -> None:
    assert model.after(model.segment(0)).id == 2
    assert model.after(model.segment(2)) is None


def test_a_row_says_everything_to_a_screen_reader(model: SegmentsModel) -> None:
    said = model.index(0).data(Qt.ItemDataRole.AccessibleTextRole)
    assert said == (
        "00:00–00:30, Visual Studio Code – storage.py, 30 min, Visual Studio Code, Terminal, harbour, "
        "Summarised by a model"
    )
    assert model.index(1).data() == "Away, 30 min"
