"""The filters of a search as a person sees them: `app:code "two words" has:text` taken apart and put together; pure.

The meaning of a filter belongs to `activity.search`; here only its shape matters, so that it can stand as a chip.
"""

import re
from dataclasses import dataclass, field
from functools import cache

KEYS = ("app", "title", "before", "after", "on", "trigger", "has")
"""Filters of a search for screens."""
SEGMENT_KEYS = ("app", "title", "before", "after", "on", "has", "kind", "project")
"""Filters of a search for activities; `x:` of any other kind is plain text."""
MESSAGE_KEYS = ("before", "after", "on", "role", "source", "project", "chat")
"""Filters of a search for messages."""
SEGMENT_HAS = ("text", "highlight")


@dataclass(frozen=True, slots=True)
class Filter:
    """One chip: `key` of KEYS, SEGMENT_KEYS or MESSAGE_KEYS, `value` without quotes."""

    key: str
    value: str
    name: str = field(default="", compare=False)
    """What a person calls the value, where that is an id."""

    def text(self) -> str:
        """As it is written in a query."""
        return f'{self.key}:"{self.value}"' if re.search(r"\s", self.value) else f"{self.key}:{self.value}"


@cache
def _pattern(keys: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(rf'(?<!\S)({"|".join(keys)}):("[^"]*"|[^\s"]+)(?=\s|$)', re.IGNORECASE)


def split(query: str, keys: tuple[str, ...] = KEYS) -> tuple[str, tuple[Filter, ...]]:
    """The words without the filters of these keys, and the filters; `key:` without a value stays among the words."""
    if not keys:
        return " ".join(query.split()), ()
    find = _pattern(keys)
    found = tuple(
        Filter(match[1].lower(), match[2].strip('"')) for match in find.finditer(query) if match[2].strip('"')
    )
    words = find.sub(lambda match: "" if match[2].strip('"') else match[0], query)
    return " ".join(words.split()), found


def join(words: str, filters: tuple[Filter, ...]) -> str:
    """One query of words and filters."""
    return " ".join([words.strip(), *(each.text() for each in filters)]).strip()
