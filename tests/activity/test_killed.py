"""Killed for real at each step of keeping a frame: no row without its file, no lasting file without a row (§11.16)."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from biny_desktop.activity.recover import recover
from biny_desktop.core.clock import SystemClock
from tests.fakes.activity import ActivityHome
from tests.fakes.clock import FakeClock

CHILD = """
import os, signal, sys
from pathlib import Path
from biny_desktop.activity import index
from biny_desktop.core.events import FrameKept
from biny_desktop.storage.atomic import RealFileOps
from tests.fakes.activity import ActivityHome
from tests.fakes.clock import FakeClock

step = sys.argv[2]


def die():
    os.kill(os.getpid(), signal.SIGKILL)


class DyingOps(RealFileOps):
    armed = False

    def write_temp(self, path, data):
        if self.armed and step == "half":
            super().write_temp(path, data[: len(data) // 2])
            die()
        super().write_temp(path, data)
        if self.armed and step == "temp":
            die()

    def sync(self, path):
        super().sync(path)
        if self.armed and step == ("folder_fsync" if path.is_dir() else "fsync"):
            die()

    def rename(self, old, new):
        super().rename(old, new)
        if self.armed and step == "rename":
            die()


ops = DyingOps()
home = ActivityHome(Path(sys.argv[1]), FakeClock(), ops=ops)
home.keep("kept before")
ops.armed = True
if step == "insert":
    index.add = lambda w, frame_id: die()
if step == "commit":
    home.events.subscribe(FrameKept, lambda event: die())
home.clock.advance(1000)
home.keep("killed", seed=2)
"""


@pytest.mark.parametrize("step", ["half", "temp", "fsync", "rename", "folder_fsync", "insert", "commit"])
def test_a_kill_at_any_step_of_keeping_a_frame_converges(tmp_path: Path, step: str) -> None:
    folder = tmp_path / "data"
    done = subprocess.run([sys.executable, "-c", CHILD, str(folder), step], check=False, capture_output=True)
    assert done.returncode == -signal.SIGKILL, done.stderr.decode()
    home = ActivityHome(folder, FakeClock())
    home.clock.set_wall(SystemClock().now_ms() + 120_000)
    recover(home.db, home.files, home.deletes, home.clock)
    frames = home.timeline.frames().frames
    assert len(frames) == (2 if step == "commit" else 1)
    assert [frame.picture_state for frame in frames] == ["live"] * len(frames)
    paths = {home.timeline.frame(frame.id).picture_path for frame in frames}
    assert set(home.pictures_on_disk()) == paths
    assert all(home.timeline.picture(frame.id) for frame in frames)
    assert home.index_is_whole()
    assert recover(home.db, home.files, home.deletes, home.clock).orphans_removed == 0
    home.close()
