"""The lines of a screen's text in which the words of a query stand."""

from collections.abc import Sequence

from biny_desktop.activity.model import TextLine
from biny_desktop.core.geometry import Rect
from biny_desktop.core.marks import Marks


def boxes(lines: Sequence[TextLine], found: Marks) -> tuple[Rect, ...]:
    """The boxes of the lines that hold a mark, in reading order."""
    return tuple(line.box for line in lines if any(low < line.end and high > line.start for low, high in found))
