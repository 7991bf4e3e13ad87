"""How near one looks at time: from a month to a minute, and which stretch is in sight; pure."""

from datetime import date, timedelta
from typing import Final, Literal

from biny_desktop.core.days import DayRange
from biny_desktop.core.i18n import _
from biny_desktop.ui.formats import day_name, month_title

Level = Literal["month", "week", "day", "hour", "minute"]
LEVELS: Final[tuple[Level, ...]] = ("month", "week", "day", "hour", "minute")
MINUTE_MS: Final = 60_000
LENGTHS_MS: Final = {"hour": 60 * MINUTE_MS, "minute": 10 * MINUTE_MS}
"""What is in sight at the two nearest levels; a minute has a line of its own on the axis of the last one."""


def level_words(level: Level) -> str:
    """The name of a level: how much time is in sight."""
    names = {"month": _("1 month"), "week": _("1 week"), "day": _("1 day"), "hour": _("1 hour"), "minute": _("10 min")}
    return names[level]


def nearer(level: Level, by: int) -> Level:
    """The level `by` steps nearer (farther when negative), the last one at the ends."""
    return LEVELS[min(len(LEVELS) - 1, max(0, LEVELS.index(level) + by))]


def window_at(level: Level, at_ms: int, bounds: DayRange) -> tuple[int, int]:
    """The stretch in sight around an instant, inside the day; the whole day for the far levels."""
    length = LENGTHS_MS.get(level)
    if length is None:
        return bounds.start_ms, bounds.end_ms
    return moved((at_ms - length // 2, at_ms - length // 2 + length), 0, bounds)


def moved(window: tuple[int, int], by_ms: int, bounds: DayRange) -> tuple[int, int]:
    """A stretch moved along, kept inside the day."""
    length = window[1] - window[0]
    start = min(max(window[0] + by_ms, bounds.start_ms), max(bounds.start_ms, bounds.end_ms - length))
    return start, start + length


def monday_of(day: date) -> date:
    """The first day of its week (ISO)."""
    return day - timedelta(day.weekday())


def span_title(level: Level, day: date, today: date) -> str:
    """The name of the month or week of a day."""
    if level == "month":
        return month_title(day.year, day.month)
    first = monday_of(day)
    return _("{first} – {last}").format(first=day_name(first, today), last=day_name(first + timedelta(6), today))


def span_after(level: Level, day: date, by: int) -> date:
    """A day of the month or week `by` later."""
    if level == "week":
        return day + timedelta(7 * by)
    number = day.year * 12 + day.month - 1 + by
    return date(number // 12, number % 12 + 1, 1)
