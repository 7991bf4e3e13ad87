"""Activity days in zones with every kind of clock change."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biny_desktop.core.days import activity_day, activity_range, calendar_day

HOUR = 3_600_000
ZONES = [
    "UTC",
    "Europe/Berlin",
    "America/New_York",
    "Asia/Kolkata",
    "Pacific/Kiritimati",
    "Africa/Cairo",
    "America/Santiago",
]


def ms(text: str, zone: str) -> int:
    return round(datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone)).timestamp() * 1000)


@pytest.mark.parametrize(
    ("when", "zone", "day"),
    [
        ("2026-03-12 03:59", "Europe/Berlin", "2026-03-11"),
        ("2026-03-12 04:00", "Europe/Berlin", "2026-03-12"),
        ("2026-03-12 17:07", "America/Los_Angeles", "2026-03-12"),
        ("2028-02-29 12:00", "UTC", "2028-02-29"),
        ("2026-12-31 23:00", "Pacific/Kiritimati", "2026-12-31"),
    ],
)
def test_a_day_begins_at_its_start_in_the_zone_of_the_row(when: str, zone: str, day: str) -> None:
    assert activity_day(ms(when, zone), zone) == day


@pytest.mark.parametrize(
    ("day", "zone", "start", "hours"),
    [
        ("2026-03-28", "Europe/Berlin", "04:00", 23),
        ("2026-03-29", "Europe/Berlin", "04:00", 24),
        ("2026-10-24", "Europe/Berlin", "04:00", 25),
        ("2026-10-25", "Europe/Berlin", "00:00", 25),
        ("2026-04-24", "Africa/Cairo", "00:00", 23),
        ("2026-09-06", "America/Santiago", "00:00", 23),
    ],
)
def test_the_short_and_the_long_day_have_their_real_length(day: str, zone: str, start: str, hours: int) -> None:
    found = activity_range(day, zone, start)
    assert (found.end_ms - found.start_ms) / HOUR == hours


def test_a_start_that_does_not_exist_is_the_first_minute_after_it() -> None:
    found = activity_range("2026-04-24", "Africa/Cairo", "00:00")
    assert found.start_ms == ms("2026-04-24 01:00", "Africa/Cairo")


@given(
    st.integers(0, 4_000_000_000_000),
    st.sampled_from(ZONES),
    st.integers(0, 8 * 60).map(lambda m: f"{m // 60:02d}:{m % 60:02d}"),
)
def test_every_instant_lies_in_its_day_and_days_join_without_gap(at: int, zone: str, start: str) -> None:
    day = activity_day(at, zone, start)
    found = activity_range(day, zone, start)
    assert found.start_ms <= at < found.end_ms
    following = (datetime.fromisoformat(day).replace(tzinfo=UTC) + timedelta(days=1)).date().isoformat()
    assert activity_range(following, zone, start).start_ms == found.end_ms


def test_a_calendar_day_is_the_date_on_the_wall() -> None:
    assert calendar_day(ms("2026-03-12 00:10", "Asia/Tokyo"), "Asia/Tokyo") == "2026-03-12"
