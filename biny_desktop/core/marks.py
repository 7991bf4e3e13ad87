"""Where the words of a query stand in a stored text: marks, and a snippet around the first of them."""

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from biny_desktop.core.text import is_cjk

SNIPPET_MAX: Final = 200
"""Longest snippet in characters (spec 03 §6.6)."""
_LEAD: Final = 40
"""Characters shown before the first mark."""
MARKS_MAX: Final = 200
"""Marks looked for in one text; more help nobody."""
_LETTER: Final = r"[^\W_\u0e00-\u0e7f\u1100-\u11ff\u2e80-\ud7ff\uf900-\ufaff\U00020000-\U0003ffff]"
"""A letter or digit that continues a word; where two scripts meet the index has a word border."""

Marks = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Wanted:
    """A positive term as it is highlighted: normalised, `prefix` when more letters may follow."""

    text: str
    prefix: bool


@dataclass(frozen=True, slots=True)
class Folded:
    """A text as it is compared, and where each of its characters stood in the original (one more for the end)."""

    text: str
    origin: tuple[int, ...]


@lru_cache(maxsize=8_192)
def _fold_char(char: str) -> str:
    if 0xAC00 <= ord(char) <= 0xD7A3:  # a hangul syllable taken apart would match the start of another one
        return char
    folded = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", char).casefold())
    # The two kana sound marks are part of the letter, other marks are accents.
    return "".join(c for c in folded if not unicodedata.combining(c) or c in "\u3099\u309a")


def fold(text: str) -> Folded:
    """Case, width and accents folded character by character, with the way back."""
    chars: list[str] = []
    origin: list[int] = []
    for place, char in enumerate(text):
        for each in _fold_char(char):
            chars.append(each)
            origin.append(place)
    return Folded("".join(chars), (*origin, len(text)))


def pattern(wanted: Iterable[Wanted]) -> re.Pattern[str] | None:
    """What finds the terms in a folded text; None when there are none."""
    each = [part for term in wanted if (part := _term_pattern(term))]
    return re.compile("|".join(sorted(each, key=len, reverse=True))) if each else None


def _term_pattern(term: Wanted) -> str:
    words = re.findall(r"[^\W_]+", fold(term.text).text)
    if not words:
        return ""
    body = r"[\W_]+".join(re.escape(word) for word in words)
    before = "" if is_cjk(words[0][0]) else f"(?<!{_LETTER})"
    after = "" if term.prefix or is_cjk(words[-1][-1]) else f"(?!{_LETTER})"
    return f"{before}{body}{after}"


def marks(text: str, find: re.Pattern[str] | None) -> Marks:
    """The (start, end) of every place that matches, in order; at most 200."""
    if find is None:
        return ()
    folded = fold(text)
    out: list[tuple[int, int]] = []
    for found in find.finditer(folded.text):
        start = folded.origin[found.start()]
        end = folded.origin[found.end() - 1] + 1
        while end < len(text) and unicodedata.combining(text[end]):
            end += 1
        if found.end() > found.start():
            out.append((start, end))
        if len(out) >= MARKS_MAX:
            break
    return tuple(out)


def snippet(text: str, found: Marks) -> tuple[str, Marks]:
    """At most 200 characters cut from the text around its first mark, and the marks inside it."""
    first = found[0][0] if found else 0
    start = max(0, min(first - _LEAD, len(text) - SNIPPET_MAX))
    if start:
        space = text.find(" ", start, first)
        start = space + 1 if space >= 0 else start
    end = min(len(text), start + SNIPPET_MAX)
    inside = tuple((low - start, min(high, end) - start) for low, high in found if low >= start and low < end)
    return text[start:end], inside
