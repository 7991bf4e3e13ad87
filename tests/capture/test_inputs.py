"""The source of input: listener, or polling when it is missing or dead (spec 02 §1.8, §11 row 25)."""

import pytest

from biny_desktop.capture.inputs import InputWatch
from biny_desktop.core.errors import UnavailableError
from tests.fakes.capture import FakeInput
from tests.fakes.clock import FakeClock


class Watched:
    def __init__(self) -> None:
        self.clock = FakeClock()
        self.source = FakeInput(self.clock)
        self.watch = InputWatch(self.source, self.clock)

    def run(self, seconds: int, idle_ms: int | None) -> int:
        """Looks once a second with that idle time; returns how often polling saw input."""
        stirred = 0
        for _ in range(seconds):
            self.clock.advance(1_000)
            stirred += self.watch.look(idle_ms).stirred
        return stirred


def test_a_listener_that_counts_is_used() -> None:
    watched = Watched()
    watched.watch.start("auto", lambda: None)
    for _ in range(700):
        watched.source.key()
        watched.run(1, 0)
    assert watched.watch.name == "fake"
    assert watched.watch.look(0).totals.keys == 700


@pytest.mark.logs_warning("is silent")
def test_a_listener_dead_for_ten_minutes_gives_way_to_polling_and_is_started_anew() -> None:
    watched = Watched()
    watched.watch.start("auto", lambda: None)
    watched.run(599, 0)
    assert watched.watch.name == "fake"
    watched.run(3, 0)
    assert watched.watch.name == "poll"
    started = watched.source.started
    watched.run(1_210, 0)
    assert watched.source.started - started == 2
    watched.source.key()
    assert watched.watch.look(0).switched
    assert watched.watch.name == "fake"


def test_a_person_who_is_away_does_not_make_the_listener_dead() -> None:
    watched = Watched()
    watched.watch.start("auto", lambda: None)
    for second in range(3_600):
        watched.run(1, second * 1_000)
    assert watched.watch.name == "fake"


@pytest.mark.logs_warning("cannot be listened to")
def test_without_a_listener_the_idle_time_is_polled() -> None:
    watched = Watched()
    watched.source.start_error = UnavailableError("No XInput")
    watched.watch.start("auto", lambda: None)
    assert watched.watch.name == "poll"
    assert watched.run(1, 5_000) == 0
    assert watched.run(1, 6_000) == 0
    assert watched.run(1, 200) == 1
    assert watched.run(1, 1_200) == 0
    assert watched.run(3, 100) == 3
    assert watched.run(5, None) == 0


def test_polling_and_off_are_the_users_choice() -> None:
    for mode, stirred in (("poll", 1), ("off", 0)):
        watched = Watched()
        watched.watch.start(mode, lambda: None)  # type: ignore[arg-type]
        assert watched.watch.name == mode
        assert watched.source.started == 0
        watched.run(1, 9_000)
        assert watched.run(1, 100) == stirred


def test_last_input_is_told_whichever_way_it_was_seen() -> None:
    watched = Watched()
    watched.watch.start("auto", lambda: None)
    assert watched.watch.last_input_ms() is None
    watched.run(1, 400)
    assert watched.watch.last_input_ms() == watched.clock.mono_ms() - 400
    watched.source.click()
    watched.watch.look(None)
    assert watched.watch.last_input_ms() == watched.clock.mono_ms()
    watched.watch.stop()
    watched.watch.stop()
    assert not watched.source.running
