"""Pixels and monitors of a real X server."""

import subprocess
from collections.abc import Iterator

import numpy as np
import pytest

from biny_desktop.capture.platforms.x11_screen import SCREEN_BACK_ENDS, X11Screen, fit
from biny_desktop.capture.ports import Monitor
from biny_desktop.core.errors import UnavailableError
from biny_desktop.core.geometry import Rect
from tests.fakes.clock import FakeClock
from tests.fakes.desktop import Desktop, XServer, x_server
from tests.waiting import wait_until


@pytest.fixture(params=SCREEN_BACK_ENDS)
def screen(request: pytest.FixtureRequest, desktop: Desktop, fake_clock: FakeClock) -> Iterator[X11Screen]:
    source = X11Screen(desktop.display, fake_clock, name=request.param)
    yield source
    source.close()


@pytest.fixture
def server() -> Iterator[XServer]:
    with x_server(1920, 900) as server:
        yield server


def xrandr(server: XServer, *args: str) -> None:
    """Add monitors to a server of our own."""
    subprocess.run(["xrandr", "-display", server.display, *args], check=True, capture_output=True)


def switch(server: XServer, *, on: bool) -> None:
    """Switch the only monitor of a server of our own on or off (xrandr refuses to, on this kind of server)."""
    import xcffib
    import xcffib.randr
    import xcffib.xproto

    conn = xcffib.connect(server.display)
    randr = conn(xcffib.randr.key)
    found = randr.GetScreenResources(conn.setup.roots[0].root).reply()
    mode, outputs = (found.modes[0].id, list(found.outputs)) if on else (0, [])
    status = randr.SetCrtcConfig(found.crtcs[0], 0, 0, 0, 0, mode, 1, len(outputs), outputs).reply().status
    conn.disconnect()
    assert status == 0


def test_a_shot_shows_the_window_in_its_colour(desktop: Desktop, screen: X11Screen, fake_clock: FakeClock) -> None:
    desktop.open_window(geometry=(200, 150, 500, 300), color="#ff8001")
    monitor = screen.monitors()[0]

    shot = screen.grab(monitor)

    assert shot.size == (1600, 1000)
    assert shot.pixels[300, 400, :3].tolist() == [0x01, 0x80, 0xFF]
    assert (shot.mono_ms, shot.pointer, shot.scale) == (fake_clock.mono_ms(), (800, 500), 1.0)
    assert shot.work_area == Rect(0, 0, 1600, 1000)


def test_both_ways_give_the_same_picture(desktop: Desktop, fake_clock: FakeClock) -> None:
    desktop.open_window(text=["The same words"], color="#dde0ff")
    sources = [X11Screen(desktop.display, fake_clock, name=name) for name in SCREEN_BACK_ENDS]
    first, second = [source.grab(source.monitors()[0]).pixels[..., :3] for source in sources]
    for source in sources:
        source.close()

    assert np.array_equal(first, second)


def test_a_panel_is_outside_the_work_area(desktop: Desktop, screen: X11Screen, tray_host: None) -> None:
    wait_until(lambda: screen.monitors()[0].work_area == Rect(0, 0, 1600, 976))
    assert screen.grab(screen.monitors()[0]).work_area == Rect(0, 0, 1600, 976)


def test_the_scale_of_the_desktop_travels_with_the_shot(desktop: Desktop, screen: X11Screen) -> None:
    desktop.xprop("-root", "-f", "RESOURCE_MANAGER", "8s", "-set", "RESOURCE_MANAGER", "Xft.dpi:\t144\n")
    try:
        assert screen.grab(screen.monitors()[0]).scale == 1.5
    finally:
        desktop.xprop("-root", "-remove", "RESOURCE_MANAGER")
    assert screen.monitors()[0].scale == 1.0


def test_monitors_have_names_sizes_and_places_and_their_own_pictures(server: XServer, fake_clock: FakeClock) -> None:
    xrandr(server, "--setmonitor", "LEFT", "1280/300x900/200+0+0", "screen")
    xrandr(server, "--setmonitor", "RIGHT", "640/150x800/180+1280+100", "none")
    source = X11Screen(server.display, fake_clock)
    left, right = source.monitors()

    assert (left.key, right.key) == ("LEFT 300x200mm +0+0", "RIGHT 150x180mm +1280+100")
    Desktop(server.display).xdotool("mousemove", 1300, 150)
    assert (source.grab(left).size, source.grab(left).pointer) == ((1280, 900), None)
    assert (source.grab(right).size, source.grab(right).pointer) == ((640, 800), (20, 50))
    source.close()


@pytest.mark.parametrize("name", SCREEN_BACK_ENDS)
def test_a_monitor_that_went_away_is_unavailable_and_comes_back(
    server: XServer, fake_clock: FakeClock, name: str
) -> None:
    source = X11Screen(server.display, fake_clock, name=name)
    before = source.monitors()[0]
    source.grab(before)
    switch(server, on=False)

    wait_until(lambda: source.monitors() == [])
    with pytest.raises(UnavailableError):
        source.grab(before)

    switch(server, on=True)
    wait_until(lambda: source.monitors() == [before])
    assert source.grab(before).size == (1920, 900)
    source.close()


def test_a_changed_arrangement_makes_a_new_grabber(server: XServer, fake_clock: FakeClock) -> None:
    source = X11Screen(server.display, fake_clock)
    monitor = source.monitors()[0]
    source.grab(monitor)
    first = source._grabber
    source.grab(monitor)
    assert source._grabber is first

    switch(server, on=False)
    switch(server, on=True)
    source.grab(source.monitors()[0])

    assert source._grabber is not first
    source.close()


def test_a_part_outside_the_screen_is_unavailable(desktop: Desktop, screen: X11Screen) -> None:
    beyond = Monitor("gone", Rect(1500, 0, 1600, 1000), 1.0, Rect(1500, 0, 1600, 1000))

    with pytest.raises(UnavailableError):
        screen.grab(beyond)
    assert screen.grab(screen.monitors()[0]).size == (1600, 1000)


def test_no_display_is_no_monitor_and_no_exception(fake_clock: FakeClock) -> None:
    source = X11Screen(":4093", fake_clock)

    assert (source.monitors(), source.pointer()) == ([], None)
    source.renew()
    source.close()


def test_a_server_that_died_leaves_no_monitor(fake_clock: FakeClock) -> None:
    with x_server(320, 240) as dying:
        source = X11Screen(dying.display, fake_clock)
        monitor = source.monitors()[0]
        source.grab(monitor)
    assert source.monitors() == []
    with pytest.raises(UnavailableError):
        source.grab(monitor)
    source.close()


def test_renewing_and_closing_twice_is_harmless(desktop: Desktop, screen: X11Screen) -> None:
    screen.grab(screen.monitors()[0])
    screen.renew()
    screen.renew()
    assert screen.pointer() == (800, 500)


def test_geometry_is_in_pixels_of_a_picture_that_is_larger_than_its_monitor() -> None:
    monitor = Monitor("m", Rect(-1280, 10, 1280, 720), 2.0, Rect(-1280, 40, 1280, 690))

    shot = fit(np.zeros((1440, 2560, 4), np.uint8), monitor, (-1, 729), 5)

    assert shot.work_area == Rect(0, 60, 2560, 1380)
    assert shot.pointer == (2558, 1438)


def test_geometry_never_leaves_a_smaller_picture() -> None:
    monitor = Monitor("m", Rect(0, 0, 1280, 720), 1.0, Rect(0, -50, 5000, 5000))

    shot = fit(np.zeros((100, 100, 4), np.uint8), monitor, (1279, 719), 5)

    assert shot.work_area == Rect(0, 0, 100, 100)
    assert shot.pointer == (99, 99)
