import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator

import numpy as np
import psutil
import pytest

from biny_desktop.core.errors import UnavailableError
from biny_desktop.core.geometry import Rect
from biny_desktop.reading.child import ChildLimits, OcrChild, OcrFailedError, OcrRestingError
from biny_desktop.reading.lines import ReadCancelledError, read_picture
from biny_desktop.reading.memory import LineMemory
from tests.fakes.clock import FakeClock
from tests.reading.pages import blank, log_lines, page

PAGES = "tests.fakes.ocr:PageEngine"


@pytest.fixture
def make() -> Iterator[Callable[..., OcrChild]]:
    children: list[OcrChild] = []

    def build(engine: str = PAGES, clock: FakeClock | None = None, **limits: float) -> OcrChild:
        children.append(OcrChild(engine, 1, clock or FakeClock(), ChildLimits(**limits)))  # type: ignore[arg-type]
        return children[-1]

    yield build
    for child in children:
        child.close()


def until(condition: Callable[[], bool], seconds: float = 20) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "waited in vain"
        threading.Event().wait(0.02)


def running(pid: int) -> bool:
    """Whether the process exists in any state: a zombie counts too."""
    return psutil.pid_exists(pid)


def test_it_starts_on_first_use_reads_and_leaves_nothing_behind(make: Callable[..., OcrChild]) -> None:
    child = make()
    assert child.pid() is None
    reading = read_picture(page(log_lines(1, 5)), child, LineMemory(), None)
    assert len(reading.lines) == 5
    assert reading.engine == PAGES
    pid = child.pid()
    assert pid is not None
    assert psutil.Process(pid).nice() > psutil.Process().nice() or os.name == "nt"
    child.close()
    assert not running(pid)
    assert child.pid() is None


def test_nothing_to_recognise_needs_no_child(make: Callable[..., OcrChild]) -> None:
    child = make()
    assert child.recognise([]) == []
    assert child.pid() is None


def test_an_engine_that_returns_none_finds_no_text(make: Callable[..., OcrChild]) -> None:
    child = make("tests.fakes.ocr:NothingEngine")
    assert child.detect(page(["word"])) == []
    assert child.recognise([blank(40, 20)]) == [("", 0.0)]


def test_an_engine_that_raises_fails_the_unit_only(make: Callable[..., OcrChild]) -> None:
    child = make("tests.fakes.ocr:RaisingEngine")
    with pytest.raises(OcrFailedError, match="RuntimeError"):
        child.detect(page(["word"]))
    pid = child.pid()
    assert child.recognise([page(["word"])])[0][1] > 0
    assert child.pid() == pid
    assert child.restarts == 0


def test_a_killed_child_fails_its_unit_and_the_next_use_has_a_new_one(make: Callable[..., OcrChild]) -> None:
    child = make("tests.fakes.ocr:HangingEngine")
    child.detect(blank(64, 64))
    pid = child.pid()
    assert pid is not None
    killer = threading.Timer(0.2, os.kill, (pid, signal.SIGKILL))
    killer.start()
    with pytest.raises(OcrFailedError, match="ended unexpectedly"):
        child.detect(np.zeros((64, 64, 3), np.uint8))
    assert not running(pid)
    assert child.detect(blank(64, 64)) == []
    assert (child.restarts, child.pid() != pid) == (1, True)


def test_a_child_killed_while_idle_is_collected_and_replaced_without_a_failure(make: Callable[..., OcrChild]) -> None:
    child = make()
    child.detect(blank(64, 64))
    pid = child.pid()
    assert pid is not None
    os.kill(pid, signal.SIGKILL)
    until(lambda: child.pid() is None)
    assert not running(pid)
    child.begin_picture()
    assert child.detect(blank(64, 64)) == []


def test_a_unit_that_takes_too_long_is_killed_and_three_in_ten_minutes_bring_a_rest(
    make: Callable[..., OcrChild],
) -> None:
    clock = FakeClock()
    child = make("tests.fakes.ocr:HangingEngine", clock, unit_s=0.3)
    for _ in range(3):
        assert child.resting_until() is None
        with pytest.raises(OcrFailedError, match=r"longer than 0\.3 s"):
            child.detect(np.zeros((64, 64, 3), np.uint8))
        clock.advance(60_000)
    assert child.resting_until() == clock.mono_ms() - 60_000 + 600_000
    with pytest.raises(OcrRestingError):
        child.detect(blank(64, 64))
    assert child.pid() is None
    clock.advance(540_000)
    assert child.resting_until() is None


def test_failures_far_apart_bring_no_rest(make: Callable[..., OcrChild]) -> None:
    clock = FakeClock()
    child = make("tests.fakes.ocr:HangingEngine", clock, unit_s=0.2)
    for _ in range(3):
        with pytest.raises(OcrFailedError):
            child.detect(np.zeros((64, 64, 3), np.uint8))
        clock.advance(301_000)
    assert child.resting_until() is None


def test_a_stopped_child_that_reads_nothing_is_killed_too(make: Callable[..., OcrChild]) -> None:
    child = make(unit_s=3)
    child.detect(blank(64, 64))
    pid = child.pid()
    assert pid is not None
    os.kill(pid, signal.SIGSTOP)
    with pytest.raises(OcrFailedError):
        child.detect(blank(2000, 1000))
    assert not running(pid)


def test_a_child_that_grows_is_renewed_after_the_unit_or_killed_in_it(make: Callable[..., OcrChild]) -> None:
    child = make("tests.fakes.ocr:GrowingEngine")
    child.detect(blank(64, 64))
    pid = child.pid()
    assert pid is not None
    used = psutil.Process(pid).memory_info().rss
    child = make("tests.fakes.ocr:GrowingEngine", renew_bytes=used + 40_000_000)
    for _ in range(12):
        child.detect(blank(64, 64))
    assert 1 <= child.restarts <= 6
    child = make("tests.fakes.ocr:HangingEngine", kill_bytes=1_000_000)
    with pytest.raises(OcrFailedError, match="memory"):
        child.detect(np.zeros((64, 64, 3), np.uint8))


def test_it_is_renewed_after_its_share_of_pictures(make: Callable[..., OcrChild]) -> None:
    child = make(pictures=2)
    pids = []
    for _ in range(5):
        child.begin_picture()
        child.detect(blank(64, 64))
        pids.append(child.pid())
    assert pids[0] == pids[1] != pids[2] == pids[3] != pids[4]


def test_it_ends_by_itself_after_a_while_without_work_and_comes_back(make: Callable[..., OcrChild]) -> None:
    child = make(idle_s=0.3)
    child.detect(blank(64, 64))
    pid = child.pid()
    assert pid is not None
    until(lambda: not running(pid))
    assert child.pid() is None
    assert child.detect(blank(64, 64)) == []
    assert child.restarts == 0


def test_a_cancelled_unit_ends_at_once_and_counts_as_no_failure(make: Callable[..., OcrChild]) -> None:
    child = make("tests.fakes.ocr:HangingEngine", failures=1)
    child.detect(blank(64, 64))
    pid = child.pid()
    assert pid is not None
    child.cancelled = lambda: True
    with pytest.raises(ReadCancelledError):
        child.detect(np.zeros((64, 64, 3), np.uint8))
    assert not running(pid)
    assert child.resting_until() is None


def test_a_missing_engine_is_said_with_its_remedy(make: Callable[..., OcrChild]) -> None:
    child = make("no.such.module:Engine")
    with pytest.raises(UnavailableError) as fault:
        child.detect(blank(64, 64))
    assert fault.value.hint
    assert child.resting_until() is None
    assert child.pid() is None


def test_the_child_ends_when_the_app_is_killed() -> None:
    code = (
        "import numpy as np, sys, threading\n"
        "from biny_desktop.reading.child import OcrChild\n"
        "child = OcrChild('tests.fakes.ocr:HangingEngine', 1)\n"
        "child.detect(np.full((64, 64, 3), 255, np.uint8))\n"
        "print(child.pid(), flush=True)\n"
        "child.detect(np.zeros((64, 64, 3), np.uint8))\n"
    )
    app = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert app.stdout is not None
    with contextlib.closing(app.stdout):
        pid = int(app.stdout.readline())
        app.kill()
        app.wait()
    until(lambda: not running(pid) or psutil.Process(pid).status() == psutil.STATUS_ZOMBIE)


def test_the_child_holds_no_file_or_socket_of_the_app(
    make: Callable[..., OcrChild], tmp_path: os.PathLike[str]
) -> None:
    with open(os.path.join(tmp_path, "secret.db"), "w") as held:  # noqa: PTH118, PTH123
        os.set_inheritable(held.fileno(), True)
        child = make()
        child.detect(blank(64, 64))
        pid = child.pid()
        assert pid is not None
        assert all("secret" not in file.path for file in psutil.Process(pid).open_files())


def test_real_models_read_small_pictures_and_survive_odd_ones() -> None:
    child = OcrChild("rapidocr", 2, FakeClock())
    try:
        lines = ["The harbour opens at seven.", "Order 20417 is ready", "https://docs.canal.example/start"]
        reading = read_picture(page(lines, 640, 120), child, LineMemory(), None)
        assert [line.text.replace(" ", "") for line in reading.lines] == [line.replace(" ", "") for line in lines]
        for width, height in ((1, 1), (3, 3000), (3000, 3), (20_000, 40), (31, 7)):
            assert child.detect(blank(min(width, 1200), min(height, 1200))) == []
            assert read_picture(blank(width, height), child, LineMemory(), None).text == ""
        assert child.recognise([blank(1, 1), blank(300, 8)])[0][0] == ""
        noise = np.random.default_rng(5)
        for _ in range(4):
            width, height = (int(side) for side in noise.integers(300, 900, 2))
            read_picture(noise.integers(0, 255, (height, width, 3), dtype=np.uint8), child, LineMemory(), None)
        pid = child.pid()
        assert pid is not None
        assert child.restarts == 0
        assert psutil.Process(pid).memory_info().rss < 1_000_000_000
    finally:
        child.close()


def test_real_models_read_a_scrolled_terminal_like_a_whole_page() -> None:
    child = OcrChild("rapidocr", 2, FakeClock())
    try:
        before, after = page(log_lines(1, 10), 480, 260), page(log_lines(2, 10), 480, 260)
        memory = LineMemory()
        read_picture(before, child, memory, None, frame_id=1)
        reading = read_picture(after, child, memory, None, frame_id=2)
        assert 1 <= reading.lines_read <= 3
        assert reading.text == read_picture(after, child, LineMemory(), None).text
        back = read_picture(before, child, memory, None, frame_id=3)
        assert back.lines_read == 0
    finally:
        child.close()


def test_boxes_come_back_as_rectangles(make: Callable[..., OcrChild]) -> None:
    (box,) = make().detect(page(["word"], 200, 60))
    assert isinstance(box, Rect)
