"""How many characters of pictures with known text are read: `python -m tests.bench.ocr --data FOLDER [--json]`."""

import re
import time
import unicodedata
from collections import defaultdict
from pathlib import Path
from typing import Any

from biny_desktop.core.geometry import Rect
from biny_desktop.reading.child import OcrChild
from biny_desktop.reading.lines import read_picture
from biny_desktop.reading.memory import LineMemory
from biny_desktop.reading.ports import Line
from tests.bench.ocr_tools import arguments, load, note, read_json, show

_KANA = re.compile(r"[\u3040-\u30ff]")
_HAN = re.compile(r"[\u3400-\u9fff]")


def plain(text: str) -> str:
    """Folded full-width forms, no spaces, runs of four or more dots as four."""
    return re.sub(r"\.{4,}", "....", re.sub(r"\s+", "", unicodedata.normalize("NFKC", text)))


def language(text: str) -> str:
    """`ja` with kana, else `zh-Hans` or `zh-Hant` by which old code page holds it, else `en`."""
    if _KANA.search(text):
        return "ja"
    if not _HAN.search(text):
        return "en"
    try:
        "".join(_HAN.findall(text)).encode("gb2312")
    except UnicodeEncodeError:
        return "zh-Hant"
    return "zh-Hans"


def distance(wanted: str, read: str) -> int:
    """Fewest edits that turn the best part of `read` into `wanted` (a cell may be read with its neighbours)."""
    row = [0] * (len(read) + 1)
    for place, sign in enumerate(wanted, start=1):
        last, row[0] = row[0], place
        for other, found in enumerate(read, start=1):
            last, row[other] = row[other], min(row[other] + 1, row[other - 1] + 1, last + (sign != found))
    return min(row)


def right_characters(text: str, box: Rect, lines: list[Line]) -> int:
    """How many characters of one true line were read at its place."""
    wanted = plain(text)
    here = [
        line for line in lines if 2 * line.box.intersect(box).h >= min(line.box.h, box.h) and line.box.intersect(box).w
    ]
    here.sort(key=lambda line: line.box.x)
    rows = [plain(line.text) for line in here] + [plain("".join(line.text for line in here))]
    best = min((distance(wanted, row) for row in rows), default=len(wanted))
    return max(0, len(wanted) - best)


def measure(folder: Path) -> dict[str, Any]:
    """Accuracy of every picture of `truth.json` in the folder."""
    right: dict[str, int] = defaultdict(int)
    total: dict[str, int] = defaultdict(int)
    child, start = OcrChild(), time.perf_counter()
    pictures = read_json(folder / "truth.json")["pictures"]
    names = [picture["file"] for picture in pictures]
    for picture in pictures:
        lines = list(read_picture(load(folder / picture["file"]), child, LineMemory(), None).lines)
        for line in picture["lines"]:
            good, size = right_characters(line["text"], Rect(*line["box"]), lines), len(plain(line["text"]))
            if good < size:
                note(f"  {picture['file']}: {size - good} wrong of {line['text']!r}")
            for group in ("all", picture["file"], language(line["text"])):
                right[group] += good
                total[group] += size
        note(f"{picture['file']}: {right[picture['file']] / total[picture['file']]:.4f}")
    seconds = round(time.perf_counter() - start, 1)
    child.close()
    shares = {group: round(right[group] / total[group], 4) for group in total if total[group]}
    return {
        "accuracy": shares["all"],
        "by_picture": {name: shares[name] for name in names},
        "by_language": {group: share for group, share in shares.items() if group not in (*names, "all")},
        "seconds": seconds,
    }


if __name__ == "__main__":
    given = arguments(__doc__)
    show(measure(given.data), given.json)
