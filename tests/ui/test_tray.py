"""The tray: a shape for each state, what can be done, and life without one."""

from dataclasses import replace

import pytest
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QSystemTrayIcon

from biny_desktop.capture.ports import FOREVER_MS
from biny_desktop.ui.colours import contrast
from biny_desktop.ui.icons import SIZES_PX, pixmap
from biny_desktop.ui.states import can_pause, look_of, tooltip
from biny_desktop.ui.status_watch import Snapshot
from biny_desktop.ui.tray import COLOURS, Tray
from tests.fakes.clock import START_MS
from tests.fakes.product import a_status

STATES = {
    "capturing": a_status(),
    "idle": a_status(state="idle"),
    "stalled": a_status(state="stalled", reason="no_picture"),
    "paused": a_status(state="paused", reason="user", paused_until_ms=FOREVER_MS),
    "private": a_status(state="paused", reason="privacy"),
    "locked": a_status(state="locked"),
}


def snapshot(product, status) -> Snapshot:
    return Snapshot(status, product.settings.current(), None, "UTC", START_MS)


@pytest.fixture
def tray(parts) -> Tray:
    tray = Tray(parts.window.actions_)
    yield tray
    tray.stop()


@pytest.mark.parametrize("size", SIZES_PX)
def test_every_state_has_its_own_shape_at_every_size(qapp, size: int) -> None:
    shapes = set()
    for status in STATES.values():
        image = pixmap(look_of(status, "UTC", START_MS).icon_name, size, "#808080").toImage()
        cells = (image.pixelColor(x, y).alpha() > 127 for y in range(size) for x in range(size))
        shapes.add(bytes(cells))
    assert len(shapes) == len(STATES)


def test_tray_colours_hold_on_light_and_dark_panels() -> None:
    for name in COLOURS.values():
        for panel in ("#FFFFFF", "#1E1E1E"):
            assert contrast(QColor(name), QColor(panel)) >= 3


def test_words_differ_and_say_why() -> None:
    words = {look_of(status, "UTC", START_MS).words for status in STATES.values()}
    assert len(words) == len(STATES)
    assert look_of(STATES["stalled"], "UTC", START_MS).why == "The screen gave no picture"
    until = a_status(state="paused", reason="user", paused_until_ms=START_MS + 900_000)
    assert look_of(until, "UTC", START_MS).words.startswith("Paused until ")
    off = a_status(state="paused", reason="off", enabled=False)
    assert look_of(off, "UTC", START_MS).words == "Recording off"
    assert look_of(a_status(state="paused", reason="not_running"), "UTC", START_MS).words == "Not running"
    assert not can_pause(off)
    assert not can_pause(until)
    assert can_pause(STATES["capturing"])


def test_the_tooltip_tells_state_since_frames_and_last_frame() -> None:
    status = a_status(since_ms=START_MS - 60_000, last_frame_ms=START_MS, queued_to_read=3, advice="Unlock it.")
    lines = tooltip(status, "UTC", START_MS).splitlines()
    assert lines[0].startswith("Recording since ")
    assert lines[1:] == ["123 frames today", lines[2], "3 waiting to be read", "Unlock it."]
    assert lines[2].startswith("Last frame ")


def test_the_menu_offers_what_makes_sense(parts, tray: Tray, qtbot) -> None:
    actions = parts.window.actions_
    visible = [a.text() for a in tray._menu.actions() if a.isVisible() and not a.isSeparator()]
    assert visible[0] == "Open Biny"
    assert visible[-1] == "Quit"
    assert "Resume recording" not in visible
    actions.pauses[0].trigger()
    qtbot.waitUntil(actions.resume.isVisible)
    assert not any(action.isVisible() for action in actions.pauses)
    actions.resume.trigger()
    qtbot.waitUntil(lambda: not actions.resume.isVisible())
    assert parts.product.done == ["pause 15m", "resume"]


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ({"frame_id": 3}, "A picture was taken."),
        ({"reason": "private_app"}, "No picture was kept: Private app in front."),
    ],
)
def test_capture_now_says_what_came_of_it(parts, qtbot, answer, words) -> None:
    parts.product.captured = answer
    parts.window.actions_.capture.trigger()
    qtbot.waitUntil(lambda: "note" in parts.window.banners._shown)
    assert parts.window.banners._shown["note"][0].title == words


def test_a_tray_that_comes_late_is_found(tray: Tray, monkeypatch) -> None:
    there = iter([False, False, True])
    monkeypatch.setattr(QSystemTrayIcon, "isSystemTrayAvailable", lambda: next(there))
    heard: list[str] = []
    tray.missing.connect(lambda: heard.append("missing"))
    tray.arrived.connect(lambda: heard.append("arrived"))
    tray.start()
    tray._retry.timeout.emit()
    tray._retry.timeout.emit()
    assert heard == ["missing", "arrived"]
    assert not tray._retry.isActive()


def test_after_a_minute_nobody_waits_for_a_tray(tray: Tray, monkeypatch) -> None:
    monkeypatch.setattr(QSystemTrayIcon, "isSystemTrayAvailable", lambda: False)
    tray.start()
    for _second in range(60):
        assert tray._retry.isActive()
        tray._retry.timeout.emit()
    assert not tray._retry.isActive()


def test_todays_report_is_one_click_away(tray: Tray, qtbot) -> None:
    entry = next(action for action in tray._menu.actions() if action.text() == "Today's report")
    with qtbot.waitSignal(tray.page_requested) as asked:
        entry.trigger()
    assert asked.args == ["today", "report"]


def test_the_menu_counts_what_waits_and_leads_to_its_page(tray, parts, qtbot) -> None:
    texts = [action.text() for action in tray._menu.actions()]
    assert "Approvals" in texts
    assert "Settings" in texts
    tray.follow(replace(snapshot(parts.product, STATES["idle"]), waiting=3))
    found = next(action for action in tray._menu.actions() if action.text() == "Approvals (3)")
    with qtbot.waitSignal(tray.page_requested) as asked:
        found.trigger()
    assert asked.args == ["approvals", ""]


def test_a_click_on_a_notification_opens_what_it_is_about(tray, qtbot, monkeypatch) -> None:
    monkeypatch.setattr(QSystemTrayIcon, "isVisible", lambda _icon: True)
    tray.notify("a report", "read it", "reports")
    with qtbot.waitSignal(tray.page_requested) as asked:
        tray._icon.messageClicked.emit()
    assert asked.args == ["reports", ""]
    tray.notify("stalled", "why")
    with qtbot.waitSignal(tray.open_requested):
        tray._icon.messageClicked.emit()
