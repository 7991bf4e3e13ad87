"""What a person typed, taken apart: any text is safe for FTS5."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biny_desktop.conversation.search.query import TERMS_MAX, parse, term_of


@given(st.text(max_size=40))
def test_any_text_is_parsed_into_terms_that_hold_no_syntax(text: str) -> None:
    for term in parse(text).terms:
        assert term.match.strip(" *").count('"') == 2
        assert term.text.strip()


@pytest.mark.parametrize(
    ("text", "matches"),
    [
        ("Ferry TIMETABLE ferry", ['"ferry"', '"timetable"']),
        ('"call is on" zoom', ['"call is on"', '"zoom"']),
        ("止损", ['"止损"']),
        ("飞书插件", ['"飞书"', '"书插"', '"插件"', '"飞书 书插 插件"']),
        ("书", ['"书" *']),
        ("重跑gen-itgc后", ['"重跑"', '"gen itgc"', '"后" *']),
        ("C++ zoom.us don't", ['"c"', '"zoom us"', '"don t"']),
        ('"飞书 menu"', ['"飞书 书 menu"']),
        ("１ＺＯＯＭ", ['"1zoom"']),
        ("AND OR NOT NEAR", ['"and"', '"or"', '"not"', '"near"']),
        ('… ++ " ""', []),
        ('"never closed', ['"never closed"']),
    ],
)
def test_words_phrases_and_runs_become_terms(text: str, matches: list[str]) -> None:
    assert [term.match for term in parse(text).terms] == matches


def test_signs_are_remembered_as_they_were_typed() -> None:
    assert [term.literal for term in parse("C++, (zoom.us) ferry.").terms] == ["c++", "zoom.us", ""]


def test_a_long_text_has_so_many_terms_and_no_more() -> None:
    assert len(parse(" ".join(f"word{n}" for n in range(200))).terms) == TERMS_MAX


def test_a_prepared_word_is_a_term_as_it_is() -> None:
    assert (term_of("飞书").match, term_of("飞书").text) == ('"飞书"', "飞书")
