"""Prose and code of an answer, whole and while it grows."""

from hypothesis import given
from hypothesis import strategies as st

from biny_desktop.ui.widgets.answer_parts import PIECE_CHARS, parts_of


def kinds(markdown: str, *, growing: bool = False) -> list[tuple[str, str, str]]:
    return [(each.kind, each.language, each.text) for each in parts_of(markdown, growing=growing)]


def test_fences_part_code_from_prose() -> None:
    text = "Look:\n\n```python\nprint(1)\n\nprint(2)\n```\nand\n~~~\nx\n```\n~~~"
    assert kinds(text) == [
        ("prose", "", "Look:"), ("code", "python", "print(1)\n\nprint(2)"),
        ("prose", "", "and"), ("code", "", "x\n```"),
    ]  # fmt: skip


def test_a_fence_without_an_end_reaches_to_the_end_and_an_empty_one_is_a_part() -> None:
    assert kinds("a\n```sh\nls") == [("prose", "", "a"), ("code", "sh", "ls")]
    assert kinds("```") == [("code", "", "")]


def test_code_in_a_list_and_backticks_in_a_line_stay_prose() -> None:
    assert kinds("- one\n    ```\n    x\n    ```") == [("prose", "", "- one\n    ```\n    x\n    ```")]
    assert kinds("```a``` is code") == [("prose", "", "```a``` is code")]


def test_growing_prose_is_cut_at_empty_lines_but_not_inside_an_item() -> None:
    text = "one\n\ntwo\n\n- a\n\n  still a\n"
    assert [each[2] for each in kinds(text, growing=True)] == ["one", "two", "- a\n\n  still a"]
    assert len(kinds(text)) == 1


def test_growing_prose_without_empty_lines_is_cut_after_a_while() -> None:
    text = ("word " * 20 + "\n") * 100
    assert len(parts_of(text, growing=True)) == len(text) // PIECE_CHARS + 1


@given(st.lists(st.sampled_from(["\nword\n", "\n", "```", "~~~", "    ", "- a", "`", "\r\n"]), max_size=40))
def test_no_word_is_lost_or_said_twice_while_an_answer_grows(pieces: list[str]) -> None:
    text = "".join(pieces)
    tail, done, last = 0, [], ()
    for end in range(len(text) + 1):
        last = parts_of(text[tail:end], growing=True)
        if last:
            done += last[:-1]
            tail += last[-1].start
    grown = [*done, *last[-1:]]
    assert [each for part in grown for each in part.text.split()].count("word") == text.split().count("word")


def test_a_line_of_another_alphabet_is_no_end_of_a_line() -> None:
    assert kinds("a\u2028```\nb") == [("prose", "", "a\u2028```\nb")]
