"""What the tray says by itself, and the switches that keep it quiet."""

from collections.abc import Callable

import pytest

from biny_desktop.core.events import DiskStopped, FirstDeletionPlanned, ReportMade
from biny_desktop.ui.notifier import Notifier
from biny_desktop.ui.status_watch import Snapshot
from biny_desktop.ui.tray import Tray
from tests.fakes.clock import START_MS
from tests.fakes.product import a_status

DAY_MS = 86_400_000


@pytest.fixture
def make_tray(parts) -> Callable[[], Tray]:
    return lambda: Tray(parts.window.actions_, parts.window)


@pytest.fixture
def said(parts, make_tray, monkeypatch) -> list[tuple[str, str]]:
    """What was notified; the notifier is alive as long as the tray."""
    said: list[tuple[str, str]] = []
    monkeypatch.setattr(Tray, "notify", lambda _tray, title, text, _page="": said.append((title, text)))
    Notifier(parts.product, parts.bridge, parts.watch, make_tray())
    return said


def show(parts, state: str, waiting: int = 0, day: int = 0) -> None:
    status = a_status(state=state, reason="no_picture" if state == "stalled" else "")
    parts.watch.changed.emit(
        Snapshot(status, parts.product.settings.current(), None, "UTC", START_MS + day * DAY_MS, waiting)
    )


def test_a_stall_is_said_once_and_only_when_wanted(parts, said) -> None:
    for state in ("capturing", "stalled", "stalled", "capturing", "stalled"):
        show(parts, state)
    assert [title for title, _text in said] == ["Recording has stalled"] * 2
    for key in ("ui.notify", "notify.stalled"):
        parts.product.settings.set(key, "false")
        show(parts, "capturing")
        show(parts, "stalled")
        parts.product.settings.reset(key)
    assert len(said) == 2


def test_the_first_deletion_and_a_full_disk_are_said(parts, said, qtbot) -> None:
    parts.product.events.publish(FirstDeletionPlanned(START_MS))
    parts.product.events.publish(DiskStopped(1_000_000_000, 2_000_000_000, 2_500_000_000))
    qtbot.waitUntil(lambda: len(said) == 2)
    assert said[0][0] == "Pictures will be made smaller or deleted for the first time"
    assert "postpone" in said[0][1]
    assert said[1] == (
        "Recording stopped: the disk is nearly full",
        "1.0 GB are free. Recording goes on by itself at 2.5 GB.",
    )


def test_each_kind_has_its_own_switch(parts, said, qtbot) -> None:
    parts.product.settings.set("notify.first_deletion", "false")
    parts.product.events.publish(FirstDeletionPlanned(START_MS))
    parts.product.events.publish(DiskStopped(1, 2, 3))
    qtbot.waitUntil(lambda: len(said) == 1)
    parts.product.settings.set("notify.disk", "false")
    parts.product.events.publish(DiskStopped(1, 2, 3))
    assert len(said) == 1


def test_a_report_that_is_ready_is_said_by_its_day(parts, said, qtbot) -> None:
    parts.product.events.publish(ReportMade("day", "2026-01-03", "done", asked=False))
    qtbot.waitUntil(lambda: bool(said))
    assert said == [("A report is ready: Yesterday", "Read it on the page Reports.")]
    parts.product.settings.set("notify.report", "false")
    parts.product.events.publish(ReportMade("day", "2026-01-03", "done", asked=False))
    assert len(said) == 1


def test_what_waits_for_approval_is_said_once_a_day_and_only_to_who_looks_elsewhere(parts, said, monkeypatch) -> None:
    looking = [parts.window]
    monkeypatch.setattr("biny_desktop.ui.notifier.QApplication.activeWindow", lambda: looking[0])
    show(parts, "capturing", waiting=1)
    assert said == []
    looking[0] = None
    show(parts, "capturing", waiting=1)
    assert said == [], "nothing new came"
    for waiting, day in ((2, 0), (5, 0), (4, 1), (6, 1)):
        show(parts, "capturing", waiting, day)
    assert said == [
        ("Something waits for approval", "2 things wait for your answer."),
        ("Something waits for approval", "6 things wait for your answer."),
    ]
    parts.product.settings.set("notify.approvals", "false")
    show(parts, "capturing", 9, day=2)
    assert len(said) == 2


def test_the_day_of_the_word_about_approvals_outlives_a_restart(parts, said, make_tray, monkeypatch) -> None:
    monkeypatch.setattr("biny_desktop.ui.notifier.QApplication.activeWindow", lambda: None)
    show(parts, "capturing", waiting=1)
    again = Notifier(parts.product, parts.bridge, parts.watch, make_tray())
    show(parts, "capturing", waiting=3)
    assert [text for _title, text in said] == ["One thing waits for your answer."]
    assert again is not None
