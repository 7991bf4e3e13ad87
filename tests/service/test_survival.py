"""Recorder, writer and reader raise once and hang once: it goes on, and the rows tell (spec 02 §11.6)."""

import threading
import time
from collections.abc import Callable, Iterator
from itertools import pairwise

import pytest

from biny_desktop.activity.gaps import StateRow, split
from biny_desktop.capture.ports import KeptFrame, NewFrame
from biny_desktop.capture.shown import HUNG_MS, ShownInputs, shown_state
from biny_desktop.core.clock import SystemClock
from biny_desktop.reading.child import OcrChild
from biny_desktop.reading.ports import ReadJob
from biny_desktop.reading.reader import Reader
from biny_desktop.service.supervisor import Supervisor
from tests.capture.rig import Rig
from tests.fakes.clock import FakeClock
from tests.fakes.read_queue import FakeQueue

DEADLINE_S = 30.0


class Once:
    """Raises or hangs at its first call, when armed; `release` ends the hang."""

    def __init__(self, how: str) -> None:
        self.how = how
        self.armed = True
        self.met, self.release = threading.Event(), threading.Event()

    def __call__(self) -> None:
        if not self.armed:
            return
        self.armed = False
        self.met.set()
        if self.how == "raise":
            raise RuntimeError("a bug")
        self.release.wait(DEADLINE_S)


class Watched:
    """A recorder on fakes under a supervisor; time passes as the test lets it."""

    def __init__(self) -> None:
        self.rig = Rig()
        self.supervisor = Supervisor(self.rig.clock, watch_s=0.01)
        self.supervisor.add("recorder", self.rig.recorder.run, hung=self.hangs)
        self.once: Once | None = None

    def hangs(self) -> bool:
        step_ms = self.rig.recorder.health().step_ms
        return step_ms is not None and self.rig.clock.mono_ms() - step_ms > HUNG_MS

    def fails_at(self, place: str, how: str) -> None:
        """Have the grab (recorder) or the write (writer) fail once."""
        self.once = Once(how)
        keep = self.rig.sink.keep

        def write(frame: NewFrame) -> KeptFrame:
            assert self.once is not None
            self.once()
            return keep(frame)

        if place == "writer":
            self.rig.sink.keep = write  # type: ignore[method-assign]
        else:
            self.rig.windows.start = self._start  # type: ignore[method-assign]

    def _start(self, notify: Callable[[], None]) -> None:
        assert self.once is not None
        self.once()
        type(self.rig.windows).start(self.rig.windows, notify)

    def until(self, condition: Callable[[], bool], step_ms: int = 500) -> None:
        deadline = time.monotonic() + DEADLINE_S
        pause = threading.Event()
        while not condition():
            assert time.monotonic() < deadline, "waited in vain"
            self.rig.clock.advance(step_ms)
            self.rig.recorder.wake()
            pause.wait(0.01)

    def close(self) -> None:
        self.supervisor.ask_to_stop()
        if self.once is not None:
            self.once.release.set()
        self.rig.recorder.wake()
        assert self.supervisor.stop(DEADLINE_S) == []


@pytest.fixture
def watched() -> Iterator[Watched]:
    made = Watched()
    yield made
    made.close()


def states(watched: Watched) -> list[tuple[str, str]]:
    return [(state, reason) for _stamp, state, reason, _detail in watched.rig.sink.states]


@pytest.mark.logs_warning("failed")
@pytest.mark.parametrize("place", ["recorder", "writer"])
def test_a_run_that_raises_once_is_started_again_and_says_so(watched: Watched, place: str) -> None:
    watched.fails_at(place, "raise")
    watched.supervisor.start()
    watched.until(lambda: len(watched.rig.sink.frames) == 1)
    assert ("off", "failed") in states(watched)
    assert states(watched).index(("off", "failed")) < len(states(watched)) - 1
    health = watched.supervisor.health()[0]
    assert (health.restarts, health.last_error, health.alive) == (1, "RuntimeError", True)


@pytest.mark.logs_warning("hangs", "another run goes on")
@pytest.mark.parametrize("place", ["recorder", "writer"])
def test_a_run_that_hangs_is_shown_within_half_a_minute_and_taken_over(watched: Watched, place: str) -> None:
    watched.fails_at("recorder" if place == "recorder" else "writer", "hang")
    if place == "recorder":  # hangs in its second look, so that it has turned once
        watched.once.armed = False  # type: ignore[union-attr]
    watched.supervisor.start()
    if place == "recorder":
        watched.until(lambda: bool(watched.rig.sink.frames))
        watched.once.armed = True  # type: ignore[union-attr]
        watched.rig.windows.script = lambda _call: (watched.once(), watched.rig.windows.now)[1]  # type: ignore[misc]
    once = watched.once
    assert once is not None
    watched.until(once.met.is_set)
    frames = len(watched.rig.sink.frames)
    step_ms = watched.rig.recorder.health().step_ms
    assert step_ms is not None
    shown = shown_state(
        ShownInputs(now_ms=step_ms + HUNG_MS + 1, state="armed", reason="", since_ms=0, enabled=True, paused=False,
                    step_ms=step_ms)
    )  # fmt: skip
    assert (shown.state, shown.reason) == ("stalled", "hung")
    began = watched.rig.clock.mono_ms()
    watched.until(lambda: watched.supervisor.health()[0].restarts == 1, step_ms=2_000)
    assert watched.rig.clock.mono_ms() - began < 120_000
    watched.until(lambda: len(watched.rig.sink.frames) > frames)
    told = states(watched)
    assert told.index(("blocked", "hung")) < len(told) - 1
    hung = next(stamp for stamp, _s, reason, _d in watched.rig.sink.states if reason == "hung")
    assert hung.mono_ms <= began
    once.release.set()
    watched.until(lambda: not any(each.name == "biny-recorder" for each in hung_threads(watched)))
    assert watched.supervisor.health()[0].alive


def hung_threads(watched: Watched) -> list[threading.Thread]:
    """Threads of the recorder besides the one that goes on."""
    newest = watched.supervisor._watched["recorder"].thread
    return [each for each in threading.enumerate() if each.name == "biny-recorder" and each is not newest]


@pytest.mark.logs_warning("hangs")
def test_a_loop_that_hangs_again_and_again_is_tried_ever_more_seldom() -> None:
    clock, release, started = FakeClock(), threading.Event(), []

    def hang(_stop: threading.Event) -> None:
        started.append(clock.mono_ms())
        release.wait(DEADLINE_S)

    supervisor = Supervisor(clock, watch_s=0.005)
    supervisor.add("stuck", hang, hung=lambda: True)
    supervisor.start()
    deadline = time.monotonic() + DEADLINE_S
    while len(started) < 4 and time.monotonic() < deadline:
        clock.advance(1_000)
        threading.Event().wait(0.01)
    supervisor.ask_to_stop()
    release.set()
    assert supervisor.stop(DEADLINE_S) == []
    waits = [after - before for before, after in pairwise(started)]
    assert waits == sorted(waits)
    assert waits[0] >= 30_000
    assert waits[2] >= 120_000


class BrokenQueue(FakeQueue):
    """Raises at its first use, which no queue may."""

    def __init__(self, jobs: list[ReadJob]) -> None:
        super().__init__(jobs)
        self.once = Once("raise")

    def take(self) -> ReadJob | None:
        self.once()
        return super().take()


@pytest.mark.logs_warning("thread reader failed")
def test_a_reader_that_raises_once_is_started_again() -> None:
    clock = FakeClock()
    queue = BrokenQueue([ReadJob(1, "left", lambda: None)])
    reader = Reader(queue, OcrChild("tests.fakes.ocr:PageEngine", 1, clock), clock)
    supervisor = Supervisor(SystemClock())
    supervisor.add("reader", reader.run)
    supervisor.start()
    deadline = time.monotonic() + DEADLINE_S
    while not queue.gone_ids and time.monotonic() < deadline:
        threading.Event().wait(0.02)
    assert supervisor.stop(DEADLINE_S) == []
    assert queue.gone_ids == [1]
    assert supervisor.health()[0].restarts == 1


@pytest.mark.parametrize("state", [("blocked", "hung"), ("off", "failed")])
def test_the_time_until_it_goes_on_is_a_gap_with_its_reason(state: tuple[str, str]) -> None:
    rows = [StateRow(0, "armed", ""), StateRow(100_000, *state), StateRow(500_000, "starting", "")]
    gaps = split((0, 600_000), [], [*rows, StateRow(501_000, "armed", "")], "no_input")
    assert [(gap.start_ms, gap.end_ms, gap.cause) for gap in gaps] == [(0, 600_000, "stalled")]
