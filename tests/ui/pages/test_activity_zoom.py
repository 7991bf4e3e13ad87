"""The page Activity from a month to a minute."""

from datetime import date

import pytest
from PySide6.QtCore import QPoint, QPointF, QSettings, Qt
from PySide6.QtGui import QWheelEvent

from biny_desktop.core.anchors import Anchor
from biny_desktop.core.days import DayRange
from biny_desktop.core.events import SegmentsChanged
from biny_desktop.ui.bridge import Bridge
from biny_desktop.ui.calls import Calls
from biny_desktop.ui.pages.activity import spans
from biny_desktop.ui.pages.activity.page import ActivityPage
from biny_desktop.ui.pages.activity.zooming import MONTH, NEAR, WEEK
from tests.fakes.clock import START_MS
from tests.fakes.product_pages import FakeProduct, a_status, segments_over
from tests.fakes.segment_days import HOUR_MS, MINUTE_MS

DAY = DayRange("2026-01-05", START_MS + 4 * HOUR_MS, START_MS + 28 * HOUR_MS)


@pytest.fixture
def product() -> FakeProduct:
    """200 frames from 09:00 on, one each 30 s, in segments of 20 frames; it is 10:41 on Monday."""
    made = FakeProduct(200)
    made.timeline.start_ms = START_MS + 9 * HOUR_MS
    made.clock.set_wall(made.timeline.start_ms + 201 * made.timeline.step_ms)
    made.segments.all = segments_over(made.timeline, 200)
    return made


def shown_id(page: ActivityPage) -> int | None:
    return page.viewer.detail.frame.id if page.viewer.detail else None


@pytest.fixture
def page(product: FakeProduct, calls: Calls, bridge: Bridge, qtbot) -> ActivityPage:
    made = ActivityPage(product, calls, bridge)
    qtbot.addWidget(made)
    made.resize(1_000, 640)
    made.show()
    qtbot.waitUntil(lambda: shown_id(made) == 200 and made.zoom.day is not None)
    return made


def test_bars_and_bands_of_the_day_stand_over_the_strip(page: ActivityPage) -> None:
    assert page.near.time_lines.isVisible()
    assert page.zoom.bars.isVisible()
    assert len(page.zoom.bands.segments()) == 8
    assert page.zoom.bands.window_ms == (DAY.start_ms, DAY.end_ms)


def test_the_segment_of_the_frame_shown_is_chosen(page: ActivityPage, qtbot) -> None:
    assert page.zoom.chosen() is None  # frame 200 stands after the last one
    qtbot.keyClick(page.strip, Qt.Key.Key_Home)
    qtbot.waitUntil(lambda: shown_id(page) == 1)
    assert page.zoom.chosen().id == 1


def test_a_click_on_a_band_shows_its_frame_of_that_time(page: ActivityPage, product: FakeProduct, qtbot) -> None:
    segment = product.segments.all[3]
    page.zoom.bands.segment_chosen.emit(segment, segment.start_ms + 60_000)
    qtbot.waitUntil(lambda: page.strip.current_id() == 78)
    assert page.zoom.chosen().id == 4
    page.zoom.bands.time_chosen.emit(segment.end_ms + 40_000)
    qtbot.waitUntil(lambda: page.strip.current_id() == 96)


def test_keys_and_buttons_go_nearer_and_farther(page: ActivityPage, qtbot) -> None:
    page.strip.setFocus()
    qtbot.keyClick(page.strip, Qt.Key.Key_Plus)
    assert page.zoom.level == "hour"
    start, end = page.zoom.bands.window_ms
    assert end - start == HOUR_MS
    assert start <= START_MS + 9 * HOUR_MS + 200 * 30_000 <= end
    assert not page.zoom.bars.isVisible()
    qtbot.waitUntil(lambda: len(page.zoom.bands._ticks) > 50)
    page.bar.zoom.near.click()
    assert page.zoom.level == "minute"
    assert not page.bar.zoom.near.isEnabled()
    for _n in range(4):
        page.bar.zoom.out.click()
    assert page.zoom.level == "month"
    assert page.stack.currentIndex() == MONTH
    assert not page.bar.zoom.out.isEnabled()


def test_the_wheel_zooms_over_the_strip_with_control(page: ActivityPage) -> None:
    place = QPointF(100, 40)
    event = QWheelEvent(
        place, page.mapToGlobal(place), QPoint(), QPoint(0, 120), Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.ControlModifier, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    page.strip.wheelEvent(event)
    assert not event.isAccepted()
    page.wheelEvent(event)
    assert page.zoom.level == "hour"


def test_the_stretch_in_sight_follows_the_frame(page: ActivityPage, qtbot) -> None:
    page.zoom.set_level("minute")
    before = page.zoom.bands.window_ms
    qtbot.keyClick(page.strip, Qt.Key.Key_Home)
    qtbot.waitUntil(lambda: shown_id(page) == 1)
    start, end = page.zoom.bands.window_ms
    assert (start, end) != before
    assert start <= START_MS + 9 * HOUR_MS + 30_000 < end
    page.zoom.pan(5 * MINUTE_MS)
    assert page.zoom.bands.window_ms[0] == start + 5 * MINUTE_MS


def test_an_hour_bar_opens_its_hour(page: ActivityPage, qtbot) -> None:
    bar = next(bar for bar in page.zoom.day.hours if bar.label == "09")
    page.zoom.bars.hour_opened.emit(bar)
    assert page.zoom.level == "hour"
    assert page.zoom.bands.window_ms == (bar.start_ms, bar.end_ms)
    qtbot.waitUntil(lambda: page.strip.current_id() == 119)


def test_a_week_is_seven_days_on_the_same_hours(page: ActivityPage, product: FakeProduct, qtbot) -> None:
    page.zoom.set_level("week")
    qtbot.waitUntil(lambda: page.zoom.week.view is not None)
    assert page.stack.currentIndex() == WEEK
    assert page.bar.span.text() == "5 January – 11 January"
    assert not page.bar.newer.isEnabled()
    assert not page.bar.day_box.isVisible()
    assert len(page.zoom.week.rows[0].segments()) == 8
    assert page.zoom.week.labels[0].text().startswith("Mon 5\n1 h")
    assert not page.zoom.week.labels[1].isEnabled()  # to come
    page.bar.step_day(-1)
    qtbot.waitUntil(lambda: page.zoom.week.view.days[0].day == "2025-12-29")
    assert page.bar.newer.isEnabled()


def test_a_segment_of_the_week_opens_from_near(page: ActivityPage, product: FakeProduct, qtbot) -> None:
    page.zoom.set_level("week")
    qtbot.waitUntil(lambda: page.zoom.week.view is not None)
    segment = product.segments.all[1]
    with qtbot.waitSignal(page.source_selected) as shown:
        page.zoom.week.rows[0].segment_chosen.emit(segment, segment.start_ms)
    assert shown.args[0].ref == "2"
    page.zoom.week.rows[0].segment_opened.emit(segment, segment.start_ms + 30_000)
    qtbot.waitUntil(lambda: page.stack.currentIndex() == NEAR)
    qtbot.waitUntil(lambda: page.strip.current_id() == 27)
    assert page.bar.day_box.isVisible()


def test_a_day_of_the_month_opens(page: ActivityPage, product: FakeProduct, qtbot) -> None:
    page.zoom.set_level("month")
    month = page.zoom.month
    qtbot.waitUntil(lambda: month.sum.text() == "1 h active on 1 day")
    assert page.bar.span.text() == "January 2026"
    page.bar.older.click()
    assert page.bar.span.text() == "December 2025"
    page.bar.newer.click()
    month.map.day_opened.emit("2026-01-05")
    qtbot.waitUntil(lambda: page.stack.currentIndex() == NEAR and page.zoom.level == "day")
    assert page.bar.day() == "2026-01-05"


def test_a_segment_anchor_opens_its_day_at_its_first_frame(page: ActivityPage, product: FakeProduct, qtbot) -> None:
    assert page.open_anchor(Anchor("segment", "3", 0, "UTC"))
    qtbot.waitUntil(lambda: page.strip.current_id() == 51)
    assert page.zoom.chosen().id == 3


def test_a_time_opens_its_hour(page: ActivityPage, qtbot) -> None:
    page.open_time(START_MS + 9 * HOUR_MS)
    qtbot.waitUntil(lambda: page.strip.current_id() == 119)
    assert page.zoom.level == "hour"
    assert page.zoom.bands.window_ms == (START_MS + 9 * HOUR_MS, START_MS + 10 * HOUR_MS)


def test_segments_that_change_meanwhile_are_shown(page: ActivityPage, product: FakeProduct, qtbot) -> None:
    product.segments.all.pop()
    product.events.publish(SegmentsChanged(("2026-01-05",)))
    qtbot.waitUntil(lambda: len(page.zoom.bands.segments()) == 7)


def test_the_level_survives_a_restart(
    page: ActivityPage, product: FakeProduct, calls: Calls, bridge: Bridge, qtbot, tmp_path
) -> None:
    page.zoom.set_level("week")
    settings = QSettings(str(tmp_path / "state.ini"), QSettings.Format.IniFormat)
    page.save_state(settings)
    again = ActivityPage(product, calls, bridge)
    qtbot.addWidget(again)
    again.restore_state(settings)
    again.show()
    qtbot.waitUntil(lambda: again.zoom.week.view is not None)
    assert again.zoom.level == "week"


def test_an_empty_page_asks_to_start_only_when_recording_is_off(calls: Calls, qtbot) -> None:
    product = FakeProduct(0)
    bridge = Bridge(product.events)
    page = ActivityPage(product, calls, bridge)
    qtbot.addWidget(page)
    page.show()
    qtbot.waitUntil(lambda: "Start recording" in page.viewer.view._message)
    assert not page.near.time_lines.isVisible()
    product.state = a_status()
    page.refresh()
    qtbot.waitUntil(lambda: "Recording is on" in page.viewer.view._message)
    assert "Start recording" not in page.viewer.view._message
    bridge.close()


def test_a_stretch_in_sight_stays_inside_its_day() -> None:
    assert spans.window_at("day", DAY.start_ms, DAY) == (DAY.start_ms, DAY.end_ms)
    assert spans.window_at("hour", DAY.start_ms, DAY) == (DAY.start_ms, DAY.start_ms + HOUR_MS)
    assert spans.moved((DAY.end_ms - HOUR_MS, DAY.end_ms), HOUR_MS, DAY) == (DAY.end_ms - HOUR_MS, DAY.end_ms)


def test_spans_are_stepped_over_the_turn_of_the_year() -> None:
    assert spans.span_after("month", date(2026, 1, 31), -1) == date(2025, 12, 1)
    assert spans.span_after("week", date(2026, 1, 1), -1) == date(2025, 12, 25)
    assert spans.monday_of(date(2026, 1, 1)) == date(2025, 12, 29)
    assert spans.nearer("minute", 1) == "minute"
    assert spans.nearer("day", -2) == "month"
