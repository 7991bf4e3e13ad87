"""Text rules that storage, search and redaction share: the redacted type, cleaning, and index preparation."""

import re
import unicodedata
from collections.abc import Set
from itertools import groupby
from typing import Final

TITLE_MAX = 256
"""Longest kept title in characters a person sees (spec 02 §4.5)."""

INDEX_VERSION: Final = 1
"""Version of `index_text`; stored beside every text index, a new one rebuilds it (spec 03 §6.1)."""

# Runs that are written without spaces between words: kana, Han, hangul, Thai.
_CJK = (
    (0x0E00, 0x0E7F), (0x1100, 0x11FF), (0x2E80, 0x2FDF), (0x3005, 0x3007), (0x3040, 0x30FF), (0x3130, 0x318F),
    (0x31F0, 0x31FF), (0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xA960, 0xA97F), (0xAC00, 0xD7FF), (0xF900, 0xFAFF),
    (0x20000, 0x3FFFF),
)  # fmt: skip
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
_SURROGATE = re.compile(r"[\ud800-\udfff]")
_WORD = re.compile(r"[^\W_]+")
_BIDI = re.compile(r"[\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]")


class RedactedText(str):
    """Text that may be stored, logged, embedded or sent. Only `redaction` constructs it; a test holds that."""

    __slots__ = ()


def clean(raw: str) -> str:
    """Text that any sink can take: lone surrogates and control characters (but tab and line end) become nothing."""
    text = raw.encode("utf-8", "replace").decode("utf-8") if _SURROGATE.search(raw) else raw
    return _CONTROL.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))


def clean_title(raw: str | bytes, limit: int = TITLE_MAX) -> str:
    """A window title as one clean line of at most `limit` characters a person sees.

    Bytes are read as UTF-8, then Latin-1. Controls, direction marks and line ends go; the cut never splits a character
    from its combining marks. Never raises.
    """
    text = " ".join(_BIDI.sub("", clean(_decode(raw))).split())
    if len(text) <= limit:
        return text
    seen = 0
    for place, char in enumerate(text):
        joined = place > 0 and text[place - 1] == "\u200d"
        if not (unicodedata.combining(char) or char in "\u200d\ufe0f" or joined):
            seen += 1
            if seen > limit:
                return text[:place].rstrip()
    return text


def _decode(raw: str | bytes) -> str:
    if isinstance(raw, str):
        return raw
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return raw.decode("latin-1")


def is_cjk(char: str) -> bool:
    """Whether the character belongs to a script that is written without spaces between words."""
    code = ord(char)
    return code >= 0x0E00 and any(low <= code <= high for low, high in _CJK)


def normalise(text: str) -> str:
    """NFKC and case-folded: the form that search compares (half-width kana widened, full-width ASCII narrowed)."""
    return unicodedata.normalize("NFKC", clean(text)).casefold()


def bigrams(run: str) -> list[str]:
    """Overlapping pairs of a CJK run and its last character alone: `今天中午` → 今天 天中 中午 午."""
    return [run[i : i + 2] for i in range(len(run) - 1)] + [run[-1]]


def split_runs(text: str) -> list[tuple[bool, str]]:
    """The text cut into (is CJK, run) pieces, in order; nothing is lost."""
    return [(cjk, "".join(part)) for cjk, part in groupby(text, key=is_cjk)]


def index_text(text: str) -> str:
    """What is given to FTS5 for this text: normalised, CJK runs as overlapping bigrams (spec 03 §6)."""
    out = [" ".join(bigrams(run)) if cjk else run for cjk, run in split_runs(normalise(text))]
    return " ".join(" ".join(out).split())


def words(text: str) -> frozenset[str]:
    """The words by which two texts are compared: normalised, pairs of characters in CJK runs."""
    plain = normalise(text)
    if plain.isascii():
        return frozenset(_WORD.findall(plain))
    out: set[str] = set()
    for cjk, run in split_runs(plain):
        out.update((bigrams(run)[:-1] or [run]) if cjk else _WORD.findall(run))
    return frozenset(out)


def jaccard(one: Set[str], other: Set[str]) -> float:
    """The share of two texts' `words` that both have, 0 to 1; 0 when neither has any."""
    return len(one & other) / len(one | other) if one or other else 0.0
