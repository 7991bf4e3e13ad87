"""What the tray says by itself, and the switches that keep it quiet."""

import pytest

from biny_desktop.core.events import DiskStopped, FirstDeletionPlanned, ReportMade
from biny_desktop.ui.notifier import Notifier
from biny_desktop.ui.status_watch import Snapshot
from biny_desktop.ui.tray import Tray
from tests.fakes.clock import START_MS
from tests.fakes.product import a_status


@pytest.fixture
def said(parts, monkeypatch) -> list[tuple[str, str]]:
    """What was notified; the notifier is alive as long as the tray."""
    said: list[tuple[str, str]] = []
    tray = Tray(parts.window.actions_, parts.window)
    monkeypatch.setattr(tray, "notify", lambda title, text: said.append((title, text)))
    Notifier(parts.product, parts.bridge, parts.watch, tray)
    return said


def show(parts, state: str) -> None:
    status = a_status(state=state, reason="no_picture" if state == "stalled" else "")
    parts.watch.changed.emit(Snapshot(status, parts.product.settings.current(), None, "UTC", START_MS))


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
