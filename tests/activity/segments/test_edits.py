"""Edits by a person: one transaction with its revision, redacted, noted, and parts that add up."""

import pytest

from biny_desktop.activity.segments.model import Segment
from biny_desktop.core.errors import InvalidInputError, NotFoundError, StaleRevisionError
from biny_desktop.core.events import SegmentsChanged
from tests.activity.segments.saying import MORNING_MS, all_segments, analysed, check_day
from tests.fakes.activity import ActivityHome

MINUTE_MS = 60_000
SECRET = "sk-proj-" + "Ab3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xY"


@pytest.fixture
def home(home: ActivityHome) -> ActivityHome:
    """Two segments of a morning: editor with a visit to the terminal at its end, then mail."""
    home.clock.set_wall(MORNING_MS)
    home.work(20, "report.md", "editor", "words")
    home.work(2, "shell", "terminal", "words")
    home.clock.advance(10 * MINUTE_MS)
    home.work(10, "Inbox", "mail", "letters")
    home.clock.advance(20 * MINUTE_MS)
    home.keeper.catch_up()
    return home


def first(home: ActivityHome) -> Segment:
    return all_segments(home)[0]


def test_a_rename_is_kept_noted_and_found(home: ActivityHome) -> None:
    told: list[SegmentsChanged] = []
    home.events.subscribe(SegmentsChanged, told.append)
    old = first(home)
    new = home.segment_edits.rename(old.id, "  Quay\nplans ", old.revision)
    assert (new.title, new.title_by, new.edited, new.user_locked) == ("Quay plans", "user", ("title",), True)
    assert new.revision == old.revision + 1
    assert first(home) == new
    (edit,) = home.segment_edits.history(old.id)
    assert (edit.what, edit.before, edit.after, edit.who) == (
        "rename", {"title": old.title}, {"title": "Quay plans"}, "user",
    )  # fmt: skip
    assert home.count("audit", "what = 'rename' AND ref_kind = 'segment' AND after_revision = 2") == 1
    assert [hit.segment.id for hit in home.segment_search.search("quay").hits] == [old.id]
    assert told == [SegmentsChanged(("2026-01-05",))]


def test_an_empty_title_brings_the_rule_back(home: ActivityHome) -> None:
    old = first(home)
    mine = home.segment_edits.rename(old.id, "Mine", old.revision)
    back = home.segment_edits.rename(old.id, " ", mine.revision)
    assert (back.title, back.title_by, back.edited) == (old.title, "rule", ())


def test_what_a_person_types_is_redacted_before_it_is_kept(home: ActivityHome) -> None:
    segment = first(home)
    segment = home.segment_edits.rename(segment.id, f"token {SECRET}", segment.revision)
    segment = home.segment_edits.annotate(segment.id, f"one\n{SECRET}\nthree", segment.revision)
    segment = home.segment_edits.set_project(segment.id, f"p {SECRET}", segment.revision)
    assert segment.note is not None
    assert segment.note.splitlines()[::2] == ["one", "three"]
    assert segment.edited == ("title", "note", "project")
    assert home.bytes_holding(SECRET) == []


def test_long_words_are_cut(home: ActivityHome) -> None:
    segment = first(home)
    segment = home.segment_edits.rename(segment.id, "ab " * 100, segment.revision)
    segment = home.segment_edits.annotate(segment.id, "cd " * 2_000, segment.revision)
    assert len(segment.title) <= 120
    assert segment.note is not None
    assert len(segment.note) == 2_000


def test_hiding_leaves_lists_and_keeps_time(home: ActivityHome) -> None:
    old = first(home)
    before = home.segments.day(old.day).totals
    hidden = home.segment_edits.hide(old.id, True, old.revision)
    after = home.segments.day(old.day).totals
    assert (after.segments, after.hidden, after.active_ms) == (before.segments - 1, 1, before.active_ms)
    assert old.id not in [each.id for each in home.segments.list(0, 2**60)]
    home.segment_edits.hide(old.id, False, hidden.revision)
    assert old.id in [each.id for each in home.segments.list(0, 2**60)]


def test_the_same_value_changes_nothing(home: ActivityHome) -> None:
    old = first(home)
    assert home.segment_edits.set_project(old.id, "", old.revision) == old
    assert home.segment_edits.hide(old.id, False, old.revision) == old
    assert home.segment_edits.history(old.id) == ()


def test_an_edit_on_an_old_revision_or_a_lost_segment_changes_nothing(home: ActivityHome) -> None:
    old, other = all_segments(home)
    home.segment_edits.rename(old.id, "Mine", old.revision)
    before = all_segments(home)
    edits = home.segment_edits
    with pytest.raises(StaleRevisionError):
        edits.annotate(old.id, "x", old.revision)
    with pytest.raises(StaleRevisionError):
        edits.split(old.id, old.start_ms + MINUTE_MS, old.revision)
    with pytest.raises(StaleRevisionError):
        edits.merge(old.id, other.id, old.revision)
    with pytest.raises(NotFoundError):
        edits.rename(99, "x", 1)
    assert all_segments(home) == before


def test_a_split_gives_each_part_its_rows_apps_and_time(home: ActivityHome) -> None:
    old = analysed(home, first(home).id, frames=(1,))
    at = MORNING_MS + 20 * MINUTE_MS
    early = home.segment_edits.split(old.id, at, old.revision)
    late = all_segments(home)[1]
    assert (early.id, early.start_ms, early.end_ms, late.start_ms, late.end_ms) == (
        old.id, old.start_ms, at, at, old.end_ms,
    )  # fmt: skip
    assert early.length_ms + late.length_ms == old.length_ms
    assert early.active_ms + late.active_ms == old.active_ms
    assert (early.keys + late.keys, early.clicks + late.clicks) == (old.keys, old.clicks)
    assert early.frame_count + late.frame_count == old.frame_count
    assert [app.app_id for app in early.apps] == ["editor"]
    assert [app.app_id for app in late.apps] == ["terminal"]
    assert (late.title, late.title_by, late.continues_id) == ("Terminal – shell", "rule", old.id)
    assert {early.status, late.status} == {"pending"}
    assert early.analysis.summary == late.analysis.summary == ""
    assert (early.close_reason, late.user_locked) == ("split", True)
    check_day(home, old.day)
    assert home.segment_index_is_whole()
    home.keeper.rebuild(old.day)
    assert all_segments(home)[:2] == [early, late]


@pytest.mark.parametrize("at_ms", [MORNING_MS - 1, MORNING_MS, MORNING_MS + 500, MORNING_MS + 900 * MINUTE_MS])
def test_a_split_outside_is_refused(home: ActivityHome, at_ms: int) -> None:
    old = first(home)
    with pytest.raises(InvalidInputError):
        home.segment_edits.split(old.id, at_ms, old.revision)
    assert first(home) == old


def test_a_merge_closes_the_gap_as_idle_and_keeps_both_histories(home: ActivityHome) -> None:
    early, late = all_segments(home)
    late = home.segment_edits.annotate(late.id, "a note", late.revision)
    whole = home.segment_edits.merge(late.id, early.id, late.revision)
    assert all_segments(home) == [whole]
    assert (whole.id, whole.start_ms, whole.end_ms) == (early.id, early.start_ms, late.end_ms)
    assert whole.active_ms == early.active_ms + late.active_ms
    assert whole.idle_ms == early.idle_ms + late.idle_ms + late.start_ms - early.end_ms
    assert whole.frame_count == early.frame_count + late.frame_count
    assert {app.app_id for app in whole.apps} == {"editor", "terminal", "mail"}
    assert whole.note == "a note"
    assert [edit.what for edit in home.segment_edits.history(whole.id)] == ["annotate", "merge"]
    check_day(home, whole.day)
    assert home.segment_index_is_whole()
    home.keeper.rebuild(whole.day)
    assert all_segments(home) == [whole]


def test_a_split_and_a_merge_give_back_what_was(home: ActivityHome) -> None:
    old = first(home)
    early = home.segment_edits.split(old.id, MORNING_MS + 7 * MINUTE_MS, old.revision)
    late = all_segments(home)[1]
    again = home.segment_edits.merge(early.id, late.id, early.revision)
    for name in (
        "start_ms",
        "end_ms",
        "active_ms",
        "idle_ms",
        "keys",
        "clicks",
        "frame_count",
        "picture_bytes",
        "title",
    ):
        assert getattr(again, name) == getattr(old, name), name
    assert {app.app_id: app.ms for app in again.apps} == {app.app_id: app.ms for app in old.apps}


def test_only_neighbours_of_one_day_are_joined(home: ActivityHome) -> None:
    early, late = all_segments(home)
    home.clock.advance(10 * MINUTE_MS)
    home.work(10, "Inbox", "mail")
    home.clock.advance(20 * MINUTE_MS)
    home.keeper.catch_up()
    third = all_segments(home)[2]
    for one, other in ((early, third), (early, early), (late, third)):
        with pytest.raises(InvalidInputError):
            home.segment_edits.merge(one.id, other.id, one.revision)
    assert len(all_segments(home)) == 3


def test_an_open_segment_can_be_named_and_goes_on_growing(home: ActivityHome) -> None:
    home.work(5, "chapter", "editor")
    home.keeper.catch_up()
    young = all_segments(home)[-1]
    named = home.segment_edits.rename(young.id, "The book", young.revision)
    home.work(5, "chapter", "editor")
    home.keeper.catch_up()
    older = all_segments(home)[-1]
    assert (older.id, older.title, older.revision) == (young.id, "The book", named.revision)
    assert older.end_ms > named.end_ms
