"""Idle time from services on a private bus."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from biny_desktop.capture.platforms.dbus_idle import (
    REST_MS,
    FirstIdle,
    IdleUnit,
    LogindIdle,
    MutterIdle,
    SaverIdle,
    idle_sources,
)
from biny_desktop.capture.platforms.dbus_session import DbusSession
from biny_desktop.capture.platforms.wayland_presence import WaylandPresence
from tests.fakes.clock import FakeClock
from tests.fakes.dbus_services import SESSION_PATH, BusService, FakeLogind
from tests.fakes.desktop import PrivateBus
from tests.fakes.desktop_services import IDLE_PATH
from tests.waiting import wait_until

SAVER_PATH = "/org/freedesktop/ScreenSaver"
Serve = Callable[..., BusService]


@pytest.fixture
def serve(private_bus: PrivateBus) -> Iterator[Serve]:
    made: list[BusService] = []

    def start(name: str, path: str, member: str, signature: str, *body: Any) -> BusService:
        service = BusService(private_bus.address, name, {(path, member): (signature, body)})
        made.append(service)
        return service

    yield start
    for service in made:
        service.close()


def test_mutter_tells_milliseconds(serve: Serve, private_bus: PrivateBus) -> None:
    serve("org.gnome.Mutter.IdleMonitor", IDLE_PATH, "GetIdletime", "t", 12_345)
    source = MutterIdle(private_bus.address)

    assert source.idle_ms() == 12_345
    source.close()


def test_a_saver_is_believed_once_it_counts(serve: Serve, private_bus: PrivateBus, fake_clock: FakeClock) -> None:
    service = serve("org.freedesktop.ScreenSaver", SAVER_PATH, "GetSessionIdleTime", "u", 0)
    source = SaverIdle(private_bus.address, fake_clock)
    assert source.idle_ms() is None
    for seconds in (2, 4):
        fake_clock.advance(2_000)
        service.answers[(SAVER_PATH, "GetSessionIdleTime")] = ("u", (seconds,))
        told = source.idle_ms()
    assert told == 4_000
    source.close()


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([0] * 30, None),  # KDE on Wayland says 0 for ever
        ([0, 2, 4, 0], 0),
        ([0, 2, 4, 6], 6_000),
        ([150, 2_150, 4_150], 4_150),
        ([900, 20, 2_020], 2_020),
        ([7, 7, 7, 7], None),
    ],
)
def test_the_unit_of_a_counter_is_learned_from_its_rise(values: list[int], expected: int | None) -> None:
    unit = IdleUnit()
    assert [unit.look(value, 2_000 * place) for place, value in enumerate(values)][-1] == expected


def test_logind_tells_only_that_it_is_idle(private_bus: PrivateBus, fake_clock: FakeClock) -> None:
    logind = FakeLogind(private_bus.address, way="GetSession")
    source = LogindIdle(private_bus.address, fake_clock)
    assert source.idle_ms() is None

    since = ("t", (fake_clock.mono_ms() - 90_000) * 1_000)
    facts = {"IdleHint": ("b", True), "IdleSinceHintMonotonic": since}
    logind.answers[(SESSION_PATH, "GetAll")] = ("a{sv}", (facts,))
    assert source.idle_ms() == 90_000
    source.close()
    logind.close()


def test_the_first_that_can_tell_is_asked_and_a_missing_one_rests(
    serve: Serve, private_bus: PrivateBus, fake_clock: FakeClock
) -> None:
    sources, names = idle_sources(private_bus.address, private_bus.address, fake_clock, None)
    idle = FirstIdle(sources, fake_clock)
    assert idle.idle_ms() is None
    assert names == "Mutter, the screen saver service, logind's idle hint"

    serve("org.gnome.Mutter.IdleMonitor", IDLE_PATH, "GetIdletime", "t", 5)
    assert idle.idle_ms() is None
    fake_clock.advance(REST_MS)
    assert idle.idle_ms() == 5
    idle.close()


@pytest.mark.parametrize("body", [("s", ("many",)), ("i", (-5,)), ("b", (True,)), ("", ())])
def test_an_odd_answer_is_no_idle_time(
    serve: Serve, private_bus: PrivateBus, body: tuple[str, tuple[Any, ...]]
) -> None:
    serve("org.gnome.Mutter.IdleMonitor", IDLE_PATH, "GetIdletime", body[0], *body[1])
    source = MutterIdle(private_bus.address)

    assert source.idle_ms() is None
    source.close()


def test_without_buses_nobody_can_tell(fake_clock: FakeClock) -> None:
    assert idle_sources(None, None, fake_clock, None) == ([], "")
    sources, _ = idle_sources("unix:path=/nowhere/bus", "unix:path=/nowhere/bus", fake_clock, "1")
    idle = FirstIdle(sources, fake_clock)
    assert idle.idle_ms() is None
    idle.close()


def test_presence_joins_lock_and_idle(private_bus: PrivateBus, fake_clock: FakeClock, serve: Serve) -> None:
    serve("org.gnome.Mutter.IdleMonitor", IDLE_PATH, "GetIdletime", "t", 77)
    logind = FakeLogind(private_bus.address, locked=True)
    sources, _ = idle_sources(private_bus.address, private_bus.address, fake_clock, None)
    session = DbusSession(fake_clock, private_bus.address, private_bus.address, retry_s=(0.05,))
    presence = WaylandPresence(session, FirstIdle(sources, fake_clock))
    presence.start(lambda: None)
    wait_until(presence.locked)

    assert presence.idle_ms() == 77
    assert [notice.kind for notice in presence.notices()] == ["lock"]
    presence.stop()
    logind.close()
