"""Lock, sleep, session and clocks become happenings (spec 02 §2 gate 2, §3.10, §11 rows 13, 24)."""

import pytest

from biny_desktop.capture.presence import PresenceWatch
from biny_desktop.core.errors import UnavailableError
from tests.fakes.capture import FakePresence
from tests.fakes.clock import FakeClock


class Watched:
    def __init__(self) -> None:
        self.clock = FakeClock()
        self.source = FakePresence(self.clock)
        self.watch = PresenceWatch(self.source, self.clock)
        self.watch.start(lambda: None)
        assert self.kinds() == []

    def kinds(self, ms: int = 500) -> list[str]:
        self.clock.advance(ms)
        return [each.kind for each in self.watch.check()]


@pytest.fixture
def watched() -> Watched:
    return Watched()


def test_a_lock_blocks_until_the_unlock(watched: Watched) -> None:
    watched.source.tell("lock")
    assert watched.kinds() == ["lock"]
    assert watched.watch.blocked() == "screen_locked"
    assert watched.kinds() == []
    watched.source.tell("unlock")
    assert watched.kinds() == ["unlock"]
    assert watched.watch.blocked() is None


def test_a_lost_notice_is_found_by_asking(watched: Watched) -> None:
    watched.source.lock_state = True
    assert watched.kinds(1_000) == ["lock"]
    watched.source.lock_state = False
    assert watched.kinds(1_000) == ["unlock"]


def test_lock_and_unlock_between_two_looks_are_both_told(watched: Watched) -> None:
    watched.source.tell("lock")
    watched.source.tell("unlock")
    assert watched.kinds() == ["lock", "unlock"]


def test_a_lock_program_counts_where_nobody_else_knows(watched: Watched) -> None:
    watched.source.lock_state = None
    watched.watch.program(locks=True)
    assert watched.kinds() == ["lock"]
    assert watched.watch.by_program
    watched.watch.program(locks=False)
    assert watched.kinds() == ["unlock"]


def test_sleep_and_session_block(watched: Watched) -> None:
    watched.source.tell("sleep")
    assert watched.kinds() == ["sleep"]
    assert watched.watch.blocked() == "asleep"
    watched.clock.suspend(3_600_000)
    watched.source.tell("wake")
    assert watched.kinds() == ["wake"]
    assert watched.watch.blocked() is None
    watched.source.tell("session_inactive")
    assert watched.kinds() == ["lock"]
    assert watched.watch.blocked() == "session_inactive"
    watched.source.tell("session_active")
    assert watched.kinds() == ["unlock"]


def test_a_lost_wake_notice_heals(watched: Watched) -> None:
    watched.source.tell("sleep")
    watched.kinds()
    watched.clock.suspend(100_000)
    assert watched.kinds() == ["wake"]
    watched.source.tell("sleep")
    watched.kinds()
    assert [kind for _ in range(130) for kind in watched.kinds()] == ["wake"]


def test_a_wake_without_its_sleep_tells_both(watched: Watched) -> None:
    watched.source.tell("wake")
    assert watched.kinds() == ["sleep", "wake"]


@pytest.mark.parametrize(
    ("step_ms", "kinds"),
    [
        (-3_600_000, ["clock_step"]), (10_000, ["clock_step"]), (86_400_000, ["clock_step", "sleep", "wake"]),
        (1_500, []),
    ],
)  # fmt: skip
def test_a_clock_that_was_set_is_told(watched: Watched, step_ms: int, kinds: list[str]) -> None:
    watched.clock.set_wall(watched.clock.now_ms() + step_ms)
    assert watched.kinds() == kinds
    assert watched.watch.blocked() is None


def test_travel_is_told(watched: Watched) -> None:
    watched.clock.set_zone("Asia/Tokyo")
    watched.clock.advance(10)
    happened = watched.watch.check()
    assert [(each.kind, dict(each.detail)) for each in happened] == [("zone", {"from": "UTC", "to": "Asia/Tokyo"})]


def test_idle_time_that_cannot_be_told_is_none(watched: Watched, monkeypatch: pytest.MonkeyPatch) -> None:
    watched.source.idle = -5
    assert watched.watch.idle_ms() == 0

    def gone() -> int | None:
        raise UnavailableError("The display is gone")

    monkeypatch.setattr(watched.source, "idle_ms", gone)
    assert watched.watch.idle_ms() is None
