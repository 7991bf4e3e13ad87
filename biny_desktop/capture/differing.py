"""Step A and the first half of step C: which bytes differ, and the rectangles they lie in (spec 02 §5)."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from biny_desktop.capture.limits import Limits
from biny_desktop.capture.ports import Pixels
from biny_desktop.core.geometry import Rect
from biny_desktop.core.tiles import TileMask

Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Differing:
    """Where two pictures of one size differ at all: a flag for every `step` pixels of a row, and one for a whole row.

    `cells` height × (width / step) bool, `rows` height bool, `step` 1 or 2 px.
    """

    cells: Flags
    rows: Flags
    step: int

    @property
    def any(self) -> bool:
        """Whether a single byte differs."""
        return bool(self.rows.any())

    def inside(self, area: Rect) -> bool:
        """Whether anything inside the area differs."""
        return bool(self._cells_of(area).any())

    def rectangles(self, area: Rect, limits: Limits, scale: float) -> list[Rect]:
        """Rectangles inside `area` that hold every difference, top to bottom; they do not overlap."""
        out: list[Rect] = []
        rows = self.rows[area.y : area.bottom]
        first, row_gap, column_gap = area.x // self.step, limits.row_gap * scale, limits.column_gap * scale / self.step
        for top, bottom in _runs(rows, row_gap):
            band = Rect(area.x, area.y + top, area.w, bottom - top)
            for left, right in _runs(_any_row(self._cells_of(band)), column_gap):
                box = Rect((first + left) * self.step, band.y, (right - left) * self.step, band.h)
                out.append(self._tight(box.intersect(area)))
        return [box for box in out if box.area]

    def tiles(self, area: Rect, width: int, tile_px: int) -> TileMask:
        """Tiles with any difference inside `area`: more than what counted, for looks that stopped early."""
        empty = TileMask.for_picture(width, self.cells.shape[0], tile_px)
        grid = np.zeros((empty.rows, empty.cols), bool)
        for row in range(empty.rows):
            band = Rect(0, row * tile_px, width, tile_px).intersect(area)
            if not band.area or not self.rows[band.y : band.bottom].any():
                continue
            columns = (np.flatnonzero(_any_row(self._cells_of(band))) + area.x // self.step) * self.step
            grid[row, columns // tile_px] = True
            grid[row, np.minimum(columns + self.step - 1, width - 1) // tile_px] = True
        bits = np.packbits(grid.ravel(), bitorder="little").tobytes()
        return TileMask(empty.cols, empty.rows, tile_px, bits)

    def _cells_of(self, area: Rect) -> Flags:
        return self.cells[area.y : area.bottom, area.x // self.step : -(-area.right // self.step)]

    def _tight(self, box: Rect) -> Rect:
        rows = np.flatnonzero(self._cells_of(box).any(axis=1))
        if not rows.size:
            return Rect(box.x, box.y, 0, 0)
        return Rect(box.x, box.y + int(rows[0]), box.w, int(rows[-1] - rows[0]) + 1)


def differing(before: Pixels, after: Pixels, buffer: Flags | None = None) -> Differing:
    """Compare two pictures of equal shape (height, width, 4), BGRA; two pixels at a time where the width allows it.

    `buffer` is an earlier result's `cells` to be overwritten; fresh memory costs a third of the time.
    """
    height, width = before.shape[:2]
    step = 1 if width % 2 else 2
    word = np.uint64 if step == 2 else np.uint32
    old = np.ascontiguousarray(before).reshape(height, width * 4).view(word)
    new = np.ascontiguousarray(after).reshape(height, width * 4).view(word)
    cells = buffer if buffer is not None and buffer.shape == old.shape else np.empty(old.shape, np.bool_)
    np.not_equal(old, new, out=cells)
    return Differing(cells, np.asarray(cells.any(axis=1)), step)


def _any_row(cells: Flags) -> Flags:
    """For each column whether any row is set; eight flags at a time where the rows are whole words."""
    whole = cells.shape[1] // 8 * 8 if cells.strides[0] % 8 == 0 and cells.ctypes.data % 8 == 0 else 0
    out = np.empty(cells.shape[1], np.bool_)
    out[:whole] = np.bitwise_or.reduce(cells[:, :whole].view(np.uint64), axis=0).view(np.bool_)
    out[whole:] = cells[:, whole:].any(axis=0)
    return out


def _runs(flags: Flags, gap: float) -> list[tuple[int, int]]:
    """Runs of set flags as (first, after last); runs at most `gap` unset flags apart are one."""
    places = np.flatnonzero(flags)
    if not places.size:
        return []
    cuts = np.flatnonzero(np.diff(places) > gap + 1)
    firsts = places[np.concatenate(([0], cuts + 1))]
    lasts = places[np.concatenate((cuts, [places.size - 1]))]
    return [(int(first), int(last) + 1) for first, last in zip(firsts, lasts, strict=True)]
