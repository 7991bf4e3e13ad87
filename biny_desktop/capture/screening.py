"""Pictures that are read before they are written: who holds them, and how what was found in them is painted over.

A held picture is a high-quality JPEG of the whole grab; painting comes before any down-scaling (spec 02 §8.5).
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol, cast

import numpy as np

from biny_desktop.capture.encode import EncodeError, encode, paint
from biny_desktop.capture.fingerprint import fingerprint
from biny_desktop.capture.ports import KeptFrame, NewFrame, NewPicture, Pixels
from biny_desktop.core.geometry import Rect

HELD_QUALITY = 95
"""JPEG quality of a held picture (§8.5: high): small text stays readable."""
TEXT_MARGIN = 4
"""What is painted over text is larger than its box by this much on every side, px for scale 1 (§8.5)."""


@dataclass(frozen=True, slots=True)
class HeldPicture:
    """The unscaled grab of a frame as JPEG, for memory only; size in px."""

    jpeg: bytes
    width: int
    height: int


class Screening(Protocol):
    """Holds frames until their text was read, then has them written, painted, or dropped with a row that says why."""

    def wanted(self) -> bool:
        """Whether pictures have to be screened now."""
        ...

    def hold(self, frame: NewFrame, picture: HeldPicture) -> KeptFrame:
        """Take a frame (without picture) over; gives the id it will have if it is kept. Never waits for the reading.

        Raises:
            StorageError: it could not be taken; nothing is held.
        """
        ...


class NoScreening:
    """Pictures are written at once."""

    def wanted(self) -> bool:
        return False

    def hold(self, frame: NewFrame, picture: HeldPicture) -> KeptFrame:
        raise ValueError("nothing is screened here", frame.trigger, picture.width)


def held_picture(pixels: Pixels) -> HeldPicture:
    """A grab (height × width × 4, BGRA) as it is held. Raises EncodeError."""
    made = encode(pixels, max(1, pixels.shape[1]), HELD_QUALITY)
    return HeldPicture(made.jpeg, made.width, made.height)


def screened_picture(
    held: HeldPicture, boxes: Iterable[Rect], scale: float, max_width: int, quality: int
) -> NewPicture:
    """The picture as it is stored, with its boxes (px of the grab) in one flat colour; hashes and thumbnail, too, are
    made from what is left.

    Raises:
        EncodeError: the held picture is damaged, or could not be encoded.
    """
    import cv2

    decoded = cv2.imdecode(np.frombuffer(held.jpeg, np.uint8), cv2.IMREAD_COLOR)
    if decoded is None:
        raise EncodeError("Picture not stored", "The held picture cannot be decoded.")
    pixels = cast(Pixels, cv2.cvtColor(decoded, cv2.COLOR_BGR2BGRA))
    painted = paint(pixels, boxes, scale, TEXT_MARGIN)
    made, print_ = encode(painted, max_width, quality), fingerprint(painted)
    return NewPicture(made.jpeg, made.width, made.height, quality, print_.pixel_hash, print_.phash, print_.thumb)
