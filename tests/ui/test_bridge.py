"""Events published on any thread arrive as signals in the GUI thread."""

import threading

from biny_desktop.core.events import EventBus, FrameKept, RecorderStateChanged, ReportMade, SettingChanged
from biny_desktop.ui.bridge import Bridge


def test_an_event_from_another_thread_arrives_in_the_gui_thread(qapp, qtbot) -> None:
    bus = EventBus()
    bridge = Bridge(bus)
    heard: list[tuple[int, bool]] = []
    bridge.frame_kept.connect(lambda i: heard.append((i, threading.current_thread() is threading.main_thread())))
    worker = threading.Thread(target=bus.publish, args=(FrameKept(7),))
    worker.start()
    worker.join()
    qtbot.waitUntil(lambda: bool(heard))
    assert heard == [(7, True)]
    bridge.close()


def test_many_rows_make_one_change(qapp, qtbot) -> None:
    bus = EventBus()
    bridge = Bridge(bus)
    changes: list[None] = []
    bridge.activity_changed.connect(lambda: changes.append(None))
    for i in range(20):
        bus.publish(FrameKept(i))
    qtbot.waitUntil(lambda: bool(changes))
    assert len(changes) == 1
    bridge.close()


def test_a_closed_bridge_hears_nothing(qapp, qtbot) -> None:
    bus = EventBus()
    bridge = Bridge(bus)
    heard: list[object] = []
    bridge.setting_changed.connect(heard.append)
    bridge.recorder_state_changed.connect(lambda *what: heard.append(what))
    bus.publish(SettingChanged("ui.theme"))
    bus.publish(RecorderStateChanged("armed", "start"))
    bridge.close()
    bus.publish(SettingChanged("ui.language"))
    assert heard == ["ui.theme", ("armed", "start")]


def test_only_a_days_report_that_nobody_asked_for_is_news(qapp, qtbot) -> None:
    bus = EventBus()
    bridge = Bridge(bus)
    ready: list[str] = []
    bridge.report_ready.connect(ready.append)
    for kind, key, state, asked in (
        ("day", "2026-01-04", "done", False),
        ("day", "2026-01-03", "done", True),
        ("week", "2026-W01", "done", False),
        ("day", "2026-01-02", "empty_day", False),
    ):
        bus.publish(ReportMade(kind, key, state, asked))
    assert ready == ["2026-01-04"]
    bridge.close()
