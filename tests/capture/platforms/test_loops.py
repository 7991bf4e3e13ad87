"""Threads around the message loops of a system, and around looking again and again."""

import threading

import pytest

from biny_desktop.capture.platforms.loops import LoopThread
from biny_desktop.capture.platforms.polling import Poller
from tests.fakes.foreign_systems import FakeLoop
from tests.waiting import wait_until


def test_a_loop_that_is_refused_is_tried_again() -> None:
    loop, told = FakeLoop(fails=2), []
    thread = LoopThread("test-loop", loop, retry_s=0.01)
    thread.start(lambda message, first: told.append((message, first)))
    thread.start(lambda _message, _first: None)
    wait_until(lambda: loop.running)
    loop.send(3, 4)
    thread.stop()
    thread.stop()

    assert told == [(3, 4)]
    assert loop.runs == 3
    assert "test-loop" not in {each.name for each in threading.enumerate()}


def test_a_poller_tells_changes_only_and_survives_a_failing_look() -> None:
    values: list[object] = [1]
    told: list[object] = []

    def look() -> object:
        if values[-1] == "fail":
            raise ValueError("secret title")
        return values[-1]

    poller = Poller("test-poller", look, 0.005)
    poller.start(lambda: told.append(values[-1]))
    wait_until(lambda: told == [1])
    values.append(2)
    wait_until(lambda: told == [1, 2])
    values.append("fail")
    wait_until(lambda: told == [1, 2, "fail"])
    values.append(3)
    wait_until(lambda: told == [1, 2, "fail", 3])
    poller.stop()
    poller.stop()


@pytest.mark.parametrize("rounds", [3])
def test_a_loop_can_be_started_again(rounds: int) -> None:
    loop = FakeLoop()
    thread = LoopThread("test-loop", loop)
    for _ in range(rounds):
        thread.start(lambda _message, _first: None)
        wait_until(lambda: loop.running)
        thread.stop()
