"""What a kept picture is recognised by: hash of its pixels, perceptual hash, thumbnail (spec 02 §5.11)."""

import hashlib
from dataclasses import dataclass

from biny_desktop.capture.encode import EncodeError
from biny_desktop.capture.ports import Pixels

THUMB_SIZE = (160, 90)
"""Width and height of every thumbnail, px; other shapes are squeezed, so that all four edges show (spec 02 §5.11)."""
THUMB_QUALITY = 80
"""JPEG quality of a thumbnail, full colour resolution: a coloured edge of a few px must survive."""


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """`pixel_hash` BLAKE2b-128 of size and colours (32 hex digits), `phash` 64 bit (16 hex digits), `thumb` JPEG."""

    pixel_hash: str
    phash: str
    thumb: bytes


def fingerprint(pixels: Pixels) -> Fingerprint:
    """Work out the fingerprint of a picture; the unused fourth channel has no say.

    Raises:
        EncodeError: the thumbnail could not be encoded.
    """
    import cv2
    import imagehash
    from PIL import Image

    picture = cv2.cvtColor(pixels, cv2.COLOR_BGRA2BGR)
    digest = hashlib.blake2b(b"%dx%d " % (pixels.shape[1], pixels.shape[0]), digest_size=16)
    digest.update(picture.data)
    thumb = cv2.resize(picture, THUMB_SIZE, interpolation=cv2.INTER_AREA)
    phash = imagehash.phash(Image.fromarray(cv2.cvtColor(thumb, cv2.COLOR_BGR2RGB)))
    options = [cv2.IMWRITE_JPEG_QUALITY, THUMB_QUALITY]
    options += [cv2.IMWRITE_JPEG_SAMPLING_FACTOR, cv2.IMWRITE_JPEG_SAMPLING_FACTOR_444]
    made, jpeg = cv2.imencode(".jpg", thumb, options)
    if not made:
        raise EncodeError("Picture not stored", "The thumbnail could not be encoded as JPEG.")
    return Fingerprint(digest.hexdigest(), str(phash), jpeg.tobytes())
