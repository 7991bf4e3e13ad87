"""The bars of a day: keys, mouse, words, and short and long days."""

import itertools
from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt

from biny_desktop.activity.segments.model import DayView, HourBar
from biny_desktop.ui.widgets.app_legend import AppLegend
from biny_desktop.ui.widgets.hour_bars import HourBars
from tests.fakes.segment_days import HOUR_MS


@pytest.fixture
def bars(a_day: DayView, qtbot) -> HourBars:
    made = HourBars()
    qtbot.addWidget(made)
    made.resize(800, 104)
    made.show_hours(a_day.hours, "UTC")
    made.show()
    return made


def test_an_hour_says_its_apps_watching_and_private_time(bars: HourBars, a_day: DayView) -> None:
    said = bars.tip(a_day.hours[11]).split("\n")
    assert said[:2] == ["15:00–16:00", "46 min active"]
    assert "Visual Studio Code · 27 min" in said
    assert "Private · 12 min" in said
    assert "Watching · 18 min" in bars.tip(a_day.hours[12])
    assert bars.tip(a_day.hours[0]) == "04:00–05:00\n0 min active"


def test_the_keyboard_goes_through_the_hours_and_opens_one(bars: HourBars, qtbot) -> None:
    bars.setFocus()
    qtbot.keyClick(bars, Qt.Key.Key_Right)
    assert bars.chosen().label == "09"  # the first with anything in it
    qtbot.keyClick(bars, Qt.Key.Key_Right)
    assert bars.chosen().label == "10"
    assert "10:00–11:00" in bars.accessibleDescription()
    qtbot.keyClick(bars, Qt.Key.Key_End)
    assert bars.chosen().label == "03"
    qtbot.keyClick(bars, Qt.Key.Key_Home)
    assert bars.chosen().label == "04"
    with qtbot.waitSignal(bars.hour_opened) as opened:
        qtbot.keyClick(bars, Qt.Key.Key_Return)
    assert opened.args[0].label == "04"


def test_a_click_opens_its_hour(bars: HourBars, qtbot) -> None:
    with qtbot.waitSignal(bars.hour_opened) as opened:
        qtbot.mouseClick(bars, Qt.MouseButton.LeftButton, pos=bars.slot(9).center())
    assert opened.args[0].label == "13"


@pytest.mark.parametrize("count", [23, 24, 25])
def test_every_hour_of_a_short_or_long_day_has_its_place(count: int, bars: HourBars, a_day: DayView) -> None:
    hours = [
        HourBar(f"{n:02d}" + "b" * (n == 3), n * HOUR_MS, (n + 1) * HOUR_MS, HOUR_MS, 0, 0, ()) for n in range(count)
    ]
    bars.show_hours(hours, "UTC")
    slots = [bars.slot(n) for n in range(count)]
    assert all(one.right() + 1 == two.left() for one, two in itertools.pairwise(slots))
    assert slots[-1].right() + 1 == bars.width()
    bars.grab()


def test_hours_without_room_for_names_leave_some_out(bars: HourBars) -> None:
    assert bars._label_every() == 1
    bars.resize(320, 104)
    assert bars._label_every() > 1


def test_a_private_hour_looks_unlike_one_of_the_same_colour(bars: HourBars, a_day: DayView, qtbot) -> None:
    bar = replace(a_day.hours[0], private_ms=HOUR_MS, active_ms=0, apps=())
    bars.show_hours([bar], "UTC")
    image = bars.grab().toImage()
    room = bars._bar_room(bars.slot(0))
    ratio = image.width() / bars.width()
    seen = {
        image.pixelColor(QPoint(int((room.center().x() + dx) * ratio), int((room.center().y() + dy) * ratio))).name()
        for dx in range(-6, 6) for dy in range(-6, 6)
    }  # fmt: skip
    assert len(seen) > 2  # a pattern, not one colour


def test_the_legend_names_apps_by_time_then_watching_and_private(a_day: DayView, qtbot) -> None:
    legend = AppLegend()
    qtbot.addWidget(legend)
    legend.show_hours(a_day.hours)
    names = legend.accessibleName().split(", ")
    assert names[0].startswith("Visual Studio Code")
    assert names[-2:] == ["Watching · 18 min", "Private · 12 min"]
    legend.resize(160, 20)
    legend.grab()
