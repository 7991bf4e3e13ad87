"""The keeper: segments in step with rows, ids that stay, fixed ones that do not move, kills that do no harm."""

import itertools
import random
from dataclasses import replace
from pathlib import Path

import pytest

from biny_desktop.activity.deletes import Selection
from biny_desktop.activity.model import Gap
from biny_desktop.activity.segments import keeper as keeper_module
from biny_desktop.activity.segments import store
from biny_desktop.activity.segments.keeper import SegmentKeeper
from biny_desktop.core.events import SegmentsChanged
from biny_desktop.storage.database import Writer
from tests.activity.segments.saying import MORNING_MS, all_segments, analysed, check_day
from tests.fakes.activity import ActivityHome
from tests.fakes.clock import FakeClock

MINUTE_MS = 60_000
DAY = "2026-01-05"


@pytest.fixture
def home(home: ActivityHome) -> ActivityHome:
    """A home at eight in the morning."""
    home.clock.set_wall(MORNING_MS)
    return home


def revision_of(home: ActivityHome, day: str = DAY) -> int:
    with home.db.read() as r:
        row = r.one("SELECT n FROM day_revisions WHERE day = :day", {"day": day})
    return row.int("n") if row else 0


def test_work_becomes_segments_with_counts_and_a_title_by_rule(home: ActivityHome) -> None:
    told: list[SegmentsChanged] = []
    home.events.subscribe(SegmentsChanged, told.append)
    first = home.work(10, "report.md – harbour", "editor", "words")
    home.clock.advance(20 * MINUTE_MS)
    home.work(6, "Inbox", "mail")
    home.clock.advance(20 * MINUTE_MS)
    assert home.keeper.catch_up() == 2
    editor, mail = all_segments(home)
    assert (editor.title, editor.title_by) == ("Editor – report.md – harbour", "rule")
    assert (editor.frame_count, editor.read_count, editor.keys, editor.clicks) == (30, 1, 900, 30)
    assert (mail.frame_count, mail.read_count, mail.status) == (18, 0, "pending")
    assert editor.picture_bytes == mail.picture_bytes > 0
    assert all(home.segments.of_frame(n) == editor for n in first)
    assert told == [SegmentsChanged((DAY,))]
    check_day(home, DAY)
    assert home.segment_index_is_whole()


def test_nothing_new_is_no_work(home: ActivityHome, monkeypatch: pytest.MonkeyPatch) -> None:
    home.work(10)
    home.clock.advance(20 * MINUTE_MS)
    home.keeper.catch_up()
    before = revision_of(home)
    monkeypatch.setattr(keeper_module, "read_rows", None)
    assert home.keeper.catch_up() == 0
    assert revision_of(home) == before


def test_an_open_segment_grows_under_its_id_and_closes_when_nothing_more_comes(home: ActivityHome) -> None:
    home.work(3)
    home.keeper.catch_up()
    (young,) = all_segments(home)
    home.work(30)
    home.keeper.catch_up()
    (older,) = all_segments(home)
    assert (young.open, older.open) == (True, True)
    assert (older.id, older.revision) == (young.id, young.revision), "nothing a person could edit changed"
    assert older.end_ms > young.end_ms
    home.clock.advance(6 * MINUTE_MS)
    assert home.keeper.catch_up() == 1
    (closed,) = all_segments(home)
    assert (closed.id, closed.open, closed.close_reason) == (young.id, False, "no_input")


def test_days_follow_each_other_and_say_what_they_continue(home: ActivityHome) -> None:
    home.clock.set_wall(MORNING_MS + 19 * 60 * MINUTE_MS)
    home.work(120)
    home.clock.advance(20 * MINUTE_MS)
    home.keeper.catch_up()
    evening, morning = all_segments(home)
    assert (evening.day, evening.close_reason, evening.end_ms) == (DAY, "day_end", morning.start_ms)
    assert (morning.day, morning.continues_id) == ("2026-01-06", evening.id)
    assert home.segments.days_with_segments() == ("2026-01-06", DAY)
    check_day(home, DAY)
    check_day(home, "2026-01-06")


def test_late_text_makes_an_analysis_stale_and_moves_no_border(home: ActivityHome) -> None:
    frames = home.work(10)
    home.clock.advance(20 * MINUTE_MS)
    home.keeper.catch_up()
    (segment,) = all_segments(home)
    said = analysed(home, segment.id)
    home.clock.advance(MINUTE_MS)
    home.read(frames[4], "late words")
    assert home.keeper.catch_up() == 1
    (late,) = all_segments(home)
    assert (late.stale, late.read_count, late.title) == (True, 1, said.title)
    assert (late.start_ms, late.end_ms, late.revision) == (said.start_ms, said.end_ms, said.revision)
    assert home.keeper.catch_up() == 0


def test_a_late_row_joins_the_fixed_segment_of_its_time(home: ActivityHome) -> None:
    home.work(10)
    home.clock.advance(20 * MINUTE_MS)
    home.keeper.catch_up()
    (segment,) = all_segments(home)
    analysed(home, segment.id)
    now, at = home.clock.stamp(), segment.start_ms + 5_000
    late = home.frame(stamp=replace(now, at_ms=at, mono_ms=now.mono_ms - now.at_ms + at))
    frame_id = home.writer.keep(late).frame_id
    home.keeper.catch_up()
    (after,) = all_segments(home)
    assert (after.frame_count, after.end_ms, after.stale) == (31, segment.end_ms, True)
    assert home.segments.of_frame(frame_id) == after


def test_what_a_person_changed_survives_a_rebuild_and_new_rows(home: ActivityHome) -> None:
    home.work(20)
    home.clock.advance(20 * MINUTE_MS)
    home.work(20, "Inbox", "mail")
    home.clock.advance(20 * MINUTE_MS)
    home.keeper.catch_up()
    first, second = all_segments(home)
    middle = first.start_ms + 7 * MINUTE_MS
    named = home.segment_edits.rename(first.id, "My own words", first.revision)
    home.segment_edits.split(first.id, middle, named.revision)
    home.segment_edits.annotate(second.id, "remember this", second.revision)
    mine = all_segments(home)
    home.work(20, "Inbox", "mail")
    home.clock.advance(20 * MINUTE_MS)
    home.keeper.catch_up()
    home.keeper.rebuild(DAY)
    assert all_segments(home)[:3] == mine
    assert mine[0].title == "My own words"
    check_day(home, DAY)


def test_an_old_home_is_cut_day_by_day_newest_first(home: ActivityHome) -> None:
    for _ in range(3):
        home.work(10)
        home.clock.advance(24 * 60 * MINUTE_MS - 10 * MINUTE_MS)
    with home.db.write() as w:
        w.run("DELETE FROM day_revisions")  # rows of before there were any
    asked = iter([True, True, False])
    home.keeper.catch_up(lambda: next(asked))
    assert home.segments.days_with_segments() == ("2026-01-07",)
    home.keeper.catch_up()
    assert home.segments.days_with_segments() == ("2026-01-07", "2026-01-06", DAY)
    assert home.keeper.catch_up() == 0


def test_private_time_has_no_app_and_no_title_anywhere(home: ActivityHome) -> None:
    home.work(6)
    for _ in range(150):
        home.note("private", "private_app", app_id="secret-vault", title="Master password")
        home.clock.advance(4_000)
    home.work(6)
    home.clock.advance(20 * MINUTE_MS)
    home.keeper.catch_up()
    kinds = [each.kind for each in all_segments(home)]
    assert kinds == ["active", "private", "active"]
    private = all_segments(home)[1]
    assert (private.apps, private.titles, private.title, private.status) == ((), (), "private", "skipped_private")
    assert home.bytes_holding("secret-vault") == home.bytes_holding("Master password") == []
    check_day(home, DAY)


def test_a_crash_is_closed_at_its_last_row_by_the_next_start(home: ActivityHome) -> None:
    home.writer.state(home.clock.stamp(), "starting", "", {})
    home.work(10)
    home.keeper.catch_up()
    last = home.clock.now_ms()
    home.clock.advance(3 * MINUTE_MS)
    home.clock.reboot("boot-2")
    home.writer.state(home.clock.stamp(), "starting", "", {})
    home.work(10)
    home.keeper.catch_up()
    first, second = all_segments(home)
    assert first.end_ms <= last
    assert (first.open, second.open) == (False, True)
    check_day(home, DAY)


def test_travel_doubles_and_loses_no_hour(home: ActivityHome) -> None:
    home.clock.set_zone("Europe/Berlin")
    home.work(60)
    home.clock.set_zone("Asia/Tokyo")
    home.work(60)
    home.clock.advance(20 * MINUTE_MS)
    home.keeper.catch_up()
    berlin, tokyo = (each for each in all_segments(home))
    assert (berlin.zone, tokyo.zone, berlin.close_reason) == ("Europe/Berlin", "Asia/Tokyo", "zone")
    view = home.segments.day(DAY)
    assert (view.end_ms - view.start_ms) // 3_600_000 == 16
    labels = [bar.label for bar in view.hours]
    assert labels[:5] == ["04", "05", "06", "07", "08"]
    assert "19" in labels
    assert len(labels) == len(set(labels))
    check_day(home, DAY)
    assert home.segments.day("2026-01-06").start_ms == view.end_ms


def test_two_keepers_on_one_home_agree(home: ActivityHome, monkeypatch: pytest.MonkeyPatch) -> None:
    other = SegmentKeeper(home.db, lambda: home.settings, home.clock, home.events)
    home.work(10)
    home.clock.advance(20 * MINUTE_MS)
    real, ran = keeper_module.cut, []

    def interrupted(*args: object, **named: object) -> object:
        if not ran:
            ran.append(True)
            other.catch_up()
        return real(*args, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(keeper_module, "cut", interrupted)
    home.keeper.catch_up()
    assert len(all_segments(home)) == 1
    check_day(home, DAY)
    assert home.segment_index_is_whole()


class KilledError(BaseException):
    """Stands for the end of the process."""


def test_a_kill_at_any_step_converges(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    results = set()
    for n in itertools.count(0, 3):
        home = ActivityHome(tmp_path / f"data{n}", FakeClock(MORNING_MS))
        home.work(6, "a", "editor", "words")
        home.clock.advance(10 * MINUTE_MS)
        home.work(2, "b", "mail")
        home.keeper.catch_up()
        home.work(8, "c", "browser")
        left, real, finished = [n], Writer.run, False

        def run(self: Writer, sql: str, params=None, *, left=left, real=real):  # type: ignore[no-untyped-def]
            left[0] -= 1
            if left[0] < 0:
                raise KilledError
            return real(self, sql, params)

        with monkeypatch.context() as patch:
            patch.setattr(Writer, "run", run)
            try:
                home.keeper.catch_up()
                finished = True
            except KilledError:
                pass
        home.close()
        again = ActivityHome(tmp_path / f"data{n}", FakeClock(home.clock.now_ms()))
        again.keeper.catch_up()
        check_day(again, DAY)
        assert again.segment_index_is_whole()
        assert again.keeper.catch_up() == 0
        results.add(tuple((each.start_ms, each.end_ms, each.frame_count) for each in all_segments(again)))
        assert len(results) == 1
        again.close()
        if finished:
            assert n > 5
            return


@pytest.mark.parametrize("seed", range(6))
def test_any_day_adds_up_in_pieces_or_at_once(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    home = ActivityHome(tmp_path / "data", FakeClock(MORNING_MS))
    for _ in range(25):
        what = chance.choice(("work", "work", "pause", "lock", "private", "catch up", "sleep"))
        if what == "work":
            home.work(chance.choice((0.4, 2, 7, 15)), chance.choice("abc"), chance.choice(("editor", "mail", "web")))
        elif what == "pause":
            home.clock.advance(chance.choice((20, 90, 400, 4_000)) * 1_000)
        elif what == "lock":
            home.note("lock", "")
            home.clock.advance(chance.choice((60, 900)) * 1_000)
            home.note("unlock", "")
        elif what == "private":
            home.note("private", "private_app", until_ms=home.clock.now_ms() + 9_000)
            home.clock.advance(chance.choice((10, 300)) * 1_000)
        elif what == "sleep":
            home.note("sleep", "")
            home.clock.suspend(1_800_000)
            home.note("wake", "")
        else:
            home.keeper.catch_up()
            check_day(home, home.segments.today())
    home.clock.advance(30 * MINUTE_MS)
    home.keeper.catch_up()
    in_pieces = [(each.start_ms, each.end_ms, each.kind, each.frame_count) for each in all_segments(home)]
    for day in home.segments.days_with_segments():
        check_day(home, day)
    assert home.segment_index_is_whole()
    with home.db.write() as w:
        keeper_module.removal.take_out(w, [each.id for each in all_segments(home)])
    for day in home.segments.days_with_segments() or (DAY, "2026-01-06"):
        home.keeper.rebuild(day)
    at_once = [(each.start_ms, each.end_ms, each.kind, each.frame_count) for each in all_segments(home)]
    assert at_once == in_pieces
    home.close()


def test_gaps_are_those_the_rules_gave(home: ActivityHome) -> None:
    home.work(10)
    home.note("lock", "")
    home.clock.advance(40 * MINUTE_MS)
    home.note("unlock", "")
    home.work(10)
    home.keeper.catch_up()
    view = home.segments.day(DAY)
    assert [item.cause for item in view.items if isinstance(item, Gap)] == ["locked"]
    with home.db.read() as r:
        assert store.get(r, 99) is None


def test_what_is_deleted_while_it_is_cut_does_not_come_back(
    home: ActivityHome, monkeypatch: pytest.MonkeyPatch
) -> None:
    home.work(10, "unmistakable", "editor")
    home.clock.advance(20 * MINUTE_MS)
    real, ran = keeper_module.cut, []

    def interrupted(*args: object, **named: object) -> object:
        if not ran:
            ran.append(True)
            home.deletes.run(Selection.of_everything())
        return real(*args, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(keeper_module, "cut", interrupted)
    home.keeper.catch_up()
    assert all_segments(home) == []
    home.deletes.finish_pending()
    assert home.bytes_holding("unmistakable") == []
