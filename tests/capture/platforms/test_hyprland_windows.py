"""Windows and monitors over real Unix sockets that speak as Hyprland does."""

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from biny_desktop.capture.platforms.hyprland_windows import HyprlandLayout, HyprlandWindows, instance_folder
from biny_desktop.capture.ports import Unknown, WindowInfo
from biny_desktop.core.geometry import Rect
from tests.fakes.compositor_sockets import FakeEvents, FakeHyprland
from tests.waiting import wait_until


def window(address: str, app: str, workspace: int = 1, **more: Any) -> dict[str, Any]:
    return {"address": address, "class": app, "title": f"title {address}", "pid": 4_000_000, "at": [10, 20],
            "size": [300, 200], "workspace": {"id": workspace, "name": "w"}, "mapped": True, "hidden": False,
            "floating": False, "pinned": False, "fullscreen": 0, **more}  # fmt: skip


MONITORS = [
    {"id": 0, "transform": 0, "name": "DP-1", "serial": "S", "width": 3840,
     "height": 2160, "x": 0, "y": 0, "scale": 2.0,
     "reserved": [0, 30, 0, 0], "activeWorkspace": {"id": 1}, "specialWorkspace": {"id": 0}, "disabled": False,
     "physicalWidth": 600, "physicalHeight": 340},
    {"id": 1, "name": "HDMI-1", "width": 1920, "height": 1080, "x": 1920, "y": 0, "scale": 1.0, "transform": 1,
     "reserved": [0, 0, 0, 0], "activeWorkspace": {"id": 2}, "specialWorkspace": {"id": -98}},
    {"id": 2, "name": "off", "width": 1920, "height": 1080, "x": 0, "y": 0, "scale": 1.0, "disabled": True},
]  # fmt: skip


@pytest.fixture
def hyprland(tmp_path: Path) -> Iterator[FakeHyprland]:
    front = window("0x5", "Kitty")
    server = FakeHyprland(tmp_path, {"activewindow": front, "clients": [front], "monitors": MONITORS})
    yield server
    server.close()


@pytest.fixture
def windows(tmp_path: Path) -> Iterator[HyprlandWindows]:
    source = HyprlandWindows(tmp_path, HyprlandLayout(tmp_path), own_pids={1}, retry_s=(0.05,), quiet_s=0.0)
    yield source
    source.stop()


def test_the_active_window_is_in_front(hyprland: FakeHyprland, windows: HyprlandWindows) -> None:
    assert windows.front() == WindowInfo(
        "hyprland:0x5", "kitty", "Kitty", 4_000_000, "title 0x5", Rect(20, 40, 600, 400)
    )


def test_visible_windows_come_lowest_first(hyprland: FakeHyprland, windows: HyprlandWindows) -> None:
    hyprland.answers["clients"] = [
        window("0x1", "float", floating=True), window("0x2", "tiled"), window("0x3", "elsewhere", 7),
        window("0x4", "hidden", hidden=True), window("0x5", "special", -98),
        window("0x6", "pinned", 7, pinned=True, floating=True),
        window("0x7", "full", 2, fullscreen=2), window("0x8", "second", floating=True), window("0x9", ""),
    ]  # fmt: skip
    found = windows.visible()

    assert found is not None
    assert [each.app_id for each in found] == ["tiled", "", "float", "second", "pinned", "full", "special"]


def test_without_any_window_the_desktop_is_in_front(hyprland: FakeHyprland, windows: HyprlandWindows) -> None:
    hyprland.answers.update(activewindow={}, clients=[])
    front = windows.front()
    assert isinstance(front, WindowInfo)
    assert front.app_id == "hyprland"

    hyprland.answers["clients"] = [window("0x1", "a")]
    assert windows.front() == Unknown("no_front_window")


def test_monitors_are_placed_in_pixels_of_the_largest_scale(hyprland: FakeHyprland, tmp_path: Path) -> None:
    layout = HyprlandLayout(tmp_path).layout()

    assert layout is not None
    left, right = layout.monitors()
    assert (left.key, left.rect, left.work_area) == (
        "DP-1 S 600x340mm +0+0", Rect(0, 0, 3840, 2160), Rect(0, 60, 3840, 2100)
    )  # fmt: skip
    assert right.rect == Rect(3840, 0, 2160, 3840)


@pytest.mark.parametrize("answer", [b"", b"unknown request", b"7", b"[]", b"[" * 50_000])
def test_nonsense_is_unknown(hyprland: FakeHyprland, windows: HyprlandWindows, answer: bytes, tmp_path: Path) -> None:
    hyprland.answers = dict.fromkeys(("activewindow", "clients", "monitors"), answer)

    assert isinstance(windows.front(), Unknown)
    assert not windows.visible()
    assert HyprlandLayout(tmp_path).layout() is None


@pytest.mark.parametrize("key", ["at", "size", "workspace", "pid", "title", "class"])
@pytest.mark.parametrize("value", [None, [], ["x", "y"], "text", -1, [1, 2, 3], {"id": "x"}])
def test_a_broken_field_never_raises(hyprland: FakeHyprland, windows: HyprlandWindows, key: str, value: Any) -> None:
    broken = {**window("0x5", "kitty"), key: value}
    hyprland.answers.update(activewindow=broken, clients=[broken])

    assert isinstance(windows.front(), WindowInfo | Unknown)
    assert isinstance(windows.visible(), list)


def test_a_compositor_that_does_not_answer_is_a_timeout(hyprland: FakeHyprland, windows: HyprlandWindows) -> None:
    hyprland.silent = True
    assert windows.front() == Unknown("timeout")
    assert windows.visible() is None


def test_no_compositor_is_told(windows: HyprlandWindows, tmp_path: Path) -> None:
    assert windows.front() == Unknown("no_compositor")
    assert HyprlandLayout(tmp_path).layout() is None


def test_an_endless_answer_is_cut_off(hyprland: FakeHyprland, windows: HyprlandWindows) -> None:
    hyprland.answers["activewindow"] = b"x" * 9_000_000
    assert windows.front() in (Unknown("no_compositor"), Unknown("timeout"))


def test_events_are_told_also_after_a_restart(hyprland: FakeHyprland, windows: HyprlandWindows, tmp_path: Path) -> None:
    events, told = FakeEvents(tmp_path), threading.Event()
    windows.start(told.set)
    for _ in range(2):
        wait_until(lambda server=events: server.listeners)
        wait_until(told.is_set)
        told.clear()
        events.event()
        assert told.wait(5)
        events.close()
        told.clear()
        events = FakeEvents(tmp_path)
    events.close()


def test_the_folder_of_an_instance_is_in_the_runtime_folder(tmp_path: Path) -> None:
    assert instance_folder("sig", str(tmp_path)) == tmp_path / "hypr" / "sig"
