"""The calendar of reports: marks told apart by their shape, hints in words, what can be chosen."""

from datetime import date

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QImage, QPainter

from biny_desktop.activity.reports.model import ReportMark
from biny_desktop.core.i18n import use_language
from biny_desktop.ui.theme import apply_theme
from biny_desktop.ui.widgets.report_calendar import ReportCalendar, week_title
from biny_desktop.ui.widgets.report_marks import WORDS, MarkLegend, look_of_mark, paint_mark

TODAY = date(2026, 3, 12)


def a_mark(key: str, state: str = "done", *, stale: bool = False, active_ms: int = 3_600_000) -> ReportMark:
    return ReportMark("week" if "W" in key else "day", key, state, stale, active_ms, 0)


@pytest.fixture
def calendar(qtbot, qapp) -> ReportCalendar:
    use_language("en")
    apply_theme(qapp, "light")
    made = ReportCalendar()
    qtbot.addWidget(made)
    made.show_month(2026, 3, TODAY)
    made.choose("day", "2026-03-12")
    made.show()
    return made


def test_every_state_has_a_shape_of_its_own(qapp) -> None:
    shapes = set()
    for look in WORDS:
        image = QImage(16, 16, QImage.Format.Format_ARGB32)
        image.fill(QColor(0, 0, 0, 0))
        painter = QPainter(image)
        paint_mark(painter, QPointF(8, 8), look)
        painter.end()
        shapes.add(bytes(image.pixelColor(x, y).alpha() > 127 for y in range(16) for x in range(16)))
    assert len(shapes) == len(WORDS)


def test_a_changed_day_is_told_before_how_its_report_was_made() -> None:
    assert look_of_mark(a_mark("2026-03-11", "done", stale=True)) == "stale"
    assert look_of_mark(a_mark("2026-03-11", "failed", stale=True)) == "failed"
    assert look_of_mark(a_mark("2026-03-11", "narrative_failed")) == "narrative_failed"


def test_hints_say_day_state_and_time(calendar: ReportCalendar) -> None:
    calendar.show_marks([a_mark("2026-03-11"), a_mark("2026-W10", "done_no_model")])
    assert calendar.tip(("day", "2026-03-11")) == "Yesterday\nWith an account by a model\n1 h active"
    assert calendar.tip(("week", "2026-W10")).startswith("Week 10, 2026\nMade without a model")
    assert calendar.tip(("day", "2026-03-02")).endswith("no report")


def test_days_to_come_cannot_be_chosen(calendar: ReportCalendar, qtbot) -> None:
    heard: list[tuple[str, str]] = []
    calendar.chosen.connect(lambda *what: heard.append(what))
    for day in ("2026-03-13", "2026-03-10"):
        place = calendar.place("day", day).center()
        qtbot.mouseClick(calendar, Qt.MouseButton.LeftButton, pos=QPoint(place.x(), place.y()))
    assert heard == [("day", "2026-03-10")]
    qtbot.keyClick(calendar, Qt.Key.Key_Down)
    assert calendar.choice() == ("day", "2026-03-10")


def test_the_last_week_of_a_long_year_has_its_number(calendar: ReportCalendar) -> None:
    calendar.show_month(2026, 12, date(2027, 1, 10))
    assert calendar.place("week", "2026-W53").isValid()
    assert week_title("2026-W53") == "Week 53, 2026"
    assert calendar.span() == ("2026-11-30", "2027-01-03")


def test_it_is_painted_with_marks_in_both_themes(calendar: ReportCalendar, qtbot, qapp) -> None:
    plain = calendar.grab().toImage()
    calendar.show_marks([a_mark(f"2026-03-{n:02d}", state) for n, state in enumerate(WORDS, 2) if state != "stale"])
    marked = calendar.grab().toImage()
    assert marked != plain
    apply_theme(qapp, "dark")
    assert calendar.grab().toImage() != marked
    apply_theme(qapp, "light")


def test_the_legend_names_every_mark(qtbot, qapp) -> None:
    use_language("en")
    legend = MarkLegend()
    qtbot.addWidget(legend)
    assert all(word in legend.accessibleName() for word in WORDS.values())
    assert not legend.grab().isNull()
