"""The currency of the detectors, and what they share: randomness, placeholders, and runs joined over damage."""

import math
import re
from collections import Counter
from functools import cache
from typing import Final, NamedTuple

from biny_desktop.redaction.view import HIDDEN


class Find(NamedTuple):
    """A secret at [start, end) of the view's text."""

    start: int
    end: int
    type: str


WORDY_MAX: Final = 0.45
"""Largest share of a random string in runs of ≥ 4 small or ≥ 9 capital letters; names in code have more."""

_CHUNK: Final = 8
"""Shortest chunk in characters that may continue a token whose length is not known."""

_RUN_MAX: Final = 4_096
"""Longest run that is read as one token, in characters."""

_WORDS = re.compile(r"[a-z]{4,}|[A-Z]{9,}")
_MIXED = re.compile(r"[a-z][A-Z]|[A-Z]{2}[a-z]")
_DIGIT = re.compile(r"\d")
_LETTER = re.compile(r"[A-Za-z]")
HEX = re.compile(r"(?:0x)?[0-9a-fA-F]+")
UUID = re.compile(r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}")
_GAP = re.compile(r" ?\n ?|[ ](?! )")
_DIGIT_RUN = re.compile(r"\d+")
_JOINTS = re.compile(r"[-_.%=]")
_NAME = re.compile(r"[a-z]+\d{1,4}|[A-Z]?[a-z]+(?:[_.\-][A-Z]?[a-z]+)*[_.\-]?\d{0,4}")
_MASK = re.compile(r"[*•●·∙xX.…_#\-?]{3,}")


@cache
def compiled(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """A pattern compiled when it is first needed, so that importing the package costs nothing."""
    return re.compile(pattern, flags)


def classes(text: str) -> int:
    """How many of lower, upper, digit, other the text holds."""
    return sum(
        any(test(c) for c in text) for test in (str.islower, str.isupper, str.isdigit, lambda c: not c.isalnum())
    )


def entropy_bits(text: str) -> float:
    """Shannon entropy in bits a character."""
    total = len(text)
    return -sum(n / total * math.log2(n / total) for n in Counter(text).values()) if total else 0.0


def wordy(text: str) -> bool:
    """Whether the text reads like words or a name in code rather than like a random string."""
    return sum(len(m) for m in _WORDS.findall(text)) > WORDY_MAX * len(text)


def goes_on(chunk: str) -> bool:
    """Whether a run behind a gap looks like the rest of a generated secret: long enough, digits among letters."""
    bare = _JOINTS.sub("", chunk)
    if len(bare) < _CHUNK or "=" in chunk.rstrip("=") or UUID.fullmatch(chunk) or _NAME.fullmatch(chunk):
        return False
    mixed = bool(_MIXED.search(bare) or len(_DIGIT_RUN.findall(bare)) > 1)
    return looks_random(bare) or (mixed and _DIGIT.search(bare) is not None and _LETTER.search(bare) is not None)


def looks_random(text: str) -> bool:
    """Whether a run could be (a piece of) a generated secret: digits with letters, or letters in mixed order."""
    if len(set(text)) < min(5, len(text)):
        return False
    has_letter = _LETTER.search(text) is not None
    if _DIGIT.search(text):
        return has_letter and not wordy(text)
    return bool(_MIXED.search(text)) and not wordy(text)


def is_mask(text: str) -> bool:
    """Whether the text is dots or stars that stand for a hidden value."""
    return _MASK.fullmatch(text) is not None or HIDDEN in text


def _continues(body: str, chunk: str, full: int) -> bool:
    """Whether `chunk` behind a gap belongs to the token whose `body` was read so far."""
    if full and len(body) < full - 1:
        fits = full - 1 <= len(body) + len(chunk) <= full + 1
        return looks_random(chunk) or (fits and not wordy(body)) or (len(chunk) <= 3 and bool(_DIGIT.search(chunk)))
    return not full and goes_on(chunk)


def gather(text: str, start: int, alphabet: str, full: int) -> tuple[str, int]:
    """The token body that begins at `start`, read over single spaces and line ends.

    `alphabet` is a character class without brackets, `full` the usual length in characters (0: unknown). A gap is
    crossed while the body is short of `full`, or when what follows looks generated.
    Returns the body without gaps and the end place.
    """
    run = compiled(f"[{alphabet}]{{1,{_RUN_MAX}}}")
    body, end = "", start
    while True:
        gap = _GAP.match(text, end) if end > start else None
        place = gap.end() if gap else end
        if end > start and gap is None:
            return body, end
        found = run.match(text, place)
        if found is None:
            return body, end
        closed = found.end() == len(text) or text[found.end()] in " \n\"'`,;)]}<>.&#:@/"
        if end > start and not (closed and _continues(body, found.group(), full)):
            return body, end
        body, end = body + found.group(), found.end()


def line_end(text: str, place: int) -> int:
    """Where the line that holds `place` ends."""
    end = text.find("\n", place)
    return len(text) if end < 0 else end


def line_start(text: str, place: int) -> int:
    """Where the line that holds `place` starts."""
    return text.rfind("\n", 0, place) + 1
