"""What reading remembers in memory only: texts by the pixels of a line, and the last screens with their lines."""

import hashlib
from collections import OrderedDict
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from biny_desktop.reading.ports import Line, Picture
from biny_desktop.reading.prints import Prints

CACHE_LINES = 20_000  # spec 02 §7, changed-line reading 2
SCREENS = 64  # readings remembered a monitor, for screens seen again
INK = 24  # grey levels off the main grey that count as ink (spec 02 §7, changed-line reading 2)
_REMNANT = 2  # px; ink in the rim only that a line was grown by, apart from the rest, belongs to its neighbours


@dataclass(frozen=True, slots=True)
class KnownLine:
    """A line with the key of its pixels at its box."""

    line: Line
    key: bytes


@dataclass(frozen=True, slots=True)
class Screen:
    """One reading that a later one may build on; `squares` has one number for each square of 64 px."""

    frame_id: int
    size: tuple[int, int]
    lines: tuple[KnownLine, ...]
    squares: Prints


class LineMemory:
    """Texts of lines by their pixels and the last screens of each monitor. Raw text: never written anywhere.

    Not safe for several threads: the reader swaps the whole memory for an empty one to forget.
    """

    def __init__(self, lines: int = CACHE_LINES) -> None:
        self._limit = lines
        self._texts: OrderedDict[bytes, tuple[str, float]] = OrderedDict()
        self._screens: dict[str, list[Screen]] = {}
        self._pictures: dict[str, tuple[Picture, Prints]] = {}

    def text(self, key: bytes) -> tuple[str, float] | None:
        """Text and score of a line seen before, else None."""
        found = self._texts.get(key)
        if found is not None:
            self._texts.move_to_end(key)
        return found

    def learn(self, key: bytes, text: str, score: float) -> None:
        """Remember a recognised line; the one unused for longest leaves when full."""
        self._texts[key] = (text, score)
        if len(self._texts) > self._limit:
            self._texts.popitem(last=False)

    def last(self, monitor: str) -> Screen | None:
        """The screen of that monitor that was read last."""
        screens = self._screens.get(monitor)
        return screens[-1] if screens else None

    def last_picture(self, monitor: str) -> tuple[Picture, Prints] | None:
        """The pixels of that screen and their row prints."""
        return self._pictures.get(monitor)

    def keep(self, monitor: str, screen: Screen, picture: Picture, rows: Prints) -> None:
        """Remember a reading as the last one of that monitor."""
        screens = self._screens.setdefault(monitor, [])
        screens[:] = [old for old in screens if old.frame_id != screen.frame_id][-SCREENS + 1 :]
        screens.append(screen)
        self._pictures[monitor] = (picture, rows)

    def screens(self, monitor: str, size: tuple[int, int]) -> list[Screen]:
        """The remembered screens of that monitor and size, newest first."""
        return [screen for screen in reversed(self._screens.get(monitor, ())) if screen.size == size]

    def __len__(self) -> int:
        return len(self._texts)


def line_key(crop: Picture) -> bytes | None:
    """BLAKE2b-128 of the line cut to its ink, with its size; None for a crop of one colour, which is no text.

    The same line elsewhere on the screen has the same key (spec 02 §7, changed-line reading 2). Text paler than the
    ink limit is keyed by the whole crop.
    """
    import cv2

    if crop.size == 0 or (crop == crop[0, 0]).all():
        return None
    grey = cv2.cvtColor(np.ascontiguousarray(crop), cv2.COLOR_BGR2GRAY)
    main = int(np.bincount(grey.ravel(), minlength=256).argmax())
    ink = np.abs(grey.astype(np.int16) - main) > INK
    left, right = _band(np.atleast_1d(ink.any(axis=0)))
    top, bottom = _band(np.atleast_1d(ink[:, left:right].any(axis=1)))
    left, right = _inner(left, right, np.atleast_1d(ink[top:bottom].any(axis=0)))
    crop = crop[top:bottom, left:right]
    digest = hashlib.blake2b(f"{crop.shape[0]}x{crop.shape[1]}".encode(), digest_size=16)
    digest.update(np.ascontiguousarray(crop).data)
    return digest.digest()


def _band(ink: npt.NDArray[np.bool_]) -> tuple[int, int]:
    """First and last + 1 row (or column) with ink, without remnants of neighbours that the rim cuts."""
    places = np.flatnonzero(ink)
    if len(places) == 0:
        return 0, len(ink)
    start, end = int(places[0]), int(places[-1]) + 1
    if start == 0 and (gap := np.flatnonzero(~ink[: _REMNANT + 1])).size:
        start = int(gap[0]) + int(np.argmax(ink[gap[0] :]))
    if end == len(ink) and (gap := np.flatnonzero(~ink[::-1][: _REMNANT + 1])).size:
        end = len(ink) - int(gap[0]) - int(np.argmax(ink[::-1][gap[0] :]))
    return (start, end) if start < end else (int(places[0]), int(places[-1]) + 1)


def _inner(start: int, end: int, ink: npt.NDArray[np.bool_]) -> tuple[int, int]:
    """The part of start..end from its first to its last place with ink; itself without any."""
    places = np.flatnonzero(ink[start:end])
    return (start + int(places[0]), start + int(places[-1]) + 1) if len(places) else (start, end)
