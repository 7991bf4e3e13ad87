"""Simple detectors to compare with: perceptual hashes, SSIM and a colour histogram, each with a usual limit."""

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

import cv2
import imagehash
import numpy as np
import numpy.typing as npt
from PIL import Image

from biny_desktop.capture.ports import Pixels

Prepared: TypeAlias = Any
HASH_BITS = 4
"""Hashes that differ in more bits than this are taken for different pictures."""
SSIM_LIMIT = 0.99
HISTOGRAM_LIMIT = 0.99
"""Below this mean similarity or correlation the picture counts as changed."""
SSIM_WIDTH = 640


def picture_of(pixels: Pixels) -> Image.Image:
    """A Pillow picture (RGB) of BGRA pixels."""
    return Image.fromarray(cv2.cvtColor(pixels, cv2.COLOR_BGRA2RGB))


def _grey(pixels: Pixels) -> npt.NDArray[np.float32]:
    grey = cv2.cvtColor(pixels, cv2.COLOR_BGRA2GRAY)
    height = round(grey.shape[0] * SSIM_WIDTH / grey.shape[1])
    return cv2.resize(grey, (SSIM_WIDTH, height), interpolation=cv2.INTER_AREA).astype(np.float32)


def _histogram(pixels: Pixels) -> npt.NDArray[np.float32]:
    return np.asarray(cv2.calcHist([pixels], [0, 1, 2], None, [8, 8, 8], [0, 256] * 3), np.float32)


def _ssim_low(one: npt.NDArray[np.float32], other: npt.NDArray[np.float32]) -> bool:
    """Mean structural similarity (Wang et al. 2004) with an 11-px Gaussian window, below the limit."""

    def smooth(values: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        return np.asarray(cv2.GaussianBlur(values, (11, 11), 1.5), np.float32)

    mean_one, mean_other = smooth(one), smooth(other)
    spread_one, spread_other = smooth(one * one) - mean_one**2, smooth(other * other) - mean_other**2
    shared = smooth(one * other) - mean_one * mean_other
    first, second = (0.01 * 255) ** 2, (0.03 * 255) ** 2
    above = (2 * mean_one * mean_other + first) * (2 * shared + second)
    below = (mean_one**2 + mean_other**2 + first) * (spread_one + spread_other + second)
    return float((above / below).mean()) < SSIM_LIMIT


PEERS: Mapping[str, tuple[Callable[[Pixels], Prepared], Callable[[Prepared, Prepared], bool]]] = {
    "phash": (lambda pixels: imagehash.phash(picture_of(pixels)), lambda one, other: one - other > HASH_BITS),
    "dhash": (lambda pixels: imagehash.dhash(picture_of(pixels)), lambda one, other: one - other > HASH_BITS),
    "ssim": (_grey, _ssim_low),
    "histogram": (
        _histogram,
        lambda one, other: cv2.compareHist(one, other, cv2.HISTCMP_CORREL) < HISTOGRAM_LIMIT,
    ),
}
"""Name → (prepare a picture, whether two prepared pictures differ). Pictures of two sizes always differ."""
