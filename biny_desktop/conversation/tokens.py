"""How many tokens a text takes, estimated without the model's own counter (spec 05 §3)."""

from typing import Final

BYTES_A_TOKEN: Final = 3
BLOCK_TOKENS: Final = 4
"""Spec 05 §3: ceil(UTF-8 bytes / 3) + 4 a block."""


def estimate(text: str) -> int:
    """Tokens of one block, such as a message; the 4 of the block are in it."""
    return bare(text) + BLOCK_TOKENS


def bare(text: str) -> int:
    """Tokens of a text inside a block that is counted elsewhere; lone surrogates count as what would stand for them."""
    size = len(text) if text.isascii() else len(text.encode("utf-8", "replace"))
    return -(-size // BYTES_A_TOKEN)
