"""Where activity days begin and end on the line of time, travel included, and the hours of a day (spec 03 §1.2).

A day begins at the first moment at which `day.start` has passed in the zone that is in force then; the zone in force is
that of the newest row. So days follow each other without hole or overlap, whatever the person's travels: one is shorter
on the way east and longer on the way west.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

from biny_desktop.core.clock import to_local
from biny_desktop.core.days import activity_day, activity_range
from biny_desktop.core.errors import InvalidInputError
from biny_desktop.storage.database import Reader

_HOUR_MS: Final = 3_600_000
_MINUTE_MS: Final = 60_000
_EARLIEST_MS: Final = 14 * _HOUR_MS
"""No zone is further ahead of UTC than this, ms."""
_STEPS_MAX: Final = 8
"""Changes of zone looked at for the start of one day."""

ZoneAt = Callable[[int], str]
"""The zone in force at a time (UTC ms)."""


@dataclass(frozen=True, slots=True)
class DaySpan:
    """An activity day [start, end), UTC ms; `zone` is in force at its end, or now."""

    day: str
    start_ms: int
    end_ms: int
    zone: str


@dataclass(frozen=True, slots=True)
class Hour:
    """An hour of a day: `label` "02", "02b" when it comes again; [start, end) UTC ms."""

    label: str
    start_ms: int
    end_ms: int


def zones_of(r: Reader, now_zone: str) -> ZoneAt:
    """The zone in force, from the newest frame or event up to a time; before the first row that of the first."""

    def zone_at(at_ms: int) -> str:
        rows = r.query(
            "SELECT at, zone FROM (SELECT captured_at AS at, time_zone AS zone FROM frames WHERE captured_at <= :at "
            "ORDER BY captured_at DESC LIMIT 1) UNION ALL SELECT at, zone FROM (SELECT at, time_zone AS zone "
            "FROM frame_events WHERE at <= :at ORDER BY at DESC LIMIT 1) ORDER BY at DESC LIMIT 1",
            {"at": at_ms},
        )
        if rows:
            return rows[0].text("zone")
        first = r.one("SELECT time_zone AS zone FROM frames ORDER BY captured_at LIMIT 1")
        return first.text("zone") if first else now_zone

    return zone_at


def day_span(day: str, zone_at: ZoneAt, day_start: str = "04:00") -> DaySpan:
    """When a day begins and ends.

    Raises:
        InvalidInputError: `day` is not an ISO date.
    """
    try:
        following = (date.fromisoformat(day) + timedelta(days=1)).isoformat()
        start = _start_of(day, zone_at, day_start)
        end = _start_of(following, zone_at, day_start)
    except (ValueError, OverflowError) as error:
        raise InvalidInputError("Not a day", f"{day!r} is no date.", "Write it as 2026-03-14.") from error
    return DaySpan(day, start, max(start + 1, end), zone_at(max(start, end - 1)))


def day_of(at_ms: int, zone_at: ZoneAt, day_start: str = "04:00") -> str:
    """The day whose span holds a time."""
    day = date.fromisoformat(activity_day(at_ms, zone_at(at_ms), day_start))
    # After a journey back over the date line the label of the zone lies behind the day that is under way.
    while _start_of((day + timedelta(days=1)).isoformat(), zone_at, day_start) <= at_ms:
        day += timedelta(days=1)
    return day.isoformat()


def _start_of(day: str, zone_at: ZoneAt, day_start: str) -> int:
    """The first moment of a day: walk along the zones in force from the earliest moment it can begin anywhere."""
    at = activity_range(day, "UTC", day_start).start_ms - _EARLIEST_MS
    zone = zone_at(at)
    for _ in range(_STEPS_MAX):
        start = max(at, activity_range(day, zone, day_start).start_ms)
        if zone_at(start) == zone:
            return start
        at = _first_change(at, start, zone, zone_at)
        zone = zone_at(at)
    return at


def _first_change(low: int, high: int, zone: str, zone_at: ZoneAt) -> int:
    """A time in (low, high] at which another zone comes into force; the only one, if there is one."""
    while high - low > 1:
        middle = (low + high) // 2
        if zone_at(middle) == zone:
            low = middle
        else:
            high = middle
    return high


def hours_of(span: DaySpan, zone_at: ZoneAt, day_start: str = "04:00") -> tuple[Hour, ...]:
    """The local hours of a day, counted from `day.start`; together they are the day."""
    minute = int(day_start.split(":")[1])
    out: list[Hour] = []
    seen: dict[str, int] = {}
    at = span.start_ms
    zone = zone_at(at)
    steady = zone_at(span.end_ms - 1) == zone
    while at < span.end_ms:
        local = to_local(at, zone)
        into = ((local.minute - minute) % 60) * _MINUTE_MS + local.second * 1000 + local.microsecond // 1000
        name = f"{to_local(at - into, zone).hour:02d}"
        end = min(span.end_ms, at + _HOUR_MS - into)
        if not steady and zone_at(end - 1) != zone:
            end = _first_change(at, end - 1, zone, zone_at)
        seen[name] = seen.get(name, 0) + 1
        out.append(Hour(name if seen[name] == 1 else name + "abcdefgh"[min(seen[name], 8) - 1], at, end))
        at = end
        zone = zone if steady else zone_at(at)
    return tuple(out)
