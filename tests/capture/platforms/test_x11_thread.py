"""The thread that owns an X connection."""

import threading
from pathlib import Path

import pytest

from biny_desktop.capture.platforms.x11_thread import XThread
from biny_desktop.core.errors import UnavailableError
from tests.fakes.desktop import x_server
from tests.waiting import wait_until


def _files() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def _width(thread: XThread) -> int:
    """The width of the screen; 0 while the thread is not connected."""
    try:
        return int(thread.call(lambda conn: conn.setup.roots[0].width_in_pixels))
    except (UnavailableError, TimeoutError):
        return 0


def test_an_answer_and_an_exception_come_back_to_the_caller(xvfb: str) -> None:
    thread = XThread(xvfb, "test-x")
    assert thread.start()
    assert thread.call(lambda conn: conn.setup.roots[0].width_in_pixels) == 1600
    with pytest.raises(ZeroDivisionError):
        thread.call(lambda _conn: 1 // 0)
    thread.stop()


def test_starting_and_stopping_leaves_no_file_open(xvfb: str) -> None:
    thread = XThread(xvfb, "test-x")
    thread.start()
    thread.stop()
    before = _files()
    for _ in range(5):
        thread.start()
        thread.call(lambda conn: conn.setup.roots[0].root)
        thread.stop()

    assert _files() == before


def test_without_a_server_it_says_so_and_goes_on_trying() -> None:
    thread = XThread(":4093", "test-x")
    assert not thread.start()
    with pytest.raises(UnavailableError):
        thread.call(lambda conn: conn)
    thread.stop()
    assert "test-x" not in {each.name for each in threading.enumerate()}


def test_it_connects_again_to_a_server_that_comes_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("biny_desktop.capture.platforms.x11_thread.RETRY_S", (0.02,))
    connected: list[int] = []
    with x_server(320, 240) as server:
        thread = XThread(server.display, "test-x", on_connect=lambda conn: connected.append(conn.setup.roots[0].root))
        thread.start()
        thread.call(lambda conn: conn.disconnect())
        wait_until(lambda: len(connected) >= 2)
        wait_until(lambda: _width(thread) == 320)
        thread.stop()


@pytest.mark.logs_warning("Thread test-x failed")
def test_a_bug_in_a_handler_is_told_and_does_not_end_the_thread(xvfb: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("biny_desktop.capture.platforms.x11_thread.RETRY_S", (0.02,))
    wrong = [True]

    def handle(_conn: object) -> None:
        if wrong.pop() if wrong else False:
            raise KeyError("bug")

    thread = XThread(xvfb, "test-x", on_readable=handle)
    thread.start()
    wait_until(lambda: not wrong and _width(thread) == 1600)
    thread.stop()
