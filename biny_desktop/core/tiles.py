"""Tile masks: which squares of a picture changed; capture finds them, rows keep them, reading uses them."""

from collections.abc import Iterable
from dataclasses import dataclass

from biny_desktop.core.geometry import Rect


@dataclass(frozen=True, slots=True)
class TileMask:
    """A bit for each square of `tile_px` physical pixels, row by row, lowest bit of the first byte first.

    `cols` × `rows` squares cover the picture (60·scale px, 32×18 at 1080p, spec 02 §5.10); the last ones may stick out.
    """

    cols: int
    rows: int
    tile_px: int
    bits: bytes

    def __post_init__(self) -> None:
        if len(self.bits) != (self.cols * self.rows + 7) // 8:
            raise ValueError("a tile mask needs one bit a tile")

    @classmethod
    def for_picture(cls, width: int, height: int, tile_px: int) -> "TileMask":
        """An empty mask for a picture of that size."""
        cols, rows = -(-width // tile_px), -(-height // tile_px)
        return cls(cols, rows, tile_px, bytes((cols * rows + 7) // 8))

    def touching(self, boxes: Iterable[Rect]) -> "TileMask":
        """This mask with every tile set that one of the boxes touches."""
        bits = bytearray(self.bits)
        edge = Rect(0, 0, self.cols * self.tile_px, self.rows * self.tile_px)
        for box in boxes:
            part = box.intersect(edge)
            if part.area == 0:
                continue
            for row in range(part.y // self.tile_px, (part.bottom - 1) // self.tile_px + 1):
                for col in range(part.x // self.tile_px, (part.right - 1) // self.tile_px + 1):
                    place = row * self.cols + col
                    bits[place >> 3] |= 1 << (place & 7)
        return TileMask(self.cols, self.rows, self.tile_px, bytes(bits))

    def full(self) -> "TileMask":
        """The same grid with every tile set."""
        return self.touching([Rect(0, 0, self.cols * self.tile_px, self.rows * self.tile_px)])

    def union(self, other: "TileMask") -> "TileMask":
        """Tiles set in either; both must have the same grid.

        Raises:
            ValueError: the grids differ (the screen changed its size in between).
        """
        if (self.cols, self.rows, self.tile_px) != (other.cols, other.rows, other.tile_px):
            raise ValueError("tile masks of different pictures")
        joined = bytes(a | b for a, b in zip(self.bits, other.bits, strict=True))
        return TileMask(self.cols, self.rows, self.tile_px, joined)

    def count(self) -> int:
        """How many tiles are set."""
        return sum(byte.bit_count() for byte in self.bits)

    def share(self) -> float:
        """Set tiles as a part of all, 0..1."""
        return self.count() / (self.cols * self.rows) if self.cols and self.rows else 0.0

    def rects(self) -> list[Rect]:
        """One rectangle a horizontal run of set tiles, in physical pixels, top to bottom."""
        out: list[Rect] = []
        for row in range(self.rows):
            start: int | None = None
            for col in range(self.cols + 1):
                place = row * self.cols + col
                on = col < self.cols and bool(self.bits[place >> 3] & (1 << (place & 7)))
                if on and start is None:
                    start = col
                elif not on and start is not None:
                    px = self.tile_px
                    out.append(Rect(start * px, row * px, (col - start) * px, px))
                    start = None
        return out
