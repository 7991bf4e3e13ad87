"""Work at once: results in order, no more threads than allowed, given up at a stop."""

import threading

import pytest

from biny_desktop.conversation.agent.at_once import AtOnce
from tests.waiting import wait_until


def test_results_come_in_the_order_of_the_work_and_so_many_run_at_once() -> None:
    together = threading.Barrier(4)

    def work(n: int) -> int:
        together.wait(10.0)
        return n

    done = AtOnce([lambda n=n: work(n) for n in range(8)], 4, threading.Event()).run(lambda: True)  # type: ignore[misc]
    assert done == list(range(8))


def test_no_more_threads_than_allowed() -> None:
    lock, running, most = threading.Lock(), [0], [0]

    def work() -> int:
        with lock:
            running[0] += 1
            most[0] = max(most[0], running[0])
        with lock:
            running[0] -= 1
        return 1

    AtOnce([work] * 50, 4, threading.Event()).run(None)
    assert most[0] <= 4


def test_a_stop_gives_up_what_is_not_done_and_begins_nothing_more() -> None:
    release, stopped, ran = threading.Event(), threading.Event(), []

    def deaf() -> int:
        ran.append(1)
        release.wait(30.0)
        return 1

    done = AtOnce([lambda: 7, deaf, deaf], 2, stopped).run(lambda: len(ran) < 1)
    release.set()
    assert done == [7, None, None]
    assert len(ran) < 3
    assert stopped.is_set()


def test_a_raising_question_gives_up_too() -> None:
    release, stopped = threading.Event(), threading.Event()

    def go_on() -> bool:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        AtOnce([lambda: release.wait(30.0)], 1, stopped).run(go_on)
    release.set()
    assert stopped.is_set()
    wait_until(lambda: not any(thread.name == "tool-0" for thread in threading.enumerate()))
