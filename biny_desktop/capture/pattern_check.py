"""Which regular expressions are quick enough on any text of 500 characters to be let in (spec 02 §3.8).

A repeat inside a repeat, or a choice inside one, makes `re` exponential; each open repeat multiplies the time by the
length of the text. Both are found from the pattern's own signs; where in doubt, the pattern is refused.
"""

import re
import warnings
from dataclasses import dataclass

MAX_OPEN_REPEATS = 2
"""`*`, `+`, `{n,}` apart from a `.*` at either end: with the search itself at most cubic, < 0.3 s on 500 characters."""
MAX_WAYS = 64
"""`?`, `{n,m}` and choices inside groups multiply the ways to match; at most this many."""
MAX_COUNT = 50
"""Largest number in `{n,m}`."""
_COUNT = re.compile(r"\{(\d*)(?:(,)(\d*))?\}")


@dataclass
class _Group:
    """What an open bracket holds so far."""

    repeats: bool = False
    choices: int = 1


def why_refused(pattern: str) -> str:
    """Why a regular expression is not let in, in a few words; empty if it is."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # a doubtful set like `[[` means something else tomorrow
            re.compile(pattern, re.IGNORECASE)
    except (re.error, Warning, OverflowError, RecursionError) as error:
        return f"it is not a regular expression ({error})"
    return _Scan(simplified(pattern)).verdict()


def simplified(pattern: str) -> str:
    """The pattern without `.*` at its ends and without `(?i)`: a search that ignores case finds the same, sooner."""
    middle = re.sub(r"^\^?(?:\.\*\??)+", "", pattern.removeprefix("(?i)"))
    return re.sub(r"(?<!\\)(?:\.\*\??)+\$?$", "", middle)


class _Scan:
    """One walk over a pattern that compiles."""

    def __init__(self, pattern: str) -> None:
        self._pattern = pattern
        self._open = 0
        self._ways = 1
        self._stack = [_Group()]
        self._last: _Group | None = None

    def verdict(self) -> str:
        """Why it is refused, or nothing."""
        place = 0
        while place < len(self._pattern):
            place, reason = self._step(place)
            if reason:
                return reason
        if self._open > MAX_OPEN_REPEATS:
            return f"it has more than {MAX_OPEN_REPEATS} open repeats (*, +)"
        return "it can match in too many ways (?, {n,m}, |)" if self._ways > MAX_WAYS else ""

    def _step(self, place: int) -> tuple[int, str]:
        """Read one sign; the next place, and a reason to refuse."""
        sign = self._pattern[place]
        if sign == "\\":
            self._last = None
            following = self._pattern[place + 1]
            return place + 2, "it refers back to a group" if following.isdigit() and following != "0" else ""
        if sign == "[":
            self._last = None
            return self._class_end(place), ""
        if sign == "(":
            return self._enter(place)
        if sign == ")":
            self._last = self._stack.pop()
            # What is inside a group is inside the group around it, too.
            self._stack[-1].repeats |= self._last.repeats
            self._stack[-1].choices = max(self._stack[-1].choices, self._last.choices)
            self._ways *= self._last.choices
            return place + 1, ""
        if sign == "|":
            self._stack[-1].choices += 1
            self._last = None
            return place + 1, ""
        if sign in "*+?{":
            return self._repeat(place, sign)
        self._last = None
        return place + 1, ""

    def _enter(self, place: int) -> tuple[int, str]:
        self._stack.append(_Group())
        self._last = None
        if not self._pattern.startswith("(?", place):
            return place + 1, ""
        if self._pattern.startswith("(?:", place):
            return place + 3, ""
        return place, "it uses a special group (only (…) and (?:…) are allowed)"

    def _repeat(self, place: int, sign: str) -> tuple[int, str]:
        end, low, high = place + 1, 0, 1
        if sign == "{":
            count = _COUNT.match(self._pattern, place)
            if count is None or not (count[1] or count[3]):
                self._last = None
                return place + 1, ""
            end, low = count.end(), int(count[1] or 0)
            high = low if not count[2] else int(count[3]) if count[3] else -1
            if max(low, high) > MAX_COUNT:
                return end, f"it counts above {MAX_COUNT}"
        elif sign in "*+":
            high = -1
        if end < len(self._pattern) and self._pattern[end] in "?+":
            end += 1
        group, self._last = self._last, None
        if group is not None and high != 1 and (group.repeats or group.choices > 1):
            return end, "it repeats a group that holds a repeat or a choice"
        self._open += high < 0
        self._ways *= max(1, high - low + 1)
        self._stack[-1].repeats = True
        return end, ""

    def _class_end(self, place: int) -> int:
        """The place after a character class."""
        at = place + 1
        if self._pattern[at] == "^":
            at += 1
        at += 2 if self._pattern[at] == "\\" else 1  # the first sign may be a bracket that means itself
        while self._pattern[at] != "]":
            at += 2 if self._pattern[at] == "\\" else 1
        return at + 1
