"""The copy that detectors read: normalised and folded, each character mapped back to the cleaned original.

`text` is NFKC without format characters, dashes, quotes and spaces made plain; a piece that is hidden already is the
one character `HIDDEN`. `fold` has the same length: lower case, no accents, look-alikes equal (l I | 1, O 0, S 5, B 8).
Chinese sentence marks stay as they are: they end a value where the ASCII comma may belong to it.
"""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

HIDDEN: Final = "\x01"
"""Stands for a hidden piece; cannot occur in the input, which is cleaned of control characters first."""

_SLOW = "\x02"
_KEEP = "，；！？、。"
_SAME = {
    "’": "'", "‘": "'", "‚": "'", "´": "'", "“": '"', "”": '"', "„": '"', "«": '"',
    "»": '"', "∶": ":", "˸": ":", "ː": ":", "꞉": ":",
    "‐": "-", "‑": "-", "‒": "-", "–": "-", "—": "-", "―": "-", "−": "-", "\t": " ", "\u2028": "\n", "\u2029": "\n",
    "⁄": "/",
}  # fmt: skip
_LOOKALIKE = {"i": "l", "|": "l", "1": "l", "0": "o", "5": "s", "8": "b"}


def _plain(char: str) -> str:
    """The normalised form of one character or cluster; may be empty or several characters."""
    if char in _KEEP:
        return char
    if char in _SAME:
        return _SAME[char]
    out = unicodedata.normalize("NFKC", char)
    return "".join(_SAME.get(c, c) for c in out if unicodedata.category(c) != "Cf")


def _attaches(char: str) -> bool:
    """Whether the character joins the one before it: combining marks, inner hangul letters, half-width kana marks."""
    return unicodedata.combining(char) > 0 or 0x1160 <= ord(char) <= 0x11FF or char in "ﾞﾟ"


class _PlainTable(dict[int, str]):
    """`str.translate` table filled as characters are met; `_SLOW` marks one that has no single-character form."""

    def __missing__(self, code: int) -> str:
        char = chr(code)
        out = _plain(char)
        self[code] = out if len(out) == 1 and not _attaches(char) else _SLOW
        return self[code]


class _FoldTable(dict[int, str]):
    """`str.translate` table from a normalised character to its folded form, always one character."""

    def __missing__(self, code: int) -> str:
        char = chr(code).lower()[0]
        base = unicodedata.normalize("NFD", char)[0] if code < 0x250 else char
        self[code] = _LOOKALIKE.get(base, base)
        return self[code]


_PLAIN = _PlainTable()
_FOLD = _FoldTable()


def fold(text: str) -> str:
    """The look-alike form, of the same length."""
    return text.translate(_FOLD)


def digits(text: str) -> str:
    """The text with the look-alikes of digits read as digits."""
    return text.translate(_DIGITS)


_DIGITS = str.maketrans({"l": "1", "I": "1", "|": "1", "O": "0", "o": "0", "S": "5", "B": "8", "Z": "2"})


@dataclass(frozen=True)
class View:
    """`text` and `fold` as above; `origin[i]` is the place of `text[i]` in the cleaned text, with one more for the end.

    `origin` is None when every place is its own.
    """

    text: str
    fold: str
    origin: Sequence[int] | None

    def to_origin(self, start: int, end: int) -> tuple[int, int]:
        """The range of the cleaned text that made `text[start:end]`, whole characters only."""
        if self.origin is None:
            return start, end
        low, high = self.origin[start], self.origin[end]
        last = self.origin[end - 1]
        while high == last and end < len(self.origin) - 1:  # the end lies inside one character's expansion
            end += 1
            high = self.origin[end]
        return low, high


def build(cleaned: str, masks: Sequence[tuple[int, int]]) -> View:
    """The view of a cleaned text whose `masks` (sorted, disjoint ranges) are hidden; line ends in masks stay."""
    plain = cleaned.translate(_PLAIN)
    if not masks and _SLOW not in plain:
        return View(plain, fold(plain), None)
    chars: list[str] = []
    origin: list[int] = []
    place = 0
    for start, end in masks:
        _append(cleaned, plain, place, start, chars, origin)
        chars.append(HIDDEN)
        origin.append(start)
        place = end
    _append(cleaned, plain, place, len(cleaned), chars, origin)
    origin.append(len(cleaned))
    text = "".join(chars)
    return View(text, fold(text), origin)


def _append(cleaned: str, plain: str, start: int, end: int, chars: list[str], origin: list[int]) -> None:
    """Add the view of `cleaned[start:end]`, read on its own, to `chars` and `origin`."""
    place = start
    while place < end:
        slow = plain.find(_SLOW, place, end)
        # A mark that attaches takes the character before it along.
        fast_end = end if slow < 0 else slow - 1 if slow > place and _attaches(cleaned[slow]) else slow
        chars.append(plain[place:fast_end])
        origin.extend(range(place, fast_end))
        place = fast_end
        if slow < 0:
            return
        after = place + 1
        while after < end and _attaches(cleaned[after]):
            after += 1
        out = _plain(cleaned[place:after])
        chars.append(out)
        origin.extend([place] * len(out))
        place = after
