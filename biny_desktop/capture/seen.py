"""Pictures seen again: the last kept ones, packed without loss in memory, to point at instead of storing them twice.

Packed with zlib at level 1 on the three colour channels: 14–20 ms and about 200 KB at 1080p; PNG took twice the time
(spec 02 §5.11).
"""

import zlib
from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from biny_desktop.capture.compare import compare_shots
from biny_desktop.capture.limits import Limits
from biny_desktop.capture.look import Look
from biny_desktop.capture.ports import Pixels, Shot

MAX_BYTES = 48 * 1024 * 1024
"""Packed pictures together (spec 02 §5.11)."""
MAX_PICTURES = 32
"""Pictures remembered (spec 02 §5.11)."""
PHASH_BITS = 2
"""Perceptual hashes of pictures that look the same differ in at most this many bits (spec 02 §5.11)."""
NO_PIXELS = np.empty((0, 0, 4), np.uint8)


@dataclass(frozen=True, slots=True)
class _Kept:
    shot: Shot
    """The shot without its pixels."""
    size: tuple[int, int]
    phash: int
    packed: bytes


class SeenAgain:
    """Remembers kept pictures and finds an earlier one that looks the same as a new one.

    A single changed digit counts here although the detector takes it for a timer: minutes lie between the two pictures.
    """

    def __init__(
        self, limits: Limits | None = None, *, max_bytes: int = MAX_BYTES, max_pictures: int = MAX_PICTURES
    ) -> None:
        self._limits = limits or Limits()
        self._max_bytes = max_bytes
        self._max_pictures = max_pictures
        self._kept: OrderedDict[int, _Kept] = OrderedDict()

    @property
    def packed_bytes(self) -> int:
        """Memory the packed pictures take."""
        return sum(len(kept.packed) for kept in self._kept.values())

    def find(self, shot: Shot, look: Look, phash: str) -> int | None:
        """The id of the newest earlier frame that looks the same, or None.

        Args:
            phash: perceptual hash of the shot, hex, as `fingerprint` gives it.
        """
        wanted = int(phash, 16)
        for frame_id, kept in reversed(self._kept.items()):
            if kept.size != shot.size or (kept.phash ^ wanted).bit_count() > PHASH_BITS:
                continue
            before = replace(kept.shot, pixels=_unpack(kept, shot.pixels))
            if not compare_shots(before, shot, look, self._limits).changed:
                return frame_id
        return None

    def remember(self, shot: Shot, frame_id: int, phash: str) -> None:
        """Keep a picture; the oldest ones go when there are too many or they take too much memory."""
        self._kept.pop(frame_id, None)
        self._kept[frame_id] = _Kept(
            replace(shot, pixels=NO_PIXELS), shot.size, int(phash, 16), zlib.compress(_colours(shot.pixels), 1)
        )
        while self._kept and (len(self._kept) > self._max_pictures or self.packed_bytes > self._max_bytes):
            self._kept.popitem(last=False)

    def forget_frames(self, frame_ids: Iterable[int]) -> None:
        """These frames are gone: never point at them again."""
        for frame_id in frame_ids:
            self._kept.pop(frame_id, None)

    def clear(self) -> None:
        """Forget every picture."""
        self._kept.clear()


def _colours(pixels: Pixels) -> bytes:
    import cv2

    return cv2.cvtColor(pixels, cv2.COLOR_BGRA2BGR).tobytes()


def _unpack(kept: _Kept, like: Pixels) -> Pixels:
    """The remembered picture as BGRA, with the fourth channel of another one of its size (it has no meaning)."""
    out: Pixels = np.empty_like(like, order="C")
    width, height = kept.size
    out[..., :3] = np.frombuffer(zlib.decompress(kept.packed), np.uint8).reshape(height, width, 3)
    out[..., 3] = like[..., 3]
    return out
