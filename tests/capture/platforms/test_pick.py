"""The choice of back ends, and the reasons that Doctor shows."""

import subprocess
import sys
from pathlib import Path

import pytest

from biny_desktop.capture.platforms import Platform, pick
from biny_desktop.capture.platforms.pick import bus_addresses
from biny_desktop.capture.ports import Unknown
from biny_desktop.core.errors import UnavailableError
from biny_desktop.core.geometry import Rect
from tests.fakes.clock import FakeClock
from tests.fakes.desktop import ROOT, x_server
from tests.fakes.foreign_systems import FakeMac, FakeWindows


def why(platform: Platform) -> dict[str, str]:
    return {choice.port: choice.why for choice in platform.reasons}


def test_an_x_server_is_used_for_all_four_ports(xvfb: str, fake_clock: FakeClock) -> None:
    platform = pick(fake_clock, {"DISPLAY": xvfb})

    assert platform.name == "x11"
    assert [choice.port for choice in platform.reasons] == ["windows", "input", "presence", "screen"]
    assert [choice.chosen for choice in platform.reasons] == ["x11", "xinput2", "x11", "mss"]
    assert platform.screen.monitors()
    platform.screen.close()


def test_the_next_way_to_grab_follows_the_failed_one(xvfb: str, fake_clock: FakeClock) -> None:
    platform = pick(fake_clock, {"DISPLAY": xvfb})
    second = platform.next_screen(platform.screen)

    assert second is not None
    assert (platform.screen.name, second.name) == ("mss", "getimage")
    assert second.grab(second.monitors()[0]).size == (1600, 1000)
    assert platform.next_screen(second) is None
    second.close()


@pytest.mark.parametrize(
    ("env", "reason", "words"),
    [
        ({}, "no_display", "No display"),
        ({"DISPLAY": ":4093"}, "no_display", ":4093 does not answer"),
    ],
)
def test_without_a_usable_display_there_is_null_with_an_honest_reason(
    fake_clock: FakeClock, env: dict[str, str], reason: str, words: str
) -> None:
    platform = pick(fake_clock, env)

    assert platform.name == "null"
    assert platform.windows.front() == Unknown(reason)
    assert all(words in each for each in why(platform).values())


def test_an_x11_session_inside_a_wayland_one_is_x11(xvfb: str, fake_clock: FakeClock) -> None:
    env = {"DISPLAY": xvfb, "WAYLAND_DISPLAY": "wayland-0", "XDG_SESSION_TYPE": "x11"}

    assert pick(fake_clock, env).name == "x11"


@pytest.mark.parametrize(("system", "words"), [("win32", "Windows"), ("darwin", "macOS")])
def test_a_system_whose_libraries_are_missing_is_null_and_says_so(
    fake_clock: FakeClock, monkeypatch: pytest.MonkeyPatch, system: str, words: str
) -> None:
    monkeypatch.setattr(sys, "platform", system)
    platform = pick(fake_clock, {"DISPLAY": ":0"})

    assert platform.name == "null"
    assert f"libraries of {words} cannot be loaded" in why(platform)["windows"]


def test_windows_and_macos_have_all_four_ports(fake_clock: FakeClock, monkeypatch: pytest.MonkeyPatch) -> None:
    from biny_desktop.capture.platforms import mac_api, windows_api

    monkeypatch.setattr(windows_api, "Win32", FakeWindows)
    monkeypatch.setattr(mac_api, "MacApi", FakeMac)
    for system, name, chosen in (
        ("win32", "windows", ["winevent", "pynput", "windows", "mss"]),
        ("darwin", "macos", ["quartz", "pynput", "quartz", "mss"]),
    ):
        monkeypatch.setattr(sys, "platform", system)
        platform = pick(fake_clock, {})
        assert platform.name == name
        assert [choice.chosen for choice in platform.reasons] == chosen
        assert platform.screen.monitors()
        assert platform.next_screen(platform.screen) is None


WAYLAND = {"WAYLAND_DISPLAY": "wayland-0", "DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere/bus"}


@pytest.mark.parametrize(
    ("env", "name", "words"),
    [
        ({"XDG_CURRENT_DESKTOP": "ubuntu:GNOME"}, "wayland-gnome", "extensions.gnome.org"),
        ({"XDG_CURRENT_DESKTOP": "KDE", "DISPLAY": ":0"}, "wayland-kde", "script in KWin"),
        ({"XDG_CURRENT_DESKTOP": "sway", "SWAYSOCK": "/nowhere/sock"}, "wayland-sway", "not there yet"),
        ({"HYPRLAND_INSTANCE_SIGNATURE": "x", "XDG_RUNTIME_DIR": "/nowhere"}, "wayland-hyprland", "sockets"),
        ({"XDG_CURRENT_DESKTOP": "river"}, "wayland-null", "on river. Use GNOME with the extension"),
        ({}, "wayland-null", "this desktop"),
    ],
)
def test_each_wayland_desktop_gets_its_window_source_and_the_reason(
    fake_clock: FakeClock, env: dict[str, str], name: str, words: str
) -> None:
    platform = pick(fake_clock, {**WAYLAND, **env})

    assert platform.name == name
    assert words in why(platform)["windows"]
    assert [choice.chosen for choice in platform.reasons][1:] == ["poll", "dbus", "portal"]
    assert isinstance(platform.windows.front(), Unknown)
    assert platform.screen.monitors()[0].rect == Rect(0, 0, 1920, 1080)
    with pytest.raises(UnavailableError):
        platform.input.start(lambda: None)
    platform.windows.stop()
    platform.screen.close()


def test_wayland_without_a_session_bus_says_that_pictures_need_it(fake_clock: FakeClock) -> None:
    platform = pick(fake_clock, {"WAYLAND_DISPLAY": "wayland-0", "XDG_CURRENT_DESKTOP": "GNOME"})

    assert platform.windows.front() == Unknown("no_window_source")
    assert platform.screen.monitors() == []
    assert "no D-Bus session" in why(platform)["screen"]
    assert "no D-Bus session" in why(platform)["windows"]


def test_choosing_loads_no_library_of_another_system() -> None:
    code = (
        "import sys; from biny_desktop.capture.platforms import pick; from biny_desktop.core.clock import SystemClock;"
        "env = {'WAYLAND_DISPLAY': 'w', 'XDG_CURRENT_DESKTOP': 'GNOME', 'DBUS_SESSION_BUS_ADDRESS': 'x'};"
        "pick(SystemClock(), env);"
        "print(sorted({'xcffib', 'pynput', 'mss', 'cv2'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.strip() == "[]"


def test_a_server_without_xinput_gets_the_other_counter_and_the_reason(
    fake_clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    from biny_desktop.capture.platforms import x11_input

    monkeypatch.setattr(x11_input, "_NEEDED", (9, 0))
    with x_server(320, 240) as server:
        choice = pick(fake_clock, {"DISPLAY": server.display}).reasons[1]

    assert choice.chosen == "pynput"
    assert choice.refused == (("xinput2", "The X server has no XInput 2.1."),)


def test_a_hanging_server_is_no_display(fake_clock: FakeClock) -> None:
    with x_server(320, 240) as server:
        pick(fake_clock, {"DISPLAY": server.display})
        with server.hanging():
            assert pick(fake_clock, {"DISPLAY": server.display}).name == "null"


def test_bus_addresses_come_from_the_environment(tmp_path: Path) -> None:
    folder = tmp_path
    assert bus_addresses({"XDG_RUNTIME_DIR": str(folder)})[0] is None
    (folder / "bus").touch()
    assert bus_addresses({"XDG_RUNTIME_DIR": str(folder)})[0] == f"unix:path={folder}/bus"
    given = {"DBUS_SESSION_BUS_ADDRESS": "unix:path=/a", "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/b"}
    assert bus_addresses(given) == ("unix:path=/a", "unix:path=/b")
