"""Where on a picture the hidden pieces of its text stand, a little too large rather than too small (spec 02 §8.5).

The engine gives one box a line. How far into it a character stands depends on the font, which nobody knows: it is
reckoned for letters of one width and for those of a common proportional font, and everything between both is covered,
with some slack. Cutting the line at blank columns was rejected: fonts that touch leave none.
"""

import unicodedata
from collections.abc import Iterable
from itertools import accumulate
from typing import Final

from biny_desktop.core.geometry import Rect
from biny_desktop.reading.ports import Line, Reading
from biny_desktop.redaction import Redaction

SLACK_CHARS: Final = 1.5
"""Added on both sides: about this many letters of average width."""
SLACK_SHARE: Final = 0.03
"""And this part of the line."""
WHOLE_SHARE: Final = 0.75
"""A piece that covers more of the line than this takes all of it."""
_NARROW: Final = frozenset("ijlI'.,:;|!`")
_SLIM: Final = frozenset('ftr()[]{}- /\\"*')
_BROAD: Final = frozenset("mMW@%w")


def span_boxes(reading: Reading, redaction: Redaction) -> list[Rect]:
    """The boxes (px of the picture that was read) of everything the redaction hides."""
    return [_box(reading.lines[span.line], span.start, span.end) for span in redaction.spans]


def line_boxes(reading: Reading, numbers: Iterable[int]) -> list[Rect]:
    """The whole boxes of these lines."""
    return [reading.lines[number].box for number in numbers]


def _box(line: Line, start: int, end: int) -> Rect:
    even, real = _edges(line.text, [_cells(char) for char in line.text]), _edges(line.text, _advances(line.text))
    slack = SLACK_CHARS / max(1, len(line.text)) + SLACK_SHARE
    low = min(even[start], real[start]) - slack
    high = max(even[end], real[end]) + slack
    if start == 0 or low < 0 or high - low > WHOLE_SHARE:
        low = 0.0
    if end == len(line.text) or high > 1 or high - low > WHOLE_SHARE:
        high = 1.0
    left, right = int(line.box.w * low), -int(-line.box.w * high // 1)
    return Rect(line.box.x + left, line.box.y, right - left, line.box.h)


def _edges(text: str, widths: list[float]) -> list[float]:
    """Where each character begins and the last one ends, as parts of the line."""
    whole = sum(widths) or 1.0
    return [place / whole for place in accumulate(widths, initial=0.0)] or [0.0] * (len(text) + 1)


def _cells(char: str) -> float:
    if unicodedata.combining(char):
        return 0.0
    return 2.0 if unicodedata.east_asian_width(char) in "WF" else 1.0


def _advances(text: str) -> list[float]:
    return [_advance(char) for char in text]


def _advance(char: str) -> float:
    cells = _cells(char)
    if cells != 1.0:
        return cells / 2
    if char in _NARROW:
        return 0.25
    if char in _SLIM:
        return 0.33
    if char in _BROAD:
        return 0.85
    return 0.68 if char.isupper() else 0.54
