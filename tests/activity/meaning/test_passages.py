"""What of a screen is embedded: whole lines, under the limits, the telling ones."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biny_desktop.activity.meaning.passages import frame_passages, is_short, segment_passages
from biny_desktop.core.text import RedactedText
from biny_desktop.models.passage_tokens import PARTS_MAX, TOKENS_MAX
from biny_desktop.redaction import from_row


def by_words(text: str) -> int:
    """A tokenizer for which every word and every CJK character is a token."""
    return len(text.split()) + sum(ord(char) > 0x2E80 for char in text)


def test_a_small_screen_is_one_passage_under_its_title() -> None:
    made = frame_passages(from_row("notes – editor"), from_row("first line here\nsecond line here"), by_words)
    assert made == ("notes – editor\nfirst line here\nsecond line here",)
    assert type(made[0]) is RedactedText


def test_lines_that_say_nothing_and_repeats_are_left_out() -> None:
    made = frame_passages(from_row("t"), from_row("12\n--\nFile menu\n|\nFILE  menu\nFile menu"), by_words)
    assert made == ("t\nFile menu\nFILE  menu",)


def test_a_larger_screen_is_cut_between_lines_in_reading_order() -> None:
    lines = [f"line {n} tells about something different than its neighbours do" for n in range(50)]
    made = frame_passages(from_row("title"), from_row("\n".join(lines)), by_words)
    assert 1 < len(made) <= PARTS_MAX
    assert [line for part in made for line in part.split("\n")[1:]] == lines
    assert all(part.startswith("title\n") for part in made)


def test_a_dense_screen_keeps_the_lines_that_tell_most() -> None:
    noise = [f"menu {n}" for n in range(900)]
    telling = "the quarterly budget review was moved to thursday because two people are away"
    made = frame_passages(from_row("t"), from_row("\n".join([*noise, telling])), by_words)
    assert len(made) == PARTS_MAX
    assert telling in made[-1]
    assert all(by_words(part) <= TOKENS_MAX for part in made)


def test_a_passage_that_the_tokenizer_finds_too_long_is_cut_further() -> None:
    def greedy(text: str) -> int:
        return 10 * by_words(text)

    lines = [f"ordinary words in line number {n}" for n in range(40)]
    made = frame_passages(from_row("t"), from_row("\n".join(lines)), greedy)
    assert len(made) == PARTS_MAX
    assert all(greedy(part) <= TOKENS_MAX for part in made)


def test_one_endless_line_is_taken_in_pieces_without_splitting_a_placeholder() -> None:
    made = frame_passages(from_row("t"), from_row("word " * 59 + "[hidden: password] " * 100), by_words)
    assert made
    assert all(part.count("hidden") == part.count("[hidden: password]") for part in made)


@pytest.mark.parametrize(("text", "short"), [("", True), ("x" * 19, True), ("a        b", True), ("x" * 20, False)])
def test_texts_under_twenty_characters_are_short(text: str, short: bool) -> None:
    assert is_short(text) is short


def test_a_segment_is_its_title_with_what_is_known_of_it() -> None:
    title, empty = from_row("Editor – plan.md"), from_row("")
    assert segment_passages(title, empty, empty, by_words) == (title,)
    assert segment_passages(from_row(" "), from_row("something was said"), empty, by_words) == ()
    assert segment_passages(title, from_row("Wrote the plan."), from_row("A plan."), by_words) == (
        "Editor – plan.md\nWrote the plan.\nA plan.",
    )


@given(st.text(alphabet="ab 预算\n[:]", max_size=1_500))
def test_any_text_gives_at_most_three_passages_under_the_limit(text: str) -> None:
    made = frame_passages(from_row("title"), from_row(text), by_words)
    assert len(made) <= PARTS_MAX
    assert all(by_words(part) <= TOKENS_MAX for part in made)
    assert frame_passages(from_row("title"), from_row(text), by_words) == made
