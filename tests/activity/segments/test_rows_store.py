"""Rows as the rules get them: those of a time, what held when it began, and what is counted of each."""

from biny_desktop.activity.segments.rows_store import CONTEXT_MS, read_rows
from tests.activity.segments.saying import MORNING_MS
from tests.fakes.activity import ActivityHome

HOUR_MS = 3_600_000


def test_rows_of_a_time_come_with_what_held_before_it(home: ActivityHome) -> None:
    home.clock.set_wall(MORNING_MS - 9 * HOUR_MS)
    home.writer.state(home.clock.stamp(), "starting", "", {})
    home.keep("long ago")
    home.note("lock", "")
    home.clock.set_wall(MORNING_MS - CONTEXT_MS + 1_000)
    home.note("unlock", "")
    before = home.keep("shortly before")
    home.clock.set_wall(MORNING_MS)
    inside = home.seen("inside", "words")
    note = home.note("input", "", until_ms=MORNING_MS + 9_000, detail={"keys": 12, "clicks": 3, "scrolls": 1})
    home.note("clock_step", "", detail={"step_ms": -3_600_000})
    home.clock.set_wall(MORNING_MS + HOUR_MS)
    home.keep("after")
    with home.db.read() as r:
        found = read_rows(r, MORNING_MS, MORNING_MS + HOUR_MS)
    rows = {(row.kind, row.title or row.what) for row in found.rows}
    assert rows == {
        ("state", "starting"), ("event", "lock"), ("event", "unlock"), ("frame", "shortly before"), ("frame", "inside"),
        ("event", "input"), ("event", "clock_step"), ("frame", "after"),
    }  # fmt: skip
    assert list(found.frames) == [inside]
    assert before not in found.frames
    assert note in found.events
    facts = found.frames[inside]
    assert (facts.segment_id, facts.at_ms, facts.read, facts.picture_bytes > 0) == (None, MORNING_MS, True, True)
    typed = next(row for row in found.rows if row.what == "input")
    assert (typed.keys, typed.clicks, typed.until_ms) == (12, 3, MORNING_MS + 9_000)


def test_a_picture_that_is_gone_counts_no_bytes(home: ActivityHome) -> None:
    frame_id = home.keep()
    with home.db.write() as w:
        w.run("UPDATE pictures SET state = 'gone'")
    with home.db.read() as r:
        assert read_rows(r, 0, 2**60).frames[frame_id].picture_bytes == 0
