"""Segments found by words: the language of the search of frames, and an index that never lags."""

import pytest

from biny_desktop.activity.segments.index import SEGMENT_INDEX, prepare_segment_index
from tests.activity.segments.saying import MORNING_MS, all_segments, analysed
from tests.fakes.activity import ActivityHome

MINUTE_MS = 60_000


@pytest.fixture
def home(home: ActivityHome) -> ActivityHome:
    """Three segments; the first has an account and a project, the second a note."""
    home.clock.set_wall(MORNING_MS)
    for title, app in (("report.md", "editor"), ("Inbox", "mail"), ("今天中午一起吃饭", "wechat")):
        home.work(8, title, app)
        home.clock.advance(15 * MINUTE_MS)
    home.keeper.catch_up()
    first, second, _ = all_segments(home)
    analysed(home, first.id, "Ferry timetable", description="Berths were counted.", frames=(1,))
    home.segment_edits.set_project(first.id, "North Quay", home.segments.segment(first.id).revision)
    home.segment_edits.annotate(second.id, "answer Mara", second.revision)
    return home


def found(home: ActivityHome, text: str) -> list[int]:
    return [hit.segment.id for hit in home.segment_search.search(text).hits]


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("ferry", [1]), ("berths", [1]), ("quay", [1]), ("moved", [1]), ("mara", [2]), ("中午", [3]), ("午", [3]),
        ("kind:active", [3, 2, 1]), ("kind:watching", []), ("project:quay", [1]), ('project:"north quay"', [1]),
        ("app:mail", [2]), ("app:editor ferry", [1]), ("title:ferry", [1]), ("title:berths", []),
        ("has:highlight", [1]),
        ("-ferry", [3, 2]), ("fer*", [1]), ('"ferry timetable"', [1]), ("on:2026-01-05", [3, 2, 1]),
        ("before:2026-01-05", []), ("-project:quay", [3, 2]), ("trigger:click", []),
    ],
)  # fmt: skip
def test_words_and_filters_find_segments(home: ActivityHome, text: str, ids: list[int]) -> None:
    assert found(home, text) == ids


@pytest.mark.parametrize(
    "text", ["zoom.us", "don't", "C++", "AND", "NEAR(", 'foo"bar', "\0", "x" * 10_000, "kind:", "a:b"]
)
def test_no_input_raises(home: ActivityHome, text: str) -> None:
    home.segment_search.search(text)
    home.segment_search.search(f"kind:{text} project:{text}")


def test_nothing_asked_says_so(home: ActivityHome) -> None:
    assert home.segment_search.search(" ").notice == "type something"


def test_a_hit_shows_where_the_words_stand(home: ActivityHome) -> None:
    (hit,) = home.segment_search.search("berths").hits
    ((low, high),) = hit.marks
    assert hit.snippet[low:high] == "Berths"


def test_pages_follow_each_other_without_double_or_miss(home: ActivityHome) -> None:
    seen, cursor = [], None
    while True:
        page = home.segment_search.search("kind:active", limit=1, cursor=cursor)
        assert page.total == 3
        seen += [hit.segment.id for hit in page.hits]
        cursor = page.cursor
        if cursor is None:
            break
    assert seen == [3, 2, 1]


def test_the_index_is_made_anew_when_it_is_lost(home: ActivityHome) -> None:
    with home.db.write() as w:
        w.run("UPDATE meta SET value = '0' WHERE key = 'segment_fts.index_version'")
    assert prepare_segment_index(home.db) == 3
    assert prepare_segment_index(home.db) == 0
    assert found(home, "ferry") == [1]
    with home.db.read() as r:
        assert SEGMENT_INDEX.count(r) == 3
    assert home.segment_index_is_whole()


def test_words_of_an_old_title_are_nowhere(home: ActivityHome) -> None:
    segment = home.segments.segment(2)
    named = home.segment_edits.rename(2, "unmistakable", segment.revision)
    home.segment_edits.rename(2, "plain", named.revision)
    assert found(home, "unmistakable") == []
    assert home.segment_index_is_whole()
