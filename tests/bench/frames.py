"""Reads labelled pictures for the detector bench: pairs, or frames in order."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from biny_desktop.capture.look import Look
from biny_desktop.capture.ports import Monitor, Pixels, Shot, TriggerKind
from biny_desktop.core.geometry import Rect

TRIGGERS: Mapping[str, TriggerKind] = {
    "start": "start",
    "app_switch": "app_switch",
    "click": "click",
    "typing_pause": "typing_pause",
    "scroll_stop": "scroll_stop",
}
"""Triggers of the data; everything else ("idle") is a look in watching mode."""


@dataclass(frozen=True, slots=True)
class Frame:
    """One picture and what is known about it; `wanted` whether a person wants it kept after the one before."""

    id: str
    what: str
    label: str
    wanted: bool
    shot: Shot
    look: Look


def rows_of(folder: Path) -> Iterator[list[Frame]]:
    """Groups of frames, each in order and compared within itself: two for a pair, all for a sequence.

    Raises:
        FileNotFoundError: the folder holds none of the three json files.
    """
    if (folder / "labels.json").is_file():
        for entry in json.loads((folder / "labels.json").read_text("utf-8"))["pairs"]:
            yield [_pair_frame(folder, entry, side) for side in ("a", "b")]
        return
    for name in ("session.json", "sequence.json"):
        if (folder / name).is_file():
            described = json.loads((folder / name).read_text("utf-8"))
            scale = float(described.get("scale", 1))
            yield [_sequence_frame(folder, entry, scale) for entry in described["frames"]]
            return
    raise FileNotFoundError(f"no labels.json, session.json or sequence.json in {folder}")


def _pair_frame(folder: Path, entry: dict[str, Any], side: str) -> Frame:
    context = entry["context"]
    active = context[f"active_{side}"] or {}
    scale = 2.0 if "scale 2" in entry["scene"] else 1.0
    window = active.get("rect")
    look = Look(str(active.get("app", "")), str(active.get("app", "")), "visual_change", None, 0, _rect(window))
    shot = _shot(read(folder / entry[side]), scale, context["workarea"], context[f"pointer_{side}"], 0)
    wanted = entry["label"] == "changed"
    return Frame(entry["id"], f"{entry['kind']}: {entry['what']}", entry["label"], wanted, shot, look)


def _sequence_frame(folder: Path, entry: dict[str, Any], scale: float) -> Frame:
    active = entry.get("active") or {"app": entry.get("app", ""), "rect": entry.get("window")}
    milliseconds = round(float(entry["t"]) * 1000)
    trigger = TRIGGERS.get(entry.get("trigger", ""), "visual_change")
    look = Look(active["app"], active["app"], trigger, None, milliseconds, _rect(active["rect"]))
    pixels = read(folder / entry["frame"])
    shot = _shot(pixels, scale, entry["workarea"], entry["pointer"], milliseconds)
    return Frame(entry["frame"], entry["what"], entry["expect"], entry["expect"] == "keep", shot, look)


def read(path: Path) -> Pixels:
    """A picture file as height × width × 4, BGRA."""
    picture = cv2.imread(str(path), cv2.IMREAD_COLOR)
    if picture is None:
        raise FileNotFoundError(path)
    return np.ascontiguousarray(cv2.cvtColor(picture, cv2.COLOR_BGR2BGRA), dtype=np.uint8)


def _shot(pixels: Pixels, scale: float, area: list[int], pointer: list[int] | None, milliseconds: int) -> Shot:
    whole = Rect(0, 0, pixels.shape[1], pixels.shape[0])
    monitor = Monitor("bench", whole, scale, Rect(*area))
    return Shot(pixels, monitor, scale, Rect(*area), (pointer[0], pointer[1]) if pointer else None, milliseconds)


def _rect(values: list[int] | None) -> Rect | None:
    return Rect(*values) if values else None
