"""Windows on macOS, over a fake system."""

import threading
from typing import Any

import pytest

from biny_desktop.capture.platforms.mac_layout import MacLayout
from biny_desktop.capture.platforms.mac_windows import MacWindows, front_record, record_of
from biny_desktop.capture.ports import Unknown, WindowInfo
from biny_desktop.core.geometry import Rect
from tests.fakes.foreign_systems import FakeMac, mac_window
from tests.waiting import wait_until

EDITOR, CHROME, SAFARI = 10, 20, 30


@pytest.fixture
def system() -> FakeMac:
    fake = FakeMac()
    fake.apps = {
        EDITOR: ("com.example.Editor", "Editor"),
        CHROME: ("com.google.Chrome", "Google Chrome"),
        SAFARI: ("com.apple.Safari", "Safari"),
    }
    fake.listed = [mac_window(1, EDITOR, "notes"), mac_window(2, CHROME, "page")]
    fake.front = EDITOR
    return fake


def make(system: FakeMac) -> MacWindows:
    return MacWindows(system, MacLayout(system), own_pids={99}, poll_s=0.01)


def test_the_window_of_the_app_in_front_is_in_front(system: FakeMac) -> None:
    assert make(system).front() == WindowInfo(
        "mac:1", "com.example.editor", "Editor", EDITOR, "notes", Rect(20, 80, 1600, 1200)
    )


def test_a_link_bubble_above_its_window_is_not_the_window(system: FakeMac) -> None:
    bubble = {"X": 10, "Y": 600, "Width": 300, "Height": 20}
    system.listed = [mac_window(8, EDITOR, "", kCGWindowBounds=bubble), mac_window(9, EDITOR, ""),
                     mac_window(1, EDITOR, "notes")]  # fmt: skip
    front = make(system).front()
    assert isinstance(front, WindowInfo)
    assert front.window_id == "mac:1"


def test_an_app_without_window_is_in_front_without_rectangle(system: FakeMac) -> None:
    system.listed = [mac_window(2, CHROME, "page")]
    front = make(system).front()

    assert isinstance(front, WindowInfo)
    assert (front.app_id, front.rect, front.title) == ("com.example.editor", None, "")


def test_answers_that_disagree_are_unknown(system: FakeMac) -> None:
    system.front = CHROME
    assert make(system).front() == Unknown("front_differs")


def test_no_answer_is_unknown(system: FakeMac) -> None:
    system.front = None
    assert make(system).front() == Unknown("no_front_app")
    system.front, system.listed = EDITOR, None
    assert make(system).front() == Unknown("no_front_app")
    assert make(system).visible() is None


def test_a_program_without_bundle_is_named_by_its_owner(system: FakeMac) -> None:
    system.listed, system.front = [mac_window(5, 77, "", kCGWindowOwnerName="loginwindow")], 77
    front = make(system).front()
    assert isinstance(front, WindowInfo)
    assert front.app_id == "loginwindow"


def test_visible_windows_come_lowest_first_without_wallpaper_and_overlays(system: FakeMac) -> None:
    full = {"X": 0, "Y": 0, "Width": 1440, "Height": 900}
    system.listed = [
        mac_window(1, 50, "Dock", 20, kCGWindowBounds=full), mac_window(2, EDITOR, "panel", 3),
        mac_window(3, CHROME, "page"), mac_window(4, EDITOR, "gone", kCGWindowAlpha=0.0),
        mac_window(5, EDITOR, "full", kCGWindowBounds=full), mac_window(6, 51, "wallpaper", -2_147_483_624),
    ]  # fmt: skip
    found = make(system).visible()

    assert found is not None
    assert [each.title for each in found] == ["full", "page", "panel"]


@pytest.mark.parametrize(
    "broken",
    [
        {"kCGWindowNumber": None}, {"kCGWindowOwnerPID": "x"}, {"kCGWindowBounds": {}}, {"kCGWindowBounds": [1]},
        {"kCGWindowLayer": 1.5}, {"kCGWindowAlpha": "x"},
        {"kCGWindowBounds": {"X": float("nan"), "Y": 0, "Width": 1, "Height": 1}},
    ],
)  # fmt: skip
def test_a_record_of_another_shape_is_left_out(broken: dict[str, Any]) -> None:
    assert record_of({**mac_window(1, 2), **broken}) is None


def test_titles_are_cleaned_and_may_be_missing() -> None:
    record = record_of(mac_window(1, 2, "a\0\u202e" + "x" * 5_000))
    nameless = record_of(mac_window(1, 2, None))

    assert record is not None
    assert nameless is not None
    assert (len(record.title), nameless.title) == (256, "")
    assert front_record([nameless], 2) == nameless


def test_a_chromium_window_is_unknown_until_it_may_be_asked(system: FakeMac) -> None:
    system.listed, system.front = [mac_window(2, CHROME, "page")], CHROME
    source = make(system)
    source._look()
    front = source.front()

    assert isinstance(front, WindowInfo)
    assert front.private_hint == "unknown"
    assert system.modes_asked == []


@pytest.mark.parametrize(
    ("mode", "hint"), [("normal", None), ("incognito", "private"), ("", "unknown"), ("?", "unknown")]
)
def test_the_mode_of_a_chromium_window_is_asked_once(system: FakeMac, mode: str, hint: str | None) -> None:
    system.listed, system.front = [mac_window(2, CHROME, "page")], CHROME
    system.automate, system.mode = True, mode
    source, told = make(system), threading.Event()
    source.start(told.set)
    wait_until(lambda: system.modes_asked)

    def hinted() -> bool:
        front = source.front()
        return isinstance(front, WindowInfo) and front.private_hint == hint

    wait_until(hinted)
    source.stop()
    assert set(system.modes_asked) == {"com.google.Chrome"}
    if mode == "normal":
        asked = len(system.modes_asked)
        source._look()
        assert len(system.modes_asked) == asked


def test_a_mode_is_not_given_to_another_window(system: FakeMac) -> None:
    system.listed, system.front = [mac_window(2, CHROME, "page")], CHROME
    system.automate = True
    source = make(system)

    def switch(_bundle: str) -> str:
        system.listed = [mac_window(3, CHROME, "secret"), mac_window(2, CHROME, "page")]
        return "normal"

    system.window_mode = switch  # type: ignore[method-assign]
    source._look()
    hints = [each.private_hint for each in source.visible() or []]

    assert hints == ["unknown", "unknown"]


def test_safari_tells_nobody(system: FakeMac) -> None:
    system.listed, system.front = [mac_window(2, SAFARI, "page")], SAFARI
    system.automate = True
    source = make(system)
    source._look()
    front = source.front()

    assert isinstance(front, WindowInfo)
    assert front.private_hint == "unknown"
    assert system.modes_asked == []


def test_changes_are_told(system: FakeMac) -> None:
    source, told = make(system), threading.Event()
    source.start(told.set)
    system.listed = [mac_window(1, EDITOR, "other")]
    assert told.wait(5)
    source.stop()
    source.stop()
