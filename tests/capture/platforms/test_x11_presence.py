"""Presence on a real X server and a private bus."""

from collections.abc import Iterator

import pytest

from biny_desktop.capture.platforms.dbus_session import DbusSession
from biny_desktop.capture.platforms.x11_presence import X11Presence
from tests.fakes.clock import FakeClock
from tests.fakes.dbus_services import FakeSaver
from tests.fakes.desktop import Desktop, PrivateBus, x_server
from tests.waiting import wait_until


@pytest.fixture
def presence(desktop: Desktop, private_bus: PrivateBus, fake_clock: FakeClock) -> Iterator[X11Presence]:
    source = X11Presence(desktop.display, DbusSession(fake_clock, private_bus.address, None))
    source.start(lambda: None)
    yield source
    source.stop()


def test_idle_time_grows_and_falls_back_at_an_input(desktop: Desktop, presence: X11Presence) -> None:
    wait_until(lambda: (presence.idle_ms() or 0) > 300)
    desktop.xdotool("key", "shift")

    idle = presence.idle_ms()
    assert idle is not None
    assert idle < 300


def test_lock_comes_from_the_bus(private_bus: PrivateBus, presence: X11Presence) -> None:
    saver = FakeSaver(private_bus.address, active=True)
    try:
        wait_until(presence.locked)
        assert [notice.kind for notice in presence.notices()] == ["lock"]
    finally:
        saver.close()


def test_no_server_and_no_bus_mean_that_nothing_is_known(fake_clock: FakeClock) -> None:
    source = X11Presence(":4093", DbusSession(fake_clock, None, None))
    source.start(lambda: None)

    assert (source.idle_ms(), source.locked(), source.notices()) == (None, None, [])
    source.stop()
    source.stop()


def test_a_hanging_server_gives_no_idle_time(fake_clock: FakeClock) -> None:
    with x_server(320, 240) as server:
        source = X11Presence(server.display, DbusSession(fake_clock, None, None))
        source.start(lambda: None)
        assert source.idle_ms() is not None
        with server.hanging():
            assert source.idle_ms() is None
        wait_until(lambda: source.idle_ms() is not None)
        source.stop()
