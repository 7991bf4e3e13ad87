"""Bands on a time axis: hits, keys, wheel, and no work for what is out of sight."""

import itertools
from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent

from biny_desktop.activity.model import Gap
from biny_desktop.activity.segments.model import DayView, Span
from biny_desktop.ui.colours import contrast, mix
from biny_desktop.ui.theme import app_colour, apply_theme, colour, tokens
from biny_desktop.ui.widgets import segment_bands
from biny_desktop.ui.widgets.band_paint import TINT, segment_tip
from biny_desktop.ui.widgets.segment_bands import SegmentBands
from biny_desktop.ui.widgets.time_axis import TimeAxis
from tests.fakes.clock import START_MS
from tests.fakes.segment_days import HOUR_MS, MINUTE_MS, a_segment


@pytest.fixture
def bands(a_day: DayView, qtbot) -> SegmentBands:
    made = SegmentBands()
    qtbot.addWidget(made)
    made.resize(840, made.sizeHint().height())
    made.show_items(a_day.items, "UTC")
    made.set_window(a_day.start_ms, a_day.end_ms)
    made.show()
    return made


def wheel(widget: SegmentBands, x: int, turn: int, keys: Qt.KeyboardModifier) -> None:
    place = QPointF(x, 20)
    event = QWheelEvent(
        place, widget.mapToGlobal(place), QPoint(), QPoint(0, turn), Qt.MouseButton.NoButton, keys,
        Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    widget.wheelEvent(event)


def test_a_click_chooses_the_segment_under_it_and_says_when(bands: SegmentBands, a_day: DayView, qtbot) -> None:
    segment = a_day.items[2]
    with qtbot.waitSignal(bands.segment_chosen) as chosen:
        qtbot.mouseClick(bands, Qt.MouseButton.LeftButton, pos=bands.area_of(segment).center())
    assert chosen.args[0] == segment
    assert segment.start_ms <= chosen.args[1] <= segment.end_ms
    assert bands.selected() == segment


def test_a_click_in_a_gap_gives_a_time(bands: SegmentBands, a_day: DayView, qtbot) -> None:
    gap = max((item for item in a_day.items if isinstance(item, Gap)), key=lambda each: each.end_ms - each.start_ms)
    with qtbot.waitSignal(bands.time_chosen) as chosen:
        qtbot.mouseClick(bands, Qt.MouseButton.LeftButton, pos=bands.area_of(gap).center())
    assert gap.start_ms <= chosen.args[0] <= gap.end_ms


def test_a_narrow_segment_beside_a_gap_is_hit(bands: SegmentBands, qtbot) -> None:
    thin = a_segment(99, START_MS + 20 * HOUR_MS, 0.5)
    bands.show_items([Gap(START_MS, thin.start_ms, "away"), thin], "UTC")
    with qtbot.waitSignal(bands.segment_chosen) as chosen:
        place = bands.area_of(thin).center() + QPoint(2, 0)
        qtbot.mouseClick(bands, Qt.MouseButton.LeftButton, pos=place)
    assert chosen.args[0].id == 99


def test_the_keyboard_goes_from_segment_to_segment(bands: SegmentBands, qtbot) -> None:
    ids = [each.id for each in bands.segments()]
    qtbot.keyClick(bands, Qt.Key.Key_Right)
    assert bands.selected().id == ids[0]
    qtbot.keyClick(bands, Qt.Key.Key_Right)
    assert bands.selected().id == ids[1]
    qtbot.keyClick(bands, Qt.Key.Key_Left)
    assert bands.selected().id == ids[0]
    assert bands.accessibleDescription().startswith("09:10–10:02")
    with qtbot.waitSignal(bands.segment_opened):
        qtbot.keyClick(bands, Qt.Key.Key_Return)
    with qtbot.waitSignal(bands.zoom_asked) as asked:
        qtbot.keyClick(bands, Qt.Key.Key_Plus)
    assert asked.args[0] == 1


def test_the_wheel_zooms_with_control_and_pans_without(bands: SegmentBands, a_day: DayView, qtbot) -> None:
    with qtbot.waitSignal(bands.zoom_asked) as zoomed:
        wheel(bands, 420, 120, Qt.KeyboardModifier.ControlModifier)
    assert zoomed.args[0] == 1
    assert abs(zoomed.args[1] - (a_day.start_ms + 12 * HOUR_MS)) < 10 * MINUTE_MS
    with qtbot.waitSignal(bands.pan_asked) as panned:
        wheel(bands, 420, -120, Qt.KeyboardModifier.NoModifier)
    assert panned.args[0] > 0


def test_the_end_of_a_segment_belongs_to_it_unless_the_next_begins_there(bands: SegmentBands) -> None:
    one, two = a_segment(1, START_MS, 10), a_segment(2, START_MS + 10 * MINUTE_MS, 10)
    bands.show_items([one, two], "UTC")
    assert bands.segment_at(one.end_ms) == two
    assert bands.segment_at(two.end_ms) == two
    assert bands.segment_at(two.end_ms + 1) is None


def test_every_kind_of_band_is_painted(bands: SegmentBands, a_day: DayView) -> None:
    first = a_day.items[0]
    spans = (Span("idle", first.start_ms, first.start_ms + 9 * MINUTE_MS),
             Span("private", first.start_ms + 10 * MINUTE_MS, first.start_ms + 20 * MINUTE_MS))  # fmt: skip
    bands.show_items([replace(first, spans=spans), *a_day.items[1:]], "UTC")
    bands.select(first.id)
    bands.set_cursor(first.start_ms + MINUTE_MS)
    bands.set_ticks([(first.start_ms, "code")])
    for window in ((a_day.start_ms, a_day.end_ms), (first.start_ms, first.start_ms + HOUR_MS)):
        bands.set_window(*window)
        assert not bands.grab().isNull()


def test_only_what_is_in_sight_is_painted(bands: SegmentBands, monkeypatch) -> None:
    many = [a_segment(n, START_MS + n * 80_000, 1) for n in range(1_000)]
    bands.show_items(many, "UTC")
    painted: list[int] = []
    monkeypatch.setattr(
        segment_bands, "paint_segment", lambda _painter, _area, segment, _axis, *, chosen: painted.append(segment.id)
    )
    bands.set_window(START_MS, START_MS + 10 * MINUTE_MS)
    bands.grab()
    assert set(painted) == {each.id for each in many if each.start_ms < START_MS + 10 * MINUTE_MS}
    painted.clear()
    bands.set_window(START_MS, START_MS + 24 * HOUR_MS)
    bands.grab()
    assert len(painted) <= bands.width()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_words_are_readable_on_the_colour_of_any_app(theme: str, qapp) -> None:
    apply_theme(qapp, theme)
    for n in range(60):
        ground = mix(colour("panel"), app_colour(f"app {n}"), TINT[tokens().name])
        assert contrast(colour("text"), ground) >= 4.5
        assert contrast(colour("muted"), ground) >= 4.5


def test_the_tooltip_tells_title_times_apps_and_state(a_day: DayView) -> None:
    said = segment_tip(a_day.items[0]).split("\n")
    assert said[0] == "harbour – storage.py"
    assert said[1] == "09:10–10:02 · 52 min"
    assert "Visual Studio Code" in said[2]


def test_labels_of_the_axis_stand_at_round_local_times() -> None:
    axis = TimeAxis(START_MS, START_MS + 24 * HOUR_MS, 0, 800, "Asia/Kolkata")
    ticks = axis.ticks(30)
    assert all((at + 19_800_000) % (2 * HOUR_MS) == 0 for at in ticks)
    assert all(two - one == ticks[1] - ticks[0] for one, two in itertools.pairwise(ticks))
    assert axis.time(axis.x(START_MS + HOUR_MS)) == pytest.approx(START_MS + HOUR_MS, abs=2 * MINUTE_MS)
