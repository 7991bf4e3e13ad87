"""The timeline: pages, one frame, gaps, days, apps, counts."""

import pytest

from biny_desktop.core.errors import InvalidInputError, NotFoundError
from tests.fakes.activity import ActivityHome

HOUR = 3_600_000
DAY = 24 * HOUR


def test_pages_go_from_the_newest_to_the_oldest_without_double_or_miss(home: ActivityHome) -> None:
    ids = [home.keep(app="mail" if n % 3 == 0 else "editor") for n in range(25)]
    seen: list[int] = []
    before: int | None = None
    while True:
        page = home.timeline.frames(before=before, limit=10)
        seen += [frame.id for frame in page.frames]
        before = page.next_before
        if before is None:
            break
        home.keep()
    assert seen == ids[::-1]
    assert [frame.id for frame in home.timeline.frames(app="mail").frames] == ids[::3][::-1]
    assert home.timeline.frames(app="nobody").frames == ()
    assert len(home.timeline.frames(limit=0).frames) == 1


def test_a_time_range_is_half_open_and_right_after_the_clock_was_set_back(home: ActivityHome) -> None:
    start = home.clock.now_ms()
    for hours in (0, 5, 1, 6, 2):
        home.clock.set_wall(start + hours * HOUR)
        home.keep()
    found = home.timeline.frames(start_ms=start + HOUR, end_ms=start + 5 * HOUR).frames
    assert [frame.id for frame in found] == [5, 3]
    assert [frame.id for frame in home.timeline.frames(end_ms=start + HOUR, app="editor").frames] == [1]
    assert home.timeline.frames(start_ms=start + 9 * HOUR).frames == ()


def test_what_is_gone_is_said_plainly(home: ActivityHome) -> None:
    for call in (home.timeline.frame, home.timeline.picture):
        with pytest.raises(NotFoundError):
            call(7)
    frame_id = home.keep()
    home.files.delete(home.timeline.frame(frame_id).picture_path or "")
    with pytest.raises(NotFoundError):
        home.timeline.picture(frame_id)
    assert home.timeline.thumbs([7]) == {}


def test_neighbours_skip_deleted_ids(home: ActivityHome) -> None:
    for _ in range(4):
        home.keep()
    from biny_desktop.activity.deletes import Selection

    home.deletes.run(Selection.of_frames(2))
    assert home.timeline.neighbours(3) == (1, 4)
    assert home.timeline.neighbours(1) == (None, 3)
    assert home.timeline.neighbours(4) == (3, None)


def test_gaps_lie_between_frames_with_the_cause_of_the_rows(home: ActivityHome) -> None:
    start = home.clock.now_ms()
    home.keep()
    home.clock.advance(MIN)
    home.note("lock", "")
    home.clock.advance(HOUR)
    home.note("unlock", "")
    home.keep()
    home.clock.advance(4 * MIN)
    home.keep()
    home.clock.advance(10 * MIN)
    gaps = home.timeline.gaps(start - DAY, start + DAY)
    assert [(gap.start_ms - start, gap.end_ms - start, gap.cause) for gap in gaps] == [
        (0, HOUR + MIN, "locked"),
        (HOUR + 5 * MIN, HOUR + 15 * MIN, "no_input"),
    ]


MIN = 60_000


def test_looks_that_saw_no_change_are_no_gap(home: ActivityHome) -> None:
    home.keep()
    for _ in range(5):
        home.clock.advance(4 * MIN)
        home.note("skip", "same_exact")
    assert home.timeline.gaps(0, 2**60) == []


def test_an_empty_home_has_no_gaps_days_or_apps(home: ActivityHome) -> None:
    assert home.timeline.gaps(0, 2**60) == []
    assert home.timeline.days() == []
    assert home.timeline.apps() == []
    assert home.timeline.frames().frames == ()
    totals = home.timeline.totals()
    assert (totals.rows.frames, totals.events, totals.rows.last_frame_ms, totals.picture_bytes) == (0, 0, None, 0)


def test_days_and_apps_are_counted(home: ActivityHome) -> None:
    home.clock.advance(5 * HOUR)
    for day in range(3):
        for _ in range(day + 1):
            home.keep(app="mail" if day else "editor")
        home.clock.advance(DAY)
    assert home.timeline.days() == [("2026-01-07", 3), ("2026-01-06", 2), ("2026-01-05", 1)]
    assert home.timeline.days(1) == [("2026-01-07", 3)]
    assert home.timeline.apps() == [("mail", "Mail", 5), ("editor", "Editor", 1)]
    bounds = home.timeline.day_bounds("2026-01-05")
    assert home.timeline.apps(bounds.start_ms, bounds.end_ms) == [("editor", "Editor", 1)]


def test_a_day_is_that_of_the_zone_its_frames_were_made_in(home: ActivityHome) -> None:
    home.clock.set_zone("Asia/Tokyo")
    home.clock.advance(20 * HOUR)
    home.keep()
    home.clock.set_zone("America/Los_Angeles")
    assert home.timeline.days() == [("2026-01-06", 1)]
    bounds = home.timeline.day_bounds("2026-01-06")
    assert len(home.timeline.frames(start_ms=bounds.start_ms, end_ms=bounds.end_ms).frames) == 1


@pytest.mark.parametrize("day", ["", "yesterday", "2026-02-30", "9999-12-31", "2026-1-1"])
def test_no_day_is_refused(home: ActivityHome, day: str) -> None:
    home.keep()
    with pytest.raises(InvalidInputError):
        home.timeline.day_bounds(day)


def test_totals_count_everything(home: ActivityHome) -> None:
    home.seen("t", "text")
    home.keep()
    home.note()
    totals = home.timeline.totals()
    assert (totals.rows.frames, totals.texts, totals.indexed, totals.rows.queued, totals.events) == (2, 1, 2, 1, 1)
    assert (totals.pictures_live, totals.rows.frames_today) == (2, 2)
    assert totals.picture_bytes == sum(path.stat().st_size for path in (home.folder / "pictures").rglob("*.jpg"))
    assert totals.rows.last_frame_ms == totals.rows.last_event_ms == home.clock.now_ms()


def test_why_counts_reasons(home: ActivityHome) -> None:
    for reason in ("same_exact", "same_exact", "back_off"):
        home.note("skip", reason)
    home.note("focus", "")
    assert [(each.reason, each.count) for each in home.timeline.why(0, 2**60)] == [("same_exact", 2), ("back_off", 1)]
