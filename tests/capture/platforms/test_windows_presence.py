"""Idle time, lock and sleep on Microsoft Windows, over a fake system."""

import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biny_desktop.capture.platforms.windows_presence import (
    NOTICES_MAX,
    POWER,
    SESSION_CHANGE,
    WindowsPresence,
    idle_between,
    kind_of,
)
from tests.fakes.clock import FakeClock
from tests.fakes.foreign_systems import FakeWindows
from tests.waiting import wait_until


def test_a_32_bit_tick_that_began_anew_still_gives_seven_seconds() -> None:
    assert idle_between(2**32 + 5_000, 2**32 - 2_000) == 7_000


@pytest.mark.parametrize(
    ("now", "last", "idle"),
    [(5_000, 5_000, 0), (5_000, 5_001, 0), (0, 2**32 - 1, 1), (3 * 2**32 + 10, 4, 6), (2**31, 1, 2**31 - 1)],
)
def test_idle_is_the_difference_of_the_low_32_bits(now: int, last: int, idle: int) -> None:
    assert idle_between(now, last) == idle


@given(start=st.integers(0, 2**40), idle=st.integers(0, 2**31 - 1))
def test_any_idle_time_below_24_days_is_exact(start: int, idle: int) -> None:
    assert idle_between(start + idle, start % 2**32) == idle


def test_the_source_asks_both_ticks(fake_clock: FakeClock) -> None:
    system = FakeWindows()
    system.now_ticks, system.input_ticks = 2**32 + 5_000, 2**32 - 2_000
    presence = WindowsPresence(system, fake_clock)
    assert presence.idle_ms() == 7_000
    system.input_ticks = None  # type: ignore[assignment]
    assert presence.idle_ms() is None


def test_locked_is_the_session_or_the_secure_desktop(fake_clock: FakeClock) -> None:
    system = FakeWindows()
    presence = WindowsPresence(system, fake_clock)
    system.front = 1
    assert presence.locked() is False
    system.locked = True
    assert presence.locked() is True
    system.locked, system.front, system.desktop = False, 0, ""
    assert presence.locked() is True
    system.desktop = "Default"
    assert presence.locked() is False
    system.locked = None
    assert presence.locked() is None


@pytest.mark.parametrize(
    ("message", "first", "kind"),
    [
        (SESSION_CHANGE, 7, "lock"), (SESSION_CHANGE, 8, "unlock"), (SESSION_CHANGE, 2, "session_inactive"),
        (SESSION_CHANGE, 3, "session_active"), (POWER, 4, "sleep"), (POWER, 18, "wake"), (POWER, 10, None),
        (SESSION_CHANGE, 5, None), (0, 7, None),
    ],
)  # fmt: skip
def test_messages_mean_notices(message: int, first: int, kind: str | None) -> None:
    assert kind_of(message, first) == kind


def test_notices_come_in_order_and_wake_the_recorder(fake_clock: FakeClock) -> None:
    system, told = FakeWindows(), threading.Event()
    presence = WindowsPresence(system, fake_clock)
    presence.start(told.set)
    wait_until(lambda: system.session_events.running)
    for message, first in ((SESSION_CHANGE, 7), (POWER, 4), (POWER, 10), (POWER, 18), (SESSION_CHANGE, 8)):
        system.session_events.send(message, first)

    assert told.is_set()
    assert [each.kind for each in presence.notices()] == ["lock", "sleep", "wake", "unlock"]
    assert presence.notices() == []
    for _ in range(NOTICES_MAX + 10):
        system.session_events.send(SESSION_CHANGE, 7)
    assert len(presence.notices()) == NOTICES_MAX
    presence.stop()
    presence.stop()
