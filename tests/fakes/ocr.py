"""OCR engines for tests: one in this process that knows its pages, and bad ones that run inside the real child."""

import time
from collections.abc import Sequence

import numpy as np

from biny_desktop.core.geometry import Rect
from biny_desktop.reading.ports import Picture

WHITE = 255


class PageEngine:
    """Finds every band of rows with ink as one line; its text is a number made from the ink. Counts its work."""

    name = "pages"

    def __init__(self, threads: int = 1) -> None:
        self.threads = threads
        self.detected: list[tuple[int, int]] = []
        self.recognised = 0

    def detect(self, picture: Picture) -> list[Rect]:
        self.detected.append((picture.shape[1], picture.shape[0]))
        ink = (picture != WHITE).any(axis=2)
        rows = np.flatnonzero(np.diff(np.concatenate(([False], ink.any(axis=1), [False])).astype(np.int8)))
        boxes = []
        for top, bottom in zip(rows[::2], rows[1::2], strict=True):
            cols = np.flatnonzero(ink[top:bottom].any(axis=0))
            box = Rect(int(cols[0]), int(top), int(cols[-1] - cols[0]) + 1, int(bottom - top))
            boxes.append(box.grow(3).clamped(picture.shape[1], picture.shape[0]))
        return boxes

    def recognise(self, lines: Sequence[Picture]) -> list[tuple[str, float]]:
        self.recognised += len(lines)
        return [(f"line {int((line != WHITE).any(axis=2).sum())}", 0.9) for line in lines]


class NothingEngine(PageEngine):
    """Returns None for everything, as an OCR library may."""

    def detect(self, picture: Picture) -> list[Rect]:
        return None  # type: ignore[return-value]

    def recognise(self, lines: Sequence[Picture]) -> list[tuple[str, float]]:
        return None  # type: ignore[return-value]


class HangingEngine(PageEngine):
    """Never comes back from a picture that is not white at its first pixel."""

    def detect(self, picture: Picture) -> list[Rect]:
        while picture[0, 0, 0] != WHITE:
            time.sleep(0.05)
        return super().detect(picture)


class GrowingEngine(PageEngine):
    """Keeps 8 MB more for each region."""

    def __init__(self, threads: int = 1) -> None:
        super().__init__(threads)
        self.kept: list[bytes] = []

    def detect(self, picture: Picture) -> list[Rect]:
        self.kept.append(np.full(8_000_000, 1, np.uint8).tobytes())
        return super().detect(picture)


class RaisingEngine(PageEngine):
    """Raises on every unit, and prints, which must not disturb the pipe."""

    def detect(self, picture: Picture) -> list[Rect]:
        print("noise", flush=True)
        raise RuntimeError("cannot")
