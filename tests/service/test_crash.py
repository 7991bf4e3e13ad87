"""Crash files: written for what nothing catches, without a value in them; listed and put away."""

import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from biny_desktop.service import crash
from biny_desktop.service.data_care.notices import acknowledge, notices
from biny_desktop.storage.folders import Folders, prepare, resolve
from tests.fakes.clock import START_MS, FakeClock

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def folders(tmp_path: Path) -> Folders:
    return prepare(resolve(tmp_path / "h"))


def failing(secret: str) -> None:
    try:
        int(secret)
    except ValueError as error:
        raise RuntimeError(f"a title: {secret}") from error


def caught(secret: str) -> BaseException:
    try:
        failing(secret)
    except RuntimeError as error:
        return error
    raise AssertionError


def test_a_crash_file_says_where_and_never_what(folders: Folders) -> None:
    crash.write_crash(folders, FakeClock(), caught("hunter2-secret"))
    [found] = crash.crashes(folders)
    text = Path(found.path).read_text()
    assert "hunter2" not in text
    assert "title" not in text
    assert str(ROOT) not in text
    assert "builtins.RuntimeError" in text
    assert "builtins.ValueError" in text
    assert "test_crash.py" in text
    assert "in failing" in text
    assert found.at_ms == START_MS
    assert Path(found.path).stat().st_mode & 0o777 == 0o600


def test_seen_ones_are_kept_but_not_told_again(folders: Folders) -> None:
    crash.write_crash(folders, FakeClock(), caught("x"))
    assert [notice.kind for notice in notices(folders)] == ["crash"]
    acknowledge(folders, "crash")
    assert notices(folders) == ()
    assert [found.seen for found in crash.crashes(folders)] == [True]
    acknowledge(folders, "crash")


def test_only_the_newest_are_kept(folders: Folders) -> None:
    clock = FakeClock()
    for _ in range(crash.KEPT + 5):
        clock.advance(1_000)
        crash.write_crash(folders, clock, caught("x"))
    kept = crash.crashes(folders)
    assert len(kept) == crash.KEPT
    assert kept[-1].at_ms == START_MS + (crash.KEPT + 5) * 1_000


def test_no_other_file_is_taken_for_one(folders: Folders) -> None:
    for name in ("crash-.txt", "crash-holiday.txt", "crash-20260101T000000-1.log"):
        (folders.logs / name).write_text("x")
    (folders.logs / "crash-20260101T000000-12-native.txt").touch()
    assert crash.crashes(folders) == []


def test_threads_and_the_main_program_are_watched_and_handed_on(
    folders: Folders, monkeypatch: pytest.MonkeyPatch
) -> None:
    handed: list[object] = []
    monkeypatch.setattr(threading, "excepthook", handed.append)
    monkeypatch.setattr(sys, "excepthook", lambda *args: handed.append(args))
    monkeypatch.setattr(crash.faulthandler, "enable", lambda *_, **__: None)
    monkeypatch.setattr(crash.faulthandler, "disable", lambda: None)
    clock = FakeClock()
    end = crash.watch_for_crashes(folders, clock)
    thread = threading.Thread(target=failing, args=("x",))
    thread.start()
    thread.join()
    clock.advance(1_000)
    error = caught("y")
    sys.excepthook(type(error), error, error.__traceback__)
    assert len(crash.crashes(folders)) == len(handed) == 2
    end()
    assert [path.name for path in folders.logs.glob("*native*")] == []


def test_a_fault_below_python_leaves_its_places(folders: Folders, tmp_path: Path) -> None:
    script = (
        "import sys, pathlib, os, signal\n"
        "from biny_desktop.core.clock import SystemClock\n"
        "from biny_desktop.service.crash import watch_for_crashes\n"
        "from biny_desktop.storage.folders import resolve\n"
        "watch_for_crashes(resolve(pathlib.Path(sys.argv[1])), SystemClock())\n"
        "os.kill(os.getpid(), signal.SIGSEGV)\n"
    )
    done = subprocess.run([sys.executable, "-c", script, str(tmp_path / "h")], cwd=ROOT, check=False)
    assert done.returncode == -signal.SIGSEGV
    [found] = crash.crashes(folders)
    assert "Segmentation fault" in Path(found.path).read_text()
