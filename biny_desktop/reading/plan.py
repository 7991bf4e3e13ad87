"""Which regions of a picture must be looked at, and which known lines stand where they stood or only moved."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from biny_desktop.core.geometry import Rect
from biny_desktop.core.tiles import TileMask
from biny_desktop.reading.memory import KnownLine, LineMemory, line_key
from biny_desktop.reading.ports import Line, Picture, ReadPlan
from biny_desktop.reading.prints import BAND, Cells, Prints, row_prints, shifts, square_prints, unexplained, varied
from biny_desktop.reading.regions import cell_rects, cells_of, mask_rects, regions

MOST_CHANGED = 0.4  # part of the area; above it the whole picture is read (spec 02 §7, changed-line reading 1)
NEARLY_WHOLE = 0.8  # part of the area in grown regions; above it regular slices of the whole cost no more
MOST_SCREENS = 4  # earlier screens that one picture is put together from (windows over windows)
GROW = 2  # px round a line before it is cut to its ink (spec 02 §7, changed-line reading 2)


@dataclass(frozen=True, slots=True)
class Plan:
    """Regions to detect in; `kept` lines stand outside of them, `anchors` inside with unchanged pixels."""

    name: ReadPlan
    regions: tuple[Rect, ...]
    kept: tuple[KnownLine, ...]
    anchors: tuple[KnownLine, ...]
    rows: Prints
    squares: Prints


def make_plan(picture: Picture, memory: LineMemory, monitor: str, changed: TileMask | None) -> Plan:
    """How to read this picture of a monitor; `changed` are the tiles touched since its last reading, None: unknown.

    What changed is taken from the pixels, inside the touched tiles (grown by one) where these are known and few.
    Content that scrolled, or that an earlier screen showed at the same place, needs no new look. More than 40 % new:
    the whole picture is looked at.
    """
    height, width = picture.shape[:2]
    rows = row_prints(picture)
    squares = square_prints(rows)
    new, lines, grown = _last(picture, memory, monitor, rows, changed)
    if not new.any():
        return Plan("same", (), tuple(lines), (), rows, squares)
    new, lines = _seen_again(picture, memory, monitor, squares, new, lines)
    whole = Plan("whole", (Rect(0, 0, width, height),), (), tuple(lines), rows, squares)
    if float(new.mean()) > MOST_CHANGED:
        return whole
    areas = regions(cell_rects(new, width, height), [*(known.line.box for known in lines), *grown])
    areas = [area.clamped(width, height) for area in areas]
    if sum(area.area for area in areas) > NEARLY_WHOLE * width * height:
        return whole
    inside = [any(known.line.box.intersect(area).area for area in areas) for known in lines]
    kept = tuple(known for known, hit in zip(lines, inside, strict=True) if not hit)
    anchors = tuple(known for known, hit in zip(lines, inside, strict=True) if hit)
    return Plan("changed", tuple(areas), kept, anchors, rows, squares)


def cut(picture: Picture, box: Rect) -> Picture:
    """The part of the picture in the box, which must lie inside."""
    return picture[box.y : box.bottom, box.x : box.right]


def key_at(picture: Picture, box: Rect) -> bytes | None:
    """The key of the line at that box; None where there is nothing but one colour."""
    return line_key(cut(picture, box.grow(GROW).clamped(picture.shape[1], picture.shape[0])))


def _last(
    picture: Picture, memory: LineMemory, monitor: str, rows: Prints, changed: TileMask | None
) -> tuple[Cells, list[KnownLine], list[Rect]]:
    """Cells the last screen does not explain, its lines that stand or moved, boxes of lines that changed in part."""
    height, width = picture.shape[:2]
    last, before = memory.last(monitor), memory.last_picture(monitor)
    if last is None or before is None or last.size != (width, height):
        return np.ones(rows.shape, np.bool_), [], []
    cells: Cells = rows != before[1]
    if changed is not None and changed.share() <= MOST_CHANGED:
        cells &= cells_of(mask_rects(changed, width, height), *rows.shape)
    moves = shifts(rows, before[1], cells)
    lines = _standing(picture, last.lines, cells)
    inside = [known for known in last.lines if _touched(known.line.box, cells)]
    moved = [_lower(known, move) for move in moves for known in inside]
    again = _standing(picture, moved, np.ones(rows.shape, np.bool_))
    lines = _joined(lines, again)
    new = unexplained(picture, before[0], cells, moves)
    covered = cells_of([known.line.box for known in lines], *rows.shape)
    standing = {id(known) for known in lines}
    grown = [known.line.box for known in inside if id(known) not in standing and _in_part(known.line.box, cells)]
    return new | varied(picture, before[0], cells & ~new & ~covered), lines, grown


def _seen_again(
    picture: Picture, memory: LineMemory, monitor: str, squares: Prints, new: Cells, lines: list[KnownLine]
) -> tuple[Cells, list[KnownLine]]:
    """What is still new after up to four earlier screens, and the lines known from them as well."""
    height, width = picture.shape[:2]
    screens = memory.screens(monitor, (width, height))
    for _ in range(MOST_SCREENS):
        best, left = None, new
        for screen in screens:
            rest = new & np.repeat(squares != screen.squares, BAND, axis=0)[:height]
            if rest.sum() < left.sum():
                best, left = screen, rest
        if best is None:
            break
        differs = np.repeat(squares != best.squares, BAND, axis=0)[:height]
        candidates = [known for known in best.lines if _touched(known.line.box, new)]
        lines = _joined(lines, _standing(picture, candidates, differs))
        new = left
    return new, lines


def _joined(lines: list[KnownLine], more: Sequence[KnownLine]) -> list[KnownLine]:
    """The lines, and of the others those that stand on none of them."""
    out = list(lines)
    for known in more:
        box = known.line.box
        if not any(box.intersect(one.line.box).area > 0.5 * min(box.area, one.line.box.area) for one in out):
            out.append(known)
    return out


def _standing(picture: Picture, lines: Sequence[KnownLine], cells: Cells) -> list[KnownLine]:
    """Lines outside the cells, and those that touch them but have the same pixels there."""
    height, width = picture.shape[:2]
    return [
        known
        for known in lines
        if known.line.box == known.line.box.clamped(width, height)
        and (not _touched(known.line.box, cells) or key_at(picture, known.line.box) == known.key)
    ]


def _in_part(box: Rect, cells: Cells) -> bool:
    """Whether some band of the box is as it was: the line may have grown, or a word in it changed."""
    part = cells[box.y : box.bottom, box.x // BAND : (box.right - 1) // BAND + 1]
    return not bool(part.any(axis=0).all())


def _lower(known: KnownLine, move: int) -> KnownLine:
    return KnownLine(Line(known.line.text, known.line.box.moved(0, move), known.line.score), known.key)


def _touched(box: Rect, cells: Cells) -> bool:
    return bool(cells[box.y : box.bottom, box.x // BAND : (box.right - 1) // BAND + 1].any())
