"""How alike the two sides of a part are: structure, jitter, one-way change, another colour in the same shape."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from biny_desktop.capture.limits import Limits
from biny_desktop.capture.parts import Part

Levels = npt.NDArray[np.float32]

SAMPLE = 10_000
"""Of larger views about this many pixels, evenly spread, tell the correlation."""
FLAT_STD = 1.0
"""Below this standard deviation (levels) a channel is flat and has no structure to compare."""
LUMA = np.array([0.114, 0.587, 0.299], np.float32)
"""Weights of blue, green, red in brightness (ITU-R BT.601)."""
COLOURED = 24.0
"""A change is in colour when its channels differ by more than this many levels (the level of step C)."""


@dataclass(frozen=True)
class Likeness:
    """Measures of one part, each worked out when first asked for."""

    part: Part

    @cached_property
    def before(self) -> Levels:
        """View of the old picture, height × width × 3, levels."""
        return self.part.before.astype(np.float32)

    @cached_property
    def after(self) -> Levels:
        """View of the new picture, height × width × 3, levels."""
        return self.part.after.astype(np.float32)

    @cached_property
    def change(self) -> Levels:
        """Signed change of the part's own pixels, count × 3, levels."""
        inner = self.part.inner
        box = (slice(inner.y, inner.bottom), slice(inner.x, inner.right))
        chosen: Levels = (self.after[box] - self.before[box])[self.part.mask > 0]
        return chosen

    @cached_property
    def correlation(self) -> float:
        """Smallest Pearson correlation of the channels that have structure on either side, −1..1."""
        return min(_correlations(*self._sample), default=0.0)

    @cached_property
    def grey_correlation(self) -> float:
        """Pearson correlation of the brightness, −1..1."""
        old, new = (side @ LUMA for side in self._sample)
        return min(_correlations(old[:, None], new[:, None]), default=0.0)

    @cached_property
    def _sample(self) -> tuple[Levels, Levels]:
        """Both views as n × 3; large ones thinned evenly."""
        height, width = self.before.shape[:2]
        step = max(1, round((height * width / SAMPLE) ** 0.5))
        return self.before[::step, ::step].reshape(-1, 3), self.after[::step, ::step].reshape(-1, 3)

    @cached_property
    def softness(self) -> float:
        """Mean change of the part's pixels (largest channel) as a part of the view's range, 0..1."""
        low = min(float(self.before.min()), float(self.after.min()))
        high = max(float(self.before.max()), float(self.after.max()))
        return float(np.abs(self.change).max(axis=1).mean()) / max(1.0, high - low)

    @cached_property
    def one_way(self) -> float:
        """Part of the pixels that went the commoner way in brightness, 0.5..1."""
        brighter = float((self.change.sum(axis=1) > 0).mean())
        return max(brighter, 1.0 - brighter)

    def even(self, levels: float) -> float:
        """Part of the pixels whose change is the median change, give or take some levels, 0..1."""
        middle = np.median(self.change, axis=0)
        return float((np.abs(self.change - middle).max(axis=1) <= levels).mean())

    @cached_property
    def tint(self) -> float:
        """How far the channels of the mean change lie apart, levels; 0 for grey."""
        mean = self.change.mean(axis=0)
        return float(mean.max() - mean.min())

    @cached_property
    def steady(self) -> float:
        """Smallest part of the pixels that go the way of their channel's mean, over the clearly changed channels."""
        mean = self.change.mean(axis=0)
        signs = (self.change * np.sign(mean) > 0).mean(axis=0)[np.abs(mean) > COLOURED / 2]
        return float(signs.min()) if signs.size else 0.0

    def jitter(self, limits: Limits) -> bool:
        """Whether the signed change vanishes when averaged: noise, compression, a shift below a pixel (§5.12)."""
        import cv2

        signed = self.after - self.before
        small, large = round(4 * self.part.scale), round(8 * self.part.scale)
        grey = cv2.blur(signed.mean(axis=2), (small, small), borderType=cv2.BORDER_REFLECT_101)
        if float(np.abs(grey).max()) > limits.signed_grey:
            return False
        colour = cv2.blur(signed, (large, large), borderType=cv2.BORDER_REFLECT_101)
        return float(np.abs(colour).max()) <= limits.signed_colour


def _correlations(old: Levels, new: Levels) -> list[float]:
    """Correlation of each column (n × k); 0 where one side is flat, nothing where both are."""
    old, new = old - old.mean(axis=0), new - new.mean(axis=0)
    both = (old * new).mean(axis=0)
    spread = np.stack([np.sqrt((old**2).mean(axis=0)), np.sqrt((new**2).mean(axis=0))])
    return [
        float(both[k] / (spread[0, k] * spread[1, k])) if spread[:, k].min() >= FLAT_STD else 0.0
        for k in range(old.shape[1])
        if spread[:, k].max() >= FLAT_STD
    ]
