"""The sweep at start: files without rows, rows without files, and a real kill in the middle of keeping frames."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from biny_desktop.activity.recover import recover
from biny_desktop.core.clock import SystemClock
from tests.fakes.activity import ActivityHome
from tests.fakes.clock import FakeClock

NAME = "2026-01-05/000000-00000000000aaaaaaaaaaaa.jpg"
CHILD = """
import sys
from pathlib import Path
from tests.fakes.activity import ActivityHome
from tests.fakes.clock import FakeClock
home = ActivityHome(Path(sys.argv[1]), FakeClock())
for n in range(100_000):
    home.clock.advance(1000)
    home.seen("a title", "a text with words", seed=n)
    print(n, flush=True)
"""


def put(home: ActivityHome, name: str, age_s: float) -> Path:
    path = home.folder / "pictures" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"x")
    at = home.clock.now_ms() / 1000 - age_s
    os.utime(path, (at, at))
    return path


def test_only_our_old_files_without_a_row_are_removed(home: ActivityHome) -> None:
    kept = home.keep()
    orphan, half = put(home, NAME, 61), put(home, NAME.replace("aaa.jpg", "bbb.jpg.part"), 61)
    young = put(home, NAME.replace("aaa.jpg", "ccc.jpg"), 59)
    others = [put(home, name, 999) for name in ("2026-1-1/a.jpg", "notes-2025/a.jpg", "2026-01-05/holiday.jpg")]
    found = recover(home.db, home.files, home.deletes, home.clock)
    assert found.orphans_removed == 2
    assert not orphan.exists()
    assert not half.exists()
    assert young.exists()
    assert all(path.exists() for path in others)
    assert home.timeline.picture(kept)


def test_a_row_without_a_file_is_marked_and_no_longer_found_by_its_picture(home: ActivityHome) -> None:
    frame_id = home.keep("title")
    home.files.delete(home.timeline.frame(frame_id).picture_path or "")
    assert recover(home.db, home.files, home.deletes, home.clock).pictures_missing == 1
    assert home.timeline.frame(frame_id).frame.picture_state == "missing"
    assert home.found("title") == [frame_id]
    assert home.found("title has:picture") == []
    assert home.index_is_whole()
    assert recover(home.db, home.files, home.deletes, home.clock).pictures_missing == 0


@pytest.mark.logs_warning("is not there")
def test_nothing_is_marked_while_the_pictures_folder_is_away(home: ActivityHome) -> None:
    frame_id = home.keep()
    (home.folder / "pictures").rename(home.folder / "away")
    assert recover(home.db, home.files, home.deletes, home.clock).pictures_missing == 0
    assert home.timeline.frame(frame_id).frame.picture_state == "live"


def test_a_path_that_leaves_the_folder_is_marked_and_never_touched(home: ActivityHome) -> None:
    home.keep()
    with home.db.write() as w:
        w.run("UPDATE pictures SET path = '../biny.db'")
    recover(home.db, home.files, home.deletes, home.clock)
    assert home.count("pictures", "state = 'missing'") == 1
    assert (home.folder / "biny.db").exists()


def test_killed_while_keeping_and_reading_it_converges(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    for round_number in range(3):
        child = subprocess.Popen([sys.executable, "-c", CHILD, str(folder)], stdout=subprocess.PIPE)
        assert child.stdout is not None
        for _ in range(3 + round_number):
            child.stdout.readline()
        os.kill(child.pid, signal.SIGKILL)
        child.wait()
        child.stdout.close()
        home = ActivityHome(folder, FakeClock())
        home.clock.set_wall(SystemClock().now_ms() + 120_000)
        recover(home.db, home.files, home.deletes, home.clock)
        assert home.index_is_whole()
        paths = {home.timeline.frame(frame.id).picture_path for frame in home.timeline.frames(limit=500).frames}
        assert set(home.pictures_on_disk()) == paths
        assert home.count("frames", "read_state = 'reading'") == 0
        home.close()
