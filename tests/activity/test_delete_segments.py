"""Segments under deletes: what goes, what is shortened, no word of it left, and a kill at any step."""

import itertools
import json
from pathlib import Path

import pytest

from biny_desktop.activity.deletes import Selection
from biny_desktop.activity.index import reindexed
from biny_desktop.activity.model import Gap
from biny_desktop.activity.recover import recover
from biny_desktop.activity.segments.model import Segment
from biny_desktop.core.events import SegmentsChanged
from biny_desktop.storage.database import Writer
from tests.activity.segments.saying import MORNING_MS, all_segments, analysed, check_day
from tests.fakes.activity import ActivityHome
from tests.fakes.clock import FakeClock

MINUTE_MS = 60_000
DAY = "2026-01-05"
WORD = "unmistakable"


def filled(home: ActivityHome) -> list[list[int]]:
    """Three segments of ten minutes with an app, a title and a text of their own, all analysed; their frames."""
    home.clock.set_wall(MORNING_MS)
    frames = []
    for n, app in enumerate(("editor", "mail", "browser")):
        frames.append(home.work(10, f"{WORD}{n}title", app, f"{WORD}{n}text and common words"))
        home.clock.advance(20 * MINUTE_MS)
    home.keeper.catch_up()
    for n, segment in enumerate(all_segments(home)):
        analysed(
            home, segment.id, f"{WORD}{n}title", summary=f"Wrote {WORD}{n}text.", description="Common words.",
            topics=(f"{WORD}{n}text", "common"), frames=frames[n][:2],
        )  # fmt: skip
        with home.db.write() as w:
            w.run(
                "INSERT INTO fact_offers(segment_id, n, content, kind, sources, outcome, at) "
                "VALUES(:id, 1, :content, 'project', :sources, 'waiting', 1)",
                {"id": segment.id, "content": f"{WORD}{n}text", "sources": json.dumps([f"f{frames[n][0]}"])},
            )
            w.run(
                "INSERT INTO crystal_terms(segment_id, term, kind, day) VALUES(:id, :term, 'topic', :day)",
                {"id": segment.id, "term": f"{WORD}{n}text", "day": DAY},
            )
    return frames


def whole(home: ActivityHome) -> bool:
    """Rows, index and the tables that hang on segments agree."""
    ids = {segment.id for segment in all_segments(home)}
    with home.db.read() as r:
        hanging = [
            row.int("id")
            for sql in (
                "SELECT segment_id AS id FROM segment_edits", "SELECT segment_id AS id FROM fact_offers",
                "SELECT segment_id AS id FROM crystal_terms", "SELECT row_id AS id FROM segment_vectors",
                "SELECT segment_id AS id FROM frames WHERE segment_id IS NOT NULL",
                "SELECT segment_id AS id FROM frame_events WHERE segment_id IS NOT NULL",
            )
            for row in r.query(sql)
        ]  # fmt: skip
    return set(hanging) <= ids and home.segment_index_is_whole()


def nowhere(home: ActivityHome, n: int) -> bool:
    """No file of the home holds a word of the n-th segment."""
    home.deletes.finish_pending()
    return home.bytes_holding(f"{WORD}{n}") == []


def test_a_deleted_range_takes_the_segments_inside_with_every_word(home: ActivityHome) -> None:
    filled(home)
    told: list[SegmentsChanged] = []
    home.events.subscribe(SegmentsChanged, told.append)
    second = all_segments(home)[1]
    chosen = Selection.of_range(second.start_ms - MINUTE_MS, second.end_ms + MINUTE_MS)
    assert home.deletes.preview(chosen).segments == 1
    receipt = home.deletes.run(chosen)
    assert (receipt.segments, receipt.verified) == (1, True)
    assert [segment.id for segment in all_segments(home)] == [1, 3]
    assert nowhere(home, 1)
    assert not nowhere(home, 0)
    assert told == [SegmentsChanged((DAY,))]
    assert whole(home)
    home.keeper.catch_up()
    gaps = [item.cause for item in home.segments.day(DAY).items if isinstance(item, Gap)]
    assert gaps == ["no_input", "deleted", "no_input", "no_input"]
    check_day(home, DAY)


def test_a_range_that_cuts_segments_shortens_them(home: ActivityHome) -> None:
    filled(home)
    first, second, _ = all_segments(home)
    home.deletes.run(Selection.of_range(first.start_ms + 5 * MINUTE_MS, second.start_ms + 2 * MINUTE_MS))
    left = all_segments(home)
    assert (left[0].id, left[0].start_ms) == (first.id, first.start_ms)
    assert left[0].end_ms <= first.start_ms + 5 * MINUTE_MS
    assert left[1].start_ms >= second.start_ms + 2 * MINUTE_MS
    assert [segment.status for segment in left] == ["pending", "pending", "analysed"]
    assert left[0].analysis.summary == left[1].analysis.summary == ""
    assert whole(home)
    home.keeper.catch_up()
    check_day(home, DAY)
    causes = [item.cause for item in home.segments.day(DAY).items if isinstance(item, Gap)]
    assert causes[0] == "deleted"


def test_a_range_inside_a_segment_leaves_two(home: ActivityHome) -> None:
    filled(home)
    first = all_segments(home)[0]
    mine = home.segment_edits.rename(first.id, "my work", first.revision)
    low, high = first.start_ms + 4 * MINUTE_MS, first.start_ms + 6 * MINUTE_MS
    home.deletes.run(Selection.of_range(low, high))
    before, after = all_segments(home)[:2]
    assert (before.id, before.title, before.end_ms, after.start_ms) == (mine.id, "my work", low, high)
    assert after.user_locked
    assert before.frame_count + after.frame_count == first.frame_count - 6
    assert whole(home)
    home.keeper.catch_up()
    check_day(home, DAY)


def test_a_deleted_frame_takes_what_quoted_it_and_marks_the_rest_stale(home: ActivityHome) -> None:
    frames = filled(home)
    with home.db.write() as w, reindexed(w, frames[0]):  # only the frame itself holds its words
        w.run("UPDATE frames SET title = 'plain' WHERE id <> :id", {"id": frames[0][0]})
        w.run("UPDATE frame_events SET title = 'plain'")
    home.deletes.run(Selection.of_frames(frames[0][0]))
    segment = all_segments(home)[0]
    assert (segment.stale, segment.frame_count) == (True, 29)
    said = segment.analysis
    assert (said.summary, said.topics, said.description) == ("", (), "")
    assert [highlight.frame_ids for highlight in said.highlights] == [(frames[0][1],)]
    assert (segment.title, segment.titles) == ("Editor", ())
    assert home.count("fact_offers", "segment_id = 1") == home.count("crystal_terms", "segment_id = 1") == 0
    assert nowhere(home, 0)
    assert whole(home)


def test_a_deleted_frame_leaves_what_others_say_too(home: ActivityHome) -> None:
    frames = filled(home)
    home.deletes.run(Selection.of_frames(frames[0][5]))
    segment = all_segments(home)[0]
    assert segment.stale
    assert segment.title == f"{WORD}0title"
    assert segment.analysis.summary == f"Wrote {WORD}0text."


def test_an_app_leaves_every_segment(home: ActivityHome) -> None:
    home.clock.set_wall(MORNING_MS)
    for _ in range(4):
        home.work(2, "notes", "editor", "common words")
        home.work(1.7, f"{WORD}1title", "mail", f"{WORD}1text")
    home.clock.advance(20 * MINUTE_MS)
    home.work(5, f"{WORD}1title", "mail")
    home.clock.advance(20 * MINUTE_MS)
    home.keeper.catch_up()
    both, only = all_segments(home)
    analysed(home, both.id, "Ferry", summary=f"Read {WORD}1text.", description="Common words.")
    receipt = home.deletes.run(Selection.of_app("mail"))
    (left,) = (each for each in all_segments(home) if each.id != only.id or each.apps)
    assert [app.app_id for app in left.apps] == ["editor"]
    assert {title.app_id for title in left.titles} == {"editor"}
    assert left.active_ms < both.active_ms
    assert left.length_ms == both.length_ms
    assert (left.analysis.summary, left.analysis.description, left.title) == ("", "Common words.", "Ferry")
    assert receipt.segments == 2
    assert nowhere(home, 1)
    assert whole(home)


def test_a_day_goes_with_all_its_segments_and_its_reports_are_stale(home: ActivityHome) -> None:
    filled(home)
    with home.db.write() as w:
        for kind, key in (("day", DAY), ("week", "2026-W02"), ("day", "2026-01-04")):
            w.run(
                "INSERT INTO reports(kind, key, state, statistics, markdown, data_revision, made_at) "
                "VALUES(:kind, :key, 'done', '{}', '', '', 1)",
                {"kind": kind, "key": key},
            )
    home.deletes.run(Selection.of_day(home.timeline.day_bounds(DAY)))
    assert all_segments(home) == []
    assert all(nowhere(home, n) for n in range(3))
    assert home.count("reports", "stale = 1 AND key IN ('2026-01-05', '2026-W02')") == 2
    assert home.count("reports", "stale = 0") == 1
    assert [item.cause for item in home.segments.day(DAY).items if isinstance(item, Gap)] == ["deleted"]
    home.keeper.catch_up()
    check_day(home, DAY)


def test_everything_leaves_nothing(home: ActivityHome) -> None:
    filled(home)
    assert home.deletes.run(Selection.of_everything()).segments == 3
    assert all_segments(home) == []
    for table in (
        "fact_offers",
        "crystal_terms",
        "frame_vectors",
        "frame_passages",
        "segment_vectors",
        "segment_edits",
    ):
        assert home.count(table) == 0
    assert all(nowhere(home, n) for n in range(3))


def test_vectors_of_deleted_frames_go_and_their_likes_are_looked_at_again(home: ActivityHome) -> None:
    first = home.seen("a", "some words")
    second = home.seen("b", "some words")
    with home.db.write() as w:
        w.run("UPDATE frame_passages SET state = 'same', same_as = :id WHERE frame_id = :o", {"id": first, "o": second})
    assert home.deletes.run(Selection.of_frames(first)).verified
    assert home.count("frame_passages", "frame_id = 1") == 0
    assert home.count("frame_passages", "frame_id = 2 AND state = 'pending' AND same_as IS NULL") == 1


class KilledError(BaseException):
    """Stands for the end of the process."""


@pytest.mark.parametrize("what", ["range", "app"])
def test_a_kill_at_any_step_converges(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str) -> None:
    for n in itertools.count(0, 9):
        home = ActivityHome(tmp_path / f"data{n}", FakeClock(MORNING_MS))
        home.work(3, "kept", "editor")
        home.clock.advance(10 * MINUTE_MS)
        home.work(3, f"{WORD}1title", "mail", f"{WORD}1text")
        home.clock.advance(10 * MINUTE_MS)
        home.keeper.catch_up()
        second = all_segments(home)[1]
        analysed(home, second.id, f"{WORD}1title")
        chosen = Selection.of_app("mail")
        if what == "range":
            chosen = Selection.of_range(second.start_ms - MINUTE_MS, home.clock.now_ms())
        left, real, finished = [n], Writer.run, False

        def run(self: Writer, sql: str, params=None, *, left=left, real=real):  # type: ignore[no-untyped-def]
            left[0] -= 1
            if left[0] < 0:
                raise KilledError
            return real(self, sql, params)

        with monkeypatch.context() as patch:
            patch.setattr(Writer, "run", run)
            try:
                home.deletes.run(chosen)
                finished = True
            except KilledError:
                pass
        home.close()
        again = ActivityHome(tmp_path / f"data{n}", FakeClock(home.clock.now_ms()))
        again.keeper.catch_up()  # before the delete is resumed
        recover(again.db, again.files, again.deletes, again.clock)
        again.keeper.catch_up()
        kept: list[Segment] = all_segments(again)
        assert whole(again)
        if not any(segment.apps and segment.apps[0].app_id == "mail" for segment in kept):
            again.deletes.finish_pending()
            assert again.bytes_holding(WORD) == []
        else:
            assert n < 3, "nothing had been begun"
        check_day(again, DAY)
        again.close()
        if finished:
            assert n > 20
            return
