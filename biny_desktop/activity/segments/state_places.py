"""Where recorder states belong among the rows: they know only the wall time (spec 02 §9)."""

import bisect
from typing import Final

from biny_desktop.activity.segments.model import ActivityRow

STEP_MS: Final = 2_000
"""Wall and monotonic time that differ by more than this between two rows: the clock was set, ms (spec 03 §1.4)."""


def place_states(
    states: list[ActivityRow], rows: list[ActivityRow], at: list[int], run_of: list[int]
) -> list[tuple[int, int]]:
    """(shown time, run) of each state, among the rows by its wall time; where the clock went back, by order of ids.

    Args:
        states: by id. rows: in order, with their shown times `at` and their runs.
    """
    groups = _wall_groups(rows)
    out: list[tuple[int, int]] = []
    group = 0
    for state in states:
        wall = state.stamp.at_ms
        group = _group_of(wall, groups, group)
        shown, run = wall, 0
        if groups:
            first, walls = groups[group]
            place = first + bisect.bisect_right(walls, wall) - 1
            near = max(place, first)
            shown = at[near] + wall - walls[near - first]
            shown = shown if place < first or near + 1 == len(at) else min(shown, at[near + 1])
            shown = shown if place >= first or not first else max(shown, at[first - 1])
            run = run_of[near]
        shown = max(shown, out[-1][0]) if out else shown
        out.append((shown, run))
    return out


def _wall_groups(rows: list[ActivityRow]) -> list[tuple[int, list[int]]]:
    """(index of the first row, wall times) of stretches in which the wall clock never went back."""
    groups: list[tuple[int, list[int]]] = []
    for place, row in enumerate(rows):
        wall = row.stamp.at_ms
        if not groups or wall < groups[-1][1][-1] - STEP_MS:
            groups.append((place, [wall]))
        else:
            groups[-1][1].append(max(wall, groups[-1][1][-1]))
    return groups


def _group_of(wall: int, groups: list[tuple[int, list[int]]], since: int) -> int:
    """The first group from `since` on that holds the wall time, else the one it is nearest to."""
    best, best_away = since, None
    for n in range(since, len(groups)):
        walls = groups[n][1]
        away = max(walls[0] - wall, wall - walls[-1], 0)
        if best_away is None or away < best_away:
            best, best_away = n, away
        if not away:
            break
    return best
