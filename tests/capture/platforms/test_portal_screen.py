"""Pictures from a screenshot portal on a private bus."""

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from biny_desktop.capture.platforms.outputs import Layout, LayoutSource, Output
from biny_desktop.capture.platforms.portal_request import OPEN_MS, REFUSED_MS
from biny_desktop.capture.platforms.portal_screen import PortalScreen
from biny_desktop.capture.ports import NoPermissionError
from biny_desktop.core.errors import UnavailableError
from biny_desktop.core.geometry import Rect
from tests.fakes.clock import FakeClock
from tests.fakes.dbus_services import BusService
from tests.fakes.desktop import PrivateBus
from tests.fakes.desktop_services import PORTAL_PATH, REQUEST, STORE, FakePortal, ScriptedService
from tests.fakes.layouts import NoLayout
from tests.waiting import wait_until

PROMPT_S = 0.3
NO_REQUEST = f"{PORTAL_PATH}/request/1_1/none"


class TwoMonitors(NoLayout):
    """The left one 100 × 50 at scale 2, the right one 60 × 50 at scale 1, 10 units lower."""

    def layout(self) -> Layout:
        return Layout.logical(
            [Output("left", Rect(0, 0, 100, 50), 2.0, work=Rect(0, 5, 100, 45)), Output("right", Rect(100, 10, 60, 50))]
        )


def picture(width: int = 320, height: int = 120) -> np.ndarray[Any, Any]:
    """Blue left of x = 200, red right of it."""
    pixels = np.zeros((height, width, 3), np.uint8)
    pixels[:, :200] = (255, 0, 0)
    pixels[:, 200:] = (0, 0, 255)
    return pixels


@pytest.fixture
def portal(private_bus: PrivateBus, tmp_path: Path) -> Iterator[FakePortal]:
    folder = tmp_path / "pictures"
    folder.mkdir()
    service = FakePortal(private_bus.address, folder, picture())
    yield service
    service.close()


@pytest.fixture
def screen(private_bus: PrivateBus, fake_clock: FakeClock) -> Iterator[PortalScreen]:
    made = make(private_bus, fake_clock)
    yield made
    made.close()


def make(bus: PrivateBus, clock: FakeClock, layout: LayoutSource | None = None) -> PortalScreen:
    return PortalScreen(bus.address, clock, layout or NoLayout(), prompt_s=PROMPT_S)


def grab(screen: PortalScreen) -> Any:
    return screen.grab(screen.monitors()[0])


@pytest.mark.parametrize("mode", ["give", "early", "old"])
def test_a_picture_is_read_and_its_file_gone(portal: FakePortal, screen: PortalScreen, mode: str) -> None:
    portal.mode = mode

    shot = grab(screen)

    assert shot.size == (320, 120)
    assert shot.pixels[0, 0].tolist() == [255, 0, 0, 255]
    assert shot.pixels[0, 319].tolist() == [0, 0, 255, 255]
    assert portal.files() == []


def test_without_a_layout_the_picture_decides_the_size_of_the_one_monitor(
    portal: FakePortal, screen: PortalScreen
) -> None:
    assert screen.monitors()[0].rect == Rect(0, 0, 1920, 1080)

    shot = grab(screen)

    assert shot.monitor.rect == shot.work_area == Rect(0, 0, 320, 120)
    assert screen.monitors() == [shot.monitor]
    assert portal.handles  # only the grab asked


def test_asking_for_monitors_takes_no_picture(portal: FakePortal, screen: PortalScreen) -> None:
    screen.monitors()

    assert portal.asked == []


def test_each_monitor_gets_its_part_of_the_picture(
    portal: FakePortal, private_bus: PrivateBus, fake_clock: FakeClock
) -> None:
    screen = make(private_bus, fake_clock, TwoMonitors())
    left, right = screen.monitors()
    assert (left.rect, right.rect) == (Rect(0, 0, 200, 100), Rect(200, 20, 120, 100))

    shots = [screen.grab(left), screen.grab(right)]
    screen.close()

    assert [shot.size for shot in shots] == [(200, 100), (120, 100)]
    assert shots[0].pixels.reshape(-1, 4).max(axis=0).tolist() == [255, 0, 0, 255]
    assert shots[1].pixels.reshape(-1, 4).max(axis=0).tolist() == [0, 0, 255, 255]
    assert shots[0].work_area == Rect(0, 10, 200, 90)
    assert [shot.scale for shot in shots] == [2.0, 2.0]


def test_a_picture_in_logical_pixels_is_cut_too(
    portal: FakePortal, private_bus: PrivateBus, fake_clock: FakeClock
) -> None:
    portal.picture = picture(160, 60)
    screen = make(private_bus, fake_clock, TwoMonitors())

    shot = screen.grab(screen.monitors()[0])
    screen.close()

    assert shot.size == (100, 50)
    assert (shot.scale, shot.work_area) == (1.0, Rect(0, 5, 100, 45))


def test_a_picture_that_does_not_fit_the_monitors_is_refused(
    portal: FakePortal, private_bus: PrivateBus, fake_clock: FakeClock
) -> None:
    portal.picture = picture(320, 240)
    screen = make(private_bus, fake_clock, TwoMonitors())

    with pytest.raises(UnavailableError, match="fit the monitors"):
        grab(screen)
    screen.close()
    assert portal.files() == []


def test_a_monitor_that_is_gone_is_refused_without_a_picture(
    portal: FakePortal, private_bus: PrivateBus, fake_clock: FakeClock, screen: PortalScreen
) -> None:
    other = make(private_bus, fake_clock, TwoMonitors())
    with pytest.raises(UnavailableError, match="gone"):
        screen.grab(other.monitors()[1])
    assert portal.asked == []


@pytest.mark.parametrize("mode", ["refuse", "deny"])
def test_a_refusal_is_no_permission_and_not_repeated(
    portal: FakePortal, screen: PortalScreen, fake_clock: FakeClock, mode: str
) -> None:
    portal.mode = mode
    monitor = screen.monitors()[0]
    with pytest.raises(NoPermissionError):
        screen.grab(monitor)

    for ask in (screen.monitors, lambda: screen.grab(monitor)):
        with pytest.raises(NoPermissionError):
            ask()
    assert len(portal.handles) == 1

    fake_clock.advance(REFUSED_MS)
    portal.mode = "give"
    assert grab(screen).size == (320, 120)


def test_a_permission_given_later_is_noticed_at_once(
    portal: FakePortal, screen: PortalScreen, private_bus: PrivateBus
) -> None:
    portal.mode = "deny"
    with pytest.raises(NoPermissionError):
        grab(screen)
    store = BusService(private_bus.address, STORE, {})
    portal.mode = "give"
    body = ("screenshot", "screenshot", False, ("b", False), {"": ["yes"]})
    store.emit("/org/freedesktop/impl/portal/PermissionStore", STORE, "Changed", "ssbva{sas}", *body)
    store.close()

    def allowed() -> bool:
        try:
            return bool(screen.monitors())
        except NoPermissionError:
            return False

    wait_until(allowed)
    assert grab(screen).size == (320, 120)


def test_a_failure_after_a_success_is_no_lost_permission(portal: FakePortal, screen: PortalScreen) -> None:
    grab(screen)
    portal.mode = "deny"
    with pytest.raises(UnavailableError) as caught:
        grab(screen)

    assert not isinstance(caught.value, NoPermissionError)
    assert screen.monitors()


def test_a_person_who_is_asked_is_not_asked_twice_and_the_late_picture_is_dropped(
    portal: FakePortal, screen: PortalScreen
) -> None:
    portal.mode = "silent"
    for _ in range(3):
        with pytest.raises(NoPermissionError, match="asking"):
            grab(screen)
    assert len(portal.handles) == 1

    portal.mode = "give"
    portal.respond()
    shots: list[Any] = []

    def given() -> bool:
        try:
            shots.append(grab(screen))
        except NoPermissionError:
            return False
        return True

    wait_until(given)
    assert len(portal.handles) == 2
    assert portal.files() == []


def test_a_request_nobody_answers_is_closed_in_the_end(
    portal: FakePortal, screen: PortalScreen, fake_clock: FakeClock
) -> None:
    portal.mode = "silent"
    with pytest.raises(NoPermissionError):
        grab(screen)
    fake_clock.advance(OPEN_MS)
    portal.mode = "give"

    assert grab(screen).size == (320, 120)
    assert portal.closed == portal.handles[:1]


@pytest.mark.parametrize("mode", ["link", "nonsense", "foreign", "fail"])
def test_what_is_no_picture_of_ours_is_refused(portal: FakePortal, screen: PortalScreen, mode: str) -> None:
    portal.mode = mode
    with pytest.raises(UnavailableError):
        grab(screen)

    if mode == "link":
        assert (portal.folder / "precious.txt").read_text(encoding="utf-8") == "mine"
    else:
        assert portal.files() == []


def test_a_forged_response_of_somebody_else_touches_no_file(
    portal: FakePortal, screen: PortalScreen, private_bus: PrivateBus, tmp_path: Path
) -> None:
    precious = tmp_path / "precious.png"
    precious.write_bytes(b"mine")
    portal.mode = "silent"
    with pytest.raises(NoPermissionError):
        grab(screen)
    forger = ScriptedService(private_bus.address, "org.example.Forger")
    to = ":" + portal.handles[0].split("/")[-2].replace("_", ".")
    forger.signal(to, portal.handles[0], REQUEST, "Response", "ua{sv}", 0, {"uri": ("s", precious.as_uri())})
    forger.close()
    with pytest.raises(NoPermissionError):
        grab(screen)

    assert precious.read_bytes() == b"mine"


def test_no_portal_is_unavailable_with_a_remedy(screen: PortalScreen) -> None:
    with pytest.raises(UnavailableError) as caught:
        grab(screen)

    assert "xdg-desktop-portal" in caught.value.hint


def test_no_bus_is_unavailable(fake_clock: FakeClock) -> None:
    screen = PortalScreen("unix:path=/nowhere/bus", fake_clock, NoLayout(), prompt_s=PROMPT_S)
    with pytest.raises(UnavailableError):
        grab(screen)
    screen.close()
    screen.close()
    assert "dbus-portal" not in {thread.name for thread in threading.enumerate()}


def test_a_portal_that_dies_while_it_is_asked_is_told_at_once(portal: FakePortal, screen: PortalScreen) -> None:
    grab(screen)
    portal.mode = "silent"
    screen._portal._prompt_s = 20.0
    killer = threading.Thread(target=lambda: (wait_until(lambda: len(portal.handles) == 2), portal.close()))
    killer.start()
    with pytest.raises(UnavailableError, match="went away"):
        grab(screen)
    killer.join()


def test_a_new_portal_is_found_after_the_old_one_died(
    private_bus: PrivateBus, screen: PortalScreen, tmp_path: Path
) -> None:
    for _ in range(2):
        portal = FakePortal(private_bus.address, tmp_path, picture())
        assert grab(screen).size == (320, 120)
        portal.close()


def test_a_source_made_new_takes_pictures_again(portal: FakePortal, screen: PortalScreen) -> None:
    grab(screen)
    screen.renew()

    assert grab(screen).size == (320, 120)
    assert screen.pointer() is None
