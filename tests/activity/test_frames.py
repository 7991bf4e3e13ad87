"""FrameWriter: what a kept attempt leaves behind, and that a failed one leaves nothing."""

from pathlib import Path

import pytest

from biny_desktop.activity.frames import QUEUE_MAX
from biny_desktop.activity.recover import recover
from biny_desktop.capture.ports import WindowInfo
from biny_desktop.core import settings as settings_module
from biny_desktop.core.errors import DiskFullError, StorageError
from biny_desktop.core.events import FrameKept
from biny_desktop.core.geometry import Rect
from biny_desktop.storage.atomic import RealFileOps
from tests.fakes.activity import ActivityHome, FakeTextRules, FaultyOps, bgra
from tests.fakes.clock import FakeClock

STEPS = ("write_temp", "half", "sync", "rename", "renamed", "sync_folder")


def states(home: ActivityHome) -> list[str]:
    return [frame.read_state for frame in reversed(home.timeline.frames().frames)]


def test_a_kept_frame_has_rows_file_and_index_and_is_told_after_the_commit(home: ActivityHome) -> None:
    told: list[tuple[int, int]] = []
    home.events.subscribe(FrameKept, lambda event: told.append((event.frame_id, home.count("frames"))))

    kept = home.writer.keep(home.frame("Quarterly budget", "calc"))

    detail = home.timeline.frame(kept.frame_id)
    assert told == [(kept.frame_id, 1)]
    assert (detail.frame.title, detail.frame.app_id, detail.picture_size, detail.grab_size) == (
        "Quarterly budget", "calc", (64, 36), (64, 36),
    )  # fmt: skip
    assert home.timeline.picture(kept.frame_id) == home.files.read(detail.picture_path or "")
    assert home.timeline.thumbs([kept.frame_id])[kept.frame_id].startswith(b"\xff\xd8")
    assert home.found("budget") == [kept.frame_id]
    assert home.index_is_whole()


def test_secrets_in_window_texts_and_why_are_hidden_and_counted(home: ActivityHome) -> None:
    window = WindowInfo(
        "0x1", "browser", "Browser", 1, "login password: Zx9kqPlm31", Rect(0, 0, 9, 9),
        url="https://me:Zx9kqPlm31@example.org/a?token=Zx9kqPlm31",
    )  # fmt: skip
    frame_id = home.keep(window=window, why={"trigger": "click", "note": ["password: Zx9kqPlm31"], "ms": float("nan")})

    detail = home.timeline.frame(frame_id)
    assert detail.url == "https://example.org/a"
    assert detail.redactions_by_type["password"] >= 2
    assert detail.why["ms"] is None
    assert home.found("has:redaction") == [frame_id]
    assert home.bytes_holding("Zx9kqPlm31") == []


def test_a_long_or_broken_title_is_cut_after_it_was_redacted(home: ActivityHome) -> None:
    frame_id = home.keep("x" * 250 + " password: Zx9kqPlm31 \ud83d \x00" + "é" * 5_000)
    title = home.timeline.frame(frame_id).frame.title
    assert len(title) <= 256
    assert home.bytes_holding("Zx9kq") == []


def test_a_frame_seen_again_shares_the_picture_of_its_first_owner(home: ActivityHome) -> None:
    first = home.keep(held=bgra(128, 72))
    second = home.keep(picture=None, seen_again_of=first)
    third = home.keep(picture=None, seen_again_of=second)

    assert home.timeline.frame(third).frame.seen_again_of == first
    assert home.timeline.frame(third).grab_size == (128, 72)
    assert home.timeline.picture(third) == home.timeline.picture(first)
    assert home.count("pictures") == 1


def test_seen_again_of_a_deleted_frame_writes_nothing(home: ActivityHome) -> None:
    with pytest.raises(StorageError):
        home.keep(picture=None, seen_again_of=99)
    assert home.count("frames") == 0


def test_neither_or_both_pictures_is_a_bug(home: ActivityHome) -> None:
    with pytest.raises(ValueError):
        home.keep(picture=None)
    with pytest.raises(ValueError):
        home.keep(seen_again_of=1)


def test_every_nth_frame_of_a_monitor_is_read_and_manual_ones_first(home: ActivityHome) -> None:
    home.settings = settings_module.build({"read": {"every": 3}})
    for _ in range(4):
        home.keep()
    home.keep(monitor_key="M2")
    manual = home.keep(trigger="manual")
    assert states(home) == ["queued", "not_due", "not_due", "queued", "queued", "queued"]
    job = home.queue.take()
    assert job is not None
    assert (job.frame_id, job.urgent) == (manual, True)


def test_nothing_is_read_when_reading_is_off_but_a_text_rule_reads_all(home: ActivityHome) -> None:
    home.settings = settings_module.build({"read": {"enabled": False}})
    home.keep(trigger="manual")
    home.rules.word = "secret"
    home.keep()
    assert states(home) == ["not_due", "queued"]


def test_the_queue_is_bounded_and_the_oldest_go_unread(home: ActivityHome) -> None:
    ids = [home.keep() for _ in range(3)]
    with home.db.write() as w:
        w.run(
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < :n) "
            "INSERT INTO frames(captured_at, time_zone, mono_ms, boot_id, trigger, monitor_key, scale, app_id, "
            "app_name, title, keys, clicks, grab_width, grab_height, change_reason, why, read_state, created_at, "
            "updated_at) SELECT captured_at, time_zone, mono_ms, boot_id, trigger, monitor_key, scale, app_id, "
            "app_name, '', keys, clicks, 1, 1, '', '{}', 'queued', 1, 1 FROM frames, n WHERE id = :id",
            {"n": QUEUE_MAX - 2, "id": ids[0]},
        )
    home.keep()
    counts = home.queue.counts()
    assert counts["queued"] == QUEUE_MAX
    assert home.timeline.frame(ids[0]).frame.read_state == "not_read"
    assert home.timeline.frame(ids[1]).frame.read_state == "not_read"
    assert home.timeline.counts().not_read == 2


@pytest.mark.logs_warning("the disk is full")
@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("full", [True, False])
def test_a_fault_at_any_file_step_leaves_neither_row_nor_file(tmp_path: Path, step: str, full: bool) -> None:
    ops = FaultyOps(RealFileOps())
    home = ActivityHome(tmp_path / "data", FakeClock(), ops=ops)
    home.keep()
    before = home.pictures_on_disk()
    ops.fail_at, ops.error = step, OSError(28 if full else 5, "fault")
    with pytest.raises(DiskFullError if full else StorageError):
        home.keep()
    ops.fail_at = None
    assert home.count("frames") == home.count("pictures") == 1
    if step in ("renamed", "sync_folder"):  # the file is whole by then; the sweep of the next start takes it
        home.clock.set_wall(4_000_000_000_000)
        recover(home.db, home.files, home.deletes, home.clock)
    assert home.pictures_on_disk() == before
    assert home.writer.problem() == ("disk_low" if full else None)
    home.close()


@pytest.mark.parametrize("table", ["pictures", "frames", "redactions", "frame_fts_data", "day_revisions"])
def test_a_fault_at_any_row_takes_the_file_back(home: ActivityHome, table: str) -> None:
    home.keep("password: Zx9kqPlm31")
    before = home.pictures_on_disk()
    verb = "UPDATE" if table == "day_revisions" else "INSERT"
    if table != "frame_fts_data":
        with home.db.write() as w:
            w.script(f"CREATE TRIGGER fault BEFORE {verb} ON {table} BEGIN SELECT RAISE(ABORT, 'fault'); END")
    else:
        with home.db.write() as w:
            w.script("ALTER TABLE frame_fts_data RENAME TO hidden_data")
    with pytest.raises(Exception):  # noqa: B017  (a fault of any kind; what counts is what is left)
        home.keep("password: Zx9kqPlm31")
    assert home.count("frames") == 1
    assert home.pictures_on_disk() == before


@pytest.mark.logs_warning("the disk is full")
def test_a_full_database_leaves_nothing_and_recording_goes_on_by_itself(home: ActivityHome) -> None:
    for _ in range(3):
        home.keep()
    before = home.pictures_on_disk()
    _limit_pages(home, 1)

    def keep_until_full() -> None:
        nonlocal before
        for _ in range(50):
            home.keep("word " * 40)
            before = home.pictures_on_disk()

    with pytest.raises(DiskFullError):
        keep_until_full()
    assert home.pictures_on_disk() == before
    assert home.writer.problem() == "disk_low"
    home.clock.advance(11_000)
    assert home.writer.problem() == "disk_low"
    _limit_pages(home, 1_000_000)
    home.clock.advance(11_000)
    assert home.writer.problem() is None
    assert home.pictures_on_disk() == before
    assert home.keep() > 0


def _limit_pages(home: ActivityHome, pages: int) -> None:
    home.db._connection.execute(f"PRAGMA max_page_count={pages}")


@pytest.mark.logs_warning("the disk is full")
def test_a_full_disk_ends_with_a_probe_that_fits(tmp_path: Path) -> None:
    ops = FaultyOps(RealFileOps())
    home = ActivityHome(tmp_path / "data", FakeClock(), ops=ops)
    ops.fail_at = "write_temp"
    with pytest.raises(DiskFullError):
        home.keep()
    assert home.writer.problem() == "disk_low"
    home.clock.advance(11_000)
    assert home.writer.problem() == "disk_low"
    ops.fail_at = None
    assert home.writer.problem() == "disk_low", "a probe at most every 10 s"
    home.clock.advance(11_000)
    assert home.writer.problem() is None
    assert home.pictures_on_disk() == []
    home.close()


def test_a_vanished_pictures_folder_is_told_and_never_made_anew(home: ActivityHome) -> None:
    home.keep()
    pictures = home.folder / "pictures"
    pictures.rename(home.folder / "elsewhere")
    assert home.writer.problem() == "folder_missing"
    with pytest.raises(StorageError):
        home.keep()
    assert not pictures.exists()
    (home.folder / "elsewhere").rename(pictures)
    assert home.writer.problem() is None


def test_a_vanished_database_file_is_told(home: ActivityHome) -> None:
    (home.folder / "biny.db").rename(home.folder / "away.db")
    assert home.writer.problem() == "folder_missing"


def test_at_most_two_grabs_are_held_for_thirty_seconds_and_none_over_a_lock(home: ActivityHome) -> None:
    ids = [home.keep(held=bgra(128, 72)) for _ in range(3)]
    assert [home.writer.held.get(each) is not None for each in ids] == [False, True, True]
    home.clock.advance(30_001)
    assert home.writer.held.get(ids[2]) is None
    last = home.keep(held=bgra(128, 72))
    home.note("lock", "")
    assert home.writer.held.get(last) is None


def test_text_rules_default_to_none() -> None:
    assert not FakeTextRules().wants_text()


def test_an_encrypted_home_has_no_plain_bytes(sealed_home: ActivityHome) -> None:
    sealed_home.seen("unmistakable title", "unmistakable text")
    assert sealed_home.bytes_holding("unmistakable") == []
    assert all(name.endswith(".sealed") for name in sealed_home.pictures_on_disk())
    assert sealed_home.timeline.picture(1).startswith(b"\xff\xd8")
