"""Case 4 of spec 03 §11: zones and clock changes; each segment in the right day, short and long days covered."""

import pytest

from biny_desktop.core.days import activity_range, calendar_day
from tests.activity.segments.cutting import check_cover, made
from tests.fakes.rows import HOUR, MINUTE, Script, utc_ms


def through(day: str, zone: str, day_start: str) -> Script:
    """A person who touches the machine each minute from two hours before a day until two hours after it."""
    bounds = activity_range(day, zone, day_start)
    script = Script(bounds.start_ms - 2 * HOUR, zone).focus("editor")
    return script.work(bounds.end_ms - bounds.start_ms + 4 * HOUR, every=MINUTE)


@pytest.mark.parametrize(
    ("day", "zone", "day_start", "hours"),
    [
        ("2026-03-28", "Europe/Berlin", "04:00", 23), ("2026-03-29", "Europe/Berlin", "04:00", 24),
        ("2026-10-24", "Europe/Berlin", "04:00", 25), ("2026-10-25", "Europe/Berlin", "04:00", 24),
        ("2026-10-31", "America/New_York", "04:00", 25), ("2026-11-01", "America/New_York", "04:00", 24),
        ("2026-04-23", "Africa/Cairo", "00:00", 24), ("2026-04-24", "Africa/Cairo", "00:00", 23),
        ("2026-09-05", "America/Santiago", "00:00", 24), ("2026-09-06", "America/Santiago", "00:00", 23),
        ("2026-03-12", "Asia/Kolkata", "04:00", 24), ("2026-03-12", "America/Los_Angeles", "04:00", 24),
        ("2026-03-12", "Pacific/Kiritimati", "04:00", 24), ("2026-12-31", "Pacific/Kiritimati", "08:00", 24),
    ],
)  # fmt: skip
def test_a_day_is_covered_to_the_millisecond_however_long_it_is(
    day: str, zone: str, day_start: str, hours: int
) -> None:
    script = through(day, zone, day_start)
    bounds = activity_range(day, zone, day_start)
    assert bounds.end_ms - bounds.start_ms == hours * HOUR
    result = made(script, start=bounds.start_ms, end=bounds.end_ms, day_start=day_start)
    check_cover(result, (bounds.start_ms, bounds.end_ms))
    assert {draft.day for draft in result.drafts} == {day}
    assert sum(draft.end_ms - draft.start_ms for draft in result.drafts) == hours * HOUR
    assert (result.drafts[0].continues, result.drafts[-1].close_reason) == (True, "day_end")


@pytest.mark.parametrize(
    ("local", "zone", "day"),
    [
        ("2026-03-12 17:07", "America/Los_Angeles", "2026-03-12"), ("2026-03-12 03:59", "Asia/Kolkata", "2026-03-11"),
        ("2026-03-12 04:00", "Asia/Kolkata", "2026-03-12"), ("2026-03-12 00:30", "Pacific/Kiritimati", "2026-03-11"),
        ("2026-03-12 23:30", "Pacific/Kiritimati", "2026-03-12"), ("2028-02-29 12:00", "UTC", "2028-02-29"),
        ("2027-01-01 02:00", "UTC", "2026-12-31"),
    ],
)  # fmt: skip
def test_a_segment_is_in_the_day_of_its_own_zone(local: str, zone: str, day: str) -> None:
    script = Script.at(local, zone).focus("editor").work(30 * MINUTE)
    (draft, *_) = made(script).drafts
    assert (draft.day, draft.zone) == (day, zone)
    assert calendar_day(draft.start_ms, zone) == local[:10]


def test_an_hour_that_comes_twice_is_two_hours_of_work() -> None:
    script = Script.at("2026-10-25 01:30", "Europe/Berlin").focus("editor").work(90 * MINUTE)
    (draft,) = made(script).drafts
    assert draft.active_ms == 90 * MINUTE
    assert draft.day == "2026-10-24"


def test_a_zone_nobody_knows_is_read_as_utc() -> None:
    script = Script.at("2026-03-12 09:00").focus("editor")
    script.zone = "Mars/Olympus"
    script.keys().work(10 * MINUTE)
    result = made(script)
    assert {draft.day for draft in result.drafts} == {"2026-03-12"}


def test_flying_over_the_date_line_gives_each_segment_the_day_of_where_it_was() -> None:
    script = Script.at("2026-03-12 20:00", "Pacific/Kiritimati").focus("editor").work(30 * MINUTE)
    script.travel("Pacific/Honolulu").work(30 * MINUTE)
    result = made(script, start=utc_ms("2026-03-12 20:00", "Pacific/Kiritimati"))
    assert [draft.day for draft in result.drafts] == ["2026-03-12", "2026-03-11"]
    check_cover(result, (result.drafts[0].start_ms, script.wall))
