"""Where to look for text: slices of large regions, lines joined across slices, and the regions that changed."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from biny_desktop.core.geometry import Rect
from biny_desktop.core.tiles import TileMask
from biny_desktop.reading.prints import BAND, Cells

LONGEST_SIDE = 1_200  # px; a region with a longer side is cut (spec 02 §7, engine options)
SLICE_W, SLICE_H = 1_000, 860  # px
OVERLAP = 100  # px that neighbouring slices share
STRETCH = 600  # px that are looked at where a line goes on behind the edge of a region
MAX_REGIONS = 6  # spec 02 §7, changed-line reading 1
MARGIN = 24  # px round a change where it is looked for text: the line it belongs to, and room for the detector
_MANY = 150  # rectangles; more are united blindly first, since the choice costs their number cubed
_EDGE = 3  # px; a box that near to a cut may go on behind it
_RIM = 8  # px above and below a stretch: more than _EDGE, or its lines would look cut
_SAME_ROW = 0.5  # part of the lower height that two pieces of one line share


@dataclass(frozen=True, slots=True)
class Found:
    """A box found in one slice; `cut_*` say that it may go on behind an edge where the slice was cut."""

    box: Rect
    part: int
    cut_x: bool
    cut_y: bool


def slices(region: Rect) -> list[Rect]:
    """The region itself, or equal pieces of at most 1,000 × 860 px with 100 px overlap when a side is over 1,200 px."""
    if region.w <= LONGEST_SIDE and region.h <= LONGEST_SIDE:
        return [region]
    return [
        Rect(x, y, w, h) for y, h in _cuts(region.y, region.h, SLICE_H) for x, w in _cuts(region.x, region.w, SLICE_W)
    ]


def _cuts(start: int, length: int, longest: int) -> list[tuple[int, int]]:
    if length <= longest:
        return [(start, length)]
    count = -(-(length - OVERLAP) // (longest - OVERLAP))
    size = -(-(length + (count - 1) * OVERLAP) // count)
    step = (length - size) / (count - 1)
    return [(start + round(place * step), size) for place in range(count)]


def found_in(boxes: Iterable[Rect], piece: Rect, part: int, whole: Rect) -> list[Found]:
    """Boxes of one slice moved into the picture, with the edges marked where the slice was cut out of `whole`."""
    out: list[Found] = []
    for inner in boxes:
        box = inner.moved(piece.x, piece.y)
        left = piece.x > whole.x and box.x - piece.x <= _EDGE
        right = piece.right < whole.right and piece.right - box.right <= _EDGE
        top = piece.y > whole.y and box.y - piece.y <= _EDGE
        bottom = piece.bottom < whole.bottom and piece.bottom - box.bottom <= _EDGE
        out.append(Found(box, part, left or right, top or bottom))
    return out


def beyond(found: Sequence[Found], area: Rect, whole: Rect) -> list[Rect]:
    """Where lines go on that the left or right edge of an area cuts: a stretch on each side, with some overlap.

    An edge within half a line height of a box may have cut between two words.
    """
    out: list[Rect] = []
    for cut, x in (
        ([one.box for one in found if one.box.x - area.x <= one.box.h // 2], area.x + OVERLAP - STRETCH),
        ([one.box for one in found if area.right - one.box.right <= one.box.h // 2], area.right - OVERLAP),
    ):
        if not cut:
            continue
        top, bottom = min(box.y for box in cut) - _RIM, max(box.bottom for box in cut) + _RIM
        part = Rect(x, top, STRETCH, bottom - top).intersect(whole)
        if part.area and area.intersect(part) != part:
            out.append(part)
    return out


def joined(found: Sequence[Found]) -> list[Rect]:
    """One box a line: pieces on both sides of a cut are united, a line found in two slices counts once."""
    pieces = [one for one in found if not (one.cut_y and _better(one, found))]
    group = list(range(len(pieces)))

    def root(place: int) -> int:
        while group[place] != place:
            place = group[place]
        return place

    for first, one in enumerate(pieces):
        for second in range(first):
            if one.part != pieces[second].part and _one_line(one, pieces[second]):
                group[root(first)] = root(second)
    boxes: dict[int, Rect] = {}
    for place, one in enumerate(pieces):
        boxes[root(place)] = boxes.get(root(place), Rect(0, 0, 0, 0)).union(one.box)
    return list(boxes.values())


def _better(one: Found, found: Sequence[Found]) -> bool:
    """Whether a slice beside this one saw the line in its full height."""
    return any(
        other.part != one.part and not other.cut_y and one.box.intersect(other.box).area > 0.5 * one.box.area
        for other in found
    )


def _one_line(one: Found, other: Found) -> bool:
    a, b = one.box, other.box
    shared = min(a.bottom, b.bottom) - max(a.y, b.y)
    gap = max(a.x, b.x) - min(a.right, b.right)
    near = 2 * _EDGE if one.cut_x and other.cut_x else 0
    if one.cut_y and other.cut_y and shared > 0:
        return gap < 0
    return shared >= _SAME_ROW * min(a.h, b.h) and gap < near


def mask_rects(mask: TileMask, width: int, height: int) -> list[Rect]:
    """The set tiles in pixels of a picture of that size, one tile larger on each side.

    The picture may be smaller than the grab the mask belongs to; the grab's size is known to one tile only, so both
    possible scales are used, the outer one for each edge.
    """
    px = mask.tile_px
    across, down = _scales(mask.cols, px, width), _scales(mask.rows, px, height)
    out: list[Rect] = []
    for rect in mask.rects():
        grown = rect.grow(px)
        x, y = int(grown.x * across[0]), int(grown.y * down[0])
        right, bottom = math.ceil(grown.right * across[1]), math.ceil(grown.bottom * down[1])
        out.append(Rect(x, y, right - x, bottom - y).clamped(width, height))
    return [rect for rect in out if rect.area]


def _scales(count: int, px: int, side: int) -> tuple[float, float]:
    if (count - 1) * px < side <= count * px:
        return 1.0, 1.0
    return side / (count * px), side / max(1, (count - 1) * px + 1)


def cell_rects(cells: Cells, width: int, height: int) -> list[Rect]:
    """A rectangle, grown by a margin, for each run of 64 px squares with a set cell (row of a 64 px band)."""
    tall, bands = cells.shape
    padded = np.zeros((-(-tall // BAND) * BAND, bands), np.bool_)
    padded[:tall] = cells
    squares = padded.reshape(-1, BAND, bands).any(axis=1)
    out = []
    for row, line in enumerate(np.atleast_2d(squares)):
        edges = np.flatnonzero(np.diff(np.concatenate(([False], line, [False])).astype(np.int8)))
        for left, right in zip(edges[::2], edges[1::2], strict=True):
            here = np.flatnonzero(padded[row * BAND : (row + 1) * BAND, left:right].any(axis=1))
            top, bottom = row * BAND + int(here[0]), row * BAND + int(here[-1]) + 1
            box = Rect(int(left) * BAND, top, int(right - left) * BAND, bottom - top)
            out.append(box.grow(MARGIN).clamped(width, height))
    return out


def cells_of(rects: Iterable[Rect], height: int, bands: int) -> Cells:
    """The cells that the rectangles touch."""
    out = np.zeros((height, bands), np.bool_)
    for rect in rects:
        out[rect.y : rect.bottom, rect.x // BAND : (rect.right - 1) // BAND + 1] = True
    return out


def regions(changed: Sequence[Rect], lines: Sequence[Rect]) -> list[Rect]:
    """At most six rectangles that hold the changed ones and every known line that one of them cuts.

    They may overlap: a line found in two of them counts once, and one rectangle round both can be the whole screen.
    """
    out = _fewer(changed)
    while True:
        wider = _fewer([_widened(rect, lines) for rect in out])
        if wider == out:
            return out
        out = wider


def _widened(rect: Rect, lines: Sequence[Rect]) -> Rect:
    """With every line whose middle it touches: boxes overlap a little, and one must not pull in all the next.

    A line height of room beside each line shows the detector that it ends there (see `beyond`).
    """
    for line in lines:
        if Rect(line.x, line.y + line.h // 4, line.w, line.h - line.h // 2).intersect(rect).area:
            rect = rect.union(Rect(line.x - line.h, line.y, line.w + 2 * line.h, line.h))
    return rect


def _halved(sides: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Neighbours in the list united two by two."""
    even = sides if len(sides) % 2 == 0 else np.vstack((sides, sides[-1:]))
    low, high = np.minimum(even[::2, :2], even[1::2, :2]), np.maximum(even[::2, 2:], even[1::2, 2:])
    return np.unique(np.hstack((low, high)), axis=0)


def _fewer(rects: Sequence[Rect]) -> list[Rect]:
    """At most six: the pair whose union wastes least becomes one first, and all pairs whose union wastes nothing."""
    sides = np.array([(rect.x, rect.y, rect.right, rect.bottom) for rect in rects], np.int64).reshape(-1, 4)
    sides = np.unique(sides, axis=0)
    while len(sides) > _MANY:
        sides = _halved(sides)
    while len(sides) > 1:
        low = np.minimum(sides[:, None, :2], sides[None, :, :2])
        high = np.maximum(sides[:, None, 2:], sides[None, :, 2:])
        area = np.prod(sides[:, 2:] - sides[:, :2], axis=1)
        waste = np.prod(high - low, axis=2) - area[:, None] - area[None, :]
        waste[np.tril_indices(len(sides))] = np.iinfo(np.int64).max
        one, other = np.unravel_index(int(waste.argmin()), waste.shape)
        if len(sides) <= MAX_REGIONS and waste[one, other] > 0:
            break
        joint = np.concatenate((low[one, other], high[one, other]))
        sides = np.unique(np.vstack((np.delete(sides, (one, other), axis=0), joint)), axis=0)
    return [Rect(int(x), int(y), int(right - x), int(bottom - y)) for x, y, right, bottom in sides]
