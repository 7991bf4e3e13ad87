"""Change detection: is this picture news against the last kept one of its monitor? (spec 02 §5)

Hashes, histograms and small thumbnails were rejected as judges (they miss a price or a status word); the colour
distribution only decides clear cases, the rest is decided by what changed (`judge`) and by what never rests (`restless`).
"""

from biny_desktop.capture.colours import Distribution, distribution
from biny_desktop.capture.compare import Change, all_new, compare_shots
from biny_desktop.capture.limits import Limits
from biny_desktop.capture.look import Look
from biny_desktop.capture.ports import Shot
from biny_desktop.capture.restless import RestlessPlaces

__all__ = ["Change", "Detector", "Limits", "Look"]


class Detector:
    """Compares the pictures of one monitor with the last kept one. Not thread-safe; pictures must not be written to later."""

    def __init__(self, limits: Limits = Limits()) -> None:
        self._limits = limits
        self._baseline: Shot | None = None
        self._colours: Distribution | None = None
        self._restless = RestlessPlaces(limits)

    def compare(self, shot: Shot, look: Look) -> Change:
        """Compare with the baseline; never moves it. The memory of restless places learns from every comparison."""
        self._restless.see(shot, look)
        if self._baseline is None:
            return all_new(shot, "first", self._limits)
        return compare_shots(self._baseline, shot, look, self._limits, self._restless, self._colours)

    def accept(self, shot: Shot, look: Look) -> None:
        """The shot was kept: it is the new baseline."""
        self._baseline = shot
        self._colours = distribution(shot.pixels, self._limits.colour_step)

    def forget(self) -> None:
        """Drop the baseline and the memory of restless places (the epoch changed)."""
        self._baseline = self._colours = None
        self._restless.clear()
