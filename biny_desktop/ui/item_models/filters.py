"""The filters of a search as a person sees them: `app:code "two words" has:text` taken apart and put together; pure.

The meaning of a filter belongs to `activity.search`; here only its shape matters, so that it can stand as a chip.
"""

import re
from dataclasses import dataclass

KEYS = ("app", "title", "before", "after", "on", "trigger", "has")
_FILTER = re.compile(rf'(?<!\S)({"|".join(KEYS)}):("[^"]*"|[^\s"]+)(?=\s|$)', re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Filter:
    """One chip: `key` of KEYS, `value` without quotes."""

    key: str
    value: str

    def text(self) -> str:
        """As it is written in a query."""
        return f'{self.key}:"{self.value}"' if re.search(r"\s", self.value) else f"{self.key}:{self.value}"


def split(query: str) -> tuple[str, tuple[Filter, ...]]:
    """The words without the filters, and the filters; `key:` without a value stays among the words."""
    found = tuple(
        Filter(match[1].lower(), match[2].strip('"')) for match in _FILTER.finditer(query) if match[2].strip('"')
    )
    words = _FILTER.sub(lambda match: "" if match[2].strip('"') else match[0], query)
    return " ".join(words.split()), found


def join(words: str, filters: tuple[Filter, ...]) -> str:
    """One query of words and filters."""
    return " ".join([words.strip(), *(each.text() for each in filters)]).strip()
