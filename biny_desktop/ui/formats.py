"""Times, durations and sizes in words, in the language spoken now (spec 09, Look: times)."""

from datetime import UTC, date, datetime

from biny_desktop.core.clock import to_local
from biny_desktop.core.i18n import _, mark

RECENT_DAYS = 7
"""Closer than this a day is called by its weekday."""
_SECOND, _MINUTE, _HOUR, _DAY = 1_000, 60_000, 3_600_000, 86_400_000
_WEEKDAYS_SHORT = (mark("Mon"), mark("Tue"), mark("Wed"), mark("Thu"), mark("Fri"), mark("Sat"), mark("Sun"))
_WEEKDAYS = (
    mark("Monday"),
    mark("Tuesday"),
    mark("Wednesday"),
    mark("Thursday"),
    mark("Friday"),
    mark("Saturday"),
    mark("Sunday"),
)
_MONTHS = (
    mark("January"),
    mark("February"),
    mark("March"),
    mark("April"),
    mark("May"),
    mark("June"),
    mark("July"),
    mark("August"),
    mark("September"),
    mark("October"),
    mark("November"),
    mark("December"),
)


def clock_time(at_ms: int, zone: str, *, seconds: bool = False) -> str:
    """ "14:32" or "14:32:05" in that zone."""
    return to_local(at_ms, zone).strftime("%H:%M:%S" if seconds else "%H:%M")


def moment(at_ms: int, zone: str, now_ms: int) -> str:
    """ "14:32" today, "Tue 14:32" within a week, the date before (and for other years with the year)."""
    local, now = to_local(at_ms, zone), to_local(now_ms, zone)
    days = (now.date() - local.date()).days
    if days == 0:
        return local.strftime("%H:%M")
    if 0 < days < RECENT_DAYS:
        return f"{_(_WEEKDAYS_SHORT[local.weekday()])} {local:%H:%M}"
    return day_name(local.date(), now.date())


def day_name(day: date, today: date) -> str:
    """ "3 March", with the year when it is not this one."""
    text = _("{day} {month}").format(day=day.day, month=_(_MONTHS[day.month - 1]))
    return text if day.year == today.year else _("{date} {year}").format(date=text, year=day.year)


def month_title(year: int, month: int) -> str:
    """ "March 2026"."""
    return _("{month} {year}").format(month=_(_MONTHS[month - 1]), year=year)


def day_title(day: date, today: date) -> str:
    """ "Today", "Yesterday", or "Tuesday, 3 March"."""
    days = (today - day).days
    if days == 0:
        return _("Today")
    if days == 1:
        return _("Yesterday")
    return _("{weekday}, {date}").format(weekday=_(_WEEKDAYS[day.weekday()]), date=day_name(day, today))


def day_and_time(at_ms: int, zone: str, now_ms: int) -> str:
    """ "Tuesday, 3 March, 14:32"; "Today, 14:32"."""
    local, now = to_local(at_ms, zone), to_local(now_ms, zone)
    return _("{day}, {time}").format(day=day_title(local.date(), now.date()), time=f"{local:%H:%M}")


def full_moment(at_ms: int, zone: str) -> str:
    """The whole truth for a tooltip: weekday, date, seconds and zone, and the same in UTC on a second line."""
    local = to_local(at_ms, zone)
    return f"{_full(local)} ({zone})\n{_full(local.astimezone(UTC))} (UTC)"


def time_range(start_ms: int, end_ms: int, zone: str) -> str:
    """ "14:32–15:10"; one time when both are the same minute."""
    start, end = clock_time(start_ms, zone), clock_time(end_ms, zone)
    return start if start == end else f"{start}–{end}"


def duration(length_ms: int) -> str:
    """ "2 h 41 min", "3 d 4 h", "12 s"; the two largest parts, never a part that is nought."""
    if length_ms < _SECOND:
        return _("less than 1 s")
    if length_ms < _MINUTE:
        return _("{n} s").format(n=length_ms // _SECOND)
    parts = (
        (_("{n} d"), length_ms // _DAY),
        (_("{n} h"), length_ms % _DAY // _HOUR),
        (_("{n} min"), length_ms % _HOUR // _MINUTE),
    )
    first = next(i for i, (_unit, n) in enumerate(parts) if n)
    return " ".join(unit.format(n=n) for unit, n in parts[first : first + 2] if n)


def bytes_size(size: int) -> str:
    """ "812 B", "14 kB", "1.4 MB" (powers of 1,000)."""
    if size < 1_000:
        return f"{size} B"
    value = float(size)
    for unit in ("kB", "MB", "GB"):
        value /= 1_000
        if value < 999.5:
            return f"{value:.1f} {unit}" if value < 9.95 else f"{value:.0f} {unit}"
    return f"{value / 1_000:.1f} TB"


def number(n: int) -> str:
    """ "12,345"."""
    return f"{n:,}"


def _full(local: datetime) -> str:
    day = day_name(local.date(), date.min)
    return _("{weekday}, {date}").format(weekday=_(_WEEKDAYS[local.weekday()]), date=day) + f" {local:%H:%M:%S}"
