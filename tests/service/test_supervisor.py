"""Threads that fail are started again; all end together."""

import logging
import threading

import pytest

from biny_desktop.core.clock import SystemClock
from biny_desktop.service.supervisor import Supervisor

DEADLINE_S = 20.0


def test_a_loop_that_fails_is_started_again_and_the_other_goes_on(caplog: pytest.LogCaptureFixture) -> None:
    third_run, other_ran = threading.Event(), threading.Event()
    runs: list[int] = []

    def failing(stop: threading.Event) -> None:
        runs.append(1)
        if len(runs) < 3:
            raise ZeroDivisionError
        third_run.set()
        stop.wait()

    def steady(stop: threading.Event) -> None:
        other_ran.set()
        stop.wait()

    supervisor = Supervisor(SystemClock())
    supervisor.add("failing", failing)
    supervisor.add("steady", steady)
    with caplog.at_level(logging.CRITICAL, "biny_desktop.service.supervisor"):
        supervisor.start()
        assert third_run.wait(DEADLINE_S)
        assert other_ran.wait(DEADLINE_S)
        health = {item.name: item for item in supervisor.health()}
        assert health["failing"].restarts == 2
        assert health["failing"].alive
        assert health["steady"].restarts == 0
        assert supervisor.stop() == []
    assert not any(item.alive for item in supervisor.health())


def test_a_loop_that_will_not_end_is_named() -> None:
    release = threading.Event()
    supervisor = Supervisor(SystemClock())
    supervisor.add("stubborn", lambda stop: (release.wait(DEADLINE_S), None)[1])
    supervisor.start()
    assert supervisor.stop(timeout_s=0.05) == ["stubborn"]
    release.set()
    assert supervisor.stop(timeout_s=DEADLINE_S) == []
