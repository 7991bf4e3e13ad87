"""Spec 02 §11, "must survive": which tests hold each row, and two about monitors that stand nowhere else."""

import ast
import logging
from pathlib import Path

import pytest

from tests.capture.rig import Rig
from tests.fakes.capture import make_monitor, make_pixels

ROOT = Path(__file__).resolve().parents[2]

GATES = "tests/capture/test_recorder_gates.py"
ROWS = "tests/capture/test_recorder_rows.py"
RECORDER = "tests/capture/test_recorder.py"
WINDOWS = "tests/capture/test_window_rules.py"
CHILD = "tests/reading/test_child.py"
READING = "tests/reading/test_lines.py"
FRAMES = "tests/activity/test_frames.py"
HERE = "tests/capture/test_must_survive.py"

MUST_SURVIVE: dict[int, tuple[str, ...]] = {
    1: (
        f"{GATES}::test_a_failing_grab_backs_off_and_turns_to_the_next_back_end",
        f"{GATES}::test_a_grab_that_never_works_is_tried_ever_more_seldom",
        f"{GATES}::test_black_twice_is_stalled_and_the_next_back_end_is_used",
        "tests/capture/test_guard.py::test_one_lit_pixel_is_enough",
        "tests/capture/test_guard.py::test_back_off_doubles_up_to_half_a_minute",
    ),
    2: (
        "tests/capture/test_monitors.py::test_the_monitor_with_the_larger_part_of_the_window",
        "tests/capture/test_monitors.py::test_without_a_window_the_monitor_with_the_pointer",
        "tests/capture/test_monitors.py::test_rectangles_of_a_list_in_logical_units_land_in_picture_pixels",
        "tests/capture/test_monitors.py::test_a_window_over_two_monitors_is_cut_to_each",
        "tests/capture/test_monitors.py::test_never_outside_and_never_negative",
    ),
    3: (
        "tests/capture/test_encode.py::test_all_four_edges_are_in_the_picture",
        "tests/capture/test_fingerprint.py::test_all_four_coloured_edges_show_in_the_thumbnail",
    ),
    4: (
        f"{HERE}::test_every_new_size_is_changed_and_equal_pictures_of_it_are_not",
        f"{HERE}::test_monitors_that_come_and_go_quickly_cost_no_exception_and_one_log_line",
        f"{GATES}::test_monitors_that_come_and_go",
    ),
    5: (f"{GATES}::test_twenty_equal_grabs_with_clicks_make_the_source_new",),
    6: (
        "tests/service/test_survival.py::test_a_run_that_raises_once_is_started_again_and_says_so",
        "tests/service/test_survival.py::test_a_run_that_hangs_is_shown_within_half_a_minute_and_taken_over",
        "tests/service/test_survival.py::test_a_reader_that_raises_once_is_started_again",
        "tests/service/test_survival.py::test_the_time_until_it_goes_on_is_a_gap_with_its_reason",
        "tests/reading/test_reader.py::test_a_unit_that_hangs_fails_its_job_and_the_queue_drains",
        f"{RECORDER}::test_a_run_that_hangs_in_a_grab_is_taken_over_and_writes_nothing_more",
    ),
    7: (
        f"{GATES}::test_browser_password_manager_browser_shows_no_pixel_of_the_manager",
        f"{GATES}::test_a_window_that_changes_during_the_grab_leaves_no_picture",
        f"{GATES}::test_a_title_that_turns_private_during_the_grab_leaves_no_picture",
    ),
    8: (
        f"{WINDOWS}::test_a_private_browser_window_is_never_recorded",
        f"{WINDOWS}::test_a_page_about_private_things_is_recorded",
    ),
    9: (
        f"{GATES}::test_a_private_window_in_the_background_is_one_flat_colour",
        "tests/e2e/test_harsh_treatment.py::test_a_private_window_in_sight_is_one_flat_colour_in_the_file",
    ),
    10: (
        f"{GATES}::test_an_unknown_window_stalls_after_a_minute_and_recovers",
        f"{GATES}::test_a_slow_answer_is_unknown",
        f"{GATES}::test_each_gate_gives_its_reason",
        f"{WINDOWS}::test_a_window_that_cannot_be_told_is_unknown",
    ),
    11: (f"{WINDOWS}::test_popups_of_password_managers",),
    12: (
        f"{ROWS}::test_a_minute_in_a_password_manager_leaves_its_length_and_nothing_else",
        "tests/activity/test_notes.py::test_a_minute_in_front_of_a_password_manager_leaves_few_placeholders",
    ),
    13: (
        f"{ROWS}::test_a_lock_with_a_pending_trigger_leaves_nothing_between_lock_and_unlock",
        f"{ROWS}::test_a_start_while_locked_waits_for_the_unlock",
    ),
    14: (
        f"{ROWS}::test_every_focus_change_is_a_row_and_only_the_last_makes_a_frame",
        f"{ROWS}::test_twenty_clicks_in_a_second_and_three_minutes_of_key_repeat",
        f"{ROWS}::test_the_wheel_for_half_a_minute_makes_no_frame",
        "tests/capture/test_triggers.py::test_at_most_two_grabs_touch_a_merge_window_and_every_trigger_is_answered",
    ),
    15: (f"{ROWS}::test_a_film_is_seen_only_in_watching_mode",),
    16: (
        "tests/activity/test_killed.py::test_a_kill_at_any_step_of_keeping_a_frame_converges",
        "tests/activity/test_recover.py::test_killed_while_keeping_and_reading_it_converges",
        f"{FRAMES}::test_a_fault_at_any_file_step_leaves_neither_row_nor_file",
        f"{FRAMES}::test_a_fault_at_any_row_takes_the_file_back",
    ),
    17: (
        f"{FRAMES}::test_a_full_database_leaves_nothing_and_recording_goes_on_by_itself",
        "tests/activity/test_disk.py::test_it_stops_and_starts_as_the_free_space_falls_and_rises",
        "tests/e2e/test_harsh_treatment.py::test_without_space_it_stops_cleanly_says_so_and_goes_on_later",
    ),
    18: ("tests/activity/test_retention.py::test_only_files_of_rows_go_and_a_locked_one_is_tried_again",),
    19: (
        "tests/activity/test_retention.py::"
        "test_nothing_is_touched_in_the_24_hours_after_the_preview_and_a_pinned_picture_never",
    ),
    20: (
        "tests/activity/test_reading_survives.py::"
        "test_a_bad_engine_leaves_frames_in_the_right_state_and_an_empty_queue",
        "tests/activity/test_reading_survives.py::test_a_killed_child_costs_nothing_but_a_new_one",
        f"{CHILD}::test_a_killed_child_fails_its_unit_and_the_next_use_has_a_new_one",
        f"{CHILD}::test_a_child_that_grows_is_renewed_after_the_unit_or_killed_in_it",
        f"{CHILD}::test_an_engine_that_returns_none_finds_no_text",
        f"{CHILD}::test_real_models_read_small_pictures_and_survive_odd_ones",
        f"{READING}::test_blank_and_tiny_pictures_have_no_text_and_cost_nothing",
    ),
    21: (
        f"{READING}::test_a_scrolled_terminal_costs_one_new_line_and_reads_like_a_whole_page",
        f"{READING}::test_a_chat_line_that_arrives_costs_one_line",
        f"{READING}::test_return_to_an_earlier_screen_recognises_nothing",
        f"{CHILD}::test_real_models_read_a_scrolled_terminal_like_a_whole_page",
    ),
    22: (
        "tests/redaction/test_cases.py::test_case_loses_its_secrets_and_nothing_else",
        "tests/e2e/test_sinks.py::test_no_secret_reaches_any_sink",
        "tests/e2e/test_painted_pictures.py::test_secrets_read_from_a_screen_are_in_neither_text_nor_picture",
        f"{RECORDER}::test_no_log_holds_a_title_an_url_or_text",
    ),
    23: (
        f"{RECORDER}::test_thousands_of_grabs_do_not_fill_the_memory",
        f"{RECORDER}::test_strange_titles_never_break_the_loop",
        "tests/capture/platforms/test_x11_windows.py::test_any_bytes_are_a_clean_title",
        "tests/capture/platforms/test_x11_windows.py::test_a_very_long_title_is_cut_between_characters",
    ),
    24: (
        f"{GATES}::test_a_wall_clock_that_jumps_never_disturbs_the_order",
        "tests/activity/test_timeline.py::test_a_time_range_is_half_open_and_right_after_the_clock_was_set_back",
        "tests/capture/platforms/test_windows_presence.py::"
        "test_a_32_bit_tick_that_began_anew_still_gives_seven_seconds",
    ),
    25: (
        "tests/e2e/test_record_and_look.py::test_the_app_without_a_display_runs_and_says_what_is_missing",
        f"{GATES}::test_permission_is_a_reason_of_its_own",
        "tests/capture/test_inputs.py::test_a_listener_dead_for_ten_minutes_gives_way_to_polling_and_is_started_anew",
        f"{FRAMES}::test_a_vanished_pictures_folder_is_told_and_never_made_anew",
    ),
}
"""Row of the table → the tests that hold it, as pytest names them."""


def named_in(path: str) -> set[str]:
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


def test_every_row_has_a_test() -> None:
    assert sorted(MUST_SURVIVE) == list(range(1, 26))
    assert all(MUST_SURVIVE.values())


@pytest.mark.parametrize("row", MUST_SURVIVE)
def test_the_tests_named_for_a_row_exist(row: int) -> None:
    for node_id in MUST_SURVIVE[row]:
        path, _, name = node_id.partition("::")
        assert (ROOT / path).is_file(), node_id
        assert name in named_in(path), node_id


def test_every_new_size_is_changed_and_equal_pictures_of_it_are_not() -> None:
    rig = Rig()
    reasons: list[str] = []
    for size in ((1_920, 1_080), (1_280, 720), (1_920, 1_080)):
        rig.screen.now = [make_monitor(*size)]
        rig.screen.show(make_pixels(*size, seed=7))
        frames = len(rig.sink.frames)
        rig.begin() if not reasons else rig.run(6_000)
        for _ in range(5):
            rig.input.click(3, 3)
            rig.run(5_000)
        reasons += [frame.change_reason for frame in rig.sink.frames[frames:]]
        assert len(rig.sink.frames) == frames + 1, size
    assert set(rig.skips()) == {"same_exact"}
    assert rig.screen.grabs >= 15


def test_monitors_that_come_and_go_quickly_cost_no_exception_and_one_log_line(
    caplog: pytest.LogCaptureFixture,
) -> None:
    rig = Rig(settings={"capture": {"monitors": "all"}})
    rig.screen.now = []
    three = [make_monitor(320, 200, 320 * place, name=f"FAKE-{place}") for place in range(3)]
    with caplog.at_level(logging.INFO, "biny_desktop.capture"):
        rig.begin(30_000)
        assert rig.sink.frames == []
        for count, length in ((3, 3_300), (1, 3_300), (2, 3_400)):
            rig.screen.now = three[:count]
            for _ in range(3):
                rig.input.click(3, 3)
                rig.windows.notify()
                rig.run(length // 3)
        rig.run(8_000)
    assert {frame.monitor_key for frame in rig.sink.frames} == {monitor.key for monitor in three}
    assert rig.recorder.health().state in ("armed", "waiting")
    assert len([record for record in caplog.records if record.levelno >= logging.INFO]) <= 1
    newest = {frame.monitor_key: frame.stamp.mono_ms for frame in rig.sink.frames}
    assert rig.clock.mono_ms() - newest[three[1].key] < 12_000
