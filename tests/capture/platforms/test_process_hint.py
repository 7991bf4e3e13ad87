"""Private browsing by the arguments of a process."""

import os
import subprocess
from collections.abc import Iterator

import psutil
import pytest

from biny_desktop.capture.platforms.process_hint import ProcessHints
from tests.fakes.desktop import end
from tests.waiting import wait_until


@pytest.fixture
def started() -> "Iterator[list[subprocess.Popen[bytes]]]":
    processes: list[subprocess.Popen[bytes]] = []
    yield processes
    for process in processes:
        end(process)


def _start(processes: "list[subprocess.Popen[bytes]]", *arguments: str) -> int:
    process = subprocess.Popen(["sh", "-c", "read _", "browser", *arguments], stdin=subprocess.PIPE)
    processes.append(process)
    wait_until(lambda: "browser" in psutil.Process(process.pid).cmdline(), what="the program runs")
    return process.pid


@pytest.mark.parametrize(
    "argument", ["--incognito", "--inprivate", "--private-window", "-private-window", "--private-window=https://a.b"]
)
def test_a_browser_started_private_is_private(started: "list[subprocess.Popen[bytes]]", argument: str) -> None:
    assert ProcessHints().hint("google-chrome", _start(started, argument)) == "private"


def test_an_ordinary_browser_gives_no_hint(started: "list[subprocess.Popen[bytes]]") -> None:
    assert ProcessHints().hint("firefox", _start(started, "https://example.org/--incognito")) is None


def test_another_program_is_not_looked_at(started: "list[subprocess.Popen[bytes]]") -> None:
    assert ProcessHints().hint("editor", _start(started, "--incognito")) is None


def test_the_answer_is_remembered_for_as_long_as_the_process_lives(started: "list[subprocess.Popen[bytes]]") -> None:
    hints = ProcessHints()
    pid = _start(started, "--incognito")
    assert [hints.hint("chromium", pid) for _ in range(2)] == ["private", "private"]
    end(started.pop())
    assert hints.hint("chromium", pid) is None


@pytest.mark.parametrize("pid", [None, 0, -1, 2**31 - 1])
def test_no_process_gives_no_hint(pid: int | None) -> None:
    assert ProcessHints().hint("firefox", pid) is None


def test_this_process_as_a_browser_gives_no_hint() -> None:
    assert ProcessHints().hint("firefox", os.getpid()) is None
