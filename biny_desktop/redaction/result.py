"""What redaction takes and gives: options, spans, the result, and the placeholder that replaces a secret."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, LiteralString

from biny_desktop.core.text import RedactedText

RULES_VERSION: Final = 1
"""Version of the rules; stored beside every count (spec 02 §8.4). Raise it when a rule changes what is hidden."""

TYPES: Final = (
    "private_key", "token", "jwt", "url_secret", "password", "otp", "card", "iban", "id_number", "email", "phone",
    "high_entropy", "custom",
)  # fmt: skip
"""The kinds of the table in spec 02 §8."""

PLACEHOLDER: Final = re.compile(rf"\[hidden: ({'|'.join(TYPES)})\]")


def placeholder(kind: str) -> str:
    """What stands in the text instead of a secret of this kind."""
    return f"[hidden: {kind}]"


def safe_constant(text: LiteralString) -> RedactedText:
    """A text that the program itself wrote (the app's name, a fixed label); never one that came from outside."""
    return RedactedText(text)


@dataclass(frozen=True)
class RedactionOptions:
    """Which optional kinds are hidden; `custom` holds patterns that `check_custom` accepted (≤ 200 characters each)."""

    email: bool = True
    phone: bool = True
    custom: tuple[str, ...] = ()


@dataclass(frozen=True)
class Span:
    """A hidden piece: character offsets [start, end) into the original line number `line`; never the words."""

    line: int
    start: int
    end: int
    type: str


@dataclass(frozen=True)
class Redaction:
    """A redacted text: joined, line by line, where something was hidden, and how many secrets of each kind.

    A secret over two lines counts once and has one span a line.
    """

    text: RedactedText
    lines: tuple[RedactedText, ...]
    spans: tuple[Span, ...]
    counts: Mapping[str, int]
