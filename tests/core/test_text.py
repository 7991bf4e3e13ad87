"""Cleaning, CJK runs and index preparation."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biny_desktop.core.text import (
    bigrams,
    clean,
    clean_title,
    index_text,
    is_cjk,
    jaccard,
    normalise,
    split_runs,
    words,
)

ANYTHING = st.text(st.characters(codec=None), max_size=400)


@pytest.mark.parametrize(
    ("raw", "kept"),
    [
        ("plain", "plain"),
        ("a\x00b\x07c", "abc"),
        ("\ud83d", "?"),
        (b"caf\xe9", "café"),
        ("caf\u00e9".encode(), "café"),
        ("\u202eevil\u202c title", "evil title"),
        ("two\nlines\tand  spaces", "two lines and spaces"),
        ("", ""),
    ],
)
def test_a_title_of_any_bytes_becomes_one_clean_line(raw: str | bytes, kept: str) -> None:
    assert clean_title(raw) == kept


def test_a_long_title_is_cut_between_characters_a_person_sees() -> None:
    assert len(clean_title("x" * 5_000)) == 256
    family = "👨\u200d👩\u200d👧"
    cut = clean_title(family * 300, limit=2)
    assert cut == family * 2
    assert clean_title("e\u0301" * 10, limit=3) == "e\u0301" * 3


@given(ANYTHING)
def test_cleaning_never_raises_and_gives_text_any_sink_can_take(raw: str) -> None:
    for text in (clean(raw), clean_title(raw), index_text(raw)):
        text.encode("utf-8")
        assert "\x00" not in text


def test_a_cjk_run_becomes_overlapping_pairs_and_its_last_character() -> None:
    assert bigrams("今天中午") == ["今天", "天中", "中午", "午"]
    assert index_text("今天中午 lunch") == "今天 天中 中午 午 lunch"
    assert index_text("v2版本") == "v2 版本 本"


def test_half_width_kana_and_full_width_latin_are_folded() -> None:
    assert normalise("ﾃｽﾄ ＡＢＣ Café") == "テスト abc café"
    assert unicodedata.is_normalized("NFKC", normalise("①ﾊﾞ"))


@pytest.mark.parametrize(
    ("char", "yes"), [("中", True), ("か", True), ("한", True), ("ก", True), ("a", False), ("é", False)]
)
def test_scripts_without_spaces_are_known(char: str, yes: bool) -> None:
    assert is_cjk(char) is yes


@given(st.text(max_size=80))
def test_splitting_into_runs_loses_nothing(text: str) -> None:
    assert "".join(run for _, run in split_runs(text)) == text


def test_words_are_compared_without_case_width_and_signs_and_by_pairs_in_cjk() -> None:
    assert words("Ｒed, red_GREEN!") == {"red", "green"}
    assert words("预算会议 x") == {"预算", "算会", "会议", "x"}
    assert words("中。") == {"中"}
    assert words(" … ") == frozenset()


def test_jaccard_is_the_share_of_common_words() -> None:
    assert jaccard(words("a b c"), words("b c d")) == 0.5
    assert jaccard(words("预算会议"), words("预算会议")) == 1
    assert jaccard(words("x"), words("")) == 0
    assert jaccard(words(""), words("")) == 0
