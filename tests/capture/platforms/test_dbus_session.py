"""Lock, sleep and session from services on a private bus."""

import threading
from collections.abc import Callable, Iterator

import pytest

from biny_desktop.capture.platforms.dbus_session import DbusSession
from tests.fakes.clock import FakeClock
from tests.fakes.dbus_services import FakeLogind, FakeSaver
from tests.fakes.desktop import PrivateBus
from tests.waiting import wait_until

RETRY_S = (0.05,)
Listen = Callable[..., DbusSession]


@pytest.fixture
def listen(private_bus: PrivateBus, fake_clock: FakeClock) -> Iterator[Listen]:
    sessions: list[DbusSession] = []

    def start(session_id: str | None = None, bus: PrivateBus = private_bus) -> DbusSession:
        session = DbusSession(fake_clock, bus.address, bus.address, session_id, RETRY_S)
        session.start(lambda: None)
        sessions.append(session)
        return session

    yield start
    for session in sessions:
        session.stop()


@pytest.fixture
def logind(private_bus: PrivateBus) -> Iterator[FakeLogind]:
    service = FakeLogind(private_bus.address)
    yield service
    service.close()


@pytest.fixture
def saver(private_bus: PrivateBus) -> Iterator[FakeSaver]:
    service = FakeSaver(private_bus.address)
    yield service
    service.close()


def kinds(session: DbusSession, count: int) -> list[str]:
    """The next notices, in order, once there are that many."""
    found: list[str] = []
    wait_until(lambda: found.extend(notice.kind for notice in session.notices()) or len(found) >= count)
    return found


def test_without_any_service_nothing_is_known(listen: Listen) -> None:
    session = listen()

    assert session.locked() is None
    assert session.notices() == []


def test_a_lock_hint_locks_and_unlocks_with_notices(listen: Listen, logind: FakeLogind, fake_clock: FakeClock) -> None:
    session = listen()
    wait_until(lambda: session.locked() is False)

    fake_clock.advance(7_000)
    logind.change(LockedHint=True)
    wait_until(session.locked)
    logind.change(LockedHint=False)
    wait_until(lambda: session.locked() is False)

    notices = session.notices()
    assert [notice.kind for notice in notices] == ["lock", "unlock"]
    assert notices[0].mono_ms == fake_clock.mono_ms()


def test_a_session_locked_before_the_start_is_known_to_be(listen: Listen, private_bus: PrivateBus) -> None:
    logind = FakeLogind(private_bus.address, locked=True)
    try:
        session = listen()
        assert kinds(session, 1) == ["lock"]
        assert session.locked() is True
    finally:
        logind.close()


@pytest.mark.parametrize("session_id", [None, "1"])
def test_the_session_is_found_by_its_name_too(listen: Listen, private_bus: PrivateBus, session_id: str | None) -> None:
    logind = FakeLogind(private_bus.address, way="GetSession")
    try:
        session = listen(session_id)
        wait_until(lambda: session.locked() is False)
    finally:
        logind.close()


def test_sleep_and_wake_and_another_users_session_are_told(listen: Listen, logind: FakeLogind) -> None:
    session = listen()
    wait_until(lambda: session.locked() is False)

    logind.sleep(going=True)
    logind.sleep(going=False)
    logind.change(Active=False)
    logind.change(Active=True)

    assert kinds(session, 4) == ["sleep", "wake", "session_inactive", "session_active"]


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("org.freedesktop.ScreenSaver", "/ScreenSaver"),
        ("org.freedesktop.ScreenSaver", "/org/freedesktop/ScreenSaver"),
        ("org.gnome.ScreenSaver", "/org/gnome/ScreenSaver"),
    ],
)
def test_an_active_screen_saver_is_a_lock(listen: Listen, private_bus: PrivateBus, name: str, path: str) -> None:
    saver = FakeSaver(private_bus.address, name, path, active=True)
    try:
        session = listen()
        wait_until(session.locked)
        saver.set(active=False)
        wait_until(lambda: session.locked() is False)
        saver.set(active=True)
        wait_until(session.locked)
    finally:
        saver.close()
    wait_until(lambda: session.locked() is None)


def test_any_one_that_says_locked_wins(listen: Listen, logind: FakeLogind, saver: FakeSaver) -> None:
    session = listen()
    wait_until(lambda: session.locked() is False)
    logind.change(LockedHint=True)
    saver.set(active=True)
    wait_until(lambda: len(session._locks) == 2 and all(session._locks.values()))

    logind.change(LockedHint=False)
    wait_until(lambda: not all(session._locks.values()))
    assert session.locked() is True
    saver.set(active=False)
    wait_until(lambda: session.locked() is False)
    assert [notice.kind for notice in session.notices()] == ["lock", "unlock"]


def test_a_screen_saver_that_starts_later_is_asked(listen: Listen, private_bus: PrivateBus, logind: FakeLogind) -> None:
    session = listen()
    wait_until(lambda: session.locked() is False)
    late = FakeSaver(private_bus.address, active=True)
    try:
        wait_until(session.locked)
    finally:
        late.close()


def test_nothing_is_started_by_asking(listen: Listen, saver: FakeSaver) -> None:
    session = listen()
    wait_until(lambda: session.locked() is False)

    assert {member for _, member in saver.asked} == {"GetActive"}


def test_a_dying_bus_is_forgotten_and_found_again(listen: Listen) -> None:
    bus = PrivateBus()
    bus.start()
    try:
        logind = FakeLogind(bus.address, locked=True)
        session = listen(bus=bus)
        wait_until(session.locked)
        bus.kill()
        logind.close()
        wait_until(lambda: session.locked() is None)
        bus.start()
        logind = FakeLogind(bus.address, locked=True)
        wait_until(session.locked)
        logind.close()
        assert [notice.kind for notice in session.notices()] == ["lock", "unlock", "lock"]
    finally:
        session.stop()
        bus.close()


@pytest.mark.parametrize("address", ["unix:path=/nowhere/bus", "tcp:host=localhost", "nonsense", None])
def test_a_bus_that_is_not_there_is_harmless(fake_clock: FakeClock, address: str | None) -> None:
    session = DbusSession(fake_clock, address, address, retry_s=RETRY_S)
    session.start(lambda: None)
    assert session.locked() is None
    session.stop()
    session.stop()

    assert not {thread.name for thread in threading.enumerate()} & {"dbus-system", "dbus-session"}


def test_changes_are_told_at_once(private_bus: PrivateBus, fake_clock: FakeClock, logind: FakeLogind) -> None:
    told = threading.Event()
    session = DbusSession(fake_clock, None, private_bus.address, retry_s=RETRY_S)
    session.start(told.set)
    try:
        wait_until(lambda: session.locked() is False)
        logind.change(LockedHint=True)
        assert told.wait(5)
    finally:
        session.stop()
