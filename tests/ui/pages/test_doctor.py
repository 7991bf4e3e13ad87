"""The page Doctor on a made-up report, real log and real crash files; and the text that is handed on."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLabel

from biny_desktop.capture.platforms.choices import Choice
from biny_desktop.service import doctor_report
from biny_desktop.service.crash import write_crash
from biny_desktop.service.doctor import Check, Report
from biny_desktop.service.schedule import JobRun
from biny_desktop.ui.bridge import Bridge
from biny_desktop.ui.pages.doctor import page as page_module
from biny_desktop.ui.pages.doctor.back_ends import rows_of
from biny_desktop.ui.pages.doctor.log_view import LEVELS, at_least
from biny_desktop.ui.pages.doctor.page import DoctorPage
from tests.fakes.product import ShellProduct

CHECKS = (
    Check("version", "ok", "Biny Desktop"),
    Check("encryption", "warn", "The key is in a file.", "Start a keyring."),
    Check("recording", "bad", "stalled"),
)
CHOICES = (Choice("input", "pynput", "Instead of XInput 2.", (("xinput2", "The X server has no XInput 2.1."),)),)
LOG = (
    "2026-01-05 10:00:00,001 INFO MainThread biny: started",
    "2026-01-05 10:00:01,001 ERROR reader biny.reading: failed",
    "Traceback (most recent call last):",
    "2026-01-05 10:00:02,001 WARNING recorder biny: slow",
)


@pytest.fixture
def product(tmp_path: Path) -> ShellProduct:
    made = ShellProduct(tmp_path)
    (made.folders.logs / "biny.log").write_text("\n".join(LOG) + "\n")
    return made


@pytest.fixture
def asked(monkeypatch) -> list[bool]:
    """Whether each look asked for the self-test."""
    asked: list[bool] = []

    def examine(product: object, *, self_test: bool = False) -> Report:
        asked.append(self_test)
        return Report((*CHECKS, Check("OCR self-test", "ok", "Read")) if self_test else CHECKS)

    monkeypatch.setattr(page_module, "examine", examine)
    monkeypatch.setattr(page_module, "back_ends", lambda product: CHOICES)
    return asked


@pytest.fixture
def page(product: ShellProduct, calls, asked, qtbot) -> Iterator[DoctorPage]:
    bridge = Bridge(product.events)
    made = DoctorPage(product, calls, bridge)
    qtbot.addWidget(made)
    made.show()
    qtbot.waitUntil(lambda: made.found is not None)
    yield made
    bridge.close()


def words(page: DoctorPage) -> list[str]:
    return [each.text() for each in page.checks.findChildren(QLabel) if each.isVisible() and each.text()]


def test_what_needs_attention_comes_first_with_what_to_do(page: DoctorPage) -> None:
    assert page.verdict.text() == "1 fault needs attention"
    said = words(page)
    assert said.index("Needs attention") < said.index("Recording") < said.index("Encryption") < said.index("In order")
    assert said[said.index("The key is in a file.") + 1] == "Start a keyring."


def test_the_self_test_is_run_on_demand_and_kept_by_later_looks(page: DoctorPage, asked, qtbot) -> None:
    page.test.click()
    assert not page.test.isEnabled()
    qtbot.waitUntil(page.test.isEnabled)
    assert asked == [False, True]
    page.refresh()
    qtbot.waitUntil(lambda: len(asked) == 3)
    qtbot.waitUntil(lambda: not page._calls.busy())
    assert "Ocr self-test" in words(page) or "OCR self-test" in words(page)


def test_the_log_is_filtered_by_level_and_tracebacks_stay_with_their_line(page: DoctorPage) -> None:
    page.open_part("log")
    assert page.log.text.toPlainText().splitlines() == list(LOG)
    page.log.level.setCurrentIndex(2)
    assert page.log.text.toPlainText().splitlines() == list(LOG[1:3])
    assert at_least(LOG, LEVELS["WARNING"]) == list(LOG[1:])


def test_back_ends_are_listed_with_the_refused_ones_under_them() -> None:
    assert [row.cells for row in rows_of(CHOICES)] == [
        ("Input", "pynput", "in use", "Instead of XInput 2."),
        ("", "xinput2", "not taken", "The X server has no XInput 2.1."),
    ]


def test_crash_files_are_shown_newest_first_with_their_content(page: DoctorPage, product, qtbot) -> None:
    assert page.crash._stack.currentIndex() == 0
    write_crash(product.folders, product.clock, ValueError("of the person"))
    page.refresh()
    qtbot.waitUntil(lambda: "ValueError" in page.crash.text.toPlainText())
    assert "of the person" not in page.crash.text.toPlainText()
    assert page.crash.list.count() == 1
    assert page.crash.list.item(0).text().endswith("(new)")


def test_the_copied_report_holds_no_secret_and_no_home(page: DoctorPage, product, qtbot, monkeypatch) -> None:
    monkeypatch.setenv("HOME", "/home/mara")
    with (product.folders.logs / "biny.log").open("a") as log:
        log.write("2026-01-05 10:00:03,001 INFO t biny: /home/mara/x password: correct-horse-7\n")
    page.copy.click()
    qtbot.waitUntil(lambda: "Back ends" in QGuiApplication.clipboard().text())
    text = QGuiApplication.clipboard().text()
    assert "[warn] encryption: The key is in a file. -> Start a keyring." in text
    assert "refused xinput2: The X server has no XInput 2.1." in text
    assert "mara" not in text
    assert "correct-horse" not in text


def test_without_a_recording_the_session_is_asked_and_its_screens_are_closed(product, monkeypatch) -> None:
    closed: list[str] = []

    class Screen:
        def close(self) -> None:
            closed.append("screen")

    class Session:
        screens = (Screen(),)
        reasons = CHOICES

    monkeypatch.setattr(doctor_report, "pick", lambda clock: Session())
    assert doctor_report.back_ends(product) == CHOICES
    assert closed == ["screen"]


def test_jobs_say_when_they_ran_what_came_of_it_and_when_they_are_due(page: DoctorPage, product, qtbot) -> None:
    now = product.clock.now_ms()
    done = JobRun("ageing", "done", "3 smaller", now - 60_000, now - 59_000, 1_000, 0, now + 1_800_000)
    broken = JobRun("later", "failed", "storage", now - 1_000, None, 10, 4, None)
    product.jobs = [done.as_json(), broken.as_json(), JobRun("disk").as_json()]
    page.refresh()
    qtbot.waitUntil(lambda: page.jobs.rows.rowCount() == 3)
    rows = [page.jobs.rows.row(n) for n in range(3)]
    assert rows[0].cells[:2] == ("Ageing of pictures", "Done")
    assert rows[0].cells[3:] == ("1 s", "in 30 min", "3 smaller")
    assert rows[1].cells[1] == "Failed"
    assert rows[1].tip.startswith("Failed 4 times")
    assert rows[2].cells == ("Disk space", "Not yet", "–", "–", "–", "")
