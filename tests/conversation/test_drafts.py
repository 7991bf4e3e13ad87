"""Drafts made ready: secrets hidden, spans exact on what is left."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biny_desktop.conversation.drafts import AttachedFile, Draft, Prepared, prepare_draft
from biny_desktop.core.errors import InvalidInputError
from tests.fakes.conversations import redactor

KEY = "sk-proj-AbCdEf0123456789AbCdEf0123456789"
LONG = "a pasted sentence about the harbour and its ferries, " * 3


def parts(made: Prepared) -> list[tuple[str, str]]:
    return [(each.trust, made.content[each.start : each.end]) for each in made.spans]


def ready(text: str, *pasted: str, **more: object) -> Prepared:
    ranges = tuple((text.index(each), text.index(each) + len(each)) for each in pasted)
    return prepare_draft(Draft(text, ranges, **more), redactor())  # type: ignore[arg-type]


def test_typed_words_are_the_owners_and_long_pasted_ones_are_not() -> None:
    made = ready(f"Look at this: {LONG}what do you say", LONG, "this")
    assert parts(made) == [("owner", "Look at this: "), ("untrusted", LONG), ("owner", "what do you say")]


def test_a_short_pasted_word_is_the_owners_and_one_with_a_line_break_is_not() -> None:
    assert parts(ready("see ferry now", "ferry")) == [("owner", "see ferry now")]
    assert parts(ready("see a\nb now", "a\nb")) == [("owner", "see "), ("untrusted", "a\nb"), ("owner", " now")]


def test_fenced_code_and_block_quotes_are_untrusted_even_if_typed() -> None:
    text = "mine\n```py\nx = 1\n```\nagain mine\n> theirs\nend"
    assert parts(ready(text)) == [
        ("owner", "mine\n"), ("untrusted", "```py\nx = 1\n```"), ("owner", "\nagain mine\n"),
        ("untrusted", "> theirs\n"), ("owner", "end"),
    ]  # fmt: skip
    assert parts(ready("a\n```\nnever closed"))[-1] == ("untrusted", "```\nnever closed")


def test_spans_stay_exact_where_a_secret_was_hidden_before_and_inside_them() -> None:
    text = f"my key {KEY} stands here\n{LONG} and {KEY} too\nend"
    pasted = text[text.index(LONG) : text.index("\nend")]
    made = ready(text, pasted)
    assert KEY not in made.content
    assert made.hidden == {"token": 2}
    assert parts(made)[0] == ("owner", "my key [hidden: token] stands here\n")
    assert parts(made)[1] == ("untrusted", f"{LONG} and [hidden: token] too")
    assert parts(made)[2] == ("owner", "\nend")


def test_attachments_stand_behind_the_text_as_untrusted() -> None:
    file = AttachedFile("notes.md", "text/markdown", "/home/x/notes.md", 20, f"the key is {KEY}\n")
    made = ready("Read this", attachments=(file, AttachedFile("photo.png", "image/png", "", 3)))
    assert parts(made) == [
        ("owner", "Read this\n\n"),
        ("untrusted", "[attachment: notes.md]\nthe key is [hidden: token]"),
        ("owner", "\n\n"),
        ("untrusted", "[attachment: photo.png]"),
    ]
    assert [each.name for each in made.attachments] == ["notes.md", "photo.png"]
    assert "[hidden: token]" in made.content


def test_nothing_and_too_much_are_refused() -> None:
    with pytest.raises(InvalidInputError):
        ready(" \n ")
    with pytest.raises(InvalidInputError):
        ready("x" * 1_000_001)


@given(
    text=st.text(alphabet=st.sampled_from("ab >\n`\r\x00\ud800é止损[]:" + KEY[:6]), max_size=60),
    edges=st.lists(st.tuples(st.integers(-3, 70), st.integers(-3, 70)), max_size=4),
    secret=st.integers(0, 60),
)
def test_spans_always_cover_the_content_without_gaps(text: str, edges: list[tuple[int, int]], secret: int) -> None:
    text = text[:secret] + f" {KEY} " + text[secret:]
    made = prepare_draft(Draft(text, tuple(edges)), redactor())
    place = 0
    for span in made.spans:
        assert span.start == place < span.end
        place = span.end
    assert place == len(made.content)
    assert KEY not in made.content
