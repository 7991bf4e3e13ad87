"""Days and times as a model writes them, in the zone of the person."""

from datetime import date, datetime, time, timedelta
from typing import Final, LiteralString
from zoneinfo import ZoneInfo

from biny_desktop.core.clock import Stamp

_NO_FROM: Final[LiteralString] = "from: is no day or time. Write 2026-03-12 or 2026-03-12T14:00."
_NO_TO: Final[LiteralString] = "to: is no day or time. Write 2026-03-12 or 2026-03-12T14:00."


def unreadable(since: str | None, until: str | None, now: Stamp) -> LiteralString | None:
    """What is wrong with a span as a model writes it; None: nothing."""
    if since is not None and instant(since, now, end=False) is None:
        return _NO_FROM
    return _NO_TO if until is not None and instant(until, now, end=True) is None else None


def instant(text: str, now: Stamp, *, end: bool) -> int | None:
    """UTC ms of a day or time as a model writes it; `end`: a day is meant to its end. None: it is neither."""
    try:
        if "T" in text.upper() or " " in text.strip():
            local = datetime.fromisoformat(text.strip().upper())
        else:
            day = date.fromisoformat(text.strip()) + timedelta(days=int(end))
            local = datetime.combine(day, time.min)
        aware = local if local.tzinfo else local.replace(tzinfo=ZoneInfo(now.zone))
        return max(0, round(aware.timestamp() * 1000))
    except (ValueError, OverflowError):
        return None
