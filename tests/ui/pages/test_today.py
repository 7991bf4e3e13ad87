"""The page Today as a person uses it."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import date, timedelta

import pytest
from PySide6.QtCore import QSettings, Qt
from PySide6.QtWidgets import QLineEdit

from biny_desktop.core.anchors import Anchor
from biny_desktop.core.errors import StorageError
from biny_desktop.core.events import ReportMade, SegmentsChanged
from biny_desktop.ui.bridge import Bridge
from biny_desktop.ui.calls import Calls
from biny_desktop.ui.dialogs.conflict import ConflictDialog
from biny_desktop.ui.dialogs.delete import DeleteDialog
from biny_desktop.ui.pages.today.page import TodayPage
from tests.fakes.clock import START_MS
from tests.fakes.made_reports import a_report
from tests.fakes.product_pages import FakeProduct, a_status
from tests.fakes.segment_days import HOUR_MS, plain_day

DAY = "2026-01-05"


@pytest.fixture
def product() -> Iterator[FakeProduct]:
    """Monday, 19 o'clock, a day of ten segments."""
    made = FakeProduct(200)
    made.clock.set_wall(START_MS + 19 * HOUR_MS)
    made.segments.all = plain_day(START_MS + 4 * HOUR_MS)
    yield made
    made.reports.held.set()


def make(product: FakeProduct, calls: Calls, bridge: Bridge, qtbot) -> TodayPage:
    page = TodayPage(product, calls, bridge)
    qtbot.addWidget(page)
    page.resize(1_000, 640)
    page.show()
    qtbot.waitUntil(lambda: page.view is not None)
    return page


@pytest.fixture
def page(product: FakeProduct, calls: Calls, bridge: Bridge, qtbot) -> TodayPage:
    return make(product, calls, bridge, qtbot)


def test_it_shows_the_sums_hours_and_segments_of_today(page: TodayPage, product: FakeProduct) -> None:
    said = page.figures.texts()
    assert said[0] == "6 h 38 min active"
    assert "12 min private" in said
    assert said[-2:] == ["9 activities", "6 apps"]
    assert page.list.model.row_of(1) == 0
    assert page.legend.accessibleName().startswith("Visual Studio Code")
    assert product.keeper.calls >= 1  # what was just recorded is in it


def test_nothing_is_asked_on_the_thread_of_the_window(page: TodayPage, product: FakeProduct) -> None:
    import threading

    assert threading.get_ident() not in product.segments.threads


def test_days_are_stepped_and_never_go_beyond_today(page: TodayPage, qtbot) -> None:
    assert not page.switch.newer.isEnabled()
    assert not page.switch.today.isVisible()
    page.switch.step(-1)
    qtbot.waitUntil(lambda: page.view.day.day == "2026-01-04")
    assert page.switch.day.text() == "Yesterday"
    assert page.pages.currentIndex() == 1
    assert page.nothing_title.text() == "Nothing was recorded"
    page.switch.today.click()
    qtbot.waitUntil(lambda: page.view.day.day == DAY)
    page.switch.step(1)
    assert page.view.day.day == DAY


def test_the_calendar_shades_the_month_and_picks_a_day(page: TodayPage, product: FakeProduct, qtbot) -> None:
    page.find()
    popup = page.switch.popup
    qtbot.waitUntil(lambda: "heat" in product.segments.calls)
    qtbot.waitUntil(lambda: "6 h" in popup.map.tip(date(2026, 1, 5)))
    assert popup.name.text() == "January 2026"
    popup.older.click()
    assert popup.name.text() == "December 2025"
    popup.map.day_opened.emit("2025-12-24")
    qtbot.waitUntil(lambda: page.view.day.day == "2025-12-24")
    assert not popup.isVisible()


def test_an_hour_is_asked_for_where_time_is_shown(page: TodayPage, qtbot) -> None:
    with qtbot.waitSignal(page.time_requested) as asked:
        page.bars.hour_opened.emit(page.view.day.hours[5])
    assert asked.args == [START_MS + 9 * HOUR_MS]


def test_a_segment_opens_in_the_panel_by_a_click_and_in_activity_by_enter(page: TodayPage, qtbot) -> None:
    view = page.list.view
    with qtbot.waitSignal(page.source_selected) as shown:
        qtbot.mouseClick(
            view.viewport(), Qt.MouseButton.LeftButton, pos=view.visualRect(page.list.model.index(0)).center()
        )
    assert shown.args[0] == Anchor("segment", "1", page.list.model.segment(0).start_ms, "UTC")
    with qtbot.waitSignal(page.open_requested) as opened:
        qtbot.keyClick(view, Qt.Key.Key_Return)
    assert opened.args[0].ref == "1"


def test_a_title_is_changed_in_place_and_saved(page: TodayPage, product: FakeProduct, qtbot) -> None:
    page.list.view.choose(3)
    qtbot.keyClick(page.list.view, Qt.Key.Key_F2)
    editor = page.list.view.findChild(QLineEdit)
    editor.setText("Ferry timetable")
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: product.segment_edits.done == [("title", 3, "Ferry timetable", "user")])
    qtbot.waitUntil(lambda: page.list.view.chosen().title == "Ferry timetable")


def test_a_conflict_shows_both_versions_and_saves_over_it_only_when_told(
    page: TodayPage, product: FakeProduct, qtbot
) -> None:
    old = page.list.model.segment(page.list.model.row_of(3))
    place = product.segments.all.index(old)
    product.segments.all[place] = replace(old, title="Named elsewhere", revision=7)
    page.acts.rename(old, "Mine")
    qtbot.waitUntil(lambda: page.findChild(ConflictDialog) is not None)
    dialog = page.findChild(ConflictDialog)
    assert (dialog.mine.text(), dialog.theirs.text()) == ("Mine", "Named elsewhere")
    assert product.segments.segment(3).title == "Named elsewhere"
    dialog.keep.click()
    qtbot.waitUntil(lambda: product.segments.segment(3).title == "Mine")
    assert product.segments.segment(3).revision == 8


def test_a_change_of_something_else_is_no_conflict(page: TodayPage, product: FakeProduct, qtbot) -> None:
    old = page.list.model.segment(page.list.model.row_of(3))
    product.segments.all[product.segments.all.index(old)] = replace(old, note="look again", revision=2)
    page.acts.rename(old, "Mine")
    qtbot.waitUntil(lambda: product.segments.segment(3).title == "Mine")
    assert product.segments.segment(3).note == "look again"
    assert page.findChild(ConflictDialog) is None


def test_the_menu_splits_merges_hides_and_deletes(page: TodayPage, product: FakeProduct, qtbot) -> None:
    model, acts = page.list.model, page.acts
    segment = model.segment(model.row_of(3))
    entries = {entry.text(): entry for entry in acts.menu(segment, model.after(segment)).actions() if entry.text()}
    assert {"Rename", "Note…", "Project…", "Split…", "Merge with the next", "Hide", "Delete…"} <= set(entries)
    acts.split(segment, segment.start_ms + HOUR_MS)
    qtbot.waitUntil(lambda: len(product.segments.all) == 11)
    qtbot.waitUntil(lambda: model.segment(model.row_of(3)).end_ms == segment.start_ms + HOUR_MS)
    first = model.segment(model.row_of(3))
    acts.merge(first, model.after(first))
    qtbot.waitUntil(lambda: len(product.segments.all) == 10)
    acts.hide(product.segments.segment(3), hidden=True)
    qtbot.waitUntil(lambda: model.row_of(3) is None)
    assert page.list.toggle.text() == "Show 1 short one and 1 hidden one"
    page.acts.delete(product.segments.segment(1))
    dialog = page.findChild(DeleteDialog)
    qtbot.waitUntil(dialog.delete.isEnabled)
    selection = product.deletes.previewed[-1]
    assert (selection.what, selection.start_ms) == ("range", product.segments.segment(1).start_ms)


def test_an_open_segment_cannot_be_split(page: TodayPage, product: FakeProduct) -> None:
    segment = replace(product.segments.all[0], open=True)
    entries = {entry.text(): entry for entry in page.acts.menu(segment, None).actions()}
    assert not entries["Split…"].isEnabled()
    assert not entries["Merge with the next"].isEnabled()


def test_the_report_is_written_and_shown(page: TodayPage, product: FakeProduct, qtbot) -> None:
    pane = page.report
    assert pane.write.text() == "Write today's summary"
    assert "can be written at any time. After 04:00" in pane.nothing.text()
    product.reports.held.clear()
    pane.write.click()
    qtbot.waitUntil(pane.work.isVisible)
    assert not pane.write.isEnabled()
    product.reports.held.set()
    qtbot.waitUntil(lambda: page.view.report is not None and not pane.work.isVisible())
    assert pane.write.text() == "Write again"
    assert pane.state.text() == "Written 19:00, made without a model"
    assert "harbour – storage.py" in pane.text.toPlainText()


def test_one_may_stop_waiting_for_a_report(page: TodayPage, product: FakeProduct, qtbot) -> None:
    product.reports.held.clear()
    page.report.write.click()
    qtbot.waitUntil(lambda: product.reports.begun == [DAY])
    page.report.work.cancel.click()
    assert not page.report.work.isVisible()
    assert page.report.write.isEnabled()
    product.reports.held.set()
    qtbot.waitUntil(lambda: product.reports.made == [DAY])
    product.events.publish(ReportMade("day", DAY, "done_no_model", asked=True))
    qtbot.waitUntil(lambda: page.view.report is not None)


def test_a_failure_is_told_by_the_window(page: TodayPage, product: FakeProduct, calls: Calls, qtbot) -> None:
    product.reports.error = StorageError("The report could not be written")
    with qtbot.waitSignal(calls.failed):
        page.report.write.click()
    assert page.report.write.isEnabled()


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"state": "done", "model": "small-model"}, "Written 18:30 with small-model"),
        (
            {"state": "narrative_failed", "reason": "too_short"},
            "Written 18:30; its account by a model failed: too little of it could be used",
        ),
        ({"state": "done_no_model", "stale": True}, "Written 18:30, made without a model · the day changed since"),
    ],
)
def test_how_a_report_came_about_is_said(
    changes: dict[str, object], said: str, product: FakeProduct, calls: Calls, bridge: Bridge, qtbot
) -> None:
    product.reports.all[DAY] = a_report(DAY, START_MS + 18 * HOUR_MS + HOUR_MS // 2, **changes)
    page = make(product, calls, bridge, qtbot)
    assert page.report.state.text() == said


def test_a_link_of_the_report_chooses_its_segment(page: TodayPage, qtbot) -> None:
    with qtbot.waitSignal(page.source_selected) as shown:
        page.report.anchor_opened.emit(Anchor("segment", "5", 0, "UTC"))
    assert page.list.view.chosen().id == 5
    assert shown.args[0].ref == "5"
    with qtbot.waitSignal(page.source_selected) as shown:
        page.report.anchor_opened.emit(Anchor("frame", "7", 0, "UTC"))
    assert shown.args[0].kind == "frame"


def test_what_changes_meanwhile_is_shown_and_the_choice_stays(page: TodayPage, product: FakeProduct, qtbot) -> None:
    page.list.view.choose(3)
    product.segments.all.pop()
    product.events.publish(SegmentsChanged((DAY,)))
    qtbot.waitUntil(lambda: page.figures.texts()[-2] == "8 activities")
    assert page.list.view.chosen().id == 3


@pytest.mark.parametrize(
    ("status", "said"),
    [
        ({"enabled": False}, "Start recording with the button"),
        ({"state": "capturing"}, "Recording is on: nothing has to be done."),
        ({"state": "paused", "reason": "user"}, "Recording is paused"),
        ({"state": "stalled"}, "Recording has stalled"),
    ],
)
def test_an_empty_day_says_what_will_come_and_what_the_recording_needs(
    status: dict[str, object], said: str, product: FakeProduct, calls: Calls, bridge: Bridge, qtbot
) -> None:
    product.segments.all = []
    product.state = a_status(**status)
    page = make(product, calls, bridge, qtbot)
    assert page.nothing_title.text() == "Nothing yet today"
    assert said in page.nothing_text.text()
    assert "A day begins at 04:00" in page.nothing_text.text()


def test_narrow_there_is_one_part_at_a_time(page: TodayPage, qtbot) -> None:
    page.resize(560, 600)
    qtbot.waitUntil(page.halves.tabs.isVisible)
    assert page.list.isVisible()
    assert not page.report.isVisible()
    page.halves.show_part(1)
    assert page.report.isVisible()
    page.resize(1_000, 600)
    qtbot.waitUntil(lambda: not page.halves.tabs.isVisible())
    assert page.list.isVisible()


def test_what_was_chosen_survives_a_restart(
    page: TodayPage, product: FakeProduct, calls: Calls, bridge: Bridge, qtbot, tmp_path
) -> None:
    page.list.toggle.click()
    page.halves.show_part(1)
    settings = QSettings(str(tmp_path / "state.ini"), QSettings.Format.IniFormat)
    page.save_state(settings)
    again = TodayPage(product, calls, bridge)
    qtbot.addWidget(again)
    again.restore_state(settings)
    assert again.list.model.shows_all
    assert again.halves.tabs.currentIndex() == 1


def test_tomorrow_the_page_is_at_the_new_day(page: TodayPage, product: FakeProduct, qtbot) -> None:
    product.clock.advance(round(timedelta(days=1).total_seconds() * 1_000))
    page.refresh()
    qtbot.waitUntil(lambda: page.view.day.day == "2026-01-06")


def test_a_low_page_gives_its_room_to_the_segments(page: TodayPage, qtbot) -> None:
    assert page.bars.isVisible()
    page.resize(1_000, 300)
    qtbot.waitUntil(lambda: not page.bars.isVisible())
    assert page.list.isVisible()


def test_the_report_comes_into_sight_when_it_is_asked_for(page: TodayPage, qtbot) -> None:
    page.resize(500, 500)
    page.show()
    qtbot.waitUntil(page.halves.narrow)
    page.open_part("report")
    assert page.halves.tabs.currentIndex() == 1
    page.open_part("nothing of that name")
    assert page.halves.tabs.currentIndex() == 1
