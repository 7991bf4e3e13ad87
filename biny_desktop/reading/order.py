"""Reading order: columns, then top to bottom, then left to right (spec 02 §7, changed-line reading 3)."""

import re
import statistics
from collections.abc import Callable, Sequence

from biny_desktop.core.geometry import Rect
from biny_desktop.reading.ports import Line

_COLUMN_GAP = 1.5  # line heights of white that part two columns
_BLOCK_GAP = 0.5  # line heights of white that part two blocks
_ALIGNED = 0.5  # of the shorter column: if more of its lines share a row with the other, it is a table, read by rows
_DEEPEST = 40  # nested cuts; more means a degenerate page, which is read by rows
_BLANKS = re.compile(r"\n{4,}")


def in_order(lines: Sequence[Line]) -> list[Line]:
    """The lines in the order a person reads them."""
    return _ordered(list(lines), 0)


def page_text(lines: Sequence[Line]) -> str:
    """The texts, one a line; three or more blank lines become one."""
    return _BLANKS.sub("\n\n", "\n".join(line.text for line in lines)).strip("\n")


def _ordered(lines: list[Line], depth: int) -> list[Line]:
    if len(lines) < 2 or depth > _DEEPEST:
        return _rows(lines)
    height = statistics.median(line.box.h for line in lines)
    place = _gap(lines, lambda box: (box.x, box.right), _COLUMN_GAP * height, _columns)
    if place is None:
        place = _gap(lines, lambda box: (box.y, box.bottom), _BLOCK_GAP * height, _always)
    if place is None:
        return _rows(lines)
    before, after = place
    return _ordered(before, depth + 1) + _ordered(after, depth + 1)


def _gap(
    lines: list[Line],
    span: Callable[[Rect], tuple[int, int]],
    least: float,
    fits: Callable[[list[Line], list[Line]], bool],
) -> tuple[list[Line], list[Line]] | None:
    """The two sides of the widest white band across that axis that is wide enough and fits; None without one."""
    ranked = sorted(lines, key=lambda line: span(line.box)[0])
    reach = span(ranked[0].box)[1]
    gaps: list[tuple[int, int]] = []
    for place, line in enumerate(ranked[1:], start=1):
        start, end = span(line.box)
        if start - reach >= least:
            gaps.append((start - reach, place))
        reach = max(reach, end)
    for _, place in sorted(gaps, reverse=True):
        if fits(ranked[:place], ranked[place:]):
            return ranked[:place], ranked[place:]
    return None


def _always(_before: list[Line], _after: list[Line]) -> bool:
    return True


def _columns(left: list[Line], right: list[Line]) -> bool:
    """Two columns have rows of their own; cells of a table share them, so label and value stay together."""
    few, many = sorted((left, right), key=len)
    if len(few) < 2:
        return False
    shared = sum(1 for line in few if any(_same_row(line.box, other.box) for other in many))
    return shared <= _ALIGNED * len(few)


def _same_row(one: Rect, other: Rect) -> bool:
    return abs((one.y + one.bottom) - (other.y + other.bottom)) <= 0.5 * min(one.h, other.h)


def _rows(lines: list[Line]) -> list[Line]:
    out: list[Line] = []
    row: list[Line] = []
    for line in sorted(lines, key=lambda line: line.box.y + line.box.bottom):
        if row and (line.box.y + line.box.bottom) - (row[0].box.y + row[0].box.bottom) > min(line.box.h, row[0].box.h):
            out += sorted(row, key=lambda one: one.box.x)
            row = []
        row.append(line)
    return out + sorted(row, key=lambda one: one.box.x)
