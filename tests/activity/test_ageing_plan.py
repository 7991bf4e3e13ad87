"""The rules of spec 02 §6 over random days: tiers, grace, quota, pins, limits out of order."""

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from biny_desktop.activity.ageing_plan import (
    DAY_MS,
    HOUR_MS,
    MB,
    READING_GRACE_MS,
    TIERS,
    AgedPicture,
    Limits,
    limits_of,
    plan,
)
from biny_desktop.core.settings import PicturesSettings

NOW = 2_000_000_000_000
PICTURE = st.builds(
    AgedPicture,
    id=st.integers(1, 10**9),
    bytes=st.integers(0, 400_000),
    tier=st.sampled_from(["original", "medium", "small"]),
    newest_ms=st.integers(NOW - 40 * DAY_MS, NOW + 2 * HOUR_MS),
    live=st.sampled_from([True, True, False]),
    pinned=st.booleans(),
    waiting=st.booleans(),
    faults=st.integers(0, 4),
)
DAYS = st.lists(PICTURE, max_size=60, unique_by=lambda each: each.id)
LIMITS = st.builds(
    lambda medium, small, delete, quota, part: Limits(
        medium * HOUR_MS, small * DAY_MS, delete and delete * DAY_MS, quota, quota * part // 100
    ),
    st.integers(1, 720),
    st.integers(1, 90),
    st.none() | st.integers(2, 60),
    st.integers(0, 6_000_000),
    st.integers(50, 95),
)


def limits(**changes: object) -> Limits:
    return limits_of(PicturesSettings(**changes))


@pytest.mark.parametrize(
    ("age_ms", "tier"),
    [(0, "original"), (DAY_MS, "original"), (DAY_MS + 1, "medium"), (7 * DAY_MS, "medium"), (7 * DAY_MS + 1, "small"),
     (30 * DAY_MS, "small"), (30 * DAY_MS + 1, "gone"), (-HOUR_MS, "original")],
)  # fmt: skip
def test_the_tier_follows_the_age(age_ms: int, tier: str) -> None:
    assert limits().tier_at(age_ms) == tier


def test_limits_out_of_order_let_the_later_tier_win_and_keep_deletes_nothing() -> None:
    odd = limits(medium_h=720, small_days=90, delete_days=3)
    assert [odd.tier_at(day * DAY_MS) for day in (1, 3, 4)] == ["original", "original", "gone"]
    assert limits(delete_days="keep").tier_at(10**15) == "small"
    assert (limits().quota_bytes, limits().quota_to_bytes) == (10_240 * MB, 7_680 * MB)


@given(DAYS, LIMITS)
@hypothesis_settings(max_examples=300)
def test_every_picture_is_treated_by_the_rules(pictures: list[AgedPicture], given_limits: Limits) -> None:
    due = plan(pictures, given_limits, NOW)
    gone, quota = {each.id for each in due.gone}, {each.id for each in due.quota}
    shrink = {each.id: tier for each, tier in due.shrink}
    assert not gone & quota
    assert not gone & set(shrink)
    for each in pictures:
        tier = given_limits.tier_at(NOW - each.newest_ms)
        if each.pinned:
            assert each.id not in gone | quota | set(shrink), "pinned: never"
            continue
        assert (each.id in gone) == (tier == "gone")
        if each.id in shrink:
            assert shrink[each.id] == tier
            assert TIERS.index(tier) > TIERS.index(each.tier), "never back to a larger size"
            assert each.live
            assert each.faults < 3
            assert not (each.waiting and NOW - each.newest_ms <= READING_GRACE_MS), "pale text is read first"
        elif tier != "gone" and each.live and each.faults < 3 and not each.waiting:
            assert TIERS.index(tier) <= TIERS.index(each.tier), "what is due is in the plan"


@given(DAYS, LIMITS)
@hypothesis_settings(max_examples=300)
def test_the_quota_takes_the_oldest_and_no_more_than_needed(pictures: list[AgedPicture], given_limits: Limits) -> None:
    due = plan(pictures, given_limits, NOW)
    gone = {each.id for each in due.gone}
    pinned = sum(each.bytes for each in pictures if each.pinned and each.live)
    counted = [each for each in pictures if each.live and not each.pinned and each.id not in gone]
    total = sum(each.bytes for each in counted)
    assert due.pinned_over_quota == (pinned > given_limits.quota_bytes)
    if due.pinned_over_quota or total <= given_limits.quota_bytes:
        assert due.quota == ()
        return
    left = total - sum(each.bytes for each in due.quota)
    assert left <= given_limits.quota_to_bytes
    assert left + due.quota[-1].bytes > given_limits.quota_to_bytes, "the last one was needed"
    stays = [each for each in counted if each not in due.quota]
    assert all(old.newest_ms <= new.newest_ms for old in due.quota for new in stays)


@given(DAYS, LIMITS, st.integers(0, 10_000_000))
def test_while_the_first_deletion_waits_only_what_passes_the_quota_by_a_tenth_goes(
    pictures: list[AgedPicture], given_limits: Limits, known: int
) -> None:
    due = plan(pictures, given_limits.with_slack(known), NOW)
    gone = {each.id for each in due.gone}
    total = sum(each.bytes for each in pictures if each.live and not each.pinned and each.id not in gone)
    allowed = max(given_limits.quota_bytes, known) * 1.1
    if total <= int(allowed):
        assert due.quota == ()
    elif not due.pinned_over_quota:
        assert total - sum(each.bytes for each in due.quota) <= allowed


@given(DAYS, LIMITS, st.randoms())
def test_the_order_of_rows_does_not_matter(pictures: list[AgedPicture], given_limits: Limits, chance: object) -> None:
    mixed = list(pictures)
    chance.shuffle(mixed)  # type: ignore[attr-defined]
    assert plan(pictures, given_limits, NOW) == plan(mixed, given_limits, NOW)


@given(DAYS, LIMITS)
def test_once_done_nothing_is_due(pictures: list[AgedPicture], given_limits: Limits) -> None:
    due = plan(pictures, given_limits, NOW)
    removed = {each.id for each in (*due.gone, *due.quota)}
    tiers = {each.id: tier for each, tier in due.shrink}
    left = [
        AgedPicture(
            each.id, each.bytes, tiers.get(each.id, each.tier), each.newest_ms, each.live, each.pinned, each.waiting,
            each.faults,
        )
        for each in pictures
        if each.id not in removed
    ]  # fmt: skip
    assert plan(left, given_limits, NOW).empty
