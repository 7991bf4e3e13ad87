"""ISO weeks near new year, and days that do not exist."""

import pytest

from biny_desktop.activity.reports.weeks import days_of, week_before, week_of
from biny_desktop.core.errors import InvalidInputError


@pytest.mark.parametrize(
    ("day", "week"),
    [("2026-12-31", "2026-W53"), ("2027-01-03", "2026-W53"), ("2027-01-04", "2027-W01"), ("2026-01-01", "2026-W01"),
     ("2028-02-29", "2028-W09"), ("2024-12-30", "2025-W01"), ("2026-03-12", "2026-W11")],
)  # fmt: skip
def test_the_week_of_a_day(day: str, week: str) -> None:
    assert week_of(day) == week
    assert day in days_of(week)
    assert len(days_of(week)) == 7


def test_the_week_before_has_ended() -> None:
    assert week_before("2027-01-04") == "2026-W53"
    assert week_before("2027-01-03") == "2026-W52"
    assert days_of("2026-W53") == (
        "2026-12-28", "2026-12-29", "2026-12-30", "2026-12-31", "2027-01-01", "2027-01-02", "2027-01-03",
    )  # fmt: skip


@pytest.mark.parametrize(
    "week", ["2025-W53", "2026-W00", "2026-W54", "W11", "2026-11", "2026-W1", "0000-W01", "2026-W11x"]
)
def test_a_week_that_does_not_exist_is_refused(week: str) -> None:
    with pytest.raises(InvalidInputError):
        days_of(week)
