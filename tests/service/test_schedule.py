"""The schedule: when jobs run, what is known of them, that one's fault harms no other, that nothing is left running."""

import threading
from collections.abc import Callable

import pytest

from biny_desktop.core.errors import StorageError
from biny_desktop.service.schedule import Job, Schedule
from tests.fakes.clock import FakeClock
from tests.waiting import wait_until

GoOn = Callable[[], bool]


def done(_go_on: GoOn) -> str:
    return "3 things"


def test_what_came_of_a_run_is_known() -> None:
    clock = FakeClock()

    def slow(_go_on: GoOn) -> str:
        clock.advance(250)
        return "3 things"

    schedule = Schedule(clock)
    schedule.add(Job("slow", slow, 60, 5))
    schedule.add(Job("later", done, 60, 5))
    began = clock.now_ms()
    assert [run.outcome for run in schedule.runs()] == ["never", "never"]
    run = schedule.run_now("slow")
    assert (run.outcome, run.result, run.took_ms, run.failures) == ("done", "3 things", 250, 0)
    assert (run.started_at_ms, run.done_at_ms, run.next_at_ms) == (began, began + 250, None)
    assert schedule.runs()[0] == run
    assert schedule.runs()[1].outcome == "never"
    assert run.as_json()["result"] == "3 things"


def test_a_job_that_had_to_wait_has_not_succeeded() -> None:
    schedule = Schedule(FakeClock())
    schedule.add(Job("shy", lambda _go_on: "", 60, 5))
    run = schedule.run_now("shy")
    assert (run.outcome, run.done_at_ms) == ("waited", None)


@pytest.mark.logs_warning("failed")
@pytest.mark.parametrize(("error", "word"), [(StorageError("x"), "storage"), (KeyError("title"), "KeyError")])
def test_a_fault_is_counted_and_its_text_is_not_kept(error: Exception, word: str) -> None:
    def broken(_go_on: GoOn) -> str:
        raise error

    schedule = Schedule(FakeClock())
    schedule.add(Job("broken", broken, 60, 5))
    for _ in range(2):
        run = schedule.run_now("broken")
    assert (run.outcome, run.result, run.failures, run.done_at_ms) == ("failed", word, 2, None)


def test_it_runs_by_itself_and_says_when_next() -> None:
    ran = threading.Event()
    schedule = Schedule(FakeClock())
    schedule.add(Job("soon", lambda _go_on: "ran" if not ran.set() else "", 3_600, 0))
    schedule.add(Job("later", done, 3_600, 3_600))
    schedule.start()
    try:
        wait_until(ran.is_set, 10, "the first run")
        wait_until(lambda: schedule.runs()[0].outcome == "done", 10, "its note")
        assert all(run.next_at_ms for run in schedule.runs())
        assert schedule.runs()[1].outcome == "never"
    finally:
        schedule.stop()
    assert [run.next_at_ms for run in schedule.runs()] == [None, None]


def test_a_running_job_is_told_to_end_and_waited_for() -> None:
    began, told = threading.Event(), threading.Event()

    def long(go_on: GoOn) -> str:
        began.set()
        while go_on():
            pass
        told.set()
        return "stopped early"

    schedule = Schedule(FakeClock())
    schedule.add(Job("long", long, 3_600, 0))
    schedule.start()
    wait_until(began.is_set, 10, "its start")
    schedule.stop()
    assert told.is_set()
    assert schedule.runs()[0].result == "stopped early"
    assert schedule.run_now("long").result == "stopped early", "nothing starts after the end"


def test_a_schedule_that_never_began_can_be_stopped() -> None:
    Schedule(FakeClock()).stop()


def test_a_job_that_had_to_wait_is_tried_again_sooner() -> None:
    asked: list[int] = []

    def shy(_go_on: GoOn) -> str:
        asked.append(1)
        return "" if len(asked) < 3 else "ran"

    schedule = Schedule(FakeClock())
    schedule.add(Job("shy", shy, 3_600, 0, 0))
    schedule.start()
    try:
        wait_until(lambda: schedule.runs()[0].outcome == "done", 20, "the third try")
        due = schedule.runs()[0].next_at_ms
        assert due is not None, "and then it keeps its hour"
    finally:
        schedule.stop()
    assert len(asked) == 3


def test_a_period_that_is_a_setting_is_asked_anew_after_each_run() -> None:
    periods = iter([3_600, 0, 7_200])
    ran: list[int] = []

    def body(_go_on: GoOn) -> str:
        ran.append(1)
        return "ran"

    schedule = Schedule(FakeClock())
    schedule.add(Job("often", body, lambda: next(periods), 0))
    schedule.start()
    try:
        wait_until(lambda: len(ran) == 2, 20, "the run after the period became short")
        wait_until(lambda: schedule.runs()[0].outcome == "done", 20, "its end")
    finally:
        schedule.stop()


def test_a_job_can_be_hurried() -> None:
    ran: list[int] = []
    schedule = Schedule(FakeClock())
    schedule.add(Job("late", lambda _go_on: "ran" if not ran.append(1) else "", 3_600, 3_600))
    schedule.hurry("late")
    schedule.start()
    try:
        schedule.hurry("late", "nobody")
        wait_until(lambda: schedule.runs()[0].outcome == "done", 10, "the hurried run")
    finally:
        schedule.stop()
    schedule.hurry("late")
    assert len(ran) == 1
