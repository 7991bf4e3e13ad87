"""The search language of spec 03 §6.2, parsed without ever failing: words, phrases, `-`, `*`, and filters.

Pure: no database. The result is an FTS5 expression of quoted strings only, a time range, and the terms to highlight.
"""

import re
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from biny_desktop.activity.index import token
from biny_desktop.core.clock import Stamp
from biny_desktop.core.days import activity_day, activity_range
from biny_desktop.core.marks import Wanted
from biny_desktop.core.text import bigrams, clean, normalise, split_runs

QUERY_MAX: Final = 500
"""Longest query in characters; more is cut (spec 03 §6.2)."""
TERMS_MAX: Final = 64
"""Terms of one query at most; FTS5 nests expressions and has a limit on depth."""
HAS: Final = ("text", "picture", "redaction", "pinned", "highlight")
FRAME_FILTERS: Final = frozenset({"app", "title", "before", "after", "on", "trigger", "has"})
SEGMENT_FILTERS: Final = frozenset({"app", "title", "before", "after", "on", "has", "kind", "project"})
"""What `x:` may be in a search of frames, and of segments (spec 03 §6.7); anything else is plain text."""
_PIECE: Final = re.compile(r'\s*(-?)(?:([A-Za-z]+):)?(?:"([^"]*)"(\*?)|(\S+))')
_DAYS: Final = re.compile(r"^(\d{1,5})d$")
_TEXT_COLUMNS: Final = "{body title}"


@dataclass(frozen=True, slots=True)
class Query:
    """A parsed query. `match` is the FTS5 expression, None when there is nothing to search for.

    Frames count from `after_ms` (inclusive) to `before_ms` (exclusive), UTC ms.

    For a search by meaning (spec 03 §7) the wanted words are the `question`, as typed, and `filters` is the FTS5
    expression of all else (filters and what is taken away), None without any.
    """

    match: str | None
    after_ms: int | None = None
    before_ms: int | None = None
    wanted: tuple[Wanted, ...] = ()
    question: str = ""
    filters: str | None = None


@dataclass
class _Parts:
    plus: list[str] = field(default_factory=list)
    minus: list[str] = field(default_factory=list)
    filters: list[str] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    wanted: list[Wanted] = field(default_factory=list)
    after: int | None = None
    before: int | None = None

    def narrow(self, after: int | None, before: int | None) -> None:
        """Take the narrower of two time ranges."""
        if after is not None:
            self.after = after if self.after is None else max(self.after, after)
        if before is not None:
            self.before = before if self.before is None else min(self.before, before)

    def demand(self, match: str) -> None:
        """A filter that must match."""
        self.plus.append(match)
        self.filters.append(match)

    @property
    def any(self) -> bool:
        return bool(self.plus or self.minus) or self.after is not None or self.before is not None


def parse(text: str, now: Stamp, day_start: str = "04:00", filters: frozenset[str] = FRAME_FILTERS) -> Query:
    """Parse any text; never raises.

    Args:
        text: what a person typed. now: the present time and zone. day_start: `day.start`, local HH:MM. filters: which
        filters there are.
    """
    parts = _Parts()
    for piece in _PIECE.finditer(clean(text[:QUERY_MAX]).replace("\n", " ")):
        if len(parts.plus) + len(parts.minus) >= TERMS_MAX:
            break
        minus, name, quoted, star, word = piece.groups()
        value = quoted if quoted is not None else word
        if name and name.lower() in filters and _filter(parts, name.lower(), value, now, day_start, bool(minus)):
            continue
        prefix = bool(star) if quoted is not None else value.endswith("*")
        _term(parts, f"{name}:{value}" if name else value, bool(minus), prefix)
    if not parts.any:
        return Query(None)
    demanded = _match(parts.filters, parts.minus) if parts.filters or parts.minus else None
    return Query(
        _match(parts.plus, parts.minus), parts.after, parts.before, tuple(parts.wanted), " ".join(parts.words), demanded
    )


def _match(plus: list[str], minus: list[str]) -> str:
    """All of the first, none of the second."""
    return " AND ".join(plus or [_in_meta(token("all"))]) + "".join(f" NOT {each}" for each in minus)


def _term(parts: _Parts, raw: str, minus: bool, prefix: bool) -> None:
    phrase = _phrase(raw, prefix)
    if phrase is None:
        return
    (parts.minus if minus else parts.plus).append(f"{_TEXT_COLUMNS} : {phrase}")
    if not minus:
        parts.wanted.append(Wanted(normalise(raw).strip('*" '), prefix))
        parts.words.append(raw.rstrip("*"))


def _phrase(raw: str, prefix: bool) -> str | None:
    """A quoted FTS5 phrase for a term, cut like the index; None when nothing in it can be found."""
    plain = normalise(raw)
    if not any(char.isalnum() for char in plain):
        return None
    runs = [(cjk, run) for cjk, run in split_runs(plain) if cjk or any(char.isalnum() for char in run)]
    words: list[str] = []
    for place, (cjk, run) in enumerate(runs):
        last = place == len(runs) - 1
        if not cjk:
            words.append(run)
        elif last:
            # The index ends each run with its last character alone; what is searched may go on, so that one is open.
            words += bigrams(run)[:-1] or [run]
            prefix = prefix or len(run) == 1
        else:
            words += bigrams(run)
    joined = " ".join(" ".join(words).replace('"', " ").split())
    return f'"{joined}"' + (" *" if prefix else "")


def _in_meta(*tokens: str) -> str:
    return "meta : (" + " AND ".join(f'"{each}"' for each in tokens) + ")"


def _filter(parts: _Parts, name: str, value: str, now: Stamp, day_start: str, minus: bool) -> bool:
    """Take one `name:value`; False when it is none after all, so that it is searched as text."""
    if not value.strip('"* '):
        return True
    if name == "title":
        phrase = _phrase(value, value.endswith("*"))
        if phrase is not None:
            (parts.minus.append if minus else parts.demand)(f"title : {phrase}")
            if not minus:
                parts.wanted.append(Wanted(normalise(value).strip("*"), value.endswith("*")))
        return True
    if name in ("before", "after", "on"):
        times = _times(name, value.strip(), now, day_start)
        if times is None or minus:
            return False
        parts.narrow(*times)
        return True
    if name == "has" and value.lower() not in HAS:
        return False
    star = value.endswith("*")
    word = token(name, value.rstrip("*"))  # type: ignore[arg-type]  # app, trigger, has, kind or project
    (parts.minus.append if minus else parts.demand)(f'meta : "{word}"' + (" *" if star else ""))
    return True


def _times(name: str, value: str, now: Stamp, day_start: str) -> tuple[int | None, int | None] | None:
    """(after, before) in UTC ms of a time filter; None when the value is no time."""
    try:
        start, end = _moment(value.lower(), now, day_start)
    except (ValueError, OverflowError):
        return None
    if name == "after":
        return start, None
    return (None, start) if name == "before" else (start, end)


def _moment(value: str, now: Stamp, day_start: str) -> tuple[int, int]:
    """[start, end) in UTC ms of a written day or time."""
    today = date.fromisoformat(activity_day(now.at_ms, now.zone, day_start))
    days = _DAYS.match(value)
    if value == "today":
        day = today
    elif value == "yesterday":
        day = today - timedelta(days=1)
    elif days:
        day = today - timedelta(days=int(days.group(1)))
    elif "t" in value:
        local = datetime.fromisoformat(value.upper())
        aware = local if local.tzinfo else local.replace(tzinfo=ZoneInfo(now.zone))
        start = round(aware.timestamp() * 1000)
        return start, start + 60_000
    else:
        day = date.fromisoformat(value)
    bounds = activity_range(day.isoformat(), now.zone, day_start)
    return bounds.start_ms, bounds.end_ms
