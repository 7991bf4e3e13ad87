"""A month in shades: keys, mouse, words, contrast."""

from datetime import date

import pytest
from PySide6.QtCore import Qt

from biny_desktop.activity.segments.model import HeatDay
from biny_desktop.core.i18n import use_language
from biny_desktop.ui.colours import contrast
from biny_desktop.ui.theme import apply_theme
from biny_desktop.ui.widgets.heat_map import STEPS, HeatLegend, HeatMap, legend_words, month_after, readable, shade
from tests.fakes.segment_days import HOUR_MS


def heat(day: str, hours: float) -> HeatDay:
    """A day whose active time is in its first hours."""
    total = round(hours * HOUR_MS)
    return HeatDay(day, tuple(min(HOUR_MS, max(0, total - n * HOUR_MS)) for n in range(24)), total, round(hours) or 1)


@pytest.fixture
def month(plain_look, qtbot) -> HeatMap:
    made = HeatMap()
    qtbot.addWidget(made)
    made.resize(760, 480)
    made.show_month(2026, 1, date(2026, 1, 28), date(2026, 1, 13))
    made.show_days([heat("2026-01-05", 6.2), heat("2026-01-12", 0.5), heat("2025-12-31", 3)])
    made.show()
    return made


def test_a_day_says_its_time_and_segments(month: HeatMap) -> None:
    assert month.tip(date(2026, 1, 5)) == "Monday, 5 January\n6 h 12 min active · 6 activities"
    assert month.tip(date(2026, 1, 6)) == "Tuesday, 6 January\nnothing recorded"
    assert month.tip(date(2026, 1, 30)) == "Friday, 30 January"


def test_the_keyboard_goes_by_day_and_week_and_opens_one(month: HeatMap, qtbot) -> None:
    assert month.at() == date(2026, 1, 13)
    for key in (Qt.Key.Key_Left, Qt.Key.Key_Up):
        qtbot.keyClick(month, key)
    assert month.at() == date(2026, 1, 5)
    assert "6 h 12 min active" in month.accessibleDescription()
    with qtbot.waitSignal(month.day_opened) as opened:
        qtbot.keyClick(month, Qt.Key.Key_Return)
    assert opened.args == ["2026-01-05"]


def test_leaving_the_month_asks_for_the_next_one_but_never_for_the_future(month: HeatMap, qtbot) -> None:
    with qtbot.waitSignal(month.month_asked) as asked:
        qtbot.keyClick(month, Qt.Key.Key_PageUp)
    assert asked.args == [2025, 12]
    month.show_month(2026, 1, date(2026, 1, 28), date(2026, 1, 28))
    with qtbot.assertNotEmitted(month.month_asked):
        qtbot.keyClick(month, Qt.Key.Key_PageDown)
    qtbot.keyClick(month, Qt.Key.Key_End)
    assert month.at() <= date(2026, 1, 28)


def test_a_click_opens_a_day_that_has_come(month: HeatMap, qtbot) -> None:
    with qtbot.waitSignal(month.day_opened) as opened:
        qtbot.mouseClick(month, Qt.MouseButton.LeftButton, pos=month.place(date(2026, 1, 12)).center())
    assert opened.args == ["2026-01-12"]
    with qtbot.assertNotEmitted(month.day_opened):
        qtbot.mouseClick(month, Qt.MouseButton.LeftButton, pos=month.place(date(2026, 1, 30)).center())


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_words_are_readable_on_every_shade(theme: str, qapp) -> None:
    apply_theme(qapp, theme)
    for hours, _part in STEPS:
        ground = shade(hours * HOUR_MS)
        assert contrast(readable(ground), ground) >= 4.5, hours


def test_every_step_has_its_words(plain_look, qtbot) -> None:
    use_language("en")
    assert len(legend_words()) == len(STEPS)
    legend = HeatLegend()
    qtbot.addWidget(legend)
    assert "more than 5 h" in legend.accessibleName()
    legend.grab()


def test_months_are_counted_over_the_turn_of_the_year() -> None:
    assert month_after(2026, 1, -1) == (2025, 12)
    assert month_after(2025, 12, 1) == (2026, 1)
