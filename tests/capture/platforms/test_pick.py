"""The choice of back ends, and the reasons that Doctor shows."""

import sys
from pathlib import Path

import pytest

from biny_desktop.capture.platforms import Platform, pick
from biny_desktop.capture.platforms.pick import bus_addresses
from biny_desktop.capture.ports import Unknown
from tests.fakes.clock import FakeClock
from tests.fakes.desktop import x_server


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
        ({"WAYLAND_DISPLAY": "wayland-0"}, "wayland", "Wayland is not supported yet"),
        ({"WAYLAND_DISPLAY": "wayland-0", "DISPLAY": ":0"}, "wayland", "Wayland is not supported yet"),
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
def test_systems_without_an_adapter_say_so(
    fake_clock: FakeClock, monkeypatch: pytest.MonkeyPatch, system: str, words: str
) -> None:
    monkeypatch.setattr(sys, "platform", system)

    assert f"{words} is not supported yet" in why(pick(fake_clock, {"DISPLAY": ":0"}))["windows"]


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
