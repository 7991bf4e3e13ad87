"""What a row says about somebody being there: activity, a change that was watched, private time, or nothing."""

from typing import Final

from biny_desktop.activity.notes import PRIVATE_REASONS
from biny_desktop.activity.segments.model import ActivityRow

_ACTS: Final = frozenset({"focus", "input"})
_WATCHED: Final = "visual_change"


def is_activity(row: ActivityRow) -> bool:
    """Focus change, input, or a frame of any trigger but `visual_change` (spec 03 §2)."""
    return row.what in _ACTS if row.kind == "event" else row.kind == "frame" and row.what != _WATCHED


def is_watched(row: ActivityRow) -> bool:
    """A check of watching mode that found a change (spec 03 §2)."""
    return row.kind == "frame" and row.what == _WATCHED


def is_private(row: ActivityRow) -> bool:
    """Private time; such a row never gives an app or a title, whatever it holds."""
    return row.kind == "event" and (row.what == "private" or row.reason in PRIVATE_REASONS)


def stirs(row: ActivityRow) -> bool:
    """Whether a segment can be made of it."""
    return is_activity(row) or is_watched(row) or is_private(row)
