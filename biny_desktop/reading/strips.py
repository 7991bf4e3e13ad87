"""Very long lines cut at white space into parts that one unit can recognise, and their texts joined again."""

from collections.abc import Sequence

import numpy as np

from biny_desktop.reading.engine import LINE_HEIGHT
from biny_desktop.reading.ports import Picture

LONGEST = 3_200  # px at 48 px height; the models' memory grows with the square of the width
_SEARCH = 0.5  # part of a strip, from its end, in which the best place to cut is looked for
_HALF_SPACE = 0.08  # line heights of one colour on each side of a cut that make it a space between words
_FLAT = 24  # levels; a column that varies less holds no ink


def strips(line: Picture) -> list[Picture]:
    """The line itself, or parts of at most 3,200 px (at 48 px height), cut where there is least ink."""
    height, width = line.shape[:2]
    most = max(2, LONGEST * height // LINE_HEIGHT)
    if width <= most:
        return [line]
    window = 2 * _room(height)
    ink = (line.max(axis=0).astype(np.int16) - line.min(axis=0)).max(axis=1)
    smooth = np.convolve(ink, np.ones(window), "same")
    out: list[Picture] = []
    start = 0
    while width - start > most:
        low = start + max(1, round(most * _SEARCH))
        cut = low + int(np.argmin(smooth[low : start + most]))
        out.append(line[:, start:cut])
        start = cut
    return [*out, line[:, start:]]


def united(parts: Sequence[Picture], answers: Sequence[tuple[str, float]]) -> tuple[str, float]:
    """The text of the whole line and its score, the mean of the parts by their characters."""
    if len(answers) == 1:
        return answers[0]
    text = answers[0][0]
    for number in range(1, len(answers)):
        text += (" " if _space(parts[number - 1], parts[number]) else "") + answers[number][0]
    count = sum(len(words) for words, _ in answers)
    return text, sum(len(words) * score for words, score in answers) / max(1, count)


def _space(before: Picture, after: Picture) -> bool:
    room = _room(before.shape[0])
    seam = np.concatenate([before[:, -room:], after[:, :room]], axis=1)
    return int((seam.max(axis=0).astype(np.int16) - seam.min(axis=0)).max()) <= _FLAT


def _room(height: int) -> int:
    return max(1, round(_HALF_SPACE * height))
