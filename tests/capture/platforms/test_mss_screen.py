"""Pictures on Windows and macOS: monitors of fake systems, pixels of a fake and of a real `mss`."""

from types import SimpleNamespace
from typing import Any

import mss
import numpy as np
import pytest
from mss.exception import ScreenShotError

from biny_desktop.capture.platforms.mac_layout import MacLayout
from biny_desktop.capture.platforms.mac_platform import mac_platform
from biny_desktop.capture.platforms.mac_ports import MacDisplay
from biny_desktop.capture.platforms.mss_screen import MssScreen, open_sharp
from biny_desktop.capture.platforms.windows_layout import WindowsLayout
from biny_desktop.capture.platforms.windows_ports import Display
from biny_desktop.capture.ports import NoPermissionError
from biny_desktop.core.errors import UnavailableError
from biny_desktop.core.geometry import Rect
from tests.fakes.clock import FakeClock
from tests.fakes.foreign_systems import FakeMac, FakeWindows, mac_window


class FakeMss:
    """Gives `scale` pixels per unit of the wanted part."""

    def __init__(self, scale: int = 1) -> None:
        self.scale = scale
        self.wanted: list[dict[str, int]] = []
        self.fails = self.closed = False

    def grab(self, part: dict[str, int]) -> Any:
        self.wanted.append(part)
        if self.fails:
            raise ScreenShotError("no")
        width, height = part["width"] * self.scale, part["height"] * self.scale
        return SimpleNamespace(raw=bytes(width * height * 4), width=width, height=height)

    def close(self) -> None:
        self.closed = True


def test_windows_monitors_are_physical_with_work_area_and_scale(fake_clock: FakeClock) -> None:
    system = FakeWindows()
    system.screens.append(
        Display("\\\\.\\DISPLAY2", Rect(-1920, 100, 1920, 1080), Rect(-1920, 100, 1920, 1040), 0, (0, 0))
    )
    system.screens.append(Display("gone", Rect(0, 0, 0, 0), Rect(0, 0, 0, 0), 96, (0, 0)))
    left, right = MssScreen(WindowsLayout(system), system.pointer, fake_clock).monitors()

    assert (left.key, left.rect, left.scale) == ("\\\\.\\DISPLAY1 600x340mm +0+0", Rect(0, 0, 2560, 1440), 1.5)
    assert left.work_area == Rect(0, 0, 2560, 1400)
    assert (right.key, right.scale) == ("\\\\.\\DISPLAY2 1920x1080px -1920+100", 1.0)


def test_a_windows_picture_is_grabbed_at_its_place(fake_clock: FakeClock) -> None:
    system, grabber = FakeWindows(), FakeMss()
    system.screens[0] = Display("A", Rect(-100, 50, 80, 60), Rect(-100, 50, 80, 50), 96, (0, 0))
    system.place = (-90, 60)
    screen = MssScreen(WindowsLayout(system), system.pointer, fake_clock, open_mss=lambda: grabber)
    shot = screen.grab(screen.monitors()[0])
    screen.close()

    assert grabber.wanted == [{"left": -100, "top": 50, "width": 80, "height": 60}]
    assert (shot.size, shot.work_area, shot.pointer) == ((80, 60), Rect(0, 0, 80, 50), (10, 10))
    assert grabber.closed


def test_mac_monitors_are_pixels_of_the_sharpest_one_and_grabbed_in_points(fake_clock: FakeClock) -> None:
    system, grabber = FakeMac(), FakeMss(2)
    system.screens = [
        MacDisplay("a", (0, 0, 144, 90), 2.0, (300, 190)),
        MacDisplay("b", (144, 0, 100, 90), 1.0, (0, 0)),
    ]
    bar = {"X": 0, "Y": 0, "Width": 144, "Height": 25}
    system.listed = [mac_window(1, 5, "Menubar", 24, kCGWindowBounds=bar)]
    pointer = lambda: (10, 30)  # noqa: E731
    screen = MssScreen(MacLayout(system), pointer, fake_clock, open_mss=lambda: grabber)
    first, second = screen.monitors()
    assert (first.rect, first.work_area) == (Rect(0, 0, 288, 180), Rect(0, 50, 288, 130))
    assert second.rect == Rect(288, 0, 200, 180)

    shot = screen.grab(first)
    assert grabber.wanted == [{"left": 0, "top": 0, "width": 144, "height": 90}]
    assert (shot.size, shot.scale, shot.pointer, shot.work_area) == ((288, 180), 2.0, (20, 60), Rect(0, 50, 288, 130))
    grabber.scale = 1  # the other monitor has one pixel a point
    shot = screen.grab(second)
    assert (shot.size, shot.scale, shot.pointer) == ((100, 90), 1.0, None)
    screen.close()


def test_another_arrangement_makes_a_new_instance(fake_clock: FakeClock) -> None:
    system, made = FakeWindows(), []

    def open_mss() -> FakeMss:
        made.append(FakeMss())
        return made[-1]

    screen = MssScreen(WindowsLayout(system), system.pointer, fake_clock, open_mss=open_mss)
    for _ in range(3):
        screen.grab(screen.monitors()[0])
    assert len(made) == 1
    old = screen.monitors()[0]
    system.screens = [Display("B", Rect(0, 0, 640, 480), Rect(0, 0, 640, 480), 96, (0, 0))]
    with pytest.raises(UnavailableError, match="gone"):
        screen.grab(old)
    screen.grab(screen.monitors()[0])
    assert len(made) == 2
    assert made[0].closed
    screen.renew()
    screen.grab(screen.monitors()[0])
    assert len(made) == 3
    screen.close()


def test_a_refused_grab_is_unavailable_and_the_next_begins_anew(fake_clock: FakeClock) -> None:
    system, grabber = FakeWindows(), FakeMss()
    screen = MssScreen(WindowsLayout(system), system.pointer, fake_clock, open_mss=lambda: grabber)
    grabber.fails = True
    with pytest.raises(UnavailableError, match="refused"):
        screen.grab(screen.monitors()[0])
    grabber.fails = False
    assert screen.grab(screen.monitors()[0]).size == (2560, 1440)
    screen.close()


def test_without_permission_macos_is_asked_once_and_nothing_is_grabbed(fake_clock: FakeClock) -> None:
    system = FakeMac()
    system.capture = False
    screen = mac_platform(fake_clock, system).screen
    for _ in range(3):
        with pytest.raises(NoPermissionError) as caught:
            screen.monitors()
    assert system.capture_asked == 1
    assert "System Settings" in caught.value.hint
    system.capture = True
    assert len(screen.monitors()) == 1


def test_no_monitor_is_an_empty_list(fake_clock: FakeClock) -> None:
    system = FakeWindows()
    system.screens, system.place = [], None
    screen = MssScreen(WindowsLayout(system), system.pointer, fake_clock)
    assert screen.monitors() == []
    assert screen.pointer() is None


def test_macos_pictures_are_asked_for_in_real_pixels(monkeypatch: pytest.MonkeyPatch) -> None:
    from mss import darwin

    monkeypatch.setattr(darwin, "IMAGE_OPTIONS", darwin.IMAGE_OPTIONS)
    monkeypatch.setattr(mss, "MSS", lambda: "made")

    assert open_sharp() == "made"
    assert not darwin.IMAGE_OPTIONS & darwin.kCGWindowImageNominalResolution


def test_a_real_instance_gives_real_pixels(xvfb: str, fake_clock: FakeClock) -> None:
    system = FakeWindows()
    system.screens = [Display("A", Rect(0, 0, 160, 100), Rect(0, 0, 160, 100), 96, (0, 0))]
    opened = lambda: mss.MSS(display=xvfb)  # noqa: E731
    screen = MssScreen(WindowsLayout(system), system.pointer, fake_clock, open_mss=opened)
    shot = screen.grab(screen.monitors()[0])
    screen.close()

    assert shot.pixels.shape == (100, 160, 4)
    assert shot.pixels.dtype == np.uint8
