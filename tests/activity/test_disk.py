"""The disk guard: its limits, spec 02 §11 row 17, one notice each time, a vanished folder."""

import pytest

from biny_desktop.activity.disk import GB, DiskGuard, Space, again_bytes, space_of, stop_bytes
from biny_desktop.core import settings as settings_module
from biny_desktop.core.errors import DiskFullError
from biny_desktop.core.events import DiskFree, DiskStopped
from tests.fakes.activity import ActivityHome

BIG = 400 * GB


def notices(home: ActivityHome) -> list[object]:
    seen: list[object] = []
    home.events.subscribe(DiskStopped, seen.append)
    home.events.subscribe(DiskFree, seen.append)
    return seen


@pytest.mark.parametrize(
    ("total_gb", "stop_gb"), [(10, 2), (40, 2), (100, 5), (400, 20), (4_000, 20), (1, 2)]
)  # fmt: skip
def test_the_limit_is_a_part_of_the_volume_within_bounds(total_gb: int, stop_gb: int) -> None:
    assert stop_bytes(total_gb * GB, "auto") == stop_gb * GB
    assert stop_bytes(total_gb * GB, 1024) == GB
    assert again_bytes(stop_gb * GB) == stop_gb * GB * 5 // 4


@pytest.mark.logs_warning("the disk is full")
def test_it_stops_and_starts_as_the_free_space_falls_and_rises(home: ActivityHome) -> None:
    seen, states = notices(home), []
    for free in (30, 19, 19, 18, 24, 26, 19):
        home.clock.advance(60_000)
        home.space = Space(free * GB, BIG)
        home.disk.check()
        states.append(home.writer.problem())
    assert states == [None, "disk_low", "disk_low", "disk_low", "disk_low", None, "disk_low"]
    stop = (20 * GB, 25 * GB)
    assert seen == [DiskStopped(19 * GB, *stop), DiskFree(26 * GB), DiskStopped(19 * GB, *stop)]
    rows = home.timeline.events(0, home.clock.now_ms() + 1)
    assert [(row.kind, row.reason) for row in rows] == [
        ("disk", "disk_low"), ("disk", "disk_free"), ("disk", "disk_low")
    ]  # fmt: skip


@pytest.mark.logs_warning("the disk is full")
def test_a_check_older_than_ten_seconds_is_made_anew_before_a_write(home: ActivityHome) -> None:
    assert home.writer.problem() is None
    home.space = Space(GB, BIG)
    home.clock.advance(9_999)
    assert home.writer.problem() is None
    home.clock.advance(1)
    assert home.writer.problem() == "disk_low"


@pytest.mark.logs_warning("the disk is full")
def test_a_failed_write_has_the_guard_look_at_once(home: ActivityHome) -> None:
    seen = notices(home)
    assert home.writer.problem() is None
    home.space = Space(GB, BIG)
    with pytest.raises(DiskFullError), home.disk.watched():
        raise DiskFullError("The disk is full")
    assert home.writer.problem() == "disk_low"
    assert seen == [DiskStopped(GB, 20 * GB, 25 * GB)]


@pytest.mark.logs_warning("the disk is full")
def test_the_limit_can_be_chosen(home: ActivityHome) -> None:
    home.space = Space(GB, BIG)
    home.settings = settings_module.build({"pictures": {"disk_stop_mb": 500}})
    assert home.writer.problem() is None
    home.space = Space(GB // 4, BIG)
    state = home.disk.check()
    assert (state.stopped, state.stop_bytes, state.again_bytes) == (True, 500_000_000, 625_000_000)


def test_a_vanished_pictures_folder_is_told_and_not_made_anew(home: ActivityHome) -> None:
    (home.folder / "pictures").rename(home.folder / "away")
    assert home.writer.problem() == "folder_missing"
    home.retention.run()
    home.disk.check()
    assert not (home.folder / "pictures").exists()
    (home.folder / "away").rename(home.folder / "pictures")
    assert home.writer.problem() is None


def test_space_that_cannot_be_measured_stops_nothing(home: ActivityHome) -> None:
    home.space = None
    assert home.writer.problem() is None
    assert space_of(home.folder / "none") is None
    real = DiskGuard(
        home.db, home.files, lambda: home.settings, home.clock, home.events, home.random_hex
    ).check()  # fmt: skip
    assert real.free_bytes > 0
