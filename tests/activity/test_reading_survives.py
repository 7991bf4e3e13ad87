"""A real child with a bad engine behind the real queue: frames stay, states are right, the queue drains (§11.20)."""

import io
import os
import signal
from collections.abc import Callable, Iterator
from dataclasses import replace

import psutil
import pytest
from PIL import Image

from biny_desktop.reading.child import ChildLimits, OcrChild
from biny_desktop.reading.reader import Reader
from tests.fakes.activity import ActivityHome, picture
from tests.reading.pages import log_lines, page
from tests.waiting import wait_until


@pytest.fixture
def make(home: ActivityHome) -> Iterator[Callable[..., Reader]]:
    children: list[OcrChild] = []

    def build(engine: str, **limits: float) -> Reader:
        child = OcrChild(f"tests.fakes.ocr:{engine}", 1, home.clock, ChildLimits(**limits))  # type: ignore[arg-type]
        children.append(child)
        return Reader(home.queue, child, home.clock)

    yield build
    for child in children:
        child.close()


def keep(home: ActivityHome, number: int) -> int:
    """A frame that shows text on black, so that the bad engines have something to do."""
    out = io.BytesIO()
    Image.fromarray(255 - page(log_lines(number, 2), 400, 80)).save(out, "JPEG", quality=95)
    return home.keep(picture=replace(picture(number), jpeg=out.getvalue(), width=400, height=80))


def drain(reader: Reader, home: ActivityHome) -> None:
    for _ in range(60):
        if not reader.step():
            if reader.status().resting_until_mono_ms is None:
                return
            home.clock.advance(601_000)  # three failures bring a rest of ten minutes


@pytest.mark.parametrize(
    ("engine", "limits", "state"),
    [("NothingEngine", {}, "no_text"), ("RaisingEngine", {}, "parked"), ("HangingEngine", {"unit_s": 0.3}, "parked")],
)
@pytest.mark.logs_warning("OCR")
def test_a_bad_engine_leaves_frames_in_the_right_state_and_an_empty_queue(
    home: ActivityHome, make: Callable[..., Reader], engine: str, limits: dict[str, float], state: str
) -> None:
    frames = [keep(home, number) for number in range(2)]
    drain(make(engine, **limits), home)
    assert home.queue.counts() == {state: 2}
    assert [home.timeline.frame(frame).frame.picture_state for frame in frames] == ["live", "live"]
    assert home.queue.take() is None


@pytest.mark.logs_warning("OCR")
def test_a_killed_child_costs_nothing_but_a_new_one(home: ActivityHome, make: Callable[..., Reader]) -> None:
    reader = make("NothingEngine")
    keep(home, 1)
    drain(reader, home)
    pid = reader.status().child_pid
    assert pid is not None
    os.kill(pid, signal.SIGKILL)
    wait_until(lambda: not psutil.pid_exists(pid) or psutil.Process(pid).status() == "zombie", what="it is dead")
    keep(home, 2)
    drain(reader, home)
    assert home.queue.counts() == {"no_text": 2}
