"""Days: the activity day that begins at `day.start`, and the calendar day (spec 01, Storage; spec 03 §1.2)."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

from biny_desktop.core.clock import to_local


@dataclass(frozen=True, slots=True)
class DayRange:
    """A day as UTC milliseconds [start_ms, end_ms); 23, 24 or 25 hours long."""

    day: str
    start_ms: int
    end_ms: int


def calendar_day(at_ms: int, zone: str) -> str:
    """ISO date of a UTC instant in its zone."""
    return to_local(at_ms, zone).date().isoformat()


def activity_day(at_ms: int, zone: str, start: str = "04:00") -> str:
    """ISO date of the activity day that holds this instant.

    Args:
        at_ms: UTC milliseconds.
        zone: IANA zone of the row.
        start: `day.start`, local `HH:MM` from 00:00 to 08:00.
    """
    local = to_local(at_ms, zone).date()
    return (local if at_ms >= _start_ms(local, zone, start) else local - timedelta(days=1)).isoformat()


def activity_range(day: str, zone: str, start: str = "04:00") -> DayRange:
    """The UTC range of an activity day in one zone.

    Raises:
        ValueError: `day` is not an ISO date.
    """
    first = date.fromisoformat(day)
    return DayRange(day, _start_ms(first, zone, start), _start_ms(first + timedelta(days=1), zone, start))


def _start_ms(day: date, zone: str, start: str) -> int:
    """UTC ms of `start` on that local day; a start that a clock change skips is the first existing minute after it."""
    hour, minute = (int(part) for part in start.split(":"))
    tz = ZoneInfo(zone)
    wall = datetime(day.year, day.month, day.day, hour, minute)  # noqa: DTZ001  (made aware two lines on)
    for step in range(24 * 60):
        aware = (wall + timedelta(minutes=step)).replace(tzinfo=tz)
        back = aware.astimezone(UTC).astimezone(tz)
        if back.replace(tzinfo=None) == aware.replace(tzinfo=None):
            return round(aware.timestamp() * 1000)
    raise ValueError(f"no such day in {zone}: {day}")
