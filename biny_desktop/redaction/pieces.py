"""Pieces of redacted text are redacted: reading it back from its row, cutting it, joining it.

What hides a secret has looked at the whole text, with everything around it that tells a secret; a piece holds nothing
that the whole did not. So none of these look again.
"""

import re
from collections.abc import Iterable
from typing import LiteralString

from biny_desktop.core.text import RedactedText
from biny_desktop.redaction.result import PLACEHOLDER


def from_row(stored: str) -> RedactedText:
    """Text as it was read from a column that takes `RedactedText` only; never text from anywhere else."""
    return RedactedText(stored)


def joined(parts: Iterable[RedactedText], by: LiteralString = "\n") -> RedactedText:
    """Redacted texts as one; `by` is written by the program."""
    return RedactedText(by.join(parts))


def replaced(text: RedactedText, pattern: re.Pattern[str], by: LiteralString) -> RedactedText:
    """Every match of a pattern that is none of a placeholder replaced; `by` is written by the program."""
    return RedactedText(pattern.sub(by, text))


def cut(text: RedactedText, start: int = 0, end: int | None = None) -> RedactedText:
    """`text[start:end]` (places in characters); a placeholder that a border would split is left out whole."""
    low, high, _ = slice(start, end).indices(len(text))
    for hidden in PLACEHOLDER.finditer(text):
        if hidden.start() < low < hidden.end():
            low = hidden.end()
        if hidden.start() < high < hidden.end():
            high = hidden.start()
    return RedactedText(text[low:high])
