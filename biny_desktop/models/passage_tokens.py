"""How long a passage may be for an embedder, in tokens: what all kinds of rows go by (spec 03 §7)."""

from collections.abc import Callable
from typing import Final

from biny_desktop.models.model import Embedder

TOKENS_MAX: Final = 400
"""Tokens of a passage with its title."""
PARTS_MAX: Final = 3
"""Passages of a row."""
_CHARS_A_TOKEN: Final = 3.0
"""Cautious: English prose has four and more, code and names three."""
_DENSE: Final = "\u0dff"
"""Characters above it (Thai, CJK, drawn lines, pictographs) count as a token each."""

CountTokens = Callable[[str], int]


def estimate_tokens(text: str) -> int:
    """About how many tokens a text has, rather too many than too few."""
    dense = 0 if text.isascii() else sum(char > _DENSE for char in text)
    return dense + round((len(text) - dense) / _CHARS_A_TOKEN) + 1


def counter(embedder: Callable[[], Embedder | None]) -> CountTokens:
    """The embedder's way to count tokens, or the estimate while there is none."""
    found = embedder()
    return estimate_tokens if found is None else found.count_tokens
