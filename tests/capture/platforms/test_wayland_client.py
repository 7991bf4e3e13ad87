"""Idle time, monitors and windows from a compositor on a real socket."""

import struct
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from biny_desktop.capture.platforms.foreign_toplevels import ForeignToplevels
from biny_desktop.capture.platforms.wayland_client import WaylandClient, socket_path
from biny_desktop.capture.platforms.wayland_idle import STEP_MS, NotifyIdle
from biny_desktop.capture.platforms.wayland_platform import wayland_platform
from biny_desktop.capture.platforms.wayland_wire import BrokenMessageError, messages, request
from biny_desktop.capture.ports import Unknown, WindowInfo
from biny_desktop.core.errors import UnavailableError
from biny_desktop.core.geometry import Rect
from tests.fakes.clock import FakeClock
from tests.fakes.wayland_compositor import IDLE, TOPLEVELS, XDG, FakeCompositor, event
from tests.waiting import wait_until

RETRY_S = (0.05,)
OUTPUTS = [("DP-1", (0, 0), (3840, 2160), (1920, 1080)), ("HDMI-1", (1920, 0), (1280, 1024), (1280, 1024))]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "wayland-7"


@pytest.fixture
def idle(path: Path, fake_clock: FakeClock) -> Iterator[NotifyIdle]:
    source = NotifyIdle(str(path), fake_clock, RETRY_S)
    yield source
    source.close()


@pytest.fixture
def windows(path: Path) -> Iterator[ForeignToplevels]:
    source = ForeignToplevels(str(path), own_pids={1}, retry_s=RETRY_S)
    yield source
    source.stop()


def test_messages_are_written_as_the_protocol_says() -> None:
    assert request(2, 0, 5, "wl_seat", 1, 3) == struct.pack("=IHH", 2, 0, 32) + struct.pack(
        "=II", 5, 8
    ) + b"wl_seat\0" + (struct.pack("=II", 1, 3))
    assert request(1, 1, 2) == struct.pack("=IHHI", 1, 1, 12, 2)


def test_messages_are_read_whole_and_in_order() -> None:
    data = bytearray(event(3, 1, -5, "äb", [1, 2]) + event(4, 0) + event(5, 0, 1)[:-1])
    read = [(target, opcode, args) for target, opcode, args in messages(data)]

    assert [(target, opcode) for target, opcode, _ in read] == [(3, 1), (4, 0)]
    args = read[0][2]
    assert (args.sint(), args.string(), args.uints()) == (-5, "äb", [1, 2])
    assert len(data) == 11
    with pytest.raises(BrokenMessageError):
        args.uint()


@pytest.mark.parametrize("size", [0, 4, 7, 10])
def test_a_message_of_an_impossible_size_is_refused(size: int) -> None:
    with pytest.raises(BrokenMessageError):
        list(messages(bytearray(struct.pack("=IHH", 1, 0, size) + bytes(20))))


def test_idle_time_is_exact_while_idle_and_zero_while_active(
    path: Path, idle: NotifyIdle, fake_clock: FakeClock
) -> None:
    compositor = FakeCompositor(path, {"wl_seat": 7, IDLE: 2})
    assert idle.idle_ms() == 0
    assert [(way, timeout) for way, _, timeout in compositor.notices] == [(2, STEP_MS)]
    compositor.notify(0)
    assert idle.idle_ms() == STEP_MS
    fake_clock.advance(7_000)
    assert idle.idle_ms() == 8_000
    compositor.notify(1)
    assert idle.idle_ms() == 0
    compositor.close()


def test_in_version_one_only_input_after_a_pause_is_told(path: Path, idle: NotifyIdle, fake_clock: FakeClock) -> None:
    compositor = FakeCompositor(path, {"wl_seat": 7, IDLE: 1})
    assert idle.idle_ms() is None
    assert compositor.notices[0][0] == 1
    compositor.notify(0)
    assert idle.idle_ms() == STEP_MS
    compositor.notify(1)
    assert idle.idle_ms() == 0
    fake_clock.advance(STEP_MS)
    assert idle.idle_ms() is None
    compositor.close()


def test_without_the_protocol_or_a_compositor_idle_time_is_unavailable(path: Path, idle: NotifyIdle) -> None:
    with pytest.raises(UnavailableError):
        idle.idle_ms()
    compositor = FakeCompositor(path, {"wl_seat": 7})
    with pytest.raises(UnavailableError):
        idle.idle_ms()
    compositor.close()


def test_a_restarted_compositor_is_asked_anew(path: Path, idle: NotifyIdle) -> None:
    first = FakeCompositor(path, {IDLE: 2, "wl_seat": 7})
    assert idle.idle_ms() == 0
    first.notify(0)
    assert idle.idle_ms() == STEP_MS
    first.close()
    second = FakeCompositor(path, {IDLE: 2, "wl_seat": 7})

    def told() -> bool:
        try:
            return idle.idle_ms() == 0
        except UnavailableError:
            return False

    wait_until(told)
    assert len(second.notices) == 1
    second.close()


def test_the_active_window_is_in_front_on_its_monitor(path: Path, windows: ForeignToplevels) -> None:
    compositor = FakeCompositor(path, {XDG: 3, TOPLEVELS: 3}, OUTPUTS)
    told = threading.Event()
    windows.start(told.set)
    assert windows.front() == Unknown("no_front_window")
    compositor.open_window("other", "a", active=False, output=0)
    handle = compositor.open_window("page", "Firefox", output=1)
    assert windows.front() == WindowInfo(
        f"wayland:{handle:#x}", "firefox", "Firefox", None, "page", Rect(3840, 0, 2560, 2048)
    )
    assert windows.visible() is None
    wait_until(told.is_set)

    compositor.send(event(handle, 0, "next") + event(handle, 5))
    front = windows.front()
    assert isinstance(front, WindowInfo)
    assert front.title == "next"
    compositor.send(event(handle, 6))
    assert windows.front() == Unknown("no_front_window")
    wait_until(lambda: (handle, 7) in compositor.requests)
    compositor.close()
    wait_until(lambda: windows.front() == Unknown("no_compositor"))


def test_monitors_come_by_xdg_output_or_without_it(path: Path, windows: ForeignToplevels) -> None:
    compositor = FakeCompositor(path, {XDG: 3}, OUTPUTS)
    layout = windows.layout()
    assert layout is not None
    assert [each.key for each in layout.monitors()] == ["DP-1 600x340mm +0+0", "HDMI-1 600x340mm +3840+0"]
    assert [each.rect for each in layout.monitors()] == [Rect(0, 0, 3840, 2160), Rect(3840, 0, 2560, 2048)]
    windows.close()
    compositor.close()

    plain = FakeCompositor(path, {}, [("DP-1", (0, 0), (3840, 2160), None)])
    layout = windows.layout()
    assert layout is not None
    assert [(each.rect, each.scale) for each in layout.outputs] == [(Rect(0, 0, 1920, 1080), 2.0)]
    plain.send(event(2, 1, 0))  # unplugged
    wait_until(lambda: windows.layout() is None)
    plain.close()


def test_without_the_protocol_the_front_is_unknown(path: Path, windows: ForeignToplevels) -> None:
    compositor = FakeCompositor(path, {"wl_seat": 1})
    windows.start(lambda: None)
    assert windows.front() == Unknown("no_window_source")
    compositor.close()


def test_a_compositor_that_hangs_is_unknown(path: Path, windows: ForeignToplevels) -> None:
    compositor = FakeCompositor(path, {TOPLEVELS: 3})
    windows.start(lambda: None)
    wait_until(lambda: windows.front() == Unknown("no_front_window"))
    compositor.silent = True
    assert windows.front() == Unknown("no_compositor")
    compositor.close()


@pytest.mark.parametrize("data", [b"\0" * 64, b"\xff" * 64, event(1, 0, 2, 3, "no"), event(2, 0, 1), b"nonsense" * 9])
def test_nonsense_begins_a_new_connection(path: Path, windows: ForeignToplevels, data: bytes) -> None:
    compositor = FakeCompositor(path, {TOPLEVELS: 3})
    windows.start(lambda: None)
    wait_until(lambda: windows.front() == Unknown("no_front_window"))
    compositor.send(data)

    def again() -> bool:
        if len(compositor.bound[TOPLEVELS]) < 2:
            return False
        compositor.open_window("t", "app")
        return isinstance(windows.front(), WindowInfo)

    wait_until(again)
    compositor.close()


def test_a_client_ends_cleanly_and_begins_again(path: Path) -> None:
    client = WaylandClient(str(path), "test-wayland", lambda *_: None, lambda _name: None, lambda: None, RETRY_S)
    compositor = FakeCompositor(path, {})
    for _ in range(3):
        client.start()
        client.start()
        assert client.settle(5)
        client.stop()
        client.stop()
        assert "test-wayland" not in {thread.name for thread in threading.enumerate()}
    compositor.close()


def test_another_compositor_is_chosen_when_it_tells_its_windows(path: Path, fake_clock: FakeClock) -> None:
    env = {"WAYLAND_DISPLAY": str(path), "XDG_CURRENT_DESKTOP": "river"}
    compositor = FakeCompositor(path, {XDG: 3, TOPLEVELS: 3}, OUTPUTS)
    platform = wayland_platform(fake_clock, "unix:path=/nowhere/bus", None, env)
    assert platform.name == "wayland-toplevel"
    assert "river" in platform.reasons[0].why
    assert len(platform.screen.monitors()) == 2
    platform.screen.close()
    compositor.close()

    bare = FakeCompositor(path, {XDG: 3}, OUTPUTS)
    platform = wayland_platform(fake_clock, "unix:path=/nowhere/bus", None, env)
    assert platform.name == "wayland-null"
    assert platform.reasons[0].refused == ((TOPLEVELS, "The compositor does not offer it."),)
    assert len(platform.screen.monitors()) == 2
    platform.screen.close()
    bare.close()


def test_the_socket_is_named_by_the_display() -> None:
    assert socket_path("wayland-1", "/run/user/5") == "/run/user/5/wayland-1"
    assert socket_path("/srv/w", None) == "/srv/w"
