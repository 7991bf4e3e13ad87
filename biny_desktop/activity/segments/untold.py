"""Gaps of a day and their causes: what blocks and rows say of the time between segments (spec 03 §2.1)."""

from collections.abc import Sequence
from typing import Final

from biny_desktop.activity.gaps import Causes, Told, cause_of
from biny_desktop.activity.model import Gap, GapCause
from biny_desktop.activity.segments.axis import Axis
from biny_desktop.activity.segments.blocks import Blocks
from biny_desktop.activity.segments.presence import is_private

LEAST_MS: Final = 60_000
"""Parts of a gap shorter than this take the cause of the longer part beside them, ms (own)."""


def tell_gaps(holes: Sequence[tuple[int, int]], axis: Axis, blocks: Blocks, *, watching: bool) -> tuple[Gap, ...]:
    """The holes as gaps with their causes; a hole with several causes is several gaps.

    Args:
        holes: [start, end) in order, shown ms. watching: whether a silent time means that nobody was seen.
    """
    told = [Told(each.start, each.end, each.cause) for each in blocks.all if each.cause is not None]
    for placed in axis.rows:
        if placed.end > placed.at and placed.row.kind == "event":
            cause = "private" if is_private(placed.row) else cause_of(placed.row.reason)
            if cause is not None:
                told.append(Told(placed.at, placed.end, cause))
    causes = Causes(told)
    default: GapCause = "away" if watching else "no_input"
    return tuple(gap for hole in holes for gap in causes.split(hole, default, LEAST_MS))
