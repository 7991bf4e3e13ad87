"""Every length of the rules is a setting, and the limits of what is trivial are exact (spec 03 §2, §10)."""

import pytest

from biny_desktop.activity.segments.model import Draft
from biny_desktop.core.settings import SegmentsSettings
from tests.activity.segments.cutting import made
from tests.fakes.rows import HOUR, MINUTE, SECOND, Script


def morning() -> Script:
    return Script.at("2026-03-12 09:00").focus("editor", "storage.py - biny")


def drafts(script: Script, **settings: int) -> tuple[Draft, ...]:
    return made(script.wait(HOUR), settings=SegmentsSettings(**settings)).drafts


def test_how_long_a_pause_ends_an_activity() -> None:
    script = morning().work(20 * MINUTE).wait(8 * MINUTE).work(20 * MINUTE)
    assert [len(drafts(script, hard_gap_min=minutes)) for minutes in (5, 7, 10)] == [2, 2, 1]


def test_how_long_without_input_is_idle() -> None:
    script = morning().work(10 * MINUTE).wait(2 * MINUTE - 5 * SECOND).work(10 * MINUTE)
    assert [drafts(script, idle_s=seconds)[0].idle_ms for seconds in (10, 30, 119, 120)] == [
        110 * SECOND, 90 * SECOND, SECOND, 0
    ]  # fmt: skip


def test_how_long_another_app_is_in_front_until_it_is_another_activity() -> None:
    script = morning().work(30 * MINUTE).focus("video", "Cats at play").work(6 * MINUTE)
    assert [len(drafts(script, soft_min=minutes)) for minutes in (1, 3, 7)] == [2, 2, 1]


def test_how_soon_apps_come_back_that_belong_together() -> None:
    script = morning().work(30 * MINUTE)
    for _ in range(3):
        script.focus("chat").work(50 * SECOND).focus("editor", "storage.py - biny").work(3 * MINUTE)
    script.focus("chat").work(8 * MINUTE)
    assert [len(drafts(script, alternate_min=minutes)) for minutes in (1, 4)] == [2, 1]


def test_how_long_an_activity_may_be() -> None:
    script = morning().work(100 * MINUTE)
    assert [len(drafts(script, cap_min=minutes)) for minutes in (30, 60, 120)] == [4, 2, 1]


@pytest.mark.parametrize(("merge_min", "left"), [(0, 2), (2, 2), (3, 2), (4, 1), (15, 1)])
def test_how_short_and_how_near_one_is_that_joins_its_neighbour(merge_min: int, left: int) -> None:
    script = morning().work(10 * MINUTE).wait(3 * MINUTE).work(2 * MINUTE)
    assert len(drafts(script, hard_gap_min=2, merge_min=merge_min)) == left


def test_one_that_is_cut_off_by_a_soft_cut_joins_only_when_short_enough() -> None:
    script = morning().work(30 * MINUTE).focus("video", "Cats").work(4 * MINUTE).wait(6 * MINUTE).work(90 * SECOND)
    assert [len(drafts(script, merge_min=minutes)) for minutes in (0, 5, 10)] == [3, 3, 2]


@pytest.mark.parametrize(
    ("length_s", "events", "frames", "trivial"),
    [(29, 10, 2, True), (31, 10, 2, False), (29, 25, 2, False), (29, 10, 3, False)],
)
def test_trivial_is_what_is_short_and_has_few_events_and_few_frames(
    length_s: int, events: int, frames: int, trivial: bool
) -> None:
    script = morning()
    for _ in range(frames):
        script.frame()
    for _ in range(events - 2):
        script.keys().wait(length_s * SECOND // (events - 2))
    script.keys()
    (draft,) = drafts(script)
    assert draft.trivial == trivial
