"""ISO weeks by name: `2026-W11`, also W53, and the seven activity days of one."""

import re
from datetime import date, timedelta
from typing import Final

from biny_desktop.core.errors import InvalidInputError

_WEEK: Final = re.compile(r"([0-9]{4})-W([0-9]{2})")


def week_of(day: str) -> str:
    """The ISO week that holds an ISO date; near new year its year may be another than the date's."""
    year, week, _weekday = date.fromisoformat(day).isocalendar()
    return f"{year:04d}-W{week:02d}"


def days_of(week: str) -> tuple[str, ...]:
    """The seven days of a week, Monday first.

    Raises:
        InvalidInputError: there is no such week.
    """
    match = _WEEK.fullmatch(week)
    try:
        if match is None:
            raise ValueError(week)
        monday = date.fromisocalendar(int(match[1]), int(match[2]), 1)
        return tuple((monday + timedelta(days=n)).isoformat() for n in range(7))
    except (ValueError, OverflowError) as error:
        raise InvalidInputError("No such week", f"{week!r} is no week.", "Write it as 2026-W11.") from error


def week_before(day: str) -> str:
    """The last week that had ended when this day began."""
    found = date.fromisoformat(day)
    return week_of((found - timedelta(days=found.weekday() + 1)).isoformat())
