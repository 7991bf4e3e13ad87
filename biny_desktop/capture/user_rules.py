"""Privacy rules that the user wrote: checking them, and matching within a bound (spec 02 §3.8).

Python's `re` cannot be interrupted and holds the interpreter while it runs, so a cut-off at 50 ms needs three parts:
patterns whose worst case is exponential or cubic are refused when saved, the text given to one search is at most 500
characters, and a search that took over 50 ms counts as a hit. A watchdog thread was rejected: it could not run then.
"""

import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fnmatch import translate
from typing import Literal, get_args

from biny_desktop.capture.pattern_check import simplified, why_refused
from biny_desktop.capture.privacy_data import fold
from biny_desktop.core.errors import InvalidInputError
from biny_desktop.core.text import clean

PATTERN_MAX = 200
"""Longest pattern (characters, §3.8)."""
NAME_MAX = 100
"""Longest name of a rule (characters)."""
MATCH_NS = 50_000_000
"""A match that takes longer counts as a hit (§3.8: 50 ms)."""
SEARCH_MAX = 500
"""Longest text given to one regex search (characters)."""
SEARCH_STEP = 400
"""Longer text is searched in pieces that begin this far apart, so that a hit up to 100 characters long is never cut."""
TEXT_NS = 200_000_000
"""All searches of one rule in the text of one screen; longer counts as a hit."""

Target = Literal["app", "title", "url", "text"]
Match = Literal["exact", "contains", "glob", "regex"]
Action = Literal["placeholder", "no_trace", "mask"]


@dataclass(frozen=True, slots=True)
class UserRule:
    """One rule as it is stored; `id` of its row. Make it with `checked` when it comes from a person."""

    id: int
    name: str
    target: Target
    match: Match
    pattern: str
    action: Action
    enabled: bool = True


def checked(rule: UserRule) -> UserRule:
    """The rule, with name and pattern cleaned.

    Raises:
        InvalidInputError: something in it cannot be used; the message says what, the hint what is allowed.
    """
    name, pattern = clean(rule.name).strip(), clean(rule.pattern).strip()
    if not name or len(name) > NAME_MAX:
        raise _refuse("The rule needs a name", f"Use 1 to {NAME_MAX} characters.")
    if not pattern or len(pattern) > PATTERN_MAX:
        raise _refuse("The rule needs a pattern", f"Use 1 to {PATTERN_MAX} characters.")
    choices = ((rule.target, Target), (rule.match, Match), (rule.action, Action))
    for value, allowed in choices:
        if value not in get_args(allowed):
            raise _refuse(f"{value!r} is not a choice", f"One of: {', '.join(get_args(allowed))}.")
    if rule.match == "regex":
        reason = why_refused(pattern)
        if reason:
            raise _refuse(f"The pattern cannot be used: {reason}", "Use simpler text, or match `contains` or `glob`.")
    return UserRule(rule.id, name, rule.target, rule.match, pattern, rule.action, rule.enabled)


def _refuse(message: str, hint: str) -> InvalidInputError:
    return InvalidInputError("The privacy rule was not saved", message, hint)


class Matcher:
    """One rule, ready to be matched; without regard to case.

    Args:
        rule: a checked rule. One that was damaged in the database (its regex no longer compiles) hits always: a rule
            that cannot say "no" must not say "yes".
        now_ns: a clock for lengths, ns.
    """

    def __init__(self, rule: UserRule, now_ns: Callable[[], int] = time.perf_counter_ns) -> None:
        self.rule = rule
        self._now_ns = now_ns
        self._folded = fold(rule.pattern)
        self._regex = self._compile(rule)
        self._broken = rule.match in ("glob", "regex") and self._regex is None

    def _compile(self, rule: UserRule) -> re.Pattern[str] | None:
        if rule.match == "glob":
            return re.compile(translate(self._folded), re.IGNORECASE)
        if rule.match != "regex" or why_refused(rule.pattern):
            return None
        return re.compile(simplified(rule.pattern), re.IGNORECASE)

    def hits(self, text: str) -> bool:
        """Whether it hits an app id, a title or a URL."""
        return self._timed(text, MATCH_NS)

    def lines_hit(self, lines: Sequence[str], *, all_of_them: bool = False) -> list[int]:
        """The numbers of the lines of a screen that it hits: the first, or all; when time is up, every line left."""
        started = self._now_ns()
        hit: list[int] = []
        for number, line in enumerate(lines):
            late = self._now_ns() - started > TEXT_NS
            if line.strip() and (late or self._timed(line, MATCH_NS)):
                hit.append(number)
                if not all_of_them:
                    break
        return hit

    def _timed(self, text: str, limit_ns: int) -> bool:
        if self._broken:
            return True
        started = self._now_ns()
        return any(self._matches(piece, text) or self._now_ns() - started > limit_ns for piece in _pieces(text))

    def _matches(self, piece: str, whole: str) -> bool:
        if self.rule.match == "regex":
            # Both forms: a pattern may mean the dash as it is written, or as the app writes it on another system.
            return self._regex is not None and bool(self._regex.search(piece) or self._regex.search(fold(piece)))
        if self.rule.match == "glob":
            return self._regex is not None and self._regex.match(fold(whole)) is not None
        if self.rule.match == "exact":
            return fold(whole) == self._folded
        return self._folded in fold(piece)


def _pieces(text: str) -> list[str]:
    """The text in overlapping parts of at most `SEARCH_MAX` characters."""
    cleaned = clean(text)
    starts = range(0, max(1, len(cleaned) - (SEARCH_MAX - SEARCH_STEP)), SEARCH_STEP)
    return [cleaned[start : start + SEARCH_MAX] for start in starts]
