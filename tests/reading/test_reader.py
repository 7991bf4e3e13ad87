import threading
import time
from collections.abc import Callable, Iterator

import numpy as np
import pytest

from biny_desktop.core.errors import StorageError
from biny_desktop.core.geometry import Rect
from biny_desktop.core.tiles import TileMask
from biny_desktop.reading.child import ChildLimits, OcrChild
from biny_desktop.reading.ports import Picture, ReadJob
from biny_desktop.reading.reader import Reader
from tests.fakes.clock import FakeClock
from tests.fakes.read_queue import FakeQueue
from tests.reading.pages import blank, log_lines, page


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def make(clock: FakeClock) -> Iterator[Callable[..., OcrChild]]:
    children: list[OcrChild] = []

    def build(engine: str = "PageEngine", **limits: float) -> OcrChild:
        children.append(OcrChild(f"tests.fakes.ocr:{engine}", 1, clock, ChildLimits(**limits)))  # type: ignore[arg-type]
        return children[-1]

    yield build
    for child in children:
        child.close()


def job(number: int, picture: Picture | None, *, urgent: bool = False) -> ReadJob:
    return ReadJob(number, "left", lambda: picture, urgent)


def until(condition: Callable[[], bool], seconds: float = 20) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "waited in vain"
        threading.Event().wait(0.02)


BLACK = np.zeros((64, 64, 3), np.uint8)
BLACK[40:] = 9


def test_an_empty_queue_is_nothing_done(make: Callable[..., OcrChild], clock: FakeClock) -> None:
    reader = Reader(FakeQueue(), make(), clock)
    assert not reader.step()
    assert reader.status().child_pid is None


def test_jobs_are_read_with_the_tiles_between_them(make: Callable[..., OcrChild], clock: FakeClock) -> None:
    before, after = page(log_lines(1, 6)), page(log_lines(1, 7))
    queue = FakeQueue([job(1, before), job(2, after)])
    queue.tiles[1, 2] = TileMask.for_picture(640, 400, 60).touching([Rect(0, 140, 640, 40)])
    reader = Reader(queue, make(), clock)
    assert reader.step()
    assert reader.step()
    assert [done.frame_id for done, _ in queue.finished] == [1, 2]
    assert [reading.plan for _, reading in queue.finished] == ["whole", "changed"]
    assert queue.finished[1][1].lines_read == 1
    assert reader.status().pictures_read == 2
    assert queue.reading == set()


def test_a_picture_that_is_gone_or_blank_ends_in_the_right_state(
    make: Callable[..., OcrChild], clock: FakeClock
) -> None:
    queue = FakeQueue([job(1, None), job(2, blank(1, 1)), job(3, blank(3, 3000))])
    reader = Reader(queue, make(), clock)
    assert all(reader.step() for _ in range(3))
    assert queue.gone_ids == [1]
    assert [reading.text for _, reading in queue.finished] == ["", ""]


def test_only_urgent_jobs_run_while_the_user_is_busy(make: Callable[..., OcrChild], clock: FakeClock) -> None:
    busy = [True]
    queue = FakeQueue([job(1, blank(9, 9)), job(2, blank(9, 9), urgent=True)])
    reader = Reader(queue, make(), clock, idle_ok=lambda: not busy[0])
    assert reader.step()
    assert not reader.step()
    assert [done.frame_id for done, _ in queue.finished] == [2]
    busy[0] = False
    assert reader.step()
    assert not reader.step()
    assert queue.reading == set()


def test_a_unit_that_hangs_fails_its_job_and_the_queue_drains(make: Callable[..., OcrChild], clock: FakeClock) -> None:
    queue = FakeQueue([job(1, BLACK), job(2, page(log_lines(1, 2)))])
    reader = Reader(queue, make("HangingEngine", unit_s=3), clock)
    assert reader.step()
    assert reader.step()
    assert [failed.frame_id for failed, _ in queue.failures] == [1]
    assert [done.frame_id for done, _ in queue.finished] == [2]
    assert reader.status().restarts == 1
    assert "3 s" in reader.status().last_error


def test_three_failures_bring_a_rest_in_which_no_job_is_tried(make: Callable[..., OcrChild], clock: FakeClock) -> None:
    queue = FakeQueue([job(number, BLACK) for number in range(5)])
    reader = Reader(queue, make("HangingEngine", unit_s=0.2), clock)
    while reader.step():
        pass
    assert len(queue.failures) == 3
    assert len(queue.waiting) == 2
    assert reader.status().resting_until_mono_ms == clock.mono_ms() + 600_000
    clock.advance(600_000)
    assert reader.step()
    assert reader.status().resting_until_mono_ms is None


def test_a_missing_engine_puts_the_job_back_and_is_said(clock: FakeClock) -> None:
    queue = FakeQueue([job(1, page(["word"]))])
    reader = Reader(queue, OcrChild("no.such:Engine", 1, clock), clock)
    assert not reader.step()
    assert not reader.step()
    assert (len(queue.waiting), queue.failures) == (1, [])
    assert "not installed" in reader.status().last_error
    assert reader.status().resting_until_mono_ms is not None


def test_a_picture_that_cannot_be_loaded_fails_and_a_bug_is_reported_and_raised(
    make: Callable[..., OcrChild], clock: FakeClock
) -> None:
    def broken() -> Picture:
        raise StorageError("The picture cannot be read")

    def bug() -> Picture:
        raise ZeroDivisionError

    queue = FakeQueue([ReadJob(2, "left", bug), ReadJob(1, "left", broken)])
    reader = Reader(queue, make(), clock)
    with pytest.raises(ZeroDivisionError):
        reader.step()
    assert reader.step()
    assert [failed.frame_id for failed, _ in queue.failures] == [2, 1]
    assert queue.reading == set()


def test_forget_empties_the_memory(make: Callable[..., OcrChild], clock: FakeClock) -> None:
    queue = FakeQueue([job(1, page(log_lines(1, 4)))])
    reader = Reader(queue, make(), clock)
    reader.step()
    reader.forget()
    queue.waiting.append(job(2, page(log_lines(1, 4))))
    reader.step()
    assert [reading.lines_read for _, reading in queue.finished] == [4, 4]


def test_forget_in_the_middle_of_a_picture_puts_the_job_back(make: Callable[..., OcrChild], clock: FakeClock) -> None:
    queue = FakeQueue([job(1, BLACK)])
    child = make("HangingEngine")
    reader = Reader(queue, child, clock)
    thread = threading.Thread(target=reader.step)
    thread.start()
    until(lambda: child.pid() is not None)
    reader.forget()
    thread.join(20)
    assert not thread.is_alive()
    assert (len(queue.waiting), queue.failures, queue.finished) == (1, [], [])


def test_run_reads_what_is_queued_when_woken_and_stops_in_the_middle_of_a_picture(
    make: Callable[..., OcrChild], clock: FakeClock
) -> None:
    queue, child, stop = FakeQueue(), make("HangingEngine"), threading.Event()
    reader = Reader(queue, child, clock)
    thread = threading.Thread(target=reader.run, args=(stop,))
    thread.start()
    queue.waiting.append(job(1, page(log_lines(1, 3))))
    reader.wake()
    until(lambda: len(queue.finished) == 1)
    queue.waiting.append(job(2, BLACK))
    reader.wake()
    until(lambda: queue.reading == {2})
    stop.set()
    thread.join(20)
    assert not thread.is_alive()
    assert [waiting.frame_id for waiting in queue.waiting] == [2]
    assert reader.status().child_pid is None
