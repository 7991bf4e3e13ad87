"""Idle time, lock and sleep on macOS, over a fake system."""

import threading

import pytest

from biny_desktop.capture.platforms.mac_presence import HAS_POWERED_ON, WILL_SLEEP, MacPresence
from tests.fakes.clock import FakeClock
from tests.fakes.foreign_systems import FakeMac
from tests.waiting import wait_until


@pytest.mark.parametrize(
    ("seconds", "idle"),
    [(1.5, 1_500), (0.0, 0), (None, None), (float("inf"), None), (float("nan"), None), (-1.0, None)],
)
def test_idle_time_comes_in_seconds(fake_clock: FakeClock, seconds: float | None, idle: int | None) -> None:
    system = FakeMac()
    system.idle = seconds
    assert MacPresence(system, fake_clock).idle_ms() == idle


def test_the_session_tells_whether_it_is_locked(fake_clock: FakeClock) -> None:
    system = FakeMac()
    presence = MacPresence(system, fake_clock)
    assert presence.locked() is False
    system.login = {"CGSSessionScreenIsLocked": True}
    assert presence.locked() is True
    system.login = None
    assert presence.locked() is None


def test_lock_another_user_and_sleep_are_told(fake_clock: FakeClock) -> None:
    system, told = FakeMac(), threading.Event()
    presence = MacPresence(system, fake_clock, poll_s=0.01)
    presence.start(told.set)
    wait_until(lambda: system.power_events.running)
    found: list[str] = []

    def heard(kind: str) -> bool:
        found.extend(each.kind for each in presence.notices())
        return kind in found

    system.login = {"CGSSessionScreenIsLocked": True}
    wait_until(lambda: heard("lock"))
    wait_until(told.is_set)
    system.login = {"kCGSSessionOnConsoleKey": False}
    wait_until(lambda: heard("session_inactive"))
    system.login = {}
    wait_until(lambda: heard("session_active"))
    system.power_events.send(WILL_SLEEP)
    system.power_events.send(0xE0000270)
    system.power_events.send(HAS_POWERED_ON)
    wait_until(lambda: heard("wake"))
    presence.stop()
    presence.stop()

    assert found == ["lock", "unlock", "session_inactive", "session_active", "sleep", "wake"]
