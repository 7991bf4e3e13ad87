"""Shown times: never backwards, as long as the monotonic clock says."""

from dataclasses import replace

from biny_desktop.activity.segments.axis import lay_out
from biny_desktop.activity.segments.row_order import in_order
from tests.fakes.rows import HOUR, MINUTE, SECOND, Script, utc_ms

PAUSE = 5 * MINUTE
NINE = utc_ms("2026-03-12 09:00")


def morning() -> Script:
    return Script.at("2026-03-12 09:00").focus("editor").work(10 * MINUTE)


def test_boots_are_in_the_order_in_which_their_rows_were_written() -> None:
    script = morning().reboot(MINUTE, wall_off=-HOUR).focus("editor")
    boots = [row.stamp.boot_id for row in in_order([row for row in script.rows if row.kind != "state"])]
    assert boots == sorted(boots)
    frames = [
        replace(row, kind="frame", what="click") for row in script.rows if row.kind == "event" and row.what == "focus"
    ]
    assert [row.stamp.boot_id for row in in_order(frames)] == ["boot-1", "boot-2"]


def test_shown_times_never_run_backwards() -> None:
    script = morning().step(-HOUR).work(MINUTE).step(24 * HOUR).work(MINUTE).step(-24 * HOUR).work(MINUTE)
    axis = lay_out(script.rows, PAUSE)
    times = [row.at for row in axis.rows]
    assert times == sorted(times)
    assert axis.rows[-1].at - axis.rows[0].at == 13 * MINUTE - 5 * SECOND
    assert [run.broke for run in axis.runs] == ["boot", "clock_step", "clock_step", "clock_step"]


def test_a_stretch_is_never_longer_than_its_run() -> None:
    script = morning().event("private", "private_app", until_ms=NINE + 24 * HOUR).wait(MINUTE).step(24 * HOUR)
    script.focus("editor")
    axis = lay_out(script.rows, PAUSE)
    private = next(row for row in axis.rows if row.row.what == "private")
    assert private.end - private.at == MINUTE


def test_states_are_placed_by_wall_time_and_in_the_order_of_their_ids() -> None:
    script = morning().state("blocked", "paused_by_user").wait(MINUTE).state("armed").step(-HOUR).work(MINUTE)
    script.wait(SECOND).state("blocked", "disk_low")
    axis = lay_out(script.rows, PAUSE)
    assert [state.at - NINE for state in axis.states[:2]] == [10 * MINUTE, 11 * MINUTE]
    assert axis.states[2].at >= axis.states[1].at


def test_without_rows_a_state_is_where_the_clock_says() -> None:
    axis = lay_out(Script.at("2026-03-12 09:00").state("starting").rows, PAUSE)
    assert [state.at for state in axis.states] == [NINE]
    assert axis.shown(NINE + 5) == NINE + 5
