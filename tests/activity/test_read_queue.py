"""The read queue: order, states, what a finished reading writes, tiles, text rules."""

import io

import numpy as np
import pytest
from PIL import Image

from biny_desktop.activity.read_queue import CHAIN_MAX, decode
from biny_desktop.activity.recover import recover
from biny_desktop.core import settings as settings_module
from biny_desktop.core.errors import NotFoundError
from biny_desktop.core.events import ActivityDeleted, FrameRead
from biny_desktop.core.geometry import Rect
from biny_desktop.core.tiles import TileMask
from biny_desktop.reading.ports import Line, Reading, ReadJob
from tests.fakes.activity import SIZE, ActivityHome, bgra, picture, reading


def take(home: ActivityHome) -> ReadJob:
    job = home.queue.take()
    assert job is not None
    return job


def state(home: ActivityHome, frame_id: int) -> str:
    return home.timeline.frame(frame_id).frame.read_state


def test_urgent_frames_come_first_then_the_newest(home: ActivityHome) -> None:
    old, asked, new = home.keep(), home.keep(), home.keep()
    home.queue.request(asked)
    assert [take(home).frame_id for _ in range(3)] == [asked, new, old]
    assert home.queue.take() is None
    assert state(home, old) == "reading"


def test_a_reading_is_redacted_indexed_counted_and_told(home: ActivityHome) -> None:
    told: list[int] = []
    home.events.subscribe(FrameRead, lambda event: told.append(event.frame_id))
    frame_id = home.keep()
    home.queue.done(take(home), reading("first line", "password: Zx9kqPlm31", "last line"))

    detail = home.timeline.frame(frame_id)
    assert detail.text == "first line\npassword: [hidden: password]\nlast line"
    assert [detail.text[line.start : line.end] for line in detail.lines] == detail.text.split("\n")
    assert detail.frame.read_state == "done"
    assert detail.redactions_by_type == {"password": 1}
    assert told == [frame_id]
    assert home.found("line has:text has:redaction") == [frame_id]
    told_why = detail.why["reading"]
    assert isinstance(told_why, dict)
    assert (told_why["outcome"], told_why["plan"], told_why["redactions"]) == ("done", "whole", {"password": 1})
    assert detail.why["trigger"] == "click"
    assert home.bytes_holding("Zx9kqPlm31") == []
    assert home.index_is_whole()


def test_boxes_are_stored_in_pixels_of_the_stored_picture_and_inside_it(home: ActivityHome) -> None:
    frame_id = home.keep(held=bgra(128, 72))
    lines = (Line("a", Rect(20, 10, 40, 20), 0.9), Line("b", Rect(100, 60, 90, 90), 0.9))
    home.queue.done(take(home), Reading(lines, "a\nb", (128, 72), "fake", "whole", 2, 0, 1))
    assert [line.box for line in home.timeline.frame(frame_id).lines] == [Rect(10, 5, 20, 10), Rect(50, 30, 14, 6)]


def test_reading_again_replaces_text_index_and_counts(home: ActivityHome) -> None:
    frame_id = home.seen("t", "old words", "password: Zx9kqPlm31")
    home.read(frame_id, "new words")
    assert home.found("old") == []
    assert home.found("new") == [frame_id]
    assert home.timeline.frame(frame_id).redactions_by_type == {}
    home.read(frame_id)
    assert (state(home, frame_id), home.timeline.frame(frame_id).text) == ("no_text", None)
    assert home.found("new") == []
    assert home.index_is_whole()


def test_three_failed_tries_park_a_frame_behind_all_others(home: ActivityHome) -> None:
    poison, other = home.keep(), home.keep()
    home.queue.request(poison)
    home.queue.failed(take(home), "slow")
    assert state(home, poison) == "failed"
    assert take(home).frame_id == other
    for _ in range(2):
        home.queue.failed(take(home), "slow")
    assert state(home, poison) == "parked"
    assert home.queue.take() is None
    home.queue.request(poison)
    home.queue.done(take(home), reading("at last"))
    assert state(home, poison) == "done"


def test_a_backlog_is_drained_with_new_frames_first_and_a_poison_one_parked(home: ActivityHome) -> None:
    home.settings = settings_module.build({"read": {"every": 1, "catch_up": True}})
    old = [home.keep(seed=number) for number in range(80)]
    poison, order = old[37], []
    while (job := home.queue.take()) is not None:
        if len(order) == 20:
            new = home.keep("just now", seed=99)
        order.append(job.frame_id)
        if job.frame_id == poison:
            home.queue.failed(job, "slow")
        else:
            home.queue.done(job, reading(f"page {job.frame_id}"))
    assert order[:20] == sorted(old, reverse=True)[:20]
    assert order.index(new) == 21
    assert order.count(poison) == 3
    assert state(home, poison) == "parked"
    assert {state(home, each) for each in [*old, new] if each != poison} == {"done"}


def test_put_back_and_gone(home: ActivityHome) -> None:
    frame_id = home.keep()
    home.queue.put_back(take(home))
    assert state(home, frame_id) == "queued"
    home.queue.gone(take(home))
    assert state(home, frame_id) == "picture_gone"


def test_a_request_needs_a_frame_with_a_picture(home: ActivityHome) -> None:
    with pytest.raises(NotFoundError):
        home.queue.request(7)
    frame_id = home.keep()
    home.files.delete(home.timeline.frame(frame_id).picture_path or "")
    assert take(home).load() is None
    recover(home.db, home.files, home.deletes, home.clock)
    assert state(home, frame_id) == "picture_gone"
    with pytest.raises(NotFoundError):
        home.queue.request(frame_id)


def test_frames_that_were_not_due_are_caught_up_with_when_asked(home: ActivityHome) -> None:
    home.settings = settings_module.build({"read": {"every": 3}})
    ids = [home.keep() for _ in range(3)]
    home.queue.done(take(home), reading("x"))
    assert home.queue.take() is None
    home.settings = settings_module.build({"read": {"every": 3, "catch_up": True}})
    assert [take(home).frame_id for _ in range(2)] == [ids[2], ids[1]]
    assert home.queue.take() is None


def test_after_a_restart_what_was_being_read_is_due_again(home: ActivityHome) -> None:
    frame_id = home.keep()
    take(home)
    assert recover(home.db, home.files, home.deletes, home.clock).readings_requeued == 1
    assert take(home).frame_id == frame_id


def test_the_held_grab_is_read_while_there_is_one_else_the_file(home: ActivityHome) -> None:
    frame_id = home.keep(held=bgra(128, 72))
    job = take(home)
    held = job.load()
    assert held is not None
    assert held.shape == (72, 128, 3)
    home.clock.advance(31_000)
    stored = job.load()
    assert stored is not None
    assert stored.shape == (SIZE[1], SIZE[0], 3)
    home.deletes.run(_frames(frame_id))
    assert job.load() is None


def test_decode_gives_blue_first_and_nothing_for_a_broken_file() -> None:
    out = io.BytesIO()
    Image.new("RGB", (8, 8), (255, 0, 0)).save(out, "JPEG")
    pixels = decode(out.getvalue())
    assert pixels is not None
    assert int(np.argmax(pixels[4, 4])) == 2
    assert decode(b"no picture") is None
    assert decode(out.getvalue()[:40]) is None


def _frames(*ids: int):  # type: ignore[no-untyped-def]
    from biny_desktop.activity.deletes import Selection

    return Selection.of_frames(*ids)


def test_a_frame_deleted_while_it_is_read_does_not_come_back(home: ActivityHome) -> None:
    frame_id = home.keep("title")
    job = take(home)
    home.deletes.run(_frames(frame_id))
    home.queue.done(job, reading("unmistakable"))
    home.queue.failed(job, "x")
    home.queue.put_back(job)
    home.queue.gone(job)
    assert home.count("frame_text") == home.count("frames") == home.count("redactions") == 0
    assert home.found("unmistakable") == []
    assert home.bytes_holding("unmistakable") == []


def tiles(*places: int) -> TileMask:
    return TileMask.for_picture(*SIZE, 12).touching([Rect(place * 12, 0, 1, 1) for place in places])


def test_tiles_are_joined_over_the_frames_of_the_monitor(home: ActivityHome) -> None:
    first = home.keep(tiles=tiles(0))
    home.keep(tiles=tiles(1))
    home.keep(tiles=tiles(4), monitor_key="M2")
    last = home.keep(tiles=tiles(2))
    assert home.queue.tiles_between(first, last) == home.queue.tiles_between(last, first) == tiles(1, 2)
    assert home.queue.tiles_between(last, last) is None


def test_a_broken_chain_gives_no_tiles(home: ActivityHome) -> None:
    first = home.keep(tiles=tiles(0))
    middle = home.keep(tiles=tiles(1))
    other = home.keep(tiles=tiles(1), monitor_key="M2")
    last = home.keep(tiles=tiles(2))
    after = home.keep(tiles=TileMask.for_picture(128, 72, 12))
    assert home.queue.tiles_between(first, other) is None
    assert home.queue.tiles_between(first, 99) is None
    assert home.queue.tiles_between(last, after) is not None
    assert home.queue.tiles_between(first, after) is None
    home.deletes.run(_frames(middle))
    assert home.queue.tiles_between(first, last) is None
    for _ in range(CHAIN_MAX + 1):
        newest = home.keep(tiles=tiles(1))
    assert home.queue.tiles_between(after, newest) is None


def test_a_text_that_a_rule_meets_takes_every_frame_of_its_picture_away(home: ActivityHome) -> None:
    gone: list[ActivityDeleted] = []
    home.events.subscribe(ActivityDeleted, gone.append)
    first = home.keep("unmistakable title")
    again = home.keep("unmistakable title", picture=None, seen_again_of=first)
    other = home.keep("other", picture=picture(2))
    home.rules.word = "forbidden"
    home.queue.request(first)
    home.queue.done(take(home), reading("a forbidden unmistakable word"))

    assert [frame.id for frame in home.timeline.frames().frames] == [other]
    events = home.timeline.events(0, 2**60)
    assert [(event.kind, event.reason, event.app_id, event.title) for event in events] == [
        ("private", "private_text", None, None)
    ] * 2
    assert len(home.pictures_on_disk()) == 1
    assert home.count("pictures") == 1
    assert gone[0].frame_ids == (first, again)
    assert home.bytes_holding("unmistakable") == []


@pytest.mark.logs_warning("cannot be used", "could not be stored")
def test_a_database_that_fails_leaves_the_job_and_raises_nothing(home: ActivityHome) -> None:
    frame_id = home.keep()
    job = take(home)
    home.db.close()
    home.queue.failed(job, "x")
    home.queue.put_back(job)
    home.queue.done(job, reading("x"))
    assert home.queue.take() is None
    assert home.queue.tiles_between(1, 2) is None
    assert frame_id == 1
