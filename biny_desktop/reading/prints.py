"""Prints of pixels: which parts of two pictures are equal or only moved up or down, without keeping the pictures."""

import functools

import numpy as np
import numpy.typing as npt

from biny_desktop.reading.ports import Picture

BAND = 64  # px, width of a print and height of a square; a multiple of JPEG's 16 px blocks
MAX_SHIFTS = 3  # movements looked for at once (windows that scroll together)
_LEAST_VOTES = 24  # rows of 64 px that must agree on a movement
_SEED = 7  # any fixed number: prints are compared within one run only

Prints = npt.NDArray[np.uint64]
Cells = npt.NDArray[np.bool_]


def row_prints(picture: Picture) -> Prints:
    """One number for each row of each 64 px band, height × bands; equal numbers mean equal pixels."""
    height, width = picture.shape[:2]
    bands = -(-width // BAND)
    padded = np.zeros((height, bands * BAND, 3), np.uint8)
    padded[:, :width] = picture
    words = padded.reshape(height, bands, BAND * 3).view(np.uint64)
    return _folded(words)


def square_prints(rows: Prints) -> Prints:
    """One number for each square of 64 px, from the prints of its rows."""
    height, bands = rows.shape
    down = -(-height // BAND)
    padded = np.zeros((down * BAND, bands), np.uint64)
    padded[:height] = rows
    return _folded(padded.reshape(down, BAND, bands).transpose(0, 2, 1))


def shifts(new: Prints, old: Prints, cells: Cells) -> list[int]:
    """By how many rows content of the given cells moved down (up: negative), most votes first.

    Only rows that occur once in their band on both sides vote, so white space says nothing.
    """
    height = len(new)
    votes = np.zeros(2 * height + 1, np.int64)
    for band in np.flatnonzero(cells.sum(axis=0) >= _LEAST_VOTES // 3):
        places = np.flatnonzero(cells[:, band])
        here, was = _single(new[places, band]), _single(old[places, band])
        _, one, other = np.intersect1d(new[places[here], band], old[places[was], band], return_indices=True)
        moved = places[here][one] - places[was][other]
        np.add.at(votes, moved + height, 1)
    votes[height] = 0
    best = np.argsort(votes)[::-1][:MAX_SHIFTS]
    return [int(place) - height for place in best if votes[place] >= _LEAST_VOTES]


def unexplained(new: Picture, old: Picture, cells: Cells, moves: list[int]) -> Cells:
    """The given cells in which some pixel is neither what it was nor what stood `moves` rows elsewhere before."""
    out = cells.copy()
    if not moves:
        return out
    for band in np.flatnonzero(cells.any(axis=0)):
        places = np.flatnonzero(cells[:, band])
        part = slice(band * BAND, (band + 1) * BAND)
        now = new[places, part]
        known = (now == old[places, part]).all(axis=2)
        for move in moves:
            inside = (places >= move) & (places - move < len(new))
            known[inside] |= (now[inside] == old[places[inside] - move, part]).all(axis=2)
        out[places, band] = ~known.all(axis=1)
    return out


def varied(new: Picture, old: Picture, cells: Cells) -> Cells:
    """The given cells whose changed pixels have more than one colour now: something is drawn there."""
    out = np.zeros_like(cells)
    for band in np.flatnonzero(cells.any(axis=0)):
        places = np.flatnonzero(cells[:, band])
        part = slice(band * BAND, (band + 1) * BAND)
        now = new[places, part]
        changed = (now != old[places, part]).any(axis=2)
        first = now[np.arange(len(places)), changed.argmax(axis=1)]
        out[places, band] = ((now != first[:, None]).any(axis=2) & changed).any(axis=1)
    return out


def _single(values: npt.NDArray[np.uint64]) -> npt.NDArray[np.intp]:
    """Places of the values that occur once."""
    _, places, counts = np.unique(values, return_index=True, return_counts=True)
    out: npt.NDArray[np.intp] = places[counts == 1]
    return out


def _folded(words: Prints) -> Prints:
    """The last axis mixed into one number."""
    mixed = words * _factors(words.shape[-1])
    mixed ^= mixed >> np.uint64(32)
    mixed *= np.uint64(0x9E3779B97F4A7C15)
    mixed ^= mixed >> np.uint64(29)
    out: Prints = mixed.sum(axis=-1, dtype=np.uint64)
    return out


@functools.cache
def _factors(count: int) -> Prints:
    return np.random.default_rng(_SEED).integers(1, 2**63, count, dtype=np.uint64) * np.uint64(2) + np.uint64(1)
