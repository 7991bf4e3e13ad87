"""The page Reports over a real home: calendar, reading, writing, saving, printing."""

import json
from pathlib import Path

import pytest
from PySide6.QtCore import QDate, QPoint, Qt
from PySide6.QtGui import QGuiApplication

from biny_desktop.activity.reports.model import Report
from biny_desktop.core.anchors import Anchor
from biny_desktop.service.product import Product
from biny_desktop.ui.bridge import Bridge
from biny_desktop.ui.calls import Calls
from biny_desktop.ui.pages.reports.looking import ReportLook, nothing_words, outcome_words
from biny_desktop.ui.pages.reports.page import ReportsPage
from tests.fakes.day_product import TODAY, WEEK, YESTERDAY
from tests.fakes.made_reports import a_report


@pytest.fixture
def page(day_product: Product, calls: Calls, qtbot) -> ReportsPage:
    bridge = Bridge(day_product.events)
    made = ReportsPage(day_product, calls, bridge)
    qtbot.addWidget(made)
    made.resize(1_100, 740)
    made.show()
    qtbot.waitUntil(lambda: made.report.look is not None)
    yield made
    bridge.close()


def shown(page: ReportsPage, qtbot, kind: str, key: str) -> ReportLook:
    page.show_report(kind, key)
    qtbot.waitUntil(lambda: page.report.look.key == key)
    return page.report.look


def written(page: ReportsPage, qtbot, kind: str, key: str) -> None:
    shown(page, qtbot, kind, key)
    page.report.write.click()
    qtbot.waitUntil(lambda: page.report.look.report is not None, timeout=15_000)


def test_it_opens_at_today_and_says_when_a_report_comes(page: ReportsPage) -> None:
    assert page.report.look.key == TODAY
    assert page.report.heading.text() == "Today"
    assert "After 04:00" in page.report.nothing.text()
    assert page.report.no_model.isVisible()
    assert page.report.write.text() == "Write now"
    assert not page.report.copy.isEnabled()


def test_a_report_is_written_and_what_came_of_it_is_said(page: ReportsPage, qtbot) -> None:
    written(page, qtbot, "day", YESTERDAY)
    assert page.report.outcome.text() == "Written from the records, without a model."
    assert "harbour" in page.report.text.toPlainText()
    assert page.report.write.text() == "Write again"
    assert page.report.show_file.isVisible()
    qtbot.waitUntil(lambda: "Made without a model" in page.side.calendar.tip(("day", YESTERDAY)))


def test_a_failed_account_says_why_in_words(day_product: Product, page: ReportsPage, model_server, qtbot) -> None:
    model_server.always("no json at all")
    day_product.models.set_slot("small", model_server.url, "tiny")
    written(page, qtbot, "day", YESTERDAY)
    assert "its answer could not be read" in page.report.outcome.text()
    assert page.report.outcome.property("role") == "warn"
    assert not page.report.no_model.isVisible()


def test_writing_can_be_stopped_while_the_model_thinks(day_product, page: ReportsPage, model_server, qtbot) -> None:
    model_server.always("", hang=True)
    day_product.models.set_slot("small", model_server.url, "tiny")
    shown(page, qtbot, "day", YESTERDAY)
    page.report.write.click()
    qtbot.waitUntil(lambda: bool(model_server.requests), timeout=15_000)
    page.report.work.cancel.click()
    qtbot.waitUntil(lambda: page.report.outcome.text().startswith("Stopped: written"), timeout=10_000)
    qtbot.waitUntil(lambda: page.report.look.report is not None)


def test_weeks_are_chosen_by_their_number(page: ReportsPage, qtbot) -> None:
    calendar = page.side.calendar
    place = calendar.place("week", WEEK)
    qtbot.mouseClick(calendar, Qt.MouseButton.LeftButton, pos=QPoint(place.center().x(), place.center().y()))
    qtbot.waitUntil(lambda: page.report.look.key == WEEK)
    written(page, qtbot, "week", WEEK)
    assert page.report.outcome.property("role") == "ok"


def test_arrows_walk_through_days_weeks_and_months(page: ReportsPage, qtbot) -> None:
    calendar = page.side.calendar
    calendar.setFocus()
    steps = [
        (Qt.Key.Key_Right, ("day", TODAY)),
        (Qt.Key.Key_Left, ("day", YESTERDAY)),
        (Qt.Key.Key_Up, ("day", "2026-03-04")),
        (Qt.Key.Key_Left, ("day", "2026-03-03")),
        (Qt.Key.Key_Left, ("day", "2026-03-02")),
        (Qt.Key.Key_Left, ("week", "2026-W10")),
        (Qt.Key.Key_Down, ("week", WEEK)),
        (Qt.Key.Key_Left, ("day", "2026-03-08")),
        (Qt.Key.Key_Right, ("week", WEEK)),
        (Qt.Key.Key_Right, ("day", "2026-03-09")),
        (Qt.Key.Key_PageUp, ("day", "2026-02-09")),
        (Qt.Key.Key_PageDown, ("day", "2026-03-09")),
        (Qt.Key.Key_Home, ("day", TODAY)),
    ]
    for key, expected in steps:
        qtbot.keyClick(calendar, key)
        assert calendar.choice() == expected
        assert calendar.month == (2026, int(expected[1][5:7]) if expected[0] == "day" else 3)
    qtbot.waitUntil(lambda: page.report.look.key == TODAY)


def test_links_open_the_source_panel_and_other_reports(page: ReportsPage, qtbot) -> None:
    told: list[Anchor] = []
    page.source_selected.connect(told.append)
    page.report.anchor_opened.emit(Anchor("segment", "3", 0, "UTC"))
    assert [(each.kind, each.ref) for each in told] == [("segment", "3")]
    page.report.anchor_opened.emit(Anchor("report", YESTERDAY, 0, "UTC"))
    qtbot.waitUntil(lambda: page.report.look.key == YESTERDAY)
    assert len(told) == 1


def test_copy_takes_the_markdown(page: ReportsPage, qtbot) -> None:
    written(page, qtbot, "day", YESTERDAY)
    page.report.copy.click()
    assert QGuiApplication.clipboard().text().startswith(f"# {YESTERDAY}")


def test_a_range_is_exported_as_markdown_or_json(page: ReportsPage, qtbot, tmp_path: Path) -> None:
    page.report.choose = lambda _question, name, _kinds: str(tmp_path / name)
    page.report.export.click()
    assert (page.dialog.first.date(), page.dialog.last.date()) == (QDate(2026, 3, 1), QDate(2026, 3, 12))
    page.dialog.json.click()
    page.dialog.save.click()
    file = tmp_path / "reports-2026-03-01-2026-03-12.json"
    qtbot.waitUntil(file.exists, timeout=20_000)
    qtbot.waitUntil(lambda: str(file) in page.report.outcome.text())
    keys = [each["key"] for each in json.loads(file.read_text())["reports"]]
    assert {YESTERDAY, TODAY} <= set(keys)


def test_a_range_that_ends_before_it_begins_is_said_to(page: ReportsPage, qtbot) -> None:
    page.report.export.click()
    page.dialog.first.setDate(QDate(2026, 3, 9))
    page.dialog.last.setDate(QDate(2026, 3, 2))
    page.dialog.save.click()
    assert page.dialog.fault.isVisible()
    page.dialog.reject()


def test_a_report_is_printed_to_pdf(page: ReportsPage, qtbot, tmp_path: Path) -> None:
    written(page, qtbot, "day", YESTERDAY)
    page.report.choose = lambda _question, name, _kinds: str(tmp_path / name)
    page.report.print.click()
    file = tmp_path / f"{YESTERDAY}.pdf"
    qtbot.waitUntil(file.exists, timeout=10_000)
    assert file.read_bytes().startswith(b"%PDF")


def test_a_choice_without_a_file_saves_nothing(page: ReportsPage, qtbot) -> None:
    written(page, qtbot, "day", YESTERDAY)
    page.report.choose = lambda *_asked: ""
    page.report.print.click()
    page.report.export_days(YESTERDAY, TODAY, "md")
    assert not page.report.work.running()


def test_the_markdown_file_is_opened_by_the_system(page: ReportsPage, qtbot) -> None:
    opened = []
    page.report.open_url = opened.append
    written(page, qtbot, "day", YESTERDAY)
    page.report.show_file.click()
    assert opened[0].toLocalFile().endswith(f"{YESTERDAY}.md")


def test_a_report_written_elsewhere_appears(page: ReportsPage, day_product: Product, qtbot) -> None:
    shown(page, qtbot, "day", YESTERDAY)
    day_product.reports.make("day", YESTERDAY)
    qtbot.waitUntil(lambda: page.report.look.report is not None, timeout=10_000)


def test_without_a_model_there_is_a_way_to_models(page: ReportsPage) -> None:
    asked: list[tuple[str, str]] = []
    page.page_requested.connect(lambda *where: asked.append(where))
    page.report.to_models.click()
    assert asked == [("models", "slots")]


def test_a_narrow_page_shows_one_part_at_a_time(page: ReportsPage, qtbot) -> None:
    page.resize(520, 560)
    assert not page.report.isVisible()
    page.side.opened.emit()
    assert page.report.isVisible()
    page.find()
    assert page.side.calendar.isVisible()


@pytest.mark.parametrize(
    ("state", "role", "part"),
    [
        ("done", "ok", "tiny"),
        ("done_no_model", "ok", "without a model"),
        ("narrative_failed", "warn", "it took too long"),
        ("empty_day", "muted", "nothing to report"),
        ("failed", "bad", "could not be written"),
    ],
)
def test_every_outcome_has_words(state: str, role: str, part: str) -> None:
    report: Report = a_report(state=state, reason="timeout", model="tiny")
    words, said = outcome_words(report)
    assert said == role
    assert part in words


def test_empty_states_say_what_will_appear(page: ReportsPage, qtbot) -> None:
    look = shown(page, qtbot, "day", "2026-03-01")
    assert nothing_words(look) == "Nothing was recorded on this day."
    assert not page.report.write.isEnabled()


def test_it_is_painted_in_both_themes(page: ReportsPage, qtbot, qapp) -> None:
    from biny_desktop.ui.theme import apply_theme

    written(page, qtbot, "day", YESTERDAY)
    pictures = []
    for theme in ("dark", "light"):
        apply_theme(qapp, theme)
        pictures.append(page.grab().toImage())
    assert pictures[0] != pictures[1]
