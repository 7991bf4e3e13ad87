"""Pieces of redacted text: they stay redacted and never hold half a placeholder."""

import re

from hypothesis import given
from hypothesis import strategies as st

from biny_desktop.core.text import RedactedText
from biny_desktop.redaction import cut, from_row, joined, replaced

HIDDEN = "[hidden: token]"


def test_a_cut_is_a_part_of_the_text() -> None:
    text = from_row("red green blue")
    assert cut(text, 4, 9) == "green"
    assert cut(text, 4) == "green blue"
    assert cut(text, -4) == "blue"
    assert cut(text, 9, 4) == ""
    assert cut(text, 0, 99) == text
    assert type(cut(text, 4)) is RedactedText


def test_a_placeholder_is_never_split() -> None:
    text = from_row(f"key {HIDDEN} end")
    assert cut(text, 0, 4) == "key "
    assert cut(text, 0, 10) == "key "
    assert cut(text, 10) == " end"
    assert cut(text, 6, 12) == ""
    assert cut(text, 4, 4 + len(HIDDEN)) == HIDDEN


def test_texts_are_joined_with_what_the_program_writes() -> None:
    assert joined([from_row("a"), from_row("b")]) == "a\nb"
    assert joined([from_row("a"), from_row("b")], " · ") == "a · b"
    assert joined([]) == ""
    assert type(joined([])) is RedactedText


@given(st.text(alphabet="ab [:]\n密码", max_size=40), st.integers(-50, 50), st.integers(-50, 50))
def test_a_cut_holds_only_whole_placeholders(text: str, start: int, end: int) -> None:
    whole = from_row(f"{text}{HIDDEN}{text}{HIDDEN}")
    part = cut(whole, start, end)
    assert part in whole
    assert part.count("hidden") == part.count(HIDDEN)


def test_what_the_program_puts_in_place_of_a_pattern_leaves_the_text_redacted() -> None:
    text = replaced(from_row(f"a<|b {HIDDEN}"), re.compile(r"(?<=<)(?=\|)"), " ")
    assert text == f"a< |b {HIDDEN}"
    assert type(text) is RedactedText
