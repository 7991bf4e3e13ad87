"""The user's own patterns (spec 02 §8, type `custom`): at most 200 characters, 50 ms a piece of text.

Python's `re` cannot be interrupted once it runs, and a timer thread or a child process for every line was rejected as
too dear. So a pattern is limited in three steps. (1) `check_custom` refuses what can cost exponential time: a varying
repeat inside another, alternatives inside a repeat, back references, more than 12 varying repeats. (2) It then tries
the pattern on growing hostile texts and refuses it when it gets slow before the largest piece. (3) At run time a
pattern only ever sees pieces of at most 256 characters; a piece that takes more than 50 ms of the thread's own time is
hidden whole, and the pattern is switched off in this redactor, with a log line that names its number and never the
text.
"""

import logging
import re
import threading
import time
import warnings
from collections.abc import Iterator, Sequence
from re import _parser as sre  # type: ignore[attr-defined]
from typing import Any, Final

from biny_desktop.core.errors import InvalidSettingError
from biny_desktop.redaction.finding import Find
from biny_desktop.redaction.view import View

log = logging.getLogger(__name__)

PATTERN_MAX: Final = 200
"""Longest pattern in characters (spec 02 §8)."""

MATCH_MS: Final = 50.0
"""Most milliseconds of one match (spec 02 §8)."""

PIECE: Final = 256
OVERLAP: Final = 64
"""Longest piece of a line a pattern sees at once, and how far two pieces overlap, in characters."""

_PROBE_MS: Final = 20.0
"""A pattern that takes longer on a hostile text is refused: leaves room for a slower machine."""

_VARYING_MAX: Final = 12
"""Most repeats with a varying count in one pattern."""


def check_custom(pattern: str) -> None:
    """Accept a pattern or say why not.

    Raises:
        InvalidSettingError: empty, too long, no regular expression, matches the empty text, or could run too long.
    """
    if not pattern or len(pattern) > PATTERN_MAX:
        raise _refused(f"A pattern has 1 to {PATTERN_MAX} characters; this one has {len(pattern)}.")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            compiled = re.compile(pattern)
            tree = sre.parse(pattern)
    except (re.error, OverflowError, RecursionError, Warning) as fault:
        raise _refused(f"It is not a valid regular expression ({fault}).") from None
    if _varying(tree, inside=False) > _VARYING_MAX:
        raise _refused(f"It has more than {_VARYING_MAX} repeats.")
    if compiled.search("") is not None:
        raise _refused("It matches the empty text, so everything would be hidden.")
    _probe(compiled, pattern)


def _refused(why: str) -> InvalidSettingError:
    return InvalidSettingError("This pattern cannot be used", why, "Write a shorter or simpler pattern.")


def _varying(tree: Any, inside: bool) -> int:
    """How many repeats with a varying count the parsed pattern holds; refuses what can explode."""
    count = 0
    for op, arg in tree:
        name = str(op)
        if name in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
            low, high, body = arg
            varies = low != high
            if varies and inside:
                raise _refused("A repeat inside a repeat can run for hours.")
            count += varies + _varying(body, inside or (varies and int(high) > 1))
        elif name == "BRANCH":
            if inside:
                raise _refused("Alternatives inside a repeat can run for hours.")
            count += sum(_varying(branch, inside) for branch in arg[1])
        elif name in ("GROUPREF", "GROUPREF_EXISTS"):
            raise _refused("It refers back to a group, which can run for hours.")
        elif name == "SUBPATTERN":
            count += _varying(arg[3], inside)
        elif name in ("ASSERT", "ASSERT_NOT"):
            count += _varying(arg[1], inside)
        elif name == "ATOMIC_GROUP":
            count += _varying(arg, inside)
    return count


def _probe(compiled: re.Pattern[str], pattern: str) -> None:
    """Try growing hostile texts; each is at most 1.5 times the one before, so a slow pattern shows early."""
    letters = "".join(dict.fromkeys(c for c in pattern if c.isalnum()))[:8]
    seeds = {"a", "1", " ", "-", "a1", "aA1-", "a ", "0.", *letters, letters or "x", letters + " "}
    for seed in sorted(seeds):
        size = 12
        while True:
            text = (seed * size)[:size] + "\x00"
            began = time.thread_time()
            compiled.search(text)
            if (time.thread_time() - began) * 1_000 > _PROBE_MS:
                raise _refused("It takes too long on some texts.")
            if size >= PIECE:
                break
            size = min(PIECE, size * 3 // 2)


class CustomRules:
    """The patterns of one redactor, compiled; threads may share it."""

    def __init__(self, patterns: Sequence[str]) -> None:
        """Compile the patterns. Raises InvalidSettingError for one that `check_custom` refuses."""
        for pattern in patterns:
            check_custom(pattern)
        self._patterns = [re.compile(pattern) for pattern in patterns]
        self._off: set[int] = set()
        self._lock = threading.Lock()

    def find(self, view: View) -> Iterator[Find]:
        """All matches, line by line; the piece on which a pattern was too slow counts as one."""
        for number, pattern in enumerate(self._patterns):
            if number not in self._off:
                yield from self._find_one(number, pattern, view)

    def _find_one(self, number: int, pattern: re.Pattern[str], view: View) -> Iterator[Find]:
        for start, end in pieces(view.text):
            began = time.thread_time()
            found = [match.span() for match in pattern.finditer(view.text[start:end])]
            took_ms = (time.thread_time() - began) * 1_000
            if took_ms > MATCH_MS:
                with self._lock:
                    self._off.add(number)
                log.warning("custom pattern %d took %.0f ms on one piece and is switched off", number + 1, took_ms)
                yield Find(start, end, "custom")
                return
            yield from (Find(start + low, start + high, "custom") for low, high in found if high > low)


def pieces(text: str) -> Iterator[tuple[int, int]]:
    """The lines of the text as ranges of at most `PIECE` characters that overlap by `OVERLAP`."""
    line = 0
    for part in text.split("\n"):
        start, end = line, line + len(part)
        while end - start > PIECE:
            yield start, start + PIECE
            start += PIECE - OVERLAP
        if end > start:
            yield start, end
        line = end + 1
