"""The parser of the search language: never raises, always gives an expression that FTS5 accepts."""

import sqlite3

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biny_desktop.activity.search_query import TERMS_MAX, Query, parse
from biny_desktop.core.clock import Stamp

NOW = Stamp(1_773_500_000_000, "Europe/Berlin", 1, "boot")  # 2026-03-14 15:53 in Berlin
WORDS = st.sampled_from(
    ["app:", "title:", "before:", "after:", "on:", "has:", "trigger:", '"', "-", "*", "(", "中", "x", " "]
)
TEXTS = st.one_of(st.text(max_size=60), st.lists(st.one_of(WORDS, st.text(max_size=5)), max_size=30).map("".join))


def match(query: Query) -> None:
    """Have a real FTS5 table take the expression."""
    db = sqlite3.connect(":memory:")
    db.execute("CREATE VIRTUAL TABLE f USING fts5(body, title, meta)")
    db.execute("SELECT rowid FROM f WHERE f MATCH ?", (query.match,)).fetchall()
    db.close()


@given(TEXTS)
def test_any_text_gives_an_expression_that_is_accepted(text: str) -> None:
    query = parse(text, NOW)
    if query.match is not None:
        match(query)


def test_a_long_query_is_cut_and_its_terms_are_bounded() -> None:
    query = parse("a " * 5_000, NOW)
    assert query.match is not None
    assert query.match.count(" AND ") < TERMS_MAX
    match(query)


def range_of(text: str) -> tuple[int | None, int | None]:
    query = parse(text, NOW)
    return query.after_ms, query.before_ms


HOUR = 3_600_000
FOUR = 1_773_457_200_000
"""2026-03-14 04:00 in Berlin."""


@pytest.mark.parametrize(
    ("text", "after", "before"),
    [
        ("x on:today", FOUR, FOUR + 24 * HOUR),
        ("x on:2026-03-14", FOUR, FOUR + 24 * HOUR),
        ("x after:yesterday", FOUR - 24 * HOUR, None),
        ("x before:today", None, FOUR),
        ("x after:7d before:1d", FOUR - 7 * 24 * HOUR, FOUR - 24 * HOUR),
        ("x after:2026-03-14T09:00", FOUR + 5 * HOUR, None),
        ("x after:2026-03-14t09:00Z", FOUR + 6 * HOUR, None),
        ('x after:"2026-03-14"', FOUR, None),
        ("x after:today after:yesterday", FOUR, None),
        ("x on:2026-03-28", 1_774_666_800_000, 1_774_666_800_000 + 23 * HOUR),
    ],
)
def test_times_are_those_of_the_users_zone_and_day(text: str, after: int | None, before: int | None) -> None:
    assert range_of(text) == (after, before)


@pytest.mark.parametrize(
    "value", ["someday", "2026-13-01", "0000-00-00", "99999d", "2026-03-14T99:00", "0001-01-01", "9999-12-31"]
)
def test_what_is_no_time_is_searched_as_text(value: str) -> None:
    query = parse(f"after:{value}", NOW)
    assert query.match is not None
    match(query)


def test_unknown_filters_are_plain_text_and_empty_ones_nothing() -> None:
    assert parse("https://example.org", NOW).match == '{body title} : "https://example.org"'
    assert parse("size:big", NOW).match == '{body title} : "size:big"'
    assert parse('app:""', NOW).match is None
    assert parse("has:wings", NOW).match == '{body title} : "has:wings"'


def test_cjk_terms_are_bigrams_and_one_character_is_a_prefix() -> None:
    assert parse("算", NOW).match == '{body title} : "算" *'
    assert parse("中午", NOW).match == '{body title} : "中午"'
    assert parse("讨论预算", NOW).match == '{body title} : "讨论 论预 预算"'
    assert parse("-算", NOW).match == 'meta : ("qxall") NOT {body title} : "算" *'


def test_the_question_is_the_wanted_words_and_the_filters_are_all_else() -> None:
    query = parse('Where was "the Plan" app:code title:notes -draft bud* after:2026-03-01 ++', NOW)
    assert query.question == "Where was the Plan bud"
    assert query.filters is not None
    assert "code" in query.filters
    assert "notes" in query.filters
    assert 'NOT {body title} : "draft"' in query.filters
    assert "plan" not in query.filters
    match(Query(query.filters))


def test_words_alone_have_no_filters_and_filters_alone_no_question() -> None:
    assert parse("budget 会议 after:today", NOW).filters is None
    assert parse("app:code -x", NOW).question == ""


@given(TEXTS)
def test_the_filters_of_any_text_are_accepted(text: str) -> None:
    filters = parse(text, NOW).filters
    if filters is not None:
        match(Query(filters))
