"""File operations that end their process (SIGKILL) before or after a chosen step of an atomic write, or fail there."""

import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Literal

from biny_desktop.storage.atomic import RealFileOps

Step = Literal["write_temp", "sync_file", "rename", "sync_folder", "unlink"]
When = Literal["before", "after"]
STEPS: tuple[Step, ...] = ("write_temp", "sync_file", "rename", "sync_folder")


def die() -> None:
    """As a power cut would."""
    os.kill(os.getpid(), signal.SIGKILL)


class StepOps(RealFileOps):
    """Real file operations; `act` is called before or after the n-th (from 1) step of that name."""

    def __init__(self, step: Step, when: When, act: Callable[[], None] = die, n: int = 1) -> None:
        self._step, self._when, self._act, self._left = step, when, act, n

    def _run(self, step: Step, work: Callable[[], None]) -> None:
        mine = step == self._step
        if mine:
            self._left -= 1
        if mine and self._left == 0 and self._when == "before":
            self._act()
        work()
        if mine and self._left == 0 and self._when == "after":
            self._act()

    def write_temp(self, path: Path, data: bytes) -> None:
        self._run("write_temp", lambda: super(StepOps, self).write_temp(path, data))

    def sync(self, path: Path) -> None:
        step: Step = "sync_folder" if path.is_dir() else "sync_file"
        self._run(step, lambda: super(StepOps, self).sync(path))

    def rename(self, old: Path, new: Path) -> None:
        self._run("rename", lambda: super(StepOps, self).rename(old, new))

    def unlink(self, path: Path) -> None:
        self._run("unlink", lambda: super(StepOps, self).unlink(path))


def killed(work: Callable[[], object]) -> bool:
    """Run `work` in a child process; whether it was killed. A child that ends by itself must not have failed."""
    child = os.fork()
    if child == 0:
        status = 1
        try:
            work()
            status = 0
        finally:
            os._exit(status)
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        return os.WTERMSIG(status) == signal.SIGKILL
    assert os.WEXITSTATUS(status) == 0, "the work failed by itself"
    return False
