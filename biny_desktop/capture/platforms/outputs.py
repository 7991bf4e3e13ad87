"""Monitors as a compositor or macOS tells them, in layout units, and how they become pixels of one virtual screen.

Layout units are logical pixels on nearly every system, so windows and monitors of different scale share one grid. The
virtual screen that capture speaks of is that grid times the largest scale, which is also the size of the pictures that
screenshot portals make of all monitors together.
"""

import math
import threading
from collections.abc import Iterable
from dataclasses import dataclass
from functools import reduce
from typing import Any, Protocol

from biny_desktop.capture.ports import Monitor
from biny_desktop.core.clock import Clock
from biny_desktop.core.geometry import Rect

SCALES = (0.5, 8.0)
"""Scales outside this are a broken answer and count as 1."""
UNITS_MAX = 65_536
"""No layout is larger than this each way; a larger number is a broken answer (layout units)."""


@dataclass(frozen=True, slots=True)
class Output:
    """One monitor: `rect` and `work` (the part without panels, None: not known) in layout units, `scale` pixels per
    logical pixel, `size` the physical size as text (`600x340mm`), "" when it is not known."""

    name: str
    rect: Rect
    scale: float = 1.0
    size: str = ""
    work: Rect | None = None


@dataclass(frozen=True, slots=True)
class Layout:
    """All monitors that are on; `ratio` pixels of the virtual screen per layout unit."""

    outputs: tuple[Output, ...]
    ratio: float = 1.0

    @classmethod
    def logical(cls, outputs: Iterable[Output]) -> "Layout":
        """A layout in logical pixels, where the largest scale decides."""
        kept = tuple(outputs)
        return cls(kept, max((each.scale for each in kept), default=1.0))

    @property
    def bounds(self) -> Rect:
        """The smallest rectangle around all monitors, on the virtual screen."""
        return reduce(Rect.union, (self.physical(each.rect) for each in self.outputs), Rect(0, 0, 0, 0))

    def physical(self, rect: Rect) -> Rect:
        """A rectangle in layout units as one of the virtual screen, rounded outwards."""
        left, top = math.floor(rect.x * self.ratio), math.floor(rect.y * self.ratio)
        right, bottom = math.ceil(rect.right * self.ratio), math.ceil(rect.bottom * self.ratio)
        return Rect(left, top, right - left, bottom - top)

    def monitors(self) -> list[Monitor]:
        """The monitors as capture knows them."""
        return [self._monitor(each) for each in self.outputs]

    def _monitor(self, output: Output) -> Monitor:
        rect = self.physical(output.rect)
        work = self.physical(output.work).intersect(rect) if output.work is not None else rect
        scale = self.ratio if self.ratio != 1.0 else output.scale
        key = " ".join(filter(None, [output.name, output.size or f"{rect.w}x{rect.h}px", f"{rect.x:+d}{rect.y:+d}"]))
        return Monitor(key, rect, scale, work if work.area else rect)


class LayoutSource(Protocol):
    """Whoever can tell the arrangement of monitors."""

    def layout(self) -> Layout | None:
        """The arrangement now; None when it cannot be told. Never raises."""
        ...

    def close(self) -> None:
        """Hang up; the next question begins anew."""
        ...


class FirstLayout:
    """The first of some sources that can tell."""

    def __init__(self, *sources: LayoutSource) -> None:
        self._sources = sources

    def layout(self) -> Layout | None:
        return next((told for told in (each.layout() for each in self._sources) if told is not None), None)

    def close(self) -> None:
        for source in self._sources:
            source.close()


class KeptLayout:
    """A `LayoutSource` that asks another at most each `LAYOUT_MS`: windows and pictures need it many times a second."""

    LAYOUT_MS = 1_000

    def __init__(self, source: LayoutSource, clock: Clock) -> None:
        self._source, self._clock = source, clock
        self._lock = threading.Lock()
        self._kept: Layout | None = None
        self._asked_ms: int | None = None

    def layout(self) -> Layout | None:
        with self._lock:
            now = self._clock.mono_ms()
            if self._asked_ms is None or now - self._asked_ms >= self.LAYOUT_MS:
                self._kept = self._source.layout()
                self._asked_ms = now
            return self._kept

    def close(self) -> None:
        with self._lock:
            self._asked_ms = None
            self._source.close()


def rect_of(x: Any, y: Any, width: Any, height: Any) -> Rect | None:
    """A rectangle from numbers of a foreign answer; None unless they make one with an area."""
    numbers = [_whole(each) for each in (x, y, width, height)]
    if any(each is None for each in numbers):
        return None
    rect = Rect(*[each for each in numbers if each is not None])
    return rect if rect.w > 0 and rect.h > 0 else None


def scale_of(value: Any) -> float:
    """A scale from a foreign answer; 1 for nonsense."""
    if isinstance(value, int | float) and not isinstance(value, bool) and SCALES[0] <= value <= SCALES[1]:
        return float(value)
    return 1.0


def _whole(value: Any) -> int | None:
    """A number of a foreign answer as a whole one; None for anything else (true, NaN, text, absurd sizes)."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= UNITS_MAX:
        return None
    return round(value)
