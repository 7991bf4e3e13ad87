"""Scores from the text itself: folded as marks are, words counted where they begin and end."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biny_desktop.conversation.search.query import parse
from biny_desktop.conversation.search.scoring import bm25, counter, folded, length, rarity
from biny_desktop.core import marks
from biny_desktop.core.text import normalise


@given(st.text(alphabet=st.characters(exclude_categories=["Mn", "Mc", "Me", "Cs", "Cc"]), max_size=60))
def test_a_text_is_folded_as_marks_fold_it(text: str) -> None:
    assert folded(normalise(text)) == marks.fold(normalise(text)).text


@pytest.mark.parametrize("text", ["Crème brûlée", "ｶﾞｷﾞ がぎ", "Ελλάδα", "йод", "한국어 é", "预算，会议。《书》"])
def test_accents_go_and_sound_marks_stay(text: str) -> None:
    assert folded(normalise(text)) == marks.fold(text).text


@pytest.mark.parametrize(
    ("word", "text", "times"),
    [
        ("c", "C++ and C, not cat or abc", 2),
        ("zoom.us", "on zoom.us, zoom us or zoomus", 2),
        ("cafe", "Café CAFÉ cafes", 2),
        ("itgc", "重跑gen-itgc后 itgcs", 1),
        ("书", "飞书 图书馆", 2),
        ("止损", "设置止损点，止损", 2),
        ('"call is on"', "the call is  on; call is online", 1),
        ("_", "a_b", 0),
    ],
)
def test_words_are_counted_as_the_index_has_them(word: str, text: str, times: int) -> None:
    terms = parse(word).terms
    assert sum(counter(term)(folded(normalise(text))) for term in terms) == times


def test_rare_terms_short_texts_and_repeats_score_higher() -> None:
    rare, common = rarity(3, 1_000), rarity(900, 1_000)
    assert rare > common > 0
    assert bm25([1, 0], [rare, common], 10, 10) > bm25([0, 1], [rare, common], 10, 10)
    assert bm25([2], [rare], 10, 10) > bm25([1], [rare], 10, 10) > bm25([1], [rare], 40, 10)
    assert bm25([0], [rare], 10, 10) == 0


def test_a_cjk_character_is_about_a_word() -> None:
    assert length("今天中午") == pytest.approx(5)
    assert length("hello world, ") == pytest.approx(1 + 13 / 6)
