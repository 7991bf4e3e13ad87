"""Changed-line reading against whole-frame reading: `python -m tests.bench.reading --data FOLDER [--json]`."""

import re
import time
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np

from biny_desktop.core.geometry import Rect
from biny_desktop.core.tiles import TileMask
from biny_desktop.reading.child import OcrChild
from biny_desktop.reading.lines import read_picture
from biny_desktop.reading.memory import LineMemory
from biny_desktop.reading.ports import Picture, Reading
from tests.bench.ocr_tools import arguments, load, note, read_json, show

TILE_PX = 60  # at scale 1 (spec 02 §5.10)


def touched(one: Picture, other: Picture, scale: float) -> TileMask | None:
    """The tiles in which any pixel differs; None between pictures of different size."""
    if one.shape != other.shape:
        return None
    px = round(TILE_PX * scale)
    mask = TileMask.for_picture(one.shape[1], one.shape[0], px)
    differs = (one != other).any(axis=2)
    return mask.touching(
        Rect(col * px, row * px, px, px)
        for row in range(mask.rows)
        for col in range(mask.cols)
        if np.any(differs[row * px : (row + 1) * px, col * px : (col + 1) * px])
    )


def lost(whole: Reading, changed: Reading) -> tuple[int, int]:
    """Characters of the whole-frame text that the other lacks, and how many there are.

    Equal lines count as they are; of the others a character counts as found when their texts hold it too.
    """
    wanted = Counter(re.sub(r"\s+", "", line.text) for line in whole.lines)
    got = Counter(re.sub(r"\s+", "", line.text) for line in changed.lines)
    rest, spare = wanted - got, got - wanted
    missing = Counter("".join(rest.elements())) - Counter("".join(spare.elements()))
    return missing.total(), sum(len(text) * count for text, count in wanted.items())


def measure(folder: Path) -> dict[str, Any]:
    """Both ways over the frames of `session.json` that are kept, in order, one child each, times added up."""
    session = read_json(folder / "session.json")
    frames = [frame["frame"] for frame in session["frames"] if frame["expect"] == "keep"]
    whole_child, changed_child, memory = OcrChild(), OcrChild(), LineMemory()
    for child in (whole_child, changed_child):
        child.detect(np.full((608, 1024, 3), 255, np.uint8))
        child.recognise([np.full((48, 320, 3), 255, np.uint8)])
    spent = {"whole": 0.0, "changed": 0.0}
    missing = total = read = reused = 0
    before: Picture | None = None
    for number, name in enumerate(frames, start=1):
        picture = load(folder / name)
        mask = None if before is None else touched(before, picture, session["scale"])
        start = time.perf_counter()
        changed = read_picture(picture, changed_child, memory, mask, frame_id=number)
        middle = time.perf_counter()
        whole = read_picture(picture, whole_child, LineMemory(), None)
        spent["changed"] += middle - start
        spent["whole"] += time.perf_counter() - middle
        gone, size = lost(whole, changed)
        missing, total = missing + gone, total + size
        read, reused = read + changed.lines_read, reused + changed.lines_reused
        note(
            f"{name} {changed.plan}: {changed.lines_read} of {len(changed.lines)} lines, "
            f"{middle - start:.2f} s, whole {time.perf_counter() - middle:.2f} s, {gone} of {size} characters lost"
        )
        before = picture
    whole_child.close()
    changed_child.close()
    return {
        "time_ratio": round(spent["changed"] / max(spent["whole"], 1e-9), 4),
        "char_recall": round(1 - missing / max(total, 1), 4),
        "lines_read": read,
        "lines_reused": reused,
    }


if __name__ == "__main__":
    given = arguments(__doc__)
    show(measure(given.data), given.json)
