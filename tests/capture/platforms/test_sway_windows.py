"""Windows and monitors over a real Unix socket that speaks Sway's protocol."""

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from biny_desktop.capture.platforms.sway_windows import GET_OUTPUTS, GET_TREE, GET_WORKSPACES, SwayLayout, SwayWindows
from biny_desktop.capture.ports import Unknown, WindowInfo
from biny_desktop.core.geometry import Rect
from tests.fakes.compositor_sockets import FakeSway
from tests.waiting import wait_until


def rect(x: int, y: int, width: int, height: int) -> dict[str, int]:
    return {"x": x, "y": y, "width": width, "height": height}


def view(number: int, app: str | None, **more: Any) -> dict[str, Any]:
    place = rect(10 * number, 20, 300, 200)
    return {"id": number, "type": "con", "name": f"title {number}", "app_id": app, "pid": 4_000_000, "visible": True,
            "focused": False, "rect": place, "nodes": [], "floating_nodes": [], **more}  # fmt: skip


def tree(views: list[dict[str, Any]], floating: list[dict[str, Any]] | None = None, **space: Any) -> dict[str, Any]:
    workspace = {"id": 3, "type": "workspace", "name": "1", "nodes": views, "floating_nodes": floating or [],
                 "rect": rect(0, 30, 1920, 1050), "focused": False, **space}  # fmt: skip
    hidden = view(99, "scratch", focused=False)
    scratch = {"id": 4, "type": "output", "name": "__i3", "nodes": [hidden], "floating_nodes": []}
    output = {"id": 2, "type": "output", "name": "DP-1", "nodes": [workspace], "floating_nodes": []}
    return {"id": 1, "type": "root", "name": "root", "nodes": [scratch, output], "floating_nodes": []}


OUTPUTS = [
    {"name": "DP-1", "serial": "A1", "active": True, "scale": 2.0, "rect": rect(0, 0, 1920, 1080)},
    {"name": "HDMI-1", "active": True, "scale": 1.0, "rect": rect(1920, 0, 1280, 1024)},
    {"name": "off", "active": False, "rect": rect(0, 0, 0, 0)},
]
SPACES = [
    {"name": "1", "output": "DP-1", "visible": True, "rect": rect(0, 30, 1920, 1050)},
    {"name": "2", "output": "HDMI-1", "visible": False, "rect": rect(1920, 0, 1280, 900)},
]


@pytest.fixture
def sway(tmp_path: Path) -> Iterator[FakeSway]:
    answers = {GET_TREE: tree([view(5, "Foot", focused=True)]), GET_OUTPUTS: OUTPUTS, GET_WORKSPACES: SPACES}
    server = FakeSway(tmp_path / "sway.sock", answers)
    yield server
    server.close()


@pytest.fixture
def windows(tmp_path: Path) -> Iterator[SwayWindows]:
    path = str(tmp_path / "sway.sock")
    source = SwayWindows(path, SwayLayout(path), own_pids={1}, retry_s=(0.05,), quiet_s=0.0)
    yield source
    source.stop()


def test_the_focused_window_is_in_front(sway: FakeSway, windows: SwayWindows) -> None:
    assert windows.front() == WindowInfo("sway:5", "foot", "Foot", 4_000_000, "title 5", Rect(100, 40, 600, 400))


def test_an_x11_window_is_named_by_its_class(sway: FakeSway, windows: SwayWindows) -> None:
    properties = {"class": "Gimp", "instance": "gimp", "window_type": "dialog", "transient_for": None}
    sway.answers[GET_TREE] = tree([view(5, None, focused=True, window_properties=properties)])
    front = windows.front()

    assert isinstance(front, WindowInfo)
    assert (front.app_id, front.dialog) == ("gimp", True)


def test_visible_windows_come_lowest_first_without_hidden_ones(sway: FakeSway, windows: SwayWindows) -> None:
    sway.answers[GET_TREE] = tree(
        [view(5, "full", fullscreen_mode=1), view(6, "tiled"), view(7, "tab", visible=False), view(8, None)],
        [view(9, "floating", type="floating_con")],
    )
    found = windows.visible()

    assert found is not None
    assert [each.app_id for each in found] == ["tiled", "", "floating", "full"]


def test_an_empty_workspace_is_the_bare_desktop(sway: FakeSway, windows: SwayWindows) -> None:
    sway.answers[GET_TREE] = tree([], focused=True)
    front = windows.front()

    assert isinstance(front, WindowInfo)
    assert (front.app_id, front.rect) == ("sway", Rect(0, 60, 3840, 2100))


def test_a_container_with_the_focus_is_unknown(sway: FakeSway, windows: SwayWindows) -> None:
    sway.answers[GET_TREE] = tree([{"id": 5, "type": "con", "focused": True, "nodes": [view(6, "a"), view(7, "b")]}])
    assert windows.front() == Unknown("no_front_window")
    sway.answers[GET_TREE] = tree([view(6, "a")], focused=True)
    assert windows.front() == Unknown("no_front_window")


def test_monitors_come_with_their_work_areas(sway: FakeSway, tmp_path: Path) -> None:
    layout = SwayLayout(str(sway.path)).layout()

    assert layout is not None
    left, right = layout.monitors()
    assert (left.key, left.rect, left.work_area) == (
        "DP-1 A1 3840x2160px +0+0", Rect(0, 0, 3840, 2160), Rect(0, 60, 3840, 2100)
    )  # fmt: skip
    assert right.work_area == right.rect == Rect(3840, 0, 2560, 2048)


@pytest.mark.parametrize(
    "answer", [b"", b"nonsense", b"[]", b"7", b"[" * 50_000, b"{}", b'{"nodes": [1, {"nodes": 2}]}']
)
def test_nonsense_is_unknown(sway: FakeSway, windows: SwayWindows, answer: bytes) -> None:
    sway.answers = {GET_TREE: answer, GET_OUTPUTS: answer, GET_WORKSPACES: answer}

    assert isinstance(windows.front(), Unknown)
    assert not windows.visible()
    assert SwayLayout(str(sway.path)).layout() is None


def test_another_language_is_unknown(sway: FakeSway, windows: SwayWindows) -> None:
    sway.magic = b"nobody"
    assert windows.front() == Unknown("no_compositor")


def test_a_tree_deeper_than_any_real_one_does_no_harm(sway: FakeSway, windows: SwayWindows) -> None:
    node: dict[str, Any] = view(5, "deep", focused=True)
    for number in range(200):
        node = {"id": number, "type": "con", "nodes": [node]}
    sway.answers[GET_TREE] = node
    assert windows.front() == Unknown("no_front_window")


def test_a_huge_broken_title_is_cut_and_cleaned(sway: FakeSway, windows: SwayWindows) -> None:
    sway.answers[GET_TREE] = tree([view(5, "a", focused=True, name="\ud83d" + "x" * 500_000)])
    front = windows.front()

    assert isinstance(front, WindowInfo)
    assert len(front.title) == 256


def test_a_compositor_that_does_not_answer_is_a_timeout(sway: FakeSway, windows: SwayWindows) -> None:
    sway.silent = True
    assert windows.front() == Unknown("timeout")
    assert windows.visible() is None


def test_a_restarted_compositor_is_found_again(sway: FakeSway, windows: SwayWindows) -> None:
    told = threading.Event()
    windows.start(told.set)
    windows.start(told.set)
    assert told.wait(5)
    sway.close()
    assert windows.front() == Unknown("no_compositor")
    again = FakeSway(sway.path, sway.answers)
    wait_until(lambda: again.subscribers)
    told.clear()
    again.event()
    assert told.wait(5)
    assert isinstance(windows.front(), WindowInfo)
    again.close()


def test_events_are_told(sway: FakeSway, windows: SwayWindows) -> None:
    told = threading.Event()
    windows.start(told.set)
    wait_until(lambda: sway.subscribers)
    wait_until(told.is_set)
    told.clear()
    sway.event()
    assert told.wait(5)
    windows.stop()
    assert "sway-events" not in {thread.name for thread in threading.enumerate()}
