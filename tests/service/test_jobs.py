"""The jobs' bodies over a real home: they yield to the person, and say in words what came of them."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from biny_desktop.activity.ageing_plan import DAY_MS
from biny_desktop.activity.disk import GB, Space
from biny_desktop.activity.relocate import PictureMove
from biny_desktop.service.jobs import age_pictures, check_disk, keeping_jobs, retry_deletes
from biny_desktop.service.schedule import Schedule
from biny_desktop.storage.atomic import RealFileOps
from biny_desktop.storage.folders import Folders
from tests.fakes.activity import ActivityHome, FaultyOps, screen
from tests.fakes.clock import FakeClock


@pytest.fixture
def home(tmp_path: Path) -> Iterator[ActivityHome]:
    made = ActivityHome(tmp_path / "data", FakeClock())
    yield made
    made.close()


def move_of(home: ActivityHome) -> PictureMove:
    folders = Folders(home.folder.parent / "config", home.folder, home.folder.parent / "logs")
    return PictureMove(home.db, home.files, folders)


def always() -> bool:
    return True


def test_ageing_waits_for_the_person_and_for_the_first_preview(home: ActivityHome) -> None:
    for number in range(3):
        home.queue_nothing(home.keep("old", picture=screen(number, (1_400, 780))))
    home.clock.advance(2 * DAY_MS)
    assert age_pictures(home.retention, home.disk, lambda: False, always) == ""
    assert home.retention.state().phase == "none"
    assert age_pictures(home.retention, home.disk, always, always) == "first deletion waits"
    home.retention.agree_now()
    asked = iter([True] * 4 + [False] * 20)
    assert age_pictures(home.retention, home.disk, lambda: next(asked), always) == (
        "2 smaller, 0 deleted, 0 files pending, more is due"
    )
    assert age_pictures(home.retention, home.disk, always, always) == "1 smaller, 0 deleted, 0 files pending"


@pytest.mark.logs_warning("no space", "the disk is full")
def test_a_full_disk_met_by_ageing_has_the_guard_look_at_once(tmp_path: Path) -> None:
    ops = FaultyOps(RealFileOps())
    home = ActivityHome(tmp_path / "full", FakeClock(), ops=ops)
    home.queue_nothing(home.keep("old", picture=screen(1, (1_400, 780))))
    home.clock.advance(2 * DAY_MS)
    age_pictures(home.retention, home.disk, always, always)
    home.retention.agree_now()
    ops.fail_at, home.space = "write_temp", Space(0, 400 * GB)
    assert age_pictures(home.retention, home.disk, always, always).startswith("0 smaller")
    assert home.writer.problem() == "disk_low"
    home.close()


def test_left_over_files_are_tried_again(home: ActivityHome) -> None:
    home.keep()
    with home.db.write() as w:
        w.run("UPDATE pictures SET state = 'pending_delete'")
    assert retry_deletes(home.deletes, move_of(home), always) == "1 files removed, 0 pending"
    assert home.pictures_on_disk() == []


@pytest.mark.logs_warning("the disk is full")
def test_the_disk_is_looked_at(home: ActivityHome) -> None:
    assert check_disk(home.disk, always) == "enough"
    home.space = Space(GB, 400 * GB)
    assert check_disk(home.disk, lambda: False) == ""
    assert check_disk(home.disk, always) == "stopped"


def test_ageing_comes_a_minute_after_the_start_and_then_each_half_hour(home: ActivityHome) -> None:
    jobs = keeping_jobs(home.retention, home.deletes, move_of(home), home.disk, always)
    assert [(job.name, job.first_s, job.every_s) for job in jobs] == [
        ("ageing", 60, 1_800), ("left-over files", 600, 600), ("disk", 60, 60)
    ]  # fmt: skip
    schedule = Schedule(home.clock)
    for job in jobs:
        schedule.add(job)
        assert schedule.run_now(job.name).outcome == "done"
