"""Changed-line reading: detect only where the screen changed, recognise only lines never seen (spec 02 §7)."""

import functools
from collections.abc import Callable, Sequence
from typing import Protocol

from biny_desktop.core.clock import Clock, SystemClock
from biny_desktop.core.errors import BinyError
from biny_desktop.core.geometry import Rect
from biny_desktop.core.tiles import TileMask
from biny_desktop.reading.engine import LINES_A_UNIT, line_width
from biny_desktop.reading.memory import KnownLine, LineMemory, Screen
from biny_desktop.reading.order import in_order, page_text
from biny_desktop.reading.plan import cut, key_at, make_plan
from biny_desktop.reading.ports import Line, Picture, Reading
from biny_desktop.reading.regions import Found, beyond, found_in, joined, slices
from biny_desktop.reading.strips import strips, united

MIN_SCORE = 0.5  # a line read with less is dropped (spec 02 §7, changed-line reading 3)
LEAST_SIDE = 6  # px; no text fits into less
STRETCHES = 3  # looks at most at a line that goes on behind the edge of a changed region
UPRIGHT = 3  # times higher than wide: a line that runs down, turned before it is recognised
WIDEST_UNIT = 12_800  # px of padded line width in one unit, so that a unit stays short and small


class ReadCancelledError(BinyError):
    """Reading was told to stop; the job is to be put back."""

    kind = "read_cancelled"


class Ocr(Protocol):
    """What a picture is read with: an engine in this process, or the child."""

    @property
    def name(self) -> str:
        """Kept with the reading."""
        ...

    def detect(self, picture: Picture) -> list[Rect]:
        """Boxes of text lines in one region."""
        ...

    def recognise(self, lines: Sequence[Picture]) -> list[tuple[str, float]]:
        """Text and score of at most 8 lines of similar width."""
        ...


def never() -> bool:
    """The cancel check of a reading that nobody cancels."""
    return False


def read_picture(
    picture: Picture,
    ocr: Ocr,
    memory: LineMemory,
    changed: TileMask | None,
    *,
    monitor: str = "",
    frame_id: int = 0,
    clock: Clock | None = None,
    min_score: float = MIN_SCORE,
    cancelled: Callable[[], bool] = never,
) -> Reading:
    """The whole text of a picture, recognising only what memory does not know, in units of at most a second or two.

    `changed` are the tiles touched since `memory.last(monitor)`, None when that is not known; see `plan.make_plan`. The
    reading becomes the monitor's last one, and memory holds on to the picture: it must not be written to afterwards.

    Raises:
        ReadCancelledError: `cancelled` said so between two units; memory keeps the lines recognised so far.
        BinyError: what `ocr` raises.
    """
    clock = clock or SystemClock()
    start = clock.mono_ms()
    plan = make_plan(picture, memory, monitor, changed)
    boxes = _detect(picture, ocr, plan.regions, cancelled)
    known, boxes = _settled((*plan.kept, *plan.anchors), boxes)
    fresh, recognised = _texts(picture, ocr, memory, boxes, cancelled)
    good = [one for one in fresh if one.line.score >= min_score and one.line.text.strip()]
    found = {id(one.line): one for one in (*known, *good)}
    lines = tuple(in_order([one.line for one in found.values()]))
    size = picture.shape[1], picture.shape[0]
    memory.keep(
        monitor, Screen(frame_id, size, tuple(found[id(line)] for line in lines), plan.squares), picture, plan.rows
    )
    reused = len(known) + len(fresh) - recognised
    spent = clock.mono_ms() - start
    return Reading(lines, page_text(lines), size, ocr.name, plan.name, recognised, reused, spent)


def _detect(picture: Picture, ocr: Ocr, areas: Sequence[Rect], cancelled: Callable[[], bool]) -> list[Rect]:
    """Lines in the areas; where one is cut by the edge of an area, the next stretch of it is looked at as well."""
    height, width = picture.shape[:2]
    whole = Rect(0, 0, width, height)
    found: list[Found] = []
    part = 0
    for _ in range(STRETCHES):
        fresh: list[Found] = []
        further: list[Rect] = []
        for area in areas:
            here: list[Found] = []
            for piece in slices(area):
                crop = cut(picture, piece)
                part += 1
                if min(crop.shape[:2]) < LEAST_SIDE or (crop == crop[0, 0]).all():
                    continue
                _stop_if(cancelled)
                here += found_in(ocr.detect(crop), piece, part, whole)
            further += beyond(here, area, whole)
            fresh += here
        found += fresh
        areas = further
    return [box for box in joined(found) if min(box.w, box.h) >= LEAST_SIDE]


def _texts(
    picture: Picture, ocr: Ocr, memory: LineMemory, boxes: Sequence[Rect], cancelled: Callable[[], bool]
) -> tuple[list[KnownLine], int]:
    """A line for each box with ink, from memory or recognised, and how many were recognised."""
    keyed: list[tuple[Rect, bytes]] = []
    unknown: dict[bytes, list[Picture]] = {}
    texts: dict[bytes, tuple[str, float]] = {}
    for box in boxes:
        key = key_at(picture, box)
        if key is None:
            continue
        keyed.append((box, key))
        seen = memory.text(key)
        if seen is None:
            unknown.setdefault(key, strips(_upright(cut(picture, box))))
        else:
            texts[key] = seen
    answers: dict[tuple[bytes, int], tuple[str, float]] = {}
    for unit in _units(unknown):
        _stop_if(cancelled)
        read = ocr.recognise([unknown[key][number] for key, number in unit])
        answers.update(zip(unit, read, strict=True))
        for key in {key for key, _ in unit}:
            parts = [answers.get((key, number)) for number in range(len(unknown[key]))]
            whole = [part for part in parts if part is not None]
            if len(whole) == len(parts):
                texts[key] = united(unknown[key], whole)
                memory.learn(key, *texts[key])
    return [KnownLine(Line(texts[key][0], box, texts[key][1]), key) for box, key in keyed], len(unknown)


def _units(unknown: dict[bytes, list[Picture]]) -> list[list[tuple[bytes, int]]]:
    """Strips (key of the line, number) in groups of at most 8 of the same padded width, fewer if they are very wide."""
    by_width: dict[int, list[tuple[bytes, int]]] = {}
    for key, parts in unknown.items():
        for number, part in enumerate(parts):
            by_width.setdefault(line_width(part.shape[1], part.shape[0]), []).append((key, number))
    out: list[list[tuple[bytes, int]]] = []
    for width, places in sorted(by_width.items()):
        count = max(1, min(LINES_A_UNIT, WIDEST_UNIT // width))
        out += [places[start : start + count] for start in range(0, len(places), count)]
    return out


def _settled(anchors: Sequence[KnownLine], boxes: Sequence[Rect]) -> tuple[list[KnownLine], list[Rect]]:
    """Anchors that still hold, and the boxes left to read.

    An anchor's pixels are unchanged, so a box on it is the same line, unless it goes on beside it: then it grew.
    """
    left: list[Rect] = []
    grown: set[int] = set()
    for box in boxes:
        on = [place for place, known in enumerate(anchors) if _overlap(box, known.line.box)]
        if on and all(_inside(box, anchors[place].line.box) for place in on):
            continue
        if len(on) > 1 and _inside(box, _union([anchors[place].line.box for place in on])):
            continue
        left.append(box)
        grown.update(on)
    return [known for place, known in enumerate(anchors) if place not in grown], left


def _overlap(one: Rect, other: Rect) -> bool:
    return one.intersect(other).area > 0.5 * min(one.area, other.area)


def _inside(box: Rect, line: Rect) -> bool:
    room = line.h // 2
    return box.x >= line.x - room and box.right <= line.right + room


def _union(boxes: Sequence[Rect]) -> Rect:
    return functools.reduce(Rect.union, boxes)


def _upright(crop: Picture) -> Picture:
    """A line that runs from top to bottom is turned to run from left to right."""
    import numpy as np

    height, width = crop.shape[:2]
    return np.ascontiguousarray(np.rot90(crop)) if height >= UPRIGHT * width else np.ascontiguousarray(crop)


def _stop_if(cancelled: Callable[[], bool]) -> None:
    if cancelled():
        raise ReadCancelledError("Reading was stopped", "The picture is read later.")
