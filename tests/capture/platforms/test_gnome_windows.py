"""The front window from GNOME Shell extensions on a private bus."""

import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from biny_desktop.capture.platforms.gnome_windows import GnomeWindows
from biny_desktop.capture.platforms.outputs import Layout, Output
from biny_desktop.capture.platforms.wayland_platform import desktop_of
from biny_desktop.capture.ports import Unknown, WindowInfo
from biny_desktop.core.geometry import Rect
from tests.fakes.clock import FakeClock
from tests.fakes.desktop import PrivateBus
from tests.fakes.desktop_services import FakeShell
from tests.fakes.layouts import NoLayout
from tests.waiting import wait_until

EDITOR: dict[str, Any] = {
    "id": 41, "focus": True, "wm_class": "org.gnome.TextEditor", "wm_class_instance": "x", "title": "notes.txt",
    "pid": 4_000_000, "x": 10, "y": 20, "width": 300, "height": 200, "window_type": 0,
}  # fmt: skip
OTHER: dict[str, Any] = {"id": 7, "focus": False, "wm_class": "firefox", "title": "page"}

Shell = Callable[..., FakeShell]


class Doubled(NoLayout):
    def layout(self) -> Layout:
        return Layout.logical([Output("a", Rect(0, 0, 1920, 1080), 2.0)])


@pytest.fixture
def shell(private_bus: PrivateBus) -> Iterator[Shell]:
    made: list[FakeShell] = []

    def start(**options: bool) -> FakeShell:
        service = FakeShell(private_bus.address, **options)
        service.windows = [OTHER, EDITOR]
        made.append(service)
        return service

    yield start
    for service in made:
        service.close()


@pytest.fixture
def windows(private_bus: PrivateBus) -> Iterator[GnomeWindows]:
    source = GnomeWindows(private_bus.address, Doubled(), own_pids={4_000_001}, poll_s=0.02, retry_s=(0.05,))
    source.start(lambda: None)
    yield source
    source.stop()


@pytest.mark.parametrize("extension", ["focused", "calls"])
def test_the_focused_window_is_told_by_either_extension(shell: Shell, windows: GnomeWindows, extension: str) -> None:
    shell(**{extension: True})

    assert windows.front() == WindowInfo(
        "gnome:41", "org.gnome.texteditor", "org.gnome.TextEditor", 4_000_000, "notes.txt", Rect(20, 40, 600, 400)
    )
    assert windows.visible() is None


def test_dialogs_and_own_windows_are_told_apart(shell: Shell, windows: GnomeWindows) -> None:
    shell(focused=True).windows = [{**EDITOR, "window_type": 4, "pid": 4_000_001}]
    front = windows.front()

    assert isinstance(front, WindowInfo)
    assert (front.dialog, front.own) == (True, True)


@pytest.mark.parametrize("extension", ["focused", "calls"])
def test_without_focus_the_front_is_unknown(shell: Shell, windows: GnomeWindows, extension: str) -> None:
    shell(**{extension: True}).windows = [OTHER]

    assert windows.front() == Unknown("no_front_window")


def test_without_an_extension_the_reason_is_the_missing_extension(shell: Shell, windows: GnomeWindows) -> None:
    shell()
    assert windows.front() == Unknown("no_extension")


def test_it_is_told_before_the_choice_whether_an_extension_answers(
    shell: Shell, private_bus: PrivateBus, fake_clock: FakeClock
) -> None:
    def why() -> str:
        desktop = desktop_of(fake_clock, private_bus.address, "/nowhere/wayland", {"XDG_CURRENT_DESKTOP": "GNOME"})
        desktop.windows.stop()
        return desktop.why

    first = shell()
    assert "extensions.gnome.org" in why()
    first.close()
    shell(calls=True)
    assert "only the one in front is protected" in why()


def test_a_window_without_a_class_has_no_app(shell: Shell, windows: GnomeWindows) -> None:
    shell(focused=True).windows = [{"id": 1, "focus": True, "title": "secret", "wm_class": None}]
    assert windows.front() == Unknown("no_app_id")


def test_a_shell_that_does_not_answer_is_a_timeout(shell: Shell, windows: GnomeWindows) -> None:
    service = shell(focused=True)
    service.silent = True
    assert windows.front() == Unknown("timeout")

    service.silent = False
    wait_until(lambda: isinstance(windows.front(), WindowInfo))


@pytest.mark.parametrize("raw", ["", "nonsense", "[]", "17", '{"id": "x"}', "[" * 100_000, '{"id": true}'])
@pytest.mark.parametrize("extension", ["focused", "calls"])
def test_nonsense_is_unknown(shell: Shell, windows: GnomeWindows, raw: str, extension: str) -> None:
    shell(**{extension: True}).raw = raw
    assert isinstance(windows.front(), Unknown)


def test_a_huge_broken_title_is_cut_and_cleaned(shell: Shell, windows: GnomeWindows) -> None:
    shell(focused=True).raw = '{"id": 1, "wm_class": "a", "title": "\\ud83d' + "x" * 1_000_000 + '\\u0000"}'
    front = windows.front()

    assert isinstance(front, WindowInfo)
    assert len(front.title) == 256
    front.title.encode()


def test_a_shell_that_starts_again_is_found_again(shell: Shell, windows: GnomeWindows) -> None:
    first = shell(focused=True)
    wait_until(lambda: isinstance(windows.front(), WindowInfo))
    first.close()
    assert windows.front() == Unknown("no_extension")
    shell(calls=True)

    wait_until(lambda: isinstance(windows.front(), WindowInfo))


def test_a_dead_bus_is_unknown() -> None:
    bus = PrivateBus()
    bus.start()
    service = FakeShell(bus.address, focused=True)
    service.windows = [EDITOR]
    source = GnomeWindows(bus.address, NoLayout(), retry_s=(0.05,))
    source.start(lambda: None)
    wait_until(lambda: isinstance(source.front(), WindowInfo))
    bus.kill()
    wait_until(lambda: source.front() == Unknown("no_bus"))
    service.close()
    bus.start()
    again = FakeShell(bus.address, focused=True)
    again.windows = [EDITOR]
    wait_until(lambda: isinstance(source.front(), WindowInfo))
    source.stop()
    again.close()
    bus.close()


def test_changes_are_told_by_signal_and_by_looking(shell: Shell, private_bus: PrivateBus) -> None:
    service, told = shell(focused=True), threading.Event()
    source = GnomeWindows(private_bus.address, NoLayout(), poll_s=0.02)
    source.start(told.set)
    wait_until(lambda: isinstance(source.front(), WindowInfo))
    wait_until(told.is_set)
    told.clear()
    service.windows = [{**EDITOR, "title": "other"}]
    assert told.wait(5)
    source.stop()

    told.clear()
    slow = GnomeWindows(private_bus.address, NoLayout(), poll_s=60)
    slow.start(told.set)
    assert told.wait(5)
    told.clear()
    wait_until(lambda: isinstance(slow.front(), WindowInfo))
    service.focus_changed()
    assert told.wait(5)
    slow.stop()
    slow.stop()
