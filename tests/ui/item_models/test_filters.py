"""Filters of a query as chips."""

import pytest

from biny_desktop.ui.item_models.filters import SEGMENT_KEYS, Filter, join, split


@pytest.mark.parametrize(
    ("query", "words", "filters"),
    [
        ("packing", "packing", ()),
        ("packing app:code list", "packing list", (Filter("app", "code"),)),
        ('app:"a b" -x after:yesterday', "-x", (Filter("app", "a b"), Filter("after", "yesterday"))),
        ("APP:code", "", (Filter("app", "code"),)),
        ("-app:code http://app:80 zoom.us", "-app:code http://app:80 zoom.us", ()),
        ('app: app:""', 'app: app:""', ()),
        ("colour:red", "colour:red", ()),
        ('"app:code"', '"app:code"', ()),
    ],
)
def test_filters_are_taken_out_and_everything_else_stays(query: str, words: str, filters: tuple) -> None:
    assert split(query) == (words, filters)


def test_what_was_taken_apart_is_put_together_again() -> None:
    words, filters = split('list app:"a b" on:2026-03-14')
    assert join(words, filters) == 'list app:"a b" on:2026-03-14'
    assert split(join(words, filters)) == (words, filters)


def test_filters_of_activities_are_plain_words_for_screens() -> None:
    assert split("quay kind:active project:harbour") == ("quay kind:active project:harbour", ())
    assert split("quay kind:active project:harbour trigger:click", SEGMENT_KEYS) == (
        "quay trigger:click",
        (Filter("kind", "active"), Filter("project", "harbour")),
    )
