"""Held frames: read, painted and written as one, or dropped with a row that says why."""

import io
import json
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from biny_desktop.activity.screening import HELD_MAX, Screener
from biny_desktop.capture.ports import NewFrame
from biny_desktop.capture.screening import held_picture
from biny_desktop.core import settings as settings_module
from biny_desktop.core.errors import StorageError
from biny_desktop.core.events import FrameDropped, FrameHeld, FrameKept, FrameRead
from biny_desktop.core.geometry import Rect
from biny_desktop.core.tiles import TileMask
from biny_desktop.reading.ports import Line, Reading
from tests.fakes.activity import ActivityHome, FakeTextRules
from tests.fakes.clock import FakeClock

SIZE = (640, 360)
CARD = "this is what the card says: 4111 1111 1111 1111 and that is all"


class Screened:
    """A home whose frames are screened, and short ways to hold and read them."""

    def __init__(self, folder: Path, *, paint: bool = True, unscreened: str = "drop") -> None:
        self.home = ActivityHome(folder, FakeClock())
        self.set(paint=paint, unscreened=unscreened)
        self.screener = Screener(
            self.home.writer, self.home.queue, lambda: self.home.redactor, lambda: self.home.settings,
            self.home.rules, self.home.events,
        )  # fmt: skip
        self.told: list[object] = []
        for kind in (FrameHeld, FrameKept, FrameRead, FrameDropped):
            self.home.events.subscribe(kind, self.told.append)

    def set(self, *, paint: bool, unscreened: str = "drop", **privacy: object) -> None:
        redact = {"paint": paint, "unscreened": unscreened}
        self.home.settings = settings_module.build({"read": {"every": 1}, "redact": redact, "privacy": privacy})

    def frame(self, title: str = "notes", **changes: object) -> NewFrame:
        base = self.home.frame(title, tiles=TileMask.for_picture(*SIZE, 60))
        return replace(base, picture=None, **changes)  # type: ignore[arg-type]

    def hold(self, title: str = "notes", **changes: object) -> int:
        pixels = np.full((SIZE[1], SIZE[0], 4), 255, np.uint8)
        pixels[100:120, 50:600, :3] = np.arange(550, dtype=np.uint8)[None, :, None]
        self.home.clock.advance(1_000)
        return self.screener.hold(self.frame(title, **changes), held_picture(pixels)).frame_id

    def read(self, *lines: str) -> int:
        job = self.screener.take()
        assert job is not None
        self.screener.done(job, reading(*lines))
        return job.frame_id

    def pixels(self, frame_id: int) -> np.ndarray:
        jpeg = self.home.timeline.picture(frame_id)
        assert jpeg is not None
        return np.asarray(Image.open(io.BytesIO(jpeg)).convert("RGB")).astype(int)

    def rows(self, kind: str) -> list[tuple[str, int]]:
        with self.home.db.read() as r:
            found = r.query("SELECT reason, at FROM frame_events WHERE kind = :kind ORDER BY id", {"kind": kind})
        return [(row.text("reason"), row.int("at")) for row in found]


def reading(*lines: str) -> Reading:
    placed = tuple(Line(text, Rect(50, 100 + 40 * n, 550, 20), 0.9) for n, text in enumerate(lines))
    return Reading(placed, "\n".join(lines), SIZE, "fake", "whole", len(lines), 0, 5)


@pytest.fixture
def screened(tmp_path: Path) -> Iterator[Screened]:
    made = Screened(tmp_path / "data")
    yield made
    made.home.close()


def test_text_and_picture_are_written_together_and_the_secret_is_painted(screened: Screened) -> None:
    frame_id = screened.hold("notes")
    assert screened.home.count("frames") == screened.home.count("pictures") == 0
    assert screened.home.pictures_on_disk() == []
    assert screened.read(CARD) == frame_id
    detail = screened.home.timeline.frame(frame_id)
    assert detail.text == "this is what the card says: [hidden: card] and that is all"
    assert detail.frame.read_state == "done"
    assert detail.frame.flags == ("painted",)
    assert screened.home.found("card") == [frame_id]
    assert screened.home.index_is_whole()
    picture = screened.pixels(frame_id)
    middle = picture[102:118, 320:460]
    assert middle.std() < 4
    assert picture[104:116, 52:90].std() > 5, "the rest of the line stays"
    assert [type(event) for event in screened.told] == [FrameHeld, FrameKept, FrameRead]
    assert screened.screener.waiting() == 0
    assert screened.home.bytes_holding("4111") == []


def test_ids_are_given_in_the_order_of_capture_and_never_again(screened: Screened) -> None:
    first, second = screened.hold(), screened.hold()
    screened.screener.drop_all("paused_by_user")
    third = screened.hold()
    assert first < second < third
    screened.read("x")
    assert screened.home.keep() == third + 1
    assert screened.home.count("frames") == 2


def test_the_reader_takes_held_frames_first_and_in_their_order_then_the_queue(screened: Screened) -> None:
    stored = screened.home.keep()
    first, second = screened.hold(), screened.hold()
    jobs = [screened.screener.take() for _ in range(4)]
    assert [job.frame_id if job else None for job in jobs] == [first, second, stored, None]
    picture = jobs[0].load() if jobs[0] else None
    assert picture is not None
    assert picture.shape == (SIZE[1], SIZE[0], 3)
    assert jobs[0] is not None
    assert jobs[0].urgent
    assert jobs[2] is not None
    screened.screener.done(jobs[2], reading("stored words"))
    assert screened.home.timeline.frame(stored).text == "stored words"


def test_tiles_are_known_only_since_the_frame_right_before(screened: Screened) -> None:
    first, second, third = screened.hold(), screened.hold(), screened.hold()
    assert screened.screener.tiles_between(first, second) is not None
    assert screened.screener.tiles_between(first, third) is None
    screened.read("x")
    assert screened.screener.tiles_between(first, second) is not None
    job = screened.screener.take()
    assert job is not None
    screened.screener.gone(job)
    assert screened.screener.tiles_between(second, third) is None, "what it is compared with is not kept"
    screened.read("y")
    with screened.home.db.read() as r:
        row = r.one("SELECT tiles FROM frames WHERE id = :id", {"id": third})
    assert row is not None
    assert row.maybe_blob("tiles") is None
    stored = screened.home.keep()
    assert screened.screener.tiles_between(third, stored) is not None


@pytest.mark.parametrize("way", ["failed", "gone", "too_many"])
def test_what_cannot_be_read_is_dropped_with_a_row(screened: Screened, way: str) -> None:
    frame_id = screened.hold("secret title")
    fail(screened, way)
    assert screened.home.count("frames", f"id = {frame_id}") == 0
    assert [reason for reason, _ in screened.rows("skip")] == ["screening_failed"]
    assert FrameDropped(frame_id) in screened.told
    assert screened.home.pictures_on_disk() == []


@pytest.mark.parametrize("way", ["failed", "gone", "too_many"])
def test_or_kept_with_a_flag_by_the_users_choice(tmp_path: Path, way: str) -> None:
    screened = Screened(tmp_path / "data", unscreened="keep")
    frame_id = screened.hold()
    if way == "gone":
        screened.screener._held[frame_id].picture = replace(screened.screener._held[frame_id].picture, jpeg=b"x")
    fail(screened, way)
    kept = screened.home.count("frames", f"id = {frame_id}")
    if way == "gone":  # nothing is left that could be kept
        assert kept == 0
        assert [reason for reason, _ in screened.rows("skip")] == ["encode_failed"]
    else:
        frame = screened.home.timeline.frame(frame_id)
        assert frame.frame.flags == ("not_screened",)
        assert frame.frame.read_state == "not_read"
        assert screened.pixels(frame_id).shape == (SIZE[1], SIZE[0], 3)
    screened.home.close()


def fail(screened: Screened, way: str) -> None:
    if way == "too_many":
        for _ in range(HELD_MAX):
            screened.hold()
        return
    for _ in range(2 if way == "failed" else 1):
        job = screened.screener.take()
        assert job is not None
        screened.screener.failed(job, "OcrError") if way == "failed" else screened.screener.gone(job)


def test_the_frame_that_is_being_read_is_not_the_one_that_goes(screened: Screened) -> None:
    first = screened.hold()
    job = screened.screener.take()
    assert job is not None
    second = screened.hold()
    for _ in range(HELD_MAX - 1):
        screened.hold()
    assert FrameDropped(second) in screened.told
    screened.screener.done(job, reading("x"))
    assert screened.home.timeline.frame(first).text == "x"


def test_a_reading_that_is_put_back_is_due_again(screened: Screened) -> None:
    frame_id = screened.hold()
    job = screened.screener.take()
    assert job is not None
    screened.screener.put_back(job)
    assert screened.read("x") == frame_id


@pytest.mark.parametrize(
    ("end", "reason"),
    [("lock", "screen_locked"), ("sleep", "asleep"), ("paused_by_user", "paused_by_user"),
     ("shutting_down", "shutting_down"), ("session_inactive", "session_inactive")],
)  # fmt: skip
def test_lock_pause_and_exit_drop_what_is_held_with_rows_of_its_own_time(
    screened: Screened, end: str, reason: str
) -> None:
    screened.hold()
    at = screened.home.clock.now_ms()
    job = screened.screener.take()
    screened.hold()
    screened.home.clock.advance(5_000)
    if end in ("lock", "sleep"):
        screened.home.note(end, "")
    else:
        screened.home.writer.state(screened.home.clock.stamp(), "blocked", end, {})
    assert screened.rows("drop") == [(reason, at), (reason, at + 1_000)]
    assert screened.screener.waiting() == 0
    assert job is not None
    screened.screener.done(job, reading(CARD))
    screened.screener.failed(job, "late")
    screened.screener.put_back(job)
    assert screened.home.count("frames") == 0
    assert screened.screener.take() is None


def test_rows_deleted_meanwhile_take_the_held_frame_with_them(screened: Screened) -> None:
    from biny_desktop.activity.deletes import Selection

    old = screened.home.keep()
    screened.hold()
    screened.home.deletes.run(Selection.of_frames(old))
    screened.read("x")
    assert screened.home.count("frames") == 0
    assert [reason for reason, _ in screened.rows("drop")] == ["stale_epoch"]
    assert screened.home.pictures_on_disk() == []


@pytest.mark.logs_warning("disk is full")
def test_a_full_disk_leaves_neither_file_nor_row(screened: Screened, monkeypatch: pytest.MonkeyPatch) -> None:
    screened.hold()

    def full(*_args: object) -> None:
        raise StorageError("no space")

    with monkeypatch.context() as patch:
        patch.setattr("biny_desktop.activity.frame_store.insert_frame", full)
        screened.read("x")
    assert screened.home.count("frames") == screened.home.count("pictures") == 0
    assert screened.home.pictures_on_disk() == []
    assert [reason for reason, _ in screened.rows("skip")] == ["write_failed"]


@pytest.mark.parametrize(("action", "rows"), [("placeholder", 1), ("no_trace", 0)])
def test_a_text_rule_keeps_the_frame_from_being_written(screened: Screened, action: str, rows: int) -> None:
    screened.home.rules.word, screened.home.rules.action = "falcon", action
    screened.hold("falcon in the title is no matter")
    screened.read("the falcon plan")
    assert screened.home.count("frames") == 0
    assert [reason for reason, _ in screened.rows("private")] == ["private_text"] * rows
    assert screened.home.bytes_holding("falcon plan") == []


def test_a_rule_that_masks_paints_its_lines_and_leaves_them_out_of_the_text(tmp_path: Path) -> None:
    screened = Screened(tmp_path / "data", paint=False)
    assert not screened.screener.wanted()
    screened.home.rules.word, screened.home.rules.action = "falcon", "mask"
    assert screened.screener.wanted()
    frame_id = screened.hold()
    screened.read("the falcon plan", "the owl plan")
    detail = screened.home.timeline.frame(frame_id)
    assert detail.text == "\nthe owl plan"
    assert screened.pixels(frame_id)[100:120, 52:598].std() < 4
    screened.home.close()


def test_a_rule_that_masks_is_never_passed_over_by_keeping_unread_frames(tmp_path: Path) -> None:
    screened = Screened(tmp_path / "data", unscreened="keep")
    screened.home.rules.word, screened.home.rules.action = "falcon", "mask"
    frame_id = screened.hold()
    fail(screened, "failed")
    assert screened.home.count("frames", f"id = {frame_id}") == 0
    screened.home.close()


def test_a_frame_stored_before_the_rule_is_hidden_when_it_is_read(tmp_path: Path) -> None:
    screened = Screened(tmp_path / "data", paint=False)
    frame_id = screened.home.keep()
    screened.home.rules.word, screened.home.rules.action = "falcon", "mask"
    screened.home.read(frame_id, "the falcon plan")
    assert screened.home.count("frames") == 0
    screened.home.close()


def test_no_trace_is_also_the_setting_for_all_private_time(screened: Screened) -> None:
    screened.set(paint=True, trace="no_trace")
    screened.home.rules.word = "falcon"
    screened.hold()
    screened.read("falcon")
    assert screened.rows("private") == []


def test_rules_that_cannot_be_read_do_not_say_no(screened: Screened, monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken(FakeTextRules):
        def wants_text(self) -> bool:
            raise StorageError("no")

        wants_paint = wants_text

    screened.set(paint=False)
    screened.screener._screen = Broken()
    assert screened.screener.wanted()
    screened.hold()
    screened.read("x")
    assert screened.home.count("frames") == 0
    assert [reason for reason, _ in screened.rows("skip")] == ["screening_failed"]


def test_recorder_and_reader_threads_share_it_without_losing_a_frame(screened: Screened) -> None:
    done = threading.Event()

    def read_all() -> None:
        while not (done.is_set() and screened.screener.waiting() == 0):
            job = screened.screener.take()
            if job is not None:
                screened.screener.done(job, reading("x"))

    reader = threading.Thread(target=read_all)
    reader.start()
    for _ in range(30):
        screened.hold()
    done.set()
    reader.join(60)
    written = screened.home.count("frames")
    with screened.home.db.read() as r:
        row = r.one("SELECT coalesce(sum(count), 0) AS n FROM frame_events WHERE reason = 'screening_failed'")
    assert row is not None
    assert written + row.int("n") == 30
    assert len(screened.home.pictures_on_disk()) == written


def test_why_tells_of_the_painting_and_the_write(screened: Screened) -> None:
    frame_id = screened.hold()
    screened.read(CARD)
    with screened.home.db.read() as r:
        row = r.one("SELECT why FROM frames WHERE id = :id", {"id": frame_id})
    assert row is not None
    why = json.loads(row.text("why"))
    assert why["painted_text"] == 1
    assert why["write_ms"] == 0
    assert why["reading"]["redactions"] == {"card": 1}
