"""Ageing over real pictures: the first preview, tiers, what stays, faults, kills at every step."""

import io
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image

from biny_desktop.activity.ageing_plan import DAY_MS, HOUR_MS
from biny_desktop.activity.deletes import Selection
from biny_desktop.activity.recover import recover
from biny_desktop.activity.shrink import is_whole
from biny_desktop.core import settings as settings_module
from biny_desktop.core.errors import InvalidInputError
from biny_desktop.core.events import FirstDeletionPlanned, PicturesAged
from biny_desktop.storage.atomic import RealFileOps
from tests.fakes.activity import ActivityHome, FaultyOps, screen, screen_jpeg
from tests.fakes.clock import START_MS, FakeClock

BIG = (2_000, 1_125)


def kept(
    home: ActivityHome, count: int, age_ms: int, size: tuple[int, int] = (1_400, 780), text: str = ""
) -> list[int]:
    """Frames with real pictures, that many ms before now."""
    now = home.clock.now_ms()
    home.clock.set_wall(now - age_ms)
    ids = []
    for number in range(count):
        ids.append(home.keep(f"title {number}", picture=screen(number % 5, size)))
        if text:
            home.read(ids[-1], f"{text} {number}", "and more")
        home.queue_nothing(ids[-1])
    home.clock.set_wall(now)
    return ids


def begin(home: ActivityHome) -> None:
    """Have the first deletion over."""
    home.retention.run()
    if home.retention.state().phase == "waiting":
        home.retention.agree_now()


def tier(home: ActivityHome, frame_id: int) -> tuple[str, tuple[int, int]]:
    detail = home.timeline.frame(frame_id)
    return detail.picture_tier, detail.picture_size


def files_fit(home: ActivityHome) -> None:
    """Every live row has its file, readable and of the row's size; there is no other file."""
    recover(home.db, home.files, home.deletes, home.clock)
    with home.db.read() as r:
        rows = r.query("SELECT path, bytes, width, height FROM pictures WHERE state = 'live'")
    assert sorted(row.text("path") for row in rows) == home.pictures_on_disk()
    for row in rows:
        jpeg = home.files.read(row.text("path"))
        assert is_whole(jpeg, row.int("width"), row.int("height"))
        assert (home.folder / "pictures" / row.text("path")).stat().st_size == row.int("bytes")
    assert home.count("pictures", "state = 'pending_delete'") == 0


def test_pictures_become_smaller_with_age_and_their_texts_stay(home: ActivityHome) -> None:
    ages = (HOUR_MS, 2 * DAY_MS, 8 * DAY_MS, 31 * DAY_MS)
    ids = [kept(home, 1, age, BIG, "meeting about lighthouse")[0] for age in ages]
    begin(home)
    run = home.retention.run()
    assert (run.shrunk, run.by_age) == (2, 1)
    assert [tier(home, each) for each in ids[:3]] == [
        ("original", BIG), ("medium", (1280, 720)), ("small", (640, 360))
    ]  # fmt: skip
    gone = home.timeline.frame(ids[3])
    assert (gone.frame.picture_state, gone.picture_tier, gone.text) == (
        "gone",
        "gone",
        "meeting about lighthouse 0\nand more",
    )
    assert home.timeline.thumbs(ids).keys() == set(ids[:3])
    assert sorted(home.found("lighthouse")) == ids
    assert sorted(home.found("lighthouse has:picture")) == ids[:3]
    assert home.index_is_whole()
    assert run.bytes_freed > run.bytes_written > 0
    files_fit(home)


def test_the_boxes_of_a_text_follow_the_smaller_picture(home: ActivityHome) -> None:
    (frame_id,) = kept(home, 1, 2 * DAY_MS, BIG, "word")
    (hit,) = home.search.search("word").hits
    before = hit.boxes[0]
    begin(home)
    home.retention.run()
    after = home.search.search("word").hits[0].boxes[0]
    assert tier(home, frame_id)[1] == (1280, 720)
    for old, new in ((before.x, after.x), (before.y, after.y), (before.right, after.right)):
        assert abs(old * 1280 / BIG[0] - new) <= 1
    assert after.w > 0
    assert after.h > 0


def test_nothing_is_touched_in_the_24_hours_after_the_preview_and_a_pinned_picture_never(home: ActivityHome) -> None:
    """Spec 02 §11 row 19: 400 pictures, half of them due to be deleted."""
    seen: list[FirstDeletionPlanned] = []
    home.events.subscribe(FirstDeletionPlanned, seen.append)
    old = kept(home, 200, 40 * DAY_MS, (160, 90))
    kept(home, 200, 2 * DAY_MS, (160, 90))
    home.pins.pin(old[7], "keep this")
    before = home.pictures_on_disk()
    assert home.retention.run().waiting
    (event,) = seen
    assert event.starts_at_ms == home.clock.now_ms() + DAY_MS
    preview = home.retention.preview()
    assert (preview.by_age.pictures, preview.pinned.pictures, preview.frames) == (199, 1, 400)
    assert preview.by_age.bytes > 0
    assert preview.at_ms == event.starts_at_ms
    for _ in range(4):
        home.clock.advance(6 * HOUR_MS - 1)
        assert not home.retention.run().touched
    assert home.pictures_on_disk() == before
    home.clock.advance(4)
    assert home.retention.run().by_age == 199
    assert len(seen) == 1
    assert home.timeline.frame(old[7]).frame.picture_state == "live"
    assert tier(home, old[7])[0] == "original"
    for _ in range(3):
        home.clock.advance(20 * DAY_MS)
        home.retention.run()
    assert home.timeline.picture(old[7])
    assert home.count("pictures", "state = 'live'") == 1
    home.pins.unpin(old[7])
    home.retention.run()
    assert home.count("pictures", "state = 'live'") == 0
    assert home.count("frames") == 400


def test_the_first_deletion_can_be_put_off_more_than_once_and_agreed_to(home: ActivityHome) -> None:
    with pytest.raises(InvalidInputError):
        home.retention.postpone()
    with pytest.raises(InvalidInputError):
        home.retention.agree_now()
    kept(home, 1, 40 * DAY_MS)
    home.retention.run()
    now = home.clock.now_ms()
    assert home.retention.postpone() == now + 8 * DAY_MS
    assert home.retention.postpone() == now + 15 * DAY_MS
    assert home.retention.state().postponed == 2
    home.clock.advance(14 * DAY_MS)
    assert not home.retention.run().touched
    home.retention.agree_now()
    assert home.retention.run().by_age == 1
    assert home.retention.state().phase == "running"


def test_other_limits_while_it_waits_are_announced_anew(home: ActivityHome) -> None:
    seen: list[FirstDeletionPlanned] = []
    home.events.subscribe(FirstDeletionPlanned, seen.append)
    kept(home, 2, 40 * DAY_MS)
    home.retention.run()
    home.clock.advance(23 * HOUR_MS)
    home.settings = settings_module.build({"pictures": {"delete_days": 20}})
    home.retention.run()
    home.clock.advance(2 * HOUR_MS)
    assert not home.retention.run().touched
    assert len(seen) == 2
    home.settings = settings_module.build({"pictures": {"delete_days": "keep", "small_days": 90, "medium_h": 720}})
    home.clock.advance(-20 * DAY_MS)
    home.retention.run()
    assert home.retention.state().phase == "none"
    assert len(home.pictures_on_disk()) == 2


def test_the_quota_takes_the_oldest_after_everything_was_made_smaller(home: ActivityHome) -> None:
    aged: list[PicturesAged] = []
    home.events.subscribe(PicturesAged, aged.append)
    old = kept(home, 4, 10 * HOUR_MS, BIG)
    new = kept(home, 4, HOUR_MS, BIG)
    total = sum(path.stat().st_size for path in (home.folder / "pictures").rglob("*.jpg"))
    begin(home)
    with_quota(home, total - 1, total * 3 // 4)
    begin(home)
    run = home.retention.run()
    assert run.by_quota == 2
    states = [home.timeline.frame(each).frame.picture_state for each in old + new]
    assert states == ["gone"] * 2 + ["live"] * 6
    assert aged[-1] == PicturesAged(0, 2, run.bytes_freed)
    files_fit(home)


def with_quota(home: ActivityHome, quota: int, to: int) -> None:
    """Have a quota of that many bytes; the setting's smallest is 100 MB."""
    limits = home.retention._limits()
    home.retention._limits = lambda: replace(limits, quota_bytes=quota, quota_to_bytes=to)  # type: ignore[method-assign]


def test_while_the_first_deletion_waits_only_what_passes_the_quota_by_a_tenth_goes(home: ActivityHome) -> None:
    kept(home, 10, 2 * HOUR_MS, BIG)
    total = sum(path.stat().st_size for path in (home.folder / "pictures").rglob("*.jpg"))
    with_quota(home, total // 2, total // 4)
    assert home.retention.run().waiting
    assert not home.retention.run().touched, "what was there at the preview stays, however much it is"
    home.clock.advance(30 * 60_000)
    kept(home, 3, 0, BIG)
    run = home.retention.run()
    assert run.waiting
    assert 1 <= run.by_quota <= 3
    left = sum(path.stat().st_size for path in (home.folder / "pictures").rglob("*.jpg"))
    assert left <= total * 1.1
    home.clock.advance(DAY_MS)
    home.retention.run()
    left = sum(path.stat().st_size for path in (home.folder / "pictures").rglob("*.jpg"))
    assert left <= total // 2
    assert home.retention.state().phase == "running"


def test_much_work_is_done_in_steps_and_space_is_looked_at_last(
    home: ActivityHome, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("biny_desktop.activity.retention.STEP", 3)
    kept(home, 4, 40 * DAY_MS)
    old, new = kept(home, 4, 8 * DAY_MS), kept(home, 4, HOUR_MS)
    begin(home)
    sizes = [home.timeline.frame(each).picture_bytes for each in new]
    with_quota(home, sum(sizes), sum(sizes) - 1)
    run = home.retention.run()
    assert (run.by_age, run.shrunk, run.by_quota, run.more) == (4, 4, 5, False)
    states = [home.timeline.frame(each).frame.picture_state for each in old + new]
    assert states == ["gone"] * 5 + ["live"] * 3
    files_fit(home)


def test_a_picture_seen_again_has_the_age_of_the_last_time(home: ActivityHome) -> None:
    first, again = *kept(home, 1, 40 * DAY_MS), 0
    other = kept(home, 1, 40 * DAY_MS)[0]
    again = home.keep("again", picture=None, seen_again_of=first)
    begin(home)
    home.retention.run()
    assert tier(home, first)[0] == tier(home, again)[0] == "original"
    assert home.timeline.frame(other).frame.picture_state == "gone"


def test_a_picture_that_waits_to_be_read_is_not_made_smaller_for_two_days(home: ActivityHome) -> None:
    frame_id = home.keep("pale text", picture=screen(1, BIG))
    kept(home, 1, 40 * DAY_MS)
    begin(home)
    home.clock.advance(47 * HOUR_MS)
    home.retention.run()
    assert tier(home, frame_id)[0] == "original"
    home.clock.advance(2 * HOUR_MS)
    home.retention.run()
    assert tier(home, frame_id)[0] == "medium"


def test_a_rewrite_that_is_not_smaller_keeps_the_file_and_advances(home: ActivityHome) -> None:
    out = io.BytesIO()
    with Image.open(io.BytesIO(screen_jpeg(1))) as image:
        image.save(out, "JPEG", quality=3)
    tiny = home.keep("tiny", picture=replace(screen(1), jpeg=out.getvalue()))
    home.queue_nothing(tiny)
    before = home.pictures_on_disk()
    begin(home)
    home.clock.advance(2 * DAY_MS)
    begin(home)
    run = home.retention.run()
    assert run.rewrites == {"kept": 1}
    assert tier(home, tiny)[0] == "medium"
    assert home.pictures_on_disk() == before
    assert not home.retention.run().rewrites


def test_a_missing_source_advances_the_tier_and_its_thumbnail_goes_by_age(home: ActivityHome) -> None:
    (frame_id,) = kept(home, 1, 2 * DAY_MS)
    begin(home)
    home.files.delete(home.timeline.frame(frame_id).picture_path or "")
    assert home.retention.run().rewrites == {"missing": 1}
    assert tier(home, frame_id)[0] == "medium"
    assert home.found("title has:picture") == []
    home.clock.advance(30 * DAY_MS)
    home.retention.run()
    assert home.timeline.frame(frame_id).frame.picture_state == "gone"
    assert home.timeline.thumbs([frame_id]) == {}
    assert home.index_is_whole()


@pytest.mark.logs_warning("cannot be decoded")
def test_a_picture_that_cannot_be_decoded_is_tried_three_times_and_still_deleted_by_age(home: ActivityHome) -> None:
    (frame_id,) = kept(home, 1, 2 * DAY_MS)
    path = home.folder / "pictures" / (home.timeline.frame(frame_id).picture_path or "")
    path.write_bytes(path.read_bytes()[:900])
    begin(home)
    runs = [home.retention.run().rewrites for _ in range(4)]
    assert runs == [{"damaged": 1}] * 3 + [{}]
    assert home.timeline.storage().unreadable == 1
    home.clock.advance(30 * DAY_MS)
    assert home.retention.run().by_age == 1
    assert home.pictures_on_disk() == []


def test_only_files_of_rows_go_and_a_locked_one_is_tried_again(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    """Spec 02 §11 row 18."""
    request.node.add_marker(pytest.mark.logs_warning("cannot be removed yet"))
    ops = FaultyOps(RealFileOps())
    home = ActivityHome(tmp_path / "data", FakeClock(), ops=ops)
    root = home.folder / "pictures"
    others = [
        root / "2026-1-1" / "a.jpg",
        root / "notes-2025" / "a.jpg",
        root / "holiday.jpg",
        tmp_path / "else" / "x.jpg",
    ]
    for other in others:
        other.parent.mkdir(parents=True, exist_ok=True)
        other.write_bytes(b"mine")
    (root / "elsewhere").symlink_to(tmp_path / "else")
    ids = kept(home, 3, 40 * DAY_MS)
    outside = "../../else/x.jpg"
    with home.db.write() as w:  # a row that was tampered with
        w.run("UPDATE pictures SET path = :path WHERE id = :id", {"path": outside, "id": 1})
    begin(home)
    ops.fail_at, ops.error = "unlink", PermissionError(13, "locked")
    run = home.retention.run()
    assert (run.by_age, run.bytes_freed, run.pending) == (3, 0, 3)
    assert home.timeline.frame(ids[1]).frame.picture_state == "pending_delete"
    ops.fail_at = None
    run = home.retention.run()
    assert run.pending == 1, "the path that leaves the folder"
    assert run.bytes_freed > 0
    assert home.timeline.frame(ids[1]).frame.picture_state == "gone"
    assert all(other.read_bytes() == b"mine" for other in others)
    home.close()


def test_a_seal_and_a_plain_file_are_aged_alike(sealed_home: ActivityHome) -> None:
    (frame_id,) = kept(sealed_home, 1, 2 * DAY_MS, BIG, "secret words")
    begin(sealed_home)
    assert sealed_home.retention.run().shrunk == 1
    assert Image.open(io.BytesIO(sealed_home.timeline.picture(frame_id))).size == (1280, 720)
    assert [name for name in sealed_home.pictures_on_disk() if not name.endswith(".sealed")] == []


def test_it_stops_between_two_pictures_when_it_may_not_go_on(home: ActivityHome) -> None:
    kept(home, 4, 40 * DAY_MS)
    begin(home)
    asked = iter([True, True, True, False, False, False])
    run = home.retention.run(lambda: next(asked))
    assert run.more
    assert run.by_age == 2
    assert home.retention.run().by_age == 2


def test_a_full_disk_ends_the_rewrites_but_not_the_deletes(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    request.node.add_marker(pytest.mark.logs_warning("no space"))
    ops = FaultyOps(RealFileOps())
    home = ActivityHome(tmp_path / "data", FakeClock(), ops=ops)
    kept(home, 2, 40 * DAY_MS)
    (middle,) = kept(home, 1, 3 * DAY_MS)
    begin(home)
    ops.fail_at = "write_temp"
    run = home.retention.run()
    assert (run.by_age, run.shrunk, run.disk_full) == (2, 0, True)
    ops.fail_at = None
    assert home.retention.run().shrunk == 1
    assert tier(home, middle)[0] == "medium"
    files_fit(home)
    home.close()


class _Killed(BaseException):
    """Stands for the process dying at that step."""


def _killing(monkeypatch: pytest.MonkeyPatch, home: ActivityHome, ops: FaultyOps, kill: Callable[[], None]) -> None:
    """Have `kill` called at every step of file and database work."""
    step, write = ops._step, home.db.write
    monkeypatch.setattr(ops, "_step", lambda name: (kill(), step(name))[1])

    def writing() -> object:
        kill()
        return write()

    monkeypatch.setattr(home.db, "write", writing)


class _KillAt:
    def __init__(self, left: int) -> None:
        self.left = left

    def __call__(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise _Killed


def test_a_kill_at_any_step_converges(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    n, done = 0, False
    while not done:
        ops = FaultyOps(RealFileOps())
        home = ActivityHome(tmp_path / str(n), FakeClock(), ops=ops)
        ids = [*kept(home, 1, 40 * DAY_MS), *kept(home, 2, 8 * DAY_MS, text="word")]
        begin(home)
        with monkeypatch.context() as patch:
            _killing(patch, home, ops, _KillAt(n))
            try:
                home.retention.run()
                done = True
            except _Killed:
                pass
        home.close()
        again = ActivityHome(tmp_path / str(n), FakeClock(START_MS + 120_000))
        recover(again.db, again.files, again.deletes, again.clock)
        again.retention.run()
        assert [tier(again, each)[0] for each in ids] == ["gone", "small", "small"]
        assert len(again.found("word")) == 2
        files_fit_when_old(again)
        again.close()
        n += 1
    assert n > 15


def files_fit_when_old(home: ActivityHome) -> None:
    """As `files_fit`, with orphans old enough for the sweep."""
    for path in (home.folder / "pictures").rglob("*.jpg*"):
        os.utime(path, (1, 1))
    files_fit(home)


CHILD = """
import sys
from pathlib import Path
from tests.fakes.activity import ActivityHome
from tests.fakes.clock import FakeClock, START_MS
home = ActivityHome(Path(sys.argv[1]), FakeClock(START_MS + 1_000))
print("ready", flush=True)
home.retention.run()
"""


def test_killed_for_real_in_the_middle_sixty_pictures_converge(tmp_path: Path) -> None:
    home = ActivityHome(tmp_path / "data", FakeClock())
    for age in (2 * DAY_MS, 8 * DAY_MS, 40 * DAY_MS):
        kept(home, 20, age, text="word")
    begin(home)
    home.close()
    for wait_for in (5, 25, 45):
        child = subprocess.Popen(
            [sys.executable, "-c", CHILD, str(tmp_path / "data")], stdout=subprocess.PIPE, cwd=Path(__file__).parents[2]
        )
        assert child.stdout is not None
        assert child.stdout.readline() == b"ready\n"
        watching = ActivityHome(tmp_path / "data", FakeClock(START_MS + 2_000))
        while child.poll() is None and watching.count("pictures", "tier <> 'original'") < wait_for:
            pass
        child.send_signal(signal.SIGKILL)
        child.wait()
        child.stdout.close()
        watching.close()
    again = ActivityHome(tmp_path / "data", FakeClock(START_MS + 3_000))
    recover(again.db, again.files, again.deletes, again.clock)
    again.retention.run()
    assert again.count("pictures", "tier = 'medium' AND state = 'live'") == 20
    assert again.count("pictures", "tier = 'small' AND state = 'live'") == 20
    assert again.count("pictures", "tier = 'gone' AND state = 'gone'") == 20
    assert len(again.found("word", limit=100)) == 60
    assert again.index_is_whole()
    files_fit_when_old(again)
    again.close()


def test_a_picture_used_again_between_plan_and_change_is_left_alone(home: ActivityHome) -> None:
    (frame_id,) = kept(home, 1, 40 * DAY_MS)
    begin(home)
    retire = home.retention._retire

    def seen_again(each: object) -> bool:
        home.keep("again", picture=None, seen_again_of=frame_id)
        return retire(each)  # type: ignore[arg-type]

    home.retention._retire = seen_again  # type: ignore[method-assign]
    assert not home.retention.run().touched
    assert home.timeline.picture(frame_id)


def test_frames_of_an_aged_picture_can_be_deleted_for_good(home: ActivityHome) -> None:
    ids = kept(home, 2, 40 * DAY_MS, text="word")
    begin(home)
    home.retention.run()
    receipt = home.deletes.run(Selection.of_frames(*ids))
    assert (receipt.verified, receipt.files_pending) == (True, 0)
    assert home.count("pictures") == 0
