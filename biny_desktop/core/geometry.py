"""Rectangles in physical pixels: what windows, monitors, boxes and masks share."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Rect:
    """A rectangle in physical pixels; `x`, `y` may be negative (a monitor left of the first one)."""

    x: int
    y: int
    w: int
    h: int

    @property
    def right(self) -> int:
        return self.x + self.w

    @property
    def bottom(self) -> int:
        return self.y + self.h

    @property
    def area(self) -> int:
        return max(0, self.w) * max(0, self.h)

    def intersect(self, other: "Rect") -> "Rect":
        """The common part; width or height 0 where there is none."""
        x, y = max(self.x, other.x), max(self.y, other.y)
        return Rect(x, y, max(0, min(self.right, other.right) - x), max(0, min(self.bottom, other.bottom) - y))

    def union(self, other: "Rect") -> "Rect":
        """The smallest rectangle that holds both; an empty one does not count."""
        if self.area == 0:
            return other
        if other.area == 0:
            return self
        x, y = min(self.x, other.x), min(self.y, other.y)
        return Rect(x, y, max(self.right, other.right) - x, max(self.bottom, other.bottom) - y)

    def grow(self, px: int) -> "Rect":
        """The same rectangle with `px` more on every side."""
        return Rect(self.x - px, self.y - px, self.w + 2 * px, self.h + 2 * px)

    def moved(self, dx: int, dy: int) -> "Rect":
        """The same rectangle elsewhere."""
        return Rect(self.x + dx, self.y + dy, self.w, self.h)

    def clamped(self, width: int, height: int) -> "Rect":
        """The part inside a picture of that size, never negative (numpy would wrap silently)."""
        return self.intersect(Rect(0, 0, width, height))

    def contains(self, x: int, y: int) -> bool:
        """Whether the point lies inside."""
        return self.x <= x < self.right and self.y <= y < self.bottom
