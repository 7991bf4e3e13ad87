"""Pictures as they are stored: JPEG without metadata, and private rectangles painted over first (spec 02 §3, §6)."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from biny_desktop.capture.ports import Pixels
from biny_desktop.core.errors import BinyError
from biny_desktop.core.geometry import Rect

PAINT_MARGIN = 8
"""A mask is larger than its rectangle by this much on every side, px for scale 1 (spec 02 §3)."""
PAINT_COLOUR = (72, 72, 72, 255)
"""Flat grey, BGRA: neither black (a black picture means a failed grab) nor a colour of any window."""


class EncodeError(BinyError):
    """A picture could not be turned into a JPEG file."""

    kind = "encode"


@dataclass(frozen=True, slots=True)
class Encoded:
    """JPEG bytes and the size they have, px."""

    jpeg: bytes
    width: int
    height: int


def encode(pixels: Pixels, max_width: int, quality: int) -> Encoded:
    """Encode a picture (height × width × 4, BGRA), made smaller to `max_width` px where it is wider, never enlarged.

    Args:
        quality: JPEG quality, 1–100 (spec 02 §6: 70).

    Raises:
        EncodeError: the picture is empty or too large for JPEG, or the encoder refused it.
    """
    import cv2

    if pixels.ndim != 3 or pixels.shape[2] != 4 or not pixels.size or max_width < 1:
        raise EncodeError("Picture not stored", "The grabbed picture has no pixels.")
    height, width = pixels.shape[:2]
    try:
        picture = cv2.cvtColor(pixels, cv2.COLOR_BGRA2BGR)
        if width > max_width:
            width, height = max_width, max(1, round(height * max_width / width))
            picture = cv2.resize(picture, (width, height), interpolation=cv2.INTER_AREA)
        made, jpeg = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])
    except cv2.error as error:
        raise EncodeError("Picture not stored", "The picture could not be encoded as JPEG.") from error
    if not made:
        raise EncodeError("Picture not stored", "The picture could not be encoded as JPEG.")
    return Encoded(jpeg.tobytes(), width, height)


def paint(pixels: Pixels, rects: Iterable[Rect], scale: float, margin: int = PAINT_MARGIN) -> Pixels:
    """A copy with each rectangle (px of the picture, may reach out of it) and a margin around it in one flat colour.

    Args:
        pixels: height × width × 4, BGRA; left as it is.
        scale: physical px per logical px of the monitor; the margin (px for scale 1) grows with it.
    """
    painted: Pixels = np.array(pixels)
    height, width = pixels.shape[:2]
    for rect in rects:
        if rect.area == 0:
            continue
        part = rect.grow(round(margin * scale)).clamped(width, height)
        painted[part.y : part.bottom, part.x : part.right] = PAINT_COLOUR
    return painted
