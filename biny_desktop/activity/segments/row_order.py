"""Rows in the order they happened: by boot, monotonic time and id, never by wall time (spec 03 §1.1)."""

import functools
from collections.abc import Sequence

from biny_desktop.activity.segments.model import ActivityRow


def in_order(rows: Sequence[ActivityRow]) -> list[ActivityRow]:
    """Frames and events ordered; at one millisecond events come before frames, each by id."""
    ranks = _boot_ranks(rows)
    return sorted(rows, key=lambda row: (ranks[row.stamp.boot_id], row.stamp.mono_ms, row.kind == "frame", row.id))


class _Boot:
    """The smallest ids and wall time of a boot."""

    def __init__(self, name: str, wall_ms: int) -> None:
        self.name, self.wall_ms = name, wall_ms
        self.first: dict[str, int] = {}

    def add(self, row: ActivityRow) -> None:
        """Count a row."""
        self.wall_ms = min(self.wall_ms, row.stamp.at_ms)
        self.first[row.kind] = min(row.id, self.first.get(row.kind, row.id))


def _boot_ranks(rows: Sequence[ActivityRow]) -> dict[str, int]:
    """Boots in the order in which their rows were written, since a clock may be wrong right after a start: by the ids
    of events, else of frames, else by wall time."""
    boots: dict[str, _Boot] = {}
    for row in rows:
        name = row.stamp.boot_id
        boot = boots.get(name)
        if boot is None:
            boot = boots[name] = _Boot(name, row.stamp.at_ms)
        boot.add(row)
    known = sorted(boots.values(), key=lambda boot: (boot.wall_ms, boot.name))
    return {boot.name: rank for rank, boot in enumerate(sorted(known, key=functools.cmp_to_key(_before)))}


def _before(one: _Boot, other: _Boot) -> int:
    for kind in ("event", "frame"):
        if kind in one.first and kind in other.first:
            return one.first[kind] - other.first[kind]
    return one.wall_ms - other.wall_ms
