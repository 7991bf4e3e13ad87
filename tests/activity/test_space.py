"""The storage report: counts and bytes by tier, pinned and pending apart, the forecast's arithmetic."""

import pytest

from biny_desktop.activity.ageing_plan import DAY_MS, Limits, limits_of
from biny_desktop.activity.ageing_store import Cohort, TierUse, Use
from biny_desktop.activity.space import FORECAST_DAYS, USUAL_PART, forecast
from biny_desktop.core.settings import PicturesSettings
from tests.fakes.activity import ActivityHome, screen

NONE = TierUse(0, 0)
EMPTY = Use({"original": NONE, "medium": NONE, "small": NONE}, NONE, NONE, 0, 0)
LIMITS = limits_of(PicturesSettings())


def test_counts_and_bytes_are_those_of_the_files(home: ActivityHome) -> None:
    first = home.keep("a", picture=screen(1, (1_400, 780)))
    home.pins.pin(first)
    home.clock.advance(2 * DAY_MS)
    second = home.keep("b", picture=screen(2, (1_400, 780)))
    home.queue_nothing(second)
    report = home.timeline.storage()
    root = home.folder / "pictures"
    sizes = [(root / (home.timeline.frame(each).picture_path or "")).stat().st_size for each in (first, second)]
    assert (report.pinned, report.tiers["original"]) == (TierUse(1, sizes[0]), TierUse(1, sizes[1]))
    assert (report.tiers["medium"], report.tiers["small"], report.pending) == (NONE, NONE, NONE)
    assert report.free_bytes
    assert report.database_bytes > 0
    assert report.per_day == pytest.approx(1.0)
    assert report.per_day_bytes == pytest.approx(sum(sizes) / 2)
    assert report.last_run is None
    home.clock.advance(2 * DAY_MS)
    home.retention.run()
    home.retention.agree_now()
    run = home.retention.run()
    last = home.timeline.storage().last_run
    assert last is not None
    assert (last.before["original"], last.after["original"]) == ((1, sizes[1]), (0, 0))
    assert last.after["medium"] == (1, run.bytes_written)
    assert last.bytes_freed == sizes[1]


def test_an_empty_home_has_a_report(home: ActivityHome) -> None:
    report = home.timeline.storage()
    assert (report.per_day, report.forecast_bytes, report.missing, report.unreadable) == (0.0, 0, 0, 0)


def test_a_damaged_memory_of_the_last_run_is_none(home: ActivityHome) -> None:
    with home.db.write() as w:
        w.run("INSERT INTO meta(key, value) VALUES('retention.last_run', '{\"at_ms\": \"soon\"}')")
        w.run("INSERT INTO meta(key, value) VALUES('retention.first', '{\"colour\": 1}')")
    assert home.timeline.storage().last_run is None
    assert home.retention.state().phase == "none"


def test_at_a_steady_rate_the_forecast_is_the_sum_of_the_tiers() -> None:
    parts = [LIMITS.tier_at(day * DAY_MS + DAY_MS // 2) for day in range(FORECAST_DAYS)]
    assert [parts.count(tier) for tier in ("original", "medium", "small")] == [1, 6, 23]
    expected = 100 * 200_000 * (1 + 6 * USUAL_PART["medium"] + 23 * USUAL_PART["small"])
    assert forecast(EMPTY, [], LIMITS, 100, 200_000) == round(expected)


def test_pictures_of_now_age_in_it_and_pins_stay() -> None:
    use = Use({**EMPTY.tiers, "small": TierUse(10, 10 * 9_000)}, TierUse(1, 5_000), NONE, 0, 0)
    keep = limits_of(PicturesSettings(delete_days="keep"))
    cohorts = [Cohort("original", 0, 2, 400_000), Cohort("small", 20, 10, 90_000)]
    assert forecast(use, cohorts, keep, 0, 200_000) == 2 * 9_000 + 90_000 + 5_000
    assert forecast(use, cohorts, LIMITS, 0, 200_000) == 5_000


def test_the_quota_bounds_it() -> None:
    tight = Limits(LIMITS.medium_ms, LIMITS.small_ms, LIMITS.delete_ms, 1_000_000, 750_000)
    assert forecast(EMPTY, [], tight, 1_000, 200_000) == 1_000_000
