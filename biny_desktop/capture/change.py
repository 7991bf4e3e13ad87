"""Change detection: is this picture news against the last kept one of its monitor? (spec 02 §5)

Hashes, histograms and small thumbnails were rejected as judges (they miss a price or a status word); the colour
distribution decides clear cases only, the rest is decided by what changed (`judge`) and by what never rests
(`restless`).
"""

from biny_desktop.capture.colours import distribution
from biny_desktop.capture.compare import Change, Memory, all_new, compare_shots
from biny_desktop.capture.limits import Limits
from biny_desktop.capture.look import Look
from biny_desktop.capture.ports import Shot
from biny_desktop.capture.restless import RestlessPlaces

__all__ = ["Change", "Detector", "Limits", "Look"]


class Detector:
    """Compares pictures of one monitor with the last kept one. Not thread-safe; pictures given must never change."""

    def __init__(self, limits: Limits | None = None) -> None:
        import cv2

        cv2.setNumThreads(1)  # looks are short; waking threads on a busy machine costs more than they save
        self._limits = limits or Limits()
        self._baseline: Shot | None = None
        self._memory = Memory(RestlessPlaces(self._limits))

    def compare(self, shot: Shot, look: Look) -> Change:
        """Compare with the baseline; never moves it. The memory of restless places learns from every comparison."""
        self._memory.restless.see(shot, look)
        if self._baseline is None:
            return all_new(shot, "first", self._limits)
        return compare_shots(self._baseline, shot, look, self._limits, self._memory)

    def accept(self, shot: Shot, look: Look) -> None:
        """The shot was kept: it is the new baseline."""
        del look  # a baseline belongs to the monitor, whatever window was in front
        self._baseline = shot
        self._memory.colours = distribution(shot.pixels, self._limits.colour_step)

    def forget(self) -> None:
        """Drop the baseline and the memory of restless places (the epoch changed)."""
        self._baseline = self._memory.colours = None
        self._memory.restless.clear()
