"""Causes of stretches without frames: a pure function of rows."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biny_desktop.activity.gaps import StateRow, split
from biny_desktop.activity.model import GapCause, NonFrame

MIN = 60_000


def event(at: int, kind: str, reason: str = "", until: int | None = None) -> NonFrame:
    return NonFrame(at, at, until, "UTC", kind, reason, 1, None, None, None, {})


def told(*events: NonFrame, states: tuple[StateRow, ...] = (), end: int = 60 * MIN) -> list[tuple[int, int, GapCause]]:
    gaps = split((0, end), events, states, "no_input")
    return [(gap.start_ms // MIN, gap.end_ms // MIN, gap.cause) for gap in gaps]


def test_without_rows_nothing_is_claimed() -> None:
    assert told() == [(0, 60, "no_input")]
    assert split((5, 5), [], [], "away") == []


@pytest.mark.parametrize(
    ("events", "gaps"),
    [
        ([event(0, "lock"), event(60 * MIN, "unlock")], [(0, 60, "locked")]),
        ([event(-5 * MIN, "lock")], [(0, 60, "locked")]),
        (
            [event(10 * MIN, "lock"), event(40 * MIN, "unlock")],
            [(0, 10, "no_input"), (10, 40, "locked"), (40, 60, "no_input")],
        ),
        (
            [event(0, "lock"), event(20 * MIN, "sleep"), event(60 * MIN, "wake")],
            [(0, 20, "locked"), (20, 60, "asleep")],
        ),
        (
            [event(0, "lock"), event(20 * MIN, "sleep"), event(40 * MIN, "wake"), event(50 * MIN, "unlock")],
            [(0, 20, "locked"), (20, 40, "asleep"), (40, 50, "locked"), (50, 60, "no_input")],
        ),
        ([event(0, "private", "private_app", until=60 * MIN)], [(0, 60, "private")]),
        ([event(0, "skip", "paused_by_user", until=60 * MIN)], [(0, 60, "paused")]),
        ([event(0, "skip", "disk_low", until=59 * MIN)], [(0, 60, "stalled")]),
        ([event(0, "skip", "unknown_window", until=59 * MIN)], [(0, 60, "not_recorded")]),
        ([event(0, "state", "deleted", until=60 * MIN), event(0, "lock")], [(0, 60, "deleted")]),
        ([event(10 * MIN, "private", "private_app", until=11 * MIN)], [(0, 60, "no_input")]),
    ],
)  # fmt: skip
def test_causes_come_from_the_rows(events: list[NonFrame], gaps: list[tuple[int, int, GapCause]]) -> None:
    assert told(*events) == gaps


def test_states_of_the_recorder_tell_of_pauses_and_of_time_it_did_not_run() -> None:
    paused = (StateRow(-1, "blocked", "paused_by_user"), StateRow(60 * MIN, "armed", ""))
    assert told(states=paused) == [(0, 60, "paused")]
    assert told(states=(StateRow(0, "off", "shutting_down"), StateRow(60 * MIN, "starting", ""))) == [(0, 60, "off")]
    crashed = (StateRow(-5, "armed", ""), StateRow(60 * MIN - 1, "starting", ""))
    assert told(states=crashed) == [(0, 60, "off")]
    assert told(states=(StateRow(0, "backing_off", "no_monitor"),)) == [(0, 60, "stalled")]


KINDS = st.sampled_from(["lock", "unlock", "sleep", "wake", "private", "skip", "state", "focus"])
REASONS = st.sampled_from(["", "paused_by_user", "disk_low", "private_app", "deleted", "same_exact", "asleep"])
TIMES = st.integers(-50, 150)
EVENTS = st.lists(
    st.builds(lambda a, k, r, u: event(a, k, r, a + u if u else None), TIMES, KINDS, REASONS, st.integers(0, 90))
)
STATES = st.lists(st.builds(StateRow, TIMES, st.sampled_from(["off", "starting", "armed", "blocked"]), REASONS))


@given(EVENTS, STATES, st.integers(1, 40))
def test_gaps_cover_the_stretch_exactly_and_never_overlap(
    events: list[NonFrame], states: list[StateRow], least: int
) -> None:
    events.sort(key=lambda each: each.at_ms)
    gaps = split((0, 100), events, states, "away", least)
    edges = [gap.start_ms for gap in gaps] + [gaps[-1].end_ms]
    assert (edges[0], edges[-1]) == (0, 100)
    assert edges == sorted(set(edges))
    assert all(one.end_ms == other.start_ms for one, other in itertools.pairwise(gaps))
    assert len(gaps) == 1 or all(gap.end_ms - gap.start_ms >= least for gap in gaps)
    assert all(one.cause != other.cause for one, other in itertools.pairwise(gaps))
