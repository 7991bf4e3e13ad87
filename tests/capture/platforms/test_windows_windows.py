"""Windows on Microsoft Windows, over a fake system."""

import threading

import pytest

from biny_desktop.capture.platforms.windows_windows import NAME_CHANGE, WindowsWindows
from biny_desktop.capture.ports import Unknown, WindowInfo
from biny_desktop.core.geometry import Rect
from tests.fakes.foreign_systems import FakeWindow, FakeWindows
from tests.waiting import wait_until

EDITOR = "C:\\Program Files\\Editor\\Editor.EXE"


@pytest.fixture
def system() -> FakeWindows:
    fake = FakeWindows()
    fake.windows = [FakeWindow(0x20, EDITOR, "notes", 100, Rect(-1600, 0, 800, 600))]
    fake.front = 0x20
    return fake


def test_the_foreground_window_is_in_front_with_its_program_as_app(system: FakeWindows) -> None:
    system.descriptions[EDITOR] = "The Editor"

    assert WindowsWindows(system, own_pids={1}).front() == WindowInfo(
        "0x20", "editor.exe", "The Editor", 100, "notes", Rect(-1600, 0, 800, 600)
    )


def test_a_program_without_description_is_called_by_its_file(system: FakeWindows) -> None:
    front = WindowsWindows(system).front()
    assert isinstance(front, WindowInfo)
    assert front.app_name == "Editor"


def test_no_foreground_is_the_secure_desktop_or_a_moment_between_windows(system: FakeWindows) -> None:
    system.front, system.desktop = 0, ""
    source = WindowsWindows(system)
    assert source.front() == Unknown("secure_desktop")
    system.desktop = "Winlogon"
    assert source.front() == Unknown("secure_desktop")
    system.desktop = "Default"
    assert source.front() == Unknown("no_front_window")


def test_a_store_app_is_named_by_its_own_process(system: FakeWindows) -> None:
    host = "C:\\Windows\\System32\\ApplicationFrameHost.exe"
    system.windows = [FakeWindow(0x30, host, "Calculator", 200, children=(0x31, 0x32))]
    system.inner = [FakeWindow(0x31, host, pid=200), FakeWindow(0x32, "C:\\Apps\\Calculator.exe", pid=201)]
    system.front = 0x30
    front = WindowsWindows(system).front()

    assert isinstance(front, WindowInfo)
    assert (front.app_id, front.pid, front.title) == ("calculator.exe", 201, "Calculator")


def test_a_suspended_store_app_keeps_the_frame_as_app(system: FakeWindows) -> None:
    host = "C:\\Windows\\System32\\ApplicationFrameHost.exe"
    system.windows = [FakeWindow(0x30, host, "Mail", 200)]
    system.front = 0x30
    front = WindowsWindows(system).front()

    assert isinstance(front, WindowInfo)
    assert front.app_id == "applicationframehost.exe"


def test_a_process_that_may_not_be_asked_has_no_app(system: FakeWindows) -> None:
    system.windows = [FakeWindow(0x20, "", "secret")]
    source = WindowsWindows(system)

    assert source.front() == Unknown("no_app_id")
    found = source.visible()
    assert found is not None
    assert found[0].app_id == ""


def test_a_window_gone_between_two_calls_is_unknown(system: FakeWindows) -> None:
    system.front = 0x99
    assert WindowsWindows(system).front() == Unknown("no_app_id")


def test_visible_windows_come_lowest_first_without_hidden_and_overlays(system: FakeWindows) -> None:
    system.windows = [
        FakeWindow(1, "C:\\overlay.exe", see_through=True), FakeWindow(2, "C:\\top.exe", pid=2),
        FakeWindow(3, "C:\\cloaked.exe", pid=3, shown=False),
        FakeWindow(4, "C:\\empty.exe", pid=4, rect=Rect(5, 5, 0, 0)),
        FakeWindow(5, "C:\\gone.exe", pid=5, rect=None), FakeWindow(6, "C:\\low.exe", pid=6),
    ]  # fmt: skip
    found = WindowsWindows(system).visible()

    assert found is not None
    assert [each.app_id for each in found] == ["low.exe", "top.exe"]


def test_windows_of_the_secure_desktop_cannot_be_listed(system: FakeWindows) -> None:
    system.windows, system.desktop = [], "Winlogon"
    assert WindowsWindows(system).visible() is None
    system.desktop = "Default"
    assert WindowsWindows(system).visible() == []


def test_dialogs_own_windows_and_broken_titles(system: FakeWindows) -> None:
    system.windows = [FakeWindow(0x20, EDITOR, "\ud83d\0\u202e" + "x" * 5_000, 7, class_name="#32770")]
    front = WindowsWindows(system, own_pids={7}).front()

    assert isinstance(front, WindowInfo)
    assert (front.dialog, front.own, len(front.title)) == (True, True, 256)


def test_switches_are_told_and_names_only_of_the_window_in_front(system: FakeWindows) -> None:
    told = threading.Event()
    source = WindowsWindows(system)
    source.start(told.set)
    wait_until(lambda: system.window_events.running)
    system.window_events.send(NAME_CHANGE, 0x77)
    assert not told.is_set()
    system.window_events.send(NAME_CHANGE, 0x20)
    assert told.is_set()
    told.clear()
    system.window_events.send(3, 0x77)
    assert told.is_set()
    source.stop()
    source.stop()
    assert not system.window_events.running
