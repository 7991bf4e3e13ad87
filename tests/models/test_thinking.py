"""Reasoning tags in a streamed answer, cut anywhere."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biny_desktop.models.thinking import ThinkSplitter


def split(text: str, sizes: list[int]) -> tuple[str, str]:
    splitter, said, thought, place = ThinkSplitter(), "", "", 0
    for size in [*sizes, len(text)]:
        piece, place = text[place : place + size], place + size
        out = splitter.feed(piece)
        said, thought = said + out[0], thought + out[1]
    out = splitter.end()
    return said + out[0], thought + out[1]


@pytest.mark.parametrize(
    ("text", "said", "thought"),
    [
        ("hello", "hello", ""),
        ("<think>why</think>\n\nhello", "hello", "why"),
        ("  <thinking>a < b</thinking>x", "x", "a < b"),
        ("<think>never closed", "", "never closed"),
        ("<b>bold</b>", "<b>bold</b>", ""),
        ("say <think>this</think>", "say <think>this</think>", ""),
        ("<thi", "<thi", ""),
        ("", "", ""),
    ],
)
@given(sizes=st.lists(st.integers(1, 4), max_size=20))
def test_a_tag_at_the_beginning_is_reasoning_wherever_the_stream_is_cut(
    text: str, said: str, thought: str, sizes: list[int]
) -> None:
    assert split(text, sizes) == (said, thought)
