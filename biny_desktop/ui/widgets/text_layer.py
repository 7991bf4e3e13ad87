"""Selecting text on a picture: from points to offsets into the frame's text and back to rectangles; pure geometry.

OCR gives a box a line, not a letter, so places inside a line are found by the widths letters usually have.
"""

import unicodedata
from collections.abc import Sequence
from itertools import accumulate

from biny_desktop.activity.model import TextLine
from biny_desktop.core.geometry import Rect

NARROW = frozenset("iljtfrI.,:;'|!()[] ")
NARROW_WIDTH, USUAL_WIDTH, WIDE_WIDTH = 0.5, 1.0, 1.8
"""Widths of letters relative to an `n`; full-width signs (Han, kana, hangul) are wide."""


class TextLayer:
    """The lines of one picture. Points and rectangles in picture pixels, offsets into `text`."""

    def __init__(self, text: str, lines: Sequence[TextLine]) -> None:
        self.text = text
        self.lines = tuple(line for line in lines if line.box.area > 0 and line.start < line.end <= len(text))
        self._edges = {line: _edges(text[line.start : line.end]) for line in self.lines}

    def line_at(self, x: float, y: float) -> TextLine | None:
        """The line under a point."""
        return next((line for line in self.lines if line.box.contains(int(x), int(y))), None)

    def offset_at(self, x: float, y: float) -> int | None:
        """The offset nearest to a point: in the line it is on, else in the nearest one; None without lines."""
        if not self.lines:
            return None
        line = min(self.lines, key=lambda each: _distance(each.box, x, y))
        share = min(max((x - line.box.x) / line.box.w, 0.0), 1.0)
        edges = self._edges[line]
        return line.start + min(range(len(edges)), key=lambda place: abs(edges[place] - share))

    def rects(self, start: int, end: int) -> list[Rect]:
        """The rectangles that cover [start, end)."""
        found: list[Rect] = []
        for line in self.lines:
            first, last = max(start, line.start), min(end, line.end)
            if first < last:
                edges, box = self._edges[line], line.box
                left = box.x + round(edges[first - line.start] * box.w)
                right = box.x + round(edges[last - line.start] * box.w)
                found.append(Rect(left, box.y, max(1, right - left), box.h))
        return found

    def word_at(self, offset: int) -> tuple[int, int]:
        """The word around an offset, as a double click takes it."""
        start = end = min(offset, len(self.text))
        while start > 0 and self.text[start - 1].isalnum():
            start -= 1
        while end < len(self.text) and self.text[end].isalnum():
            end += 1
        return start, end

    def find(self, quote: str) -> tuple[int, int] | None:
        """Where a quote stands, upper and lower case alike; None when it does not occur."""
        at = self.text.casefold().find(quote.casefold()) if quote else -1
        return (at, min(at + len(quote), len(self.text))) if at >= 0 else None


def _edges(text: str) -> list[float]:
    """Left edges of the letters and the right edge of the last one, 0..1."""
    widths = [_width(letter) for letter in text]
    total = sum(widths) or 1.0
    return [0.0, *(edge / total for edge in accumulate(widths))]


def _width(letter: str) -> float:
    if unicodedata.east_asian_width(letter) in "WF":
        return WIDE_WIDTH
    return NARROW_WIDTH if letter in NARROW else USUAL_WIDTH


def _distance(box: Rect, x: float, y: float) -> float:
    """Vertical distance counts more, so that a drag beside a line takes that line."""
    dx = max(box.x - x, 0.0, x - box.right)
    dy = max(box.y - y, 0.0, y - box.bottom)
    return dx + 4 * dy
