"""Where gaps stand between frames, both newest first; pure."""

from collections.abc import Sequence

from biny_desktop.activity.model import Frame, Gap


def weave(
    frames: Sequence[Frame], gaps: Sequence[Gap], *, above_ms: int | None = None, ends: bool = False
) -> list[Frame | Gap]:
    """Frames with the gaps between them.

    Args:
        frames: newest first.
        gaps: any order; only those below `above_ms` (the frame just above, if any) and above the last frame are used.
        ends: no older frame follows, so gaps below the last one belong here too.
    """
    waiting = sorted((gap for gap in gaps if above_ms is None or gap.start_ms < above_ms), key=_end, reverse=True)
    rows: list[Frame | Gap] = []
    place = 0
    for frame in frames:
        while place < len(waiting) and waiting[place].start_ms >= frame.at_ms:
            rows.append(waiting[place])
            place += 1
        rows.append(frame)
    if ends:
        rows += waiting[place:]
    return rows


def gap_places(rows: Sequence[Frame | Gap], gaps: Sequence[Gap], *, ends: bool) -> list[tuple[int, Gap]]:
    """(row, gap) for each gap not among the rows, to be inserted one after the other as listed."""
    frames = [row for row in rows if isinstance(row, Frame)]
    known = {row for row in rows if isinstance(row, Gap)}
    target = weave(frames, gaps, ends=ends)
    return [(row, item) for row, item in enumerate(target) if isinstance(item, Gap) and item not in known]


def _end(gap: Gap) -> int:
    return gap.end_ms
