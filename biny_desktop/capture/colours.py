"""Step B: the colour distribution of a picture and the distance of two (spec 02 §5)."""

import math

import numpy as np
import numpy.typing as npt

from biny_desktop.capture.ports import Pixels

Distribution = npt.NDArray[np.float64]
"""512 shares that sum to 1: 8 × 8 × 8 bins of blue, green, red."""


def distribution(pixels: Pixels, step: int) -> Distribution:
    """Shares of 512 colours among every `step`-th pixel each way of a picture (height × width × 4, BGRA)."""
    bins = (pixels[::step, ::step, :3] >> 5).astype(np.int32)
    places = (bins[..., 0] << 6 | bins[..., 1] << 3 | bins[..., 2]).ravel()
    return np.bincount(places, minlength=512) / max(1, places.size)


def share_changed(before: Pixels, after: Pixels, step: int, level: int) -> float:
    """Part of every `step`-th pixel each way with a channel off by more than `level`, 0..1; equal shapes."""
    old, new = before[::step, ::step, :3].astype(np.int16), after[::step, ::step, :3].astype(np.int16)
    return float((np.abs(new - old).max(axis=2) > level).mean())


def hellinger(one: Distribution, other: Distribution) -> float:
    """Hellinger distance of two distributions, 0 (equal) to 1 (nothing in common)."""
    shared = float(np.sqrt(one * other).sum())
    return math.sqrt(max(0.0, 1.0 - shared))
