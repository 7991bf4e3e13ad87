"""How alike the two sides of a part are: structure, jitter, one-way change, another colour in the same shape."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from biny_desktop.capture.limits import Limits
from biny_desktop.capture.parts import Part
from biny_desktop.core.geometry import Rect

Levels = npt.NDArray[np.float32]

SAMPLE = 10_000
"""Of larger views about this many pixels, evenly spread, tell the correlation."""
CHANGE_SAMPLE = 20_000
"""Of a part with more pixels an even share tells how it changed."""
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
    def change(self) -> Levels:
        """Signed change of the part's own pixels, 3 × n, levels, ordered as `numpy.nonzero`; huge parts thinned."""
        inner = self.part.inner
        box = (slice(inner.y, inner.bottom), slice(inner.x, inner.right))
        places = np.flatnonzero(self.part.mask)
        places = places[:: 1 + places.size // CHANGE_SAMPLE]
        ys, xs = np.divmod(places, inner.w)
        old, new = self.part.before[box][ys, xs], self.part.after[box][ys, xs]
        return np.ascontiguousarray((new.astype(np.float32) - old).T)

    @cached_property
    def correlation(self) -> float:
        """Smallest Pearson correlation of the channels that have structure on either side, −1..1."""
        return min(_correlations(*self._sample), default=0.0)

    @cached_property
    def grey_correlation(self) -> float:
        """Pearson correlation of the brightness, −1..1."""
        old, new = (LUMA[None] @ side for side in self._sample)
        return min(_correlations(old, new), default=0.0)

    @cached_property
    def _sample(self) -> tuple[Levels, Levels]:
        """Both views as 3 × n; large ones thinned evenly."""
        height, width = self.part.before.shape[:2]
        step = max(1, round((height * width / SAMPLE) ** 0.5))
        old, new = self.part.before[::step, ::step].reshape(-1, 3), self.part.after[::step, ::step].reshape(-1, 3)
        return np.ascontiguousarray(old.T, np.float32), np.ascontiguousarray(new.T, np.float32)

    @cached_property
    def softness(self) -> float:
        """Mean change of the part's pixels (largest channel) as a part of the view's range, 0..1."""
        old, new = self._sample
        low, high = min(old.min(), new.min()), max(old.max(), new.max())
        return float(np.abs(self.change).max(axis=0).mean()) / max(1.0, float(high - low))

    @cached_property
    def one_way(self) -> float:
        """Part of the pixels that went the commoner way in brightness, 0.5..1."""
        brighter = float((self.change.sum(axis=0) > 0).mean())
        return max(brighter, 1.0 - brighter)

    def even(self, levels: float) -> float:
        """Part of the pixels whose change is the median change, give or take some levels, 0..1."""
        middle = np.median(self.change, axis=1, keepdims=True)
        return float((np.abs(self.change - middle).max(axis=0) <= levels).mean())

    def fresh_ink(self, level: int, hidden: Sequence[Rect]) -> float:
        """Share of the box that stands out from its ground only now and touches no edge of the box: new text, 0..1.

        Args:
            level: levels a pixel stands out by.
            hidden: places in picture pixels that are left out (the pointer).
        """
        import cv2

        part = self.part
        box = (slice(part.inner.y, part.inner.bottom), slice(part.inner.x, part.inner.right))
        inks = []
        for side in (part.before[box], part.after[box]):
            ground = np.median(side.reshape(-1, 3), axis=0).astype(np.int16)
            inks.append((np.abs(side.astype(np.int16) - ground).max(axis=2) > level).astype(np.uint8))
        fresh = cv2.bitwise_and(inks[1], 1 - cv2.dilate(inks[0], np.ones((3, 3), np.uint8)))
        for place in hidden:
            seen = place.intersect(part.box).moved(-part.box.x, -part.box.y)
            fresh[seen.y : seen.bottom, seen.x : seen.right] = 0
        count, _, stats, _ = cv2.connectedComponentsWithStats(fresh)
        x, y, w, h, area = stats[1:count].T
        inside = (x > 0) & (y > 0) & (x + w < part.box.w) & (y + h < part.box.h)
        return float(area[inside].sum()) / max(1, part.box.area)

    @cached_property
    def tint(self) -> float:
        """How far the channels of the mean change lie apart, levels; 0 for grey."""
        mean = self.change.mean(axis=1)
        return float(mean.max() - mean.min())

    @cached_property
    def steady(self) -> float:
        """Smallest part of the pixels that go the way of their channel's mean, over the clearly changed channels."""
        mean = self.change.mean(axis=1)
        signs = (self.change * np.sign(mean)[:, None] > 0).mean(axis=1)[np.abs(mean) > COLOURED / 2]
        return float(signs.min()) if signs.size else 0.0

    def jitter(self, limits: Limits) -> bool:
        """Whether the signed change vanishes when averaged: noise, compression, a shift below a pixel (§5.12)."""
        import cv2

        signed = self.part.after.astype(np.float32) - self.part.before
        small, large = round(4 * self.part.scale), round(8 * self.part.scale)
        grey = cv2.blur(signed.mean(axis=2), (small, small), borderType=cv2.BORDER_REFLECT_101)
        if float(np.abs(grey).max()) > limits.signed_grey:
            return False
        colour = cv2.blur(signed, (large, large), borderType=cv2.BORDER_REFLECT_101)
        return float(np.abs(colour).max()) <= limits.signed_colour


def _correlations(old: Levels, new: Levels) -> list[float]:
    """Correlation of each row (k × n); 0 where one side is flat, nothing where both are."""
    old, new = old - old.mean(axis=1, keepdims=True), new - new.mean(axis=1, keepdims=True)
    both = (old * new).mean(axis=1)
    spread = np.stack([np.sqrt((old * old).mean(axis=1)), np.sqrt((new * new).mean(axis=1))])
    return [
        float(both[k] / (spread[0, k] * spread[1, k])) if spread[:, k].min() >= FLAT_STD else 0.0
        for k in range(len(both))
        if spread[:, k].max() >= FLAT_STD
    ]
