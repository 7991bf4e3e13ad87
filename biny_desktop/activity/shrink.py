"""A stored picture made smaller: decoded, fitted into its tier's size, encoded without metadata (Pillow only)."""

import io
from dataclasses import dataclass
from typing import Final, Literal

from PIL import Image

from biny_desktop.core.errors import BinyError

SmallTier = Literal["medium", "small"]
FITS: Final[dict[SmallTier, tuple[int, int]]] = {"medium": (1280, 720), "small": (640, 360)}
"""Largest width and height of a tier, px (spec 02 §6)."""
QUALITY: Final[dict[SmallTier, int]] = {"medium": 50, "small": 40}
"""JPEG quality of a tier (spec 02 §6)."""

_FAULTS: Final = (OSError, ValueError, SyntaxError, Image.DecompressionBombError)
"""What Pillow raises over bytes that are no whole picture."""


class UndecodableError(BinyError):
    """The bytes are no whole JPEG picture."""

    kind = "undecodable"


@dataclass(frozen=True, slots=True)
class Shrunk:
    """JPEG bytes and their size, px."""

    jpeg: bytes
    width: int
    height: int


def shrunk(jpeg: bytes, tier: SmallTier) -> Shrunk:
    """The picture in the form of that tier; never enlarged, proportions kept.

    Raises:
        UndecodableError: it cannot be decoded to its end.
    """
    out = io.BytesIO()
    try:
        with Image.open(io.BytesIO(jpeg), formats=("JPEG",)) as image:
            # With a gap of 2 the decoder itself halves large pictures: four times as fast, no difference to be seen.
            image.thumbnail(FITS[tier], Image.Resampling.LANCZOS, reducing_gap=2.0)
            small = image if image.mode in ("RGB", "L") else image.convert("RGB")
            small.info.clear()  # a comment of the source would be written again
            small.save(out, "JPEG", quality=QUALITY[tier], optimize=True)
            width, height = small.size
    except _FAULTS as error:
        raise UndecodableError("The picture is damaged", "It cannot be decoded.") from error
    return Shrunk(out.getvalue(), width, height)


def is_whole(jpeg: bytes, width: int, height: int) -> bool:
    """Whether these bytes decode to their end and have that size."""
    try:
        with Image.open(io.BytesIO(jpeg), formats=("JPEG",)) as image:
            image.load()
            return image.size == (width, height)
    except _FAULTS:
        return False
