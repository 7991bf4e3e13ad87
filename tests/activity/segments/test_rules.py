"""The rules by the cases of spec 03 §11."""

import random
from dataclasses import replace

import pytest

from biny_desktop.activity.segments.model import Fixed
from biny_desktop.core.days import activity_range
from biny_desktop.core.settings import SegmentsSettings
from tests.activity.segments.cutting import check_cover, made, told
from tests.fakes.rows import HOUR, MINUTE, SECOND, Script, utc_ms

NINE = utc_ms("2026-03-12 09:00")


def morning() -> Script:
    return Script.at("2026-03-12 09:00").focus("editor", "storage.py - biny")


def test_case_1_a_constant_window_is_one_segment_however_the_poller_jitters() -> None:
    script, jitter = morning(), random.Random(1)
    while script.wall < NINE + HOUR:
        script.keys().wait(5 * SECOND + jitter.randint(-900, 900))
    result = made(script.wait(10 * MINUTE))
    (draft,) = result.drafts
    assert draft.end_ms - draft.start_ms == pytest.approx(HOUR, abs=6 * SECOND)
    assert (draft.idle_ms, draft.open, draft.close_reason) == (0, False, "no_input")
    assert [(app.app_id, app.ms) for app in draft.apps] == [("editor", draft.active_ms)]


def test_case_2_a_sleep_nobody_told_of_is_a_gap_of_its_own() -> None:
    script = morning().work(10 * MINUTE).sleep(7 * HOUR, told=False).wait(3 * SECOND).work(10 * MINUTE)
    result = made(script)
    assert told(result, NINE) == [(0, 10, "active"), (10, 430, "asleep"), (430, 440, "active")]
    assert result.gaps[0].end_ms - result.gaps[0].start_ms == pytest.approx(7 * HOUR, abs=10 * SECOND)
    assert sum(draft.end_ms - draft.start_ms for draft in result.drafts) <= 20 * MINUTE + 3 * SECOND
    assert result.drafts[0].close_reason == "sleep"


@pytest.mark.parametrize("ahead", [-HOUR, 24 * HOUR, utc_ms("1970-01-01") - NINE], ids=["back", "ahead", "1970"])
def test_case_3_a_clock_set_wrong_and_right_again_cuts_and_overlaps_nothing(ahead: int) -> None:
    script = morning().work(30 * MINUTE).step(ahead).work(10 * MINUTE).step(-ahead).work(20 * MINUTE)
    result = made(script, start=NINE)
    assert told(result, NINE) == [(0, 30, "active"), (30, 40, "active"), (40, 60, "active")]
    assert [draft.clock_adjusted for draft in result.drafts] == [False, True, False]
    assert [draft.close_reason for draft in result.drafts] == ["clock_step", "clock_step", ""]
    first = [draft.event_ids[0] for draft in result.drafts]
    assert first == sorted(first)
    check_cover(result, (NINE, script.wall))


def test_a_clock_that_stays_back_shows_what_follows_after_what_was_and_a_pause_takes_the_shift_back() -> None:
    script = morning().work(HOUR).step(-HOUR).work(30 * MINUTE)
    result = made(script, start=NINE)
    assert told(result, NINE) == [(0, 60, "active"), (60, 90, "active")]
    assert script.wall == NINE + 30 * MINUTE, "what is shown ends later than now"
    script.wait(2 * HOUR).work(30 * MINUTE)
    later = made(script, start=NINE)
    assert told(later, NINE)[-1] == (150, 180, "active")
    assert [draft.clock_adjusted for draft in later.drafts] == [False, True, False]
    check_cover(later, (NINE, script.wall))


def test_a_small_step_cuts_without_inventing_time() -> None:
    script = morning().work(10 * MINUTE).step(-5 * SECOND).work(10 * MINUTE)
    result = made(script, start=NINE)
    assert [round((draft.end_ms - draft.start_ms) / SECOND) for draft in result.drafts] == [600, 600]
    assert result.gaps == ()


def test_case_5_travel_at_noon_cuts_and_no_hour_is_doubled_or_lost() -> None:
    script = Script.at("2026-03-12 11:00", "Europe/Berlin").focus("editor").work(HOUR)
    noon = script.wall
    script.travel("Asia/Tokyo").work(HOUR)
    result = made(script)
    assert [(draft.zone, draft.day) for draft in result.drafts] == [
        ("Europe/Berlin", "2026-03-12"), ("Asia/Tokyo", "2026-03-12"),
    ]  # fmt: skip
    assert [draft.close_reason for draft in result.drafts] == ["zone", ""]
    assert result.drafts[0].end_ms == result.drafts[1].start_ms == noon
    assert sum(draft.active_ms for draft in result.drafts) == 2 * HOUR


def test_case_7_alternating_apps_are_one_segment_and_a_film_is_another_from_the_switch_on() -> None:
    script = morning()
    for _ in range(23):
        script.focus("terminal").work(40 * SECOND).focus("editor").work(40 * SECOND)
    script.focus("mail").work(2 * MINUTE).focus("editor").work(MINUTE)
    switch = script.wall
    script.focus("video").work(10 * MINUTE).wait(HOUR)
    result = made(script)
    assert [draft.close_reason for draft in result.drafts] == ["app_change", "no_input"]
    assert result.drafts[1].start_ms == switch
    assert {app.app_id for app in result.drafts[0].apps} == {"editor", "terminal", "mail"}
    assert [app.app_id for app in result.drafts[1].apps] == ["video"]


def test_case_8_a_segment_ends_at_the_lock() -> None:
    script = morning().work(10 * MINUTE).wait(MINUTE).lock().wait(2 * HOUR).unlock().focus("editor").work(10 * MINUTE)
    result = made(script)
    assert told(result, NINE) == [(0, 11, "active"), (11, 131, "locked"), (131, 141, "active")]
    assert result.drafts[0].close_reason == "lock"


def test_case_8_a_missed_lock_leaves_the_sleep_notice_to_end_it() -> None:
    script = morning().work(10 * MINUTE).sleep(2 * HOUR).focus("editor").work(10 * MINUTE)
    result = made(script)
    assert told(result, NINE) == [(0, 10, "active"), (10, 130, "asleep"), (130, 140, "active")]
    assert result.drafts[0].close_reason == "sleep"


def test_a_machine_that_wakes_up_is_locked_until_somebody_unlocks_it() -> None:
    script = morning().work(MINUTE * 10).lock().wait(10 * MINUTE).sleep(HOUR).wait(20 * MINUTE).unlock().focus("editor")
    script.work(10 * MINUTE)
    assert told(made(script), NINE) == [
        (0, 10, "active"), (10, 20, "locked"), (20, 80, "asleep"), (80, 100, "locked"), (100, 110, "active"),
    ]  # fmt: skip


def test_a_lost_unlock_does_not_hide_the_activity_after_it() -> None:
    script = morning().work(10 * MINUTE).lock().wait(30 * MINUTE).state("armed").focus("editor").work(30 * MINUTE)
    script.wait(HOUR)
    assert told(made(script), NINE) == [
        (0, 10, "active"), (10, 40, "locked"), (40, 70, "active"), (70, 130, "no_input"),
    ]  # fmt: skip


def test_case_9_changes_seen_for_twenty_minutes_are_watching() -> None:
    script = morning().work(10 * MINUTE).watch(20 * MINUTE).work(10 * MINUTE)
    result = made(script, watching=True)
    assert told(result, NINE) == [(0, 10, "active"), (10, 30, "watching"), (30, 40, "active")]
    assert [draft.close_reason for draft in result.drafts] == ["no_input", "kind_change", ""]


def test_case_9_a_static_picture_cuts_at_the_last_event() -> None:
    script = morning().work(10 * MINUTE).static(20 * MINUTE).work(10 * MINUTE)
    assert told(made(script, watching=True), NINE) == [(0, 10, "active"), (10, 30, "away"), (30, 40, "active")]


def test_case_9_without_watching_nothing_is_claimed() -> None:
    script = morning().work(10 * MINUTE).wait(20 * MINUTE).work(10 * MINUTE)
    assert told(made(script), NINE) == [(0, 10, "active"), (10, 30, "no_input"), (30, 40, "active")]


def test_a_change_now_and_then_is_no_watching() -> None:
    script = morning().work(10 * MINUTE).watch(2 * MINUTE).wait(20 * MINUTE).watch(MINUTE).wait(10 * MINUTE)
    assert told(made(script, watching=True), NINE) == [(0, 10, "active"), (10, 43, "away")]


def test_watching_is_capped_and_still_goes_on() -> None:
    script = morning().watch(150 * MINUTE)
    result = made(script, watching=True)
    assert [draft.kind for draft in result.drafts] == ["active", "watching", "watching"]
    assert [draft.continues for draft in result.drafts] == [False, False, True]
    assert result.drafts[-1].open


def test_case_10_two_private_minutes_are_a_span_inside() -> None:
    script = morning().work(10 * MINUTE).private(2 * MINUTE).focus("editor", "storage.py - biny").work(10 * MINUTE)
    (draft,) = made(script).drafts
    assert (draft.kind, draft.private_ms, draft.active_ms) == ("active", 2 * MINUTE, 20 * MINUTE)
    assert [(span.kind, span.end_ms - span.start_ms) for span in draft.spans] == [("private", 2 * MINUTE)]
    assert [(app.app_id, app.ms) for app in draft.apps] == [("editor", 20 * MINUTE)]


def test_case_10_ten_private_minutes_are_a_segment_that_tells_nothing() -> None:
    script = morning().work(10 * MINUTE).private(10 * MINUTE).focus("editor").work(10 * MINUTE)
    rows = [replace(row, app_id="vault", title="Vault") if row.what == "private" else row for row in script.rows]
    result = made(script, rows=rows)
    assert told(result, NINE) == [(0, 10, "active"), (10, 20, "private"), (20, 30, "active")]
    assert [draft.close_reason for draft in result.drafts] == ["private", "kind_change", ""]
    private = result.drafts[1]
    assert (private.apps, private.titles, private.spans, private.private_ms) == ((), (), (), 10 * MINUTE)
    assert not any("vault" in app.app_id for draft in result.drafts for app in draft.apps)
    assert not any("Vault" in title.title for draft in result.drafts for title in draft.titles)


def test_private_time_by_itself_is_a_private_segment_however_short() -> None:
    script = morning().work(10 * MINUTE).wait(20 * MINUTE).private(2 * MINUTE).wait(20 * MINUTE)
    assert told(made(script), NINE) == [
        (0, 10, "active"), (10, 30, "no_input"), (30, 32, "private"), (32, 52, "no_input"),
    ]  # fmt: skip


def test_case_11_idle_time_is_cut_out_and_kept_as_spans() -> None:
    script = morning()
    for _ in range(8):
        script.work(9 * MINUTE).wait(2 * MINUTE - 5 * SECOND)
    script.work(2 * MINUTE)
    (draft,) = made(script).drafts
    spans = [span for span in draft.spans if span.kind == "idle"]
    assert len(spans) == 8
    assert {span.end_ms - span.start_ms for span in spans} == {90 * SECOND}
    assert draft.idle_ms == 8 * 90 * SECOND
    assert draft.active_ms == draft.end_ms - draft.start_ms - draft.idle_ms


def test_two_hours_are_the_longest_segment_and_the_cut_is_in_the_longest_pause() -> None:
    script = morning().work(110 * MINUTE).wait(2 * MINUTE).work(60 * MINUTE)
    result = made(script)
    assert told(result, NINE) == [(0, 112, "active"), (112, 172, "active")]
    assert (result.drafts[0].close_reason, result.drafts[1].continues) == ("cap", True)
    busy = made(morning().work(150 * MINUTE))
    assert told(busy, NINE) == [(0, 120, "active"), (120, 150, "active")]


def test_the_day_border_cuts_and_the_second_half_continues() -> None:
    script = Script.at("2026-03-12 03:30").focus("editor").work(HOUR)
    result = made(script)
    assert [(draft.day, draft.close_reason, draft.continues) for draft in result.drafts] == [
        ("2026-03-11", "day_end", False), ("2026-03-12", "", True),
    ]  # fmt: skip
    assert result.drafts[0].end_ms == utc_ms("2026-03-12 04:00") == result.drafts[1].start_ms


@pytest.mark.parametrize(
    ("state", "reason", "why", "cause"),
    [
        ("blocked", "paused_by_user", "pause", "paused"), ("off", "not_enabled", "off", "off"),
        ("blocked", "disk_low", "stalled", "stalled"), ("off", "shutting_down", "shutdown", "off"),
        ("blocked", "session_inactive", "session", "locked"), ("backing_off", "no_picture", "stalled", "stalled"),
        ("blocked", "unknown_window", "stalled", "not_recorded"),
    ],
)  # fmt: skip
def test_the_recorder_s_states_end_a_segment_at_once(state: str, reason: str, why: str, cause: str) -> None:
    script = morning().work(10 * MINUTE).state(state, reason).wait(20 * MINUTE).state("armed").focus("editor")
    result = made(script.work(10 * MINUTE))
    assert told(result, NINE) == [(0, 10, "active"), (10, 30, cause), (30, 40, "active")]
    assert result.drafts[0].close_reason == why


def test_a_stall_of_a_few_seconds_ends_nothing_and_a_long_one_is_a_gap_although_keys_are_counted() -> None:
    script = morning().work(10 * MINUTE).state("backing_off", "no_picture").work(20 * SECOND).state("armed")
    assert len(made(script.work(10 * MINUTE)).drafts) == 1
    stalled = (
        morning().work(10 * MINUTE).state("blocked", "disk_low").work(10 * MINUTE).state("armed").work(10 * MINUTE)
    )
    assert told(made(stalled), NINE) == [(0, 10, "active"), (10, 20, "stalled"), (20, 30, "active")]


def test_a_restart_is_told_from_a_crash() -> None:
    script = morning().work(10 * MINUTE).wait(2 * MINUTE).event("source", "poll").reboot(30 * MINUTE).focus("editor")
    result = made(script.work(10 * MINUTE))
    assert told(result, NINE) == [(0, 12, "active"), (12, 42, "off"), (42, 52, "active")]
    assert result.drafts[0].close_reason == "shutdown"
    script = morning().work(10 * MINUTE).wait(2 * MINUTE).event("source", "poll").reboot(30 * MINUTE, clean=False)
    result = made(script.focus("editor").work(10 * MINUTE))
    assert told(result, NINE) == [(0, 10, "active"), (10, 12, "no_input"), (12, 42, "off"), (42, 52, "active")]
    assert result.drafts[0].close_reason == "crash"


def test_a_recorder_that_died_is_closed_by_its_next_start() -> None:
    script = morning().work(10 * MINUTE).wait(3 * MINUTE).state("starting").state("armed").focus("editor")
    result = made(script.work(10 * MINUTE))
    assert told(result, NINE) == [(0, 10, "active"), (10, 13, "off"), (13, 23, "active")]
    assert result.drafts[0].close_reason == "crash"


def test_a_boot_with_a_wrong_clock_stays_behind_the_one_before_it() -> None:
    script = morning().work(10 * MINUTE).reboot(MINUTE, wall_off=utc_ms("1970-01-01") - NINE).focus("editor")
    script.work(MINUTE).step(NINE - utc_ms("1970-01-01")).work(10 * MINUTE)
    result = made(script, start=NINE)
    assert [draft.clock_adjusted for draft in result.drafts] == [False, True, False]
    check_cover(result, (NINE, script.wall))


def test_deleted_time_is_a_gap_and_cuts() -> None:
    script = morning().work(10 * MINUTE).wait(MINUTE).work(10 * MINUTE)
    low, high = NINE + 10 * MINUTE, NINE + 11 * MINUTE
    script.event("state", "deleted", until_ms=high)
    script.rows[-1] = replace(script.rows[-1], stamp=replace(script.rows[-1].stamp, at_ms=low))
    result = made(script)
    assert told(result, NINE) == [(0, 10, "active"), (10, 11, "deleted"), (11, 21, "active")]
    assert result.drafts[0].close_reason == "deleted"


def test_an_unknown_window_is_no_app() -> None:
    script = morning().work(10 * MINUTE).event("skip", "unknown_window").work(40 * SECOND).focus("editor")
    (draft,) = made(script.work(MINUTE)).drafts
    assert [(app.app_id, app.ms) for app in draft.apps] == [("editor", 11 * MINUTE)]
    assert draft.active_ms == 11 * MINUTE + 40 * SECOND


def test_equal_stamps_are_one_segment_in_the_order_of_their_ids() -> None:
    script = morning().focus("a").focus("b").focus("editor").lock().unlock().focus("editor")
    result = made(script.work(10 * MINUTE))
    assert told(result, NINE) == [(0, 10, "active")]
    assert [app.app_id for app in result.drafts[0].apps] == ["editor"]


def test_short_neighbours_with_an_app_in_common_merge_leftwards() -> None:
    settings = SegmentsSettings(hard_gap_min=2)
    script = morning().work(10 * MINUTE).wait(3 * MINUTE).work(2 * MINUTE).wait(10 * MINUTE)
    (draft,) = made(script, settings=settings).drafts
    assert draft.end_ms - draft.start_ms == pytest.approx(15 * MINUTE, abs=6 * SECOND)
    assert draft.idle_ms == pytest.approx(3 * MINUTE - 25 * SECOND, abs=SECOND)
    apart = morning().work(10 * MINUTE).wait(3 * MINUTE).focus("video").work(2 * MINUTE).wait(10 * MINUTE)
    assert len(made(apart, settings=settings).drafts) == 2
    locked = morning().work(10 * MINUTE).lock().wait(3 * MINUTE).unlock().focus("editor").work(2 * MINUTE)
    assert len(made(locked.wait(10 * MINUTE), settings=settings).drafts) == 2


def test_an_open_segment_does_not_merge_yet() -> None:
    settings = SegmentsSettings(hard_gap_min=2)
    script = morning().work(10 * MINUTE).wait(3 * MINUTE).work(2 * MINUTE)
    assert [draft.open for draft in made(script, settings=settings).drafts] == [False, True]


def test_a_moment_between_long_absences_is_trivial() -> None:
    script = morning().work(10 * MINUTE).wait(20 * MINUTE).keys().wait(20 * MINUTE)
    result = made(script)
    assert [draft.trivial for draft in result.drafts] == [False, True]
    assert result.drafts[1].end_ms > result.drafts[1].start_ms


def test_rows_and_input_are_counted_once() -> None:
    script = morning().frame("start").keys(12, 3).wait(10 * SECOND).retitle("b.py - biny").frame()
    script.wait(10 * SECOND).keys(5).wait(20 * SECOND)
    (draft,) = made(script).drafts
    assert (draft.frame_ids, draft.keys, draft.clicks) == ((1, 2), 17, 3)
    assert draft.event_ids == (1, 2, 3, 4)
    assert draft.event_count == 4
    assert [(title.title, title.ms) for title in draft.titles] == [
        ("b.py - biny", 30 * SECOND), ("storage.py - biny", 10 * SECOND),
    ]  # fmt: skip


def test_fixed_stretches_are_left_out_and_nothing_merges_across_them() -> None:
    script = morning().work(30 * MINUTE)
    fixed = (Fixed(NINE + 10 * MINUTE, NINE + 20 * MINUTE, "cap"),)
    result = made(script, fixed=fixed)
    assert told(result, NINE) == [(0, 10, "active"), (20, 30, "active")]
    assert [draft.close_reason for draft in result.drafts] == ["edited", ""]
    assert [draft.continues for draft in result.drafts] == [False, True]
    check_cover(result, (NINE, script.wall), fixed)
    whole = (Fixed(NINE, NINE + 30 * MINUTE),)
    assert made(script, fixed=whole).drafts == ()


def test_when_it_ended_nothing_stays_open() -> None:
    script = morning().work(10 * MINUTE)
    assert made(script).drafts[0].open
    closed = made(script, ended=True)
    assert (closed.drafts[0].open, closed.drafts[0].close_reason) == (False, "no_input")


def test_rows_before_and_after_the_span_only_explain_it() -> None:
    script = Script.at("2026-03-11 22:00").focus("editor").work(8 * HOUR)
    day = activity_range("2026-03-11", "UTC")
    result = made(script, start=day.start_ms, end=day.end_ms)
    assert result.drafts[-1].close_reason == "day_end"
    assert result.drafts[-1].end_ms == day.end_ms
    following = made(script, start=day.end_ms)
    assert following.drafts[0].continues
    assert following.drafts[0].start_ms == day.end_ms


def test_nothing_is_cut_from_nothing() -> None:
    empty = Script.at("2026-03-12 09:00")
    result = made(empty, start=NINE, end=NINE + HOUR)
    assert (result.drafts, [gap.cause for gap in result.gaps]) == ((), ["no_input"])
    assert made(empty, start=NINE, end=NINE).gaps == ()
