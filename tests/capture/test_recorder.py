"""The recorder as a whole: pictures on request, its thread, its end, its memory and its logs (spec 02 §2, §11)."""

import logging
import threading
import time
from collections.abc import Callable

import pytest

from biny_desktop.capture.manual import CaptureResult
from biny_desktop.capture.ports import KeptFrame, NewFrame, Note, Unknown
from biny_desktop.capture.recorder import Recorder
from biny_desktop.core.errors import StorageError
from tests.capture.rig import Rig
from tests.fakes.capture import FakeSink, make_monitor, make_window

VAULT = make_window("keepassxc", "My passwords")


def turn(rig: Rig, done: Callable[[], bool]) -> bool:
    """Let the fake time of a running recorder pass until something is so; False after 20 real seconds."""
    deadline = time.monotonic() + 20
    pause = threading.Event()
    while not done() and time.monotonic() < deadline:
        rig.clock.advance(200)
        rig.recorder.wake()
        pause.wait(0.02)
    return done()


class Forgetful(FakeSink):
    """Keeps no frame and no note, only counts."""

    kept = 0

    def keep(self, frame: NewFrame) -> KeptFrame:
        del frame
        self.kept += 1
        return KeptFrame(self.kept, 1)

    def note(self, note: Note) -> int:
        del note
        return 1


def test_a_manual_picture_passes_the_merge_window_and_the_detector_but_no_rule() -> None:
    rig = Rig().begin()
    for _ in range(2):
        request = rig.recorder.request_capture()
        rig.recorder.step()
        result = request.wait(0)
        assert result is not None
        assert len(result.frame_ids) == 1
    assert rig.triggers() == ["start", "manual", "manual"]
    assert all(frame.picture is not None for frame in rig.sink.frames)
    rig.windows.focus(VAULT)
    blocked = rig.recorder.request_capture()
    rig.recorder.step()
    assert blocked.wait(0) == CaptureResult(reason="private_app")
    rig.presence.tell("lock")
    locked = rig.recorder.request_capture()
    rig.recorder.step()
    assert locked.wait(0) == CaptureResult(reason="screen_locked")


@pytest.mark.logs_warning("a grab failed")
def test_a_manual_picture_in_back_off_or_in_flight_gets_the_reason() -> None:
    rig = Rig().begin()
    rig.screen.error = OSError("no")
    first = rig.recorder.request_capture()
    rig.recorder.step()
    second = rig.recorder.request_capture()
    rig.recorder.step()
    assert [each.wait(0) for each in (first, second)] == [
        CaptureResult(reason="no_picture"), CaptureResult(reason="back_off"),
    ]  # fmt: skip
    rig.screen.error = None
    rig.run(5_000)
    during = []
    rig.screen.on_grab = lambda _monitor: during.append(rig.recorder.request_capture())
    rig.input.click(3, 3)
    rig.run(5_000)
    assert during[0].wait(0) == CaptureResult(reason="in_flight")


def test_a_request_outside_a_run_is_answered_at_once() -> None:
    rig = Rig()
    assert rig.recorder.request_capture().wait(0) == CaptureResult(reason="shutting_down")
    rig.control.on = False
    rig.begin(1_000)
    assert rig.recorder.request_capture().wait(0) == CaptureResult(reason="not_enabled")


def test_the_end_answers_what_waits_and_stops_every_source() -> None:
    rig = Rig().begin()
    rig.windows.focus(VAULT)
    rig.run(4_000)
    request = rig.recorder.request_capture()
    rig.recorder.end("")
    assert request.wait(0) == CaptureResult(reason="shutting_down")
    assert [rig.windows.running, rig.input.running, rig.presence.running] == [False] * 3
    assert rig.sink.states[-1][1:3] == ("off", "shutting_down")
    row = rig.sink.of_kind("private")[-1]
    assert (row.until_ms or 0) - row.stamp.at_ms == 4_000
    rig.begin()
    assert rig.sink.states[-1][1:3] == ("armed", ""), "it can run again"


@pytest.mark.parametrize("title", ["\ud83d", "caf\xe9", "x" * 5_000, "a\x00b", "\u202eright to left"])
def test_strange_titles_never_break_the_loop(title: str) -> None:
    rig = Rig()
    rig.windows.now = make_window("editor", title, window_id="w")
    rig.begin()
    rig.windows.focus(make_window("editor", title * 2, window_id="w"))
    rig.windows.focus(Unknown("gone"))
    rig.run(1_000)
    rig.windows.focus(make_window("editor", title, window_id="v"))
    rig.change()
    rig.run(6_000)
    assert len(rig.sink.frames) == 2


def test_the_thread_records_and_ends_when_told() -> None:
    rig = Rig()
    stop = threading.Event()
    thread = threading.Thread(target=rig.recorder.run, args=(stop,))
    thread.start()
    assert turn(rig, lambda: bool(rig.sink.frames))
    stop.set()
    rig.recorder.wake()
    thread.join(20)
    assert not thread.is_alive()
    assert rig.triggers() == ["start"]
    assert rig.sink.states[-1][1:3] == ("off", "shutting_down")


def test_a_run_that_fails_says_so_and_the_next_one_goes_on() -> None:
    rig = Rig()
    stop = threading.Event()

    def broken() -> None:
        raise RuntimeError("a bug")

    control = rig.control.enabled
    rig.control.enabled = broken  # type: ignore[assignment,method-assign]
    with pytest.raises(RuntimeError, match="a bug"):
        rig.recorder.run(stop)
    assert rig.sink.states[-1][1:3] == ("off", "failed")
    rig.control.enabled = control  # type: ignore[method-assign]
    rig.begin()
    assert rig.triggers() == ["start"]


@pytest.mark.logs_warning("another run goes on")
def test_a_run_that_hangs_in_a_grab_is_taken_over_and_writes_nothing_more() -> None:
    rig = Rig()
    hangs, go_on = threading.Event(), threading.Event()

    def hang(_monitor: object) -> None:
        rig.screen.on_grab = lambda _monitor: None
        hangs.set()
        go_on.wait(30)

    rig.screen.on_grab = hang
    stops = [threading.Event(), threading.Event()]
    threads = [threading.Thread(target=rig.recorder.run, args=(stop,)) for stop in stops]
    threads[0].start()
    assert turn(rig, hangs.is_set)
    threads[1].start()
    assert turn(rig, lambda: len(rig.sink.frames) == 1)
    written = (len(rig.sink.frames), len(rig.sink.notes))
    go_on.set()
    threads[0].join(20)
    assert not threads[0].is_alive()
    assert (len(rig.sink.frames), len(rig.sink.notes)) == written
    stops[1].set()
    rig.recorder.wake()
    threads[1].join(20)
    assert not threads[1].is_alive()


def test_thousands_of_grabs_do_not_fill_the_memory() -> None:
    import gc

    import psutil

    rig = Rig()
    rig.screen.now = [make_monitor(64, 48)]
    sink = Forgetful()
    recorder = Recorder(
        rig.platform, sink, rig.control, lambda: rig.book, lambda: rig.settings, rig.clock, rig.bus
    )  # fmt: skip
    recorder.begin()
    memory = psutil.Process()
    base = 0
    for number in range(10_000):
        if number == 500:
            gc.collect()
            base = memory.memory_info().rss
        rig.change()
        rig.windows.now = make_window("editor", f"title {number}", window_id=str(number % 7))
        rig.input.click(3, 3)
        rig.clock.advance(2_500)
        recorder.step()
        rig.clock.advance(2_500)
        recorder.step()
    gc.collect()
    assert sink.kept >= 9_500
    assert memory.memory_info().rss - base < 30 * 2**20


@pytest.mark.logs_warning("a grab failed", "cannot be told", "a frame was not saved")
def test_no_log_holds_a_title_an_url_or_text(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        rig = Rig()
        rig.windows.now = make_window("firefox", "Zebra — Mozilla Firefox", url="https://zebra.example/zebra")
        rig.begin()
        rig.screen.error = OSError("zebra")
        rig.input.click(3, 3)
        rig.run(6_000)
        rig.screen.error = None
        rig.sink.keep_error = StorageError("zebra")
        rig.change()
        rig.input.click(3, 3)
        rig.run(6_000)

        def broken(_call: int) -> object:
            raise RuntimeError("zebra")

        rig.windows.script = broken  # type: ignore[assignment]
        rig.run(2_000)
        rig.recorder.end("")
    assert "zebra" not in caplog.text.lower()
    assert "a grab failed" in caplog.text
