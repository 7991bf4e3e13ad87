"""The state people see (spec 02 §2): the first that applies."""

from dataclasses import replace

import pytest

from biny_desktop.capture.shown import ShownInputs, shown_state

ARMED = ShownInputs(100_000, "armed", "", 5, enabled=True, paused=False, step_ms=99_900, input_ms=99_000)


@pytest.mark.parametrize(
    ("changes", "state", "reason"),
    [
        ({}, "capturing", ""),
        ({"input_ms": 69_000}, "idle", ""),
        ({"front": "private"}, "paused", "private"),
        ({"front": "unknown", "input_ms": 0}, "paused", "unknown"),
        ({"enabled": False}, "paused", "user"),
        ({"paused": True, "state": "blocked", "reason": "paused_by_user"}, "paused", "user"),
        ({"state": "blocked", "reason": "disk_low"}, "stalled", "disk_low"),
        ({"state": "blocked", "reason": "no_monitor", "front": "private"}, "stalled", "no_monitor"),
        ({"state": "backing_off", "reason": "write_failed"}, "stalled", "write_failed"),
        ({"state": "blocked", "reason": "unknown_window", "front": "unknown"}, "stalled", "unknown_window"),
        ({"oldest_ms": 69_000}, "stalled", "trigger_waits"),
        ({"oldest_ms": 71_000}, "capturing", ""),
        ({"step_ms": 69_000}, "stalled", "hung"),
        ({"alive": False}, "stalled", "no_thread"),
        ({"alive": False, "paused": True}, "paused", "user"),
        ({"state": "blocked", "reason": "screen_locked"}, "locked", "screen_locked"),
        ({"state": "blocked", "reason": "paused_by_user", "paused": True, "locked": True}, "locked", "screen_locked"),
        ({"reason": "asleep", "state": "blocked", "step_ms": 0}, "locked", "asleep"),
        ({"state": None, "step_ms": None}, "capturing", ""),
    ],
)
def test_the_first_that_applies(changes: dict[str, object], state: str, reason: str) -> None:
    shown = shown_state(replace(ARMED, **changes))  # type: ignore[arg-type]
    assert (shown.state, shown.reason, shown.since_ms) == (state, reason, 5)
