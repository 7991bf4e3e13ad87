"""The estimate of tokens: bytes in thirds, rounded up, and four a block."""

import pytest

from biny_desktop.conversation.tokens import bare, estimate


@pytest.mark.parametrize(
    ("text", "tokens"), [("", 0), ("a", 1), ("abc", 1), ("abcd", 2), ("止损", 2), ("é", 1), ("\ud800", 1)]
)
def test_bytes_count_in_thirds_rounded_up_and_a_block_takes_four_more(text: str, tokens: int) -> None:
    assert bare(text) == tokens
    assert estimate(text) == tokens + 4
