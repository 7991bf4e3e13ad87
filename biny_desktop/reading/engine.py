"""The OCR engines: boxes of text in a picture, and the text of line pictures, whatever library is behind."""

import importlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from biny_desktop.core.errors import UnavailableError
from biny_desktop.core.geometry import Rect
from biny_desktop.reading.ports import Picture

LINE_HEIGHT = 48  # px; what the recognition models take
MIN_SIDE = 32  # px; a smaller side is padded (spec 02 §7, input guard)
MAX_ASPECT = 20  # to 1; longer strips are padded (spec 02 §7, input guard)
MIN_BOX = 4  # px; a smaller box is no text
NO_LIMIT = 100_000  # px; the libraries must never scale a picture themselves, slices are cut before
LINES_A_UNIT = 8  # lines recognised together (spec 02 §7, unit)
_WIDTH_STEPS = 4  # widths an octave; lines of one step are recognised together, at most 19 % padding
_NARROWEST = 320  # px; the models are never fed a narrower line


class OcrEngine(Protocol):
    """Finds and reads text; an implementation may be slow and large, and lives in the OCR child."""

    @property
    def name(self) -> str:
        """Name and model family, kept with each reading."""
        ...

    def detect(self, picture: Picture) -> list[Rect]:
        """Boxes of text lines in px of the picture; empty when there is no text."""
        ...

    def recognise(self, lines: Sequence[Picture]) -> list[tuple[str, float]]:
        """Text and score 0..1 of each line picture, in the same order; ("", 0.0) where nothing was read."""
        ...


def line_width(width: int, height: int) -> int:
    """The padded width in px, at 48 px height, that a line picture of that size is recognised with.

    Fixed steps make the result of a line independent of the lines that share its unit.
    """
    scaled = -(-width * LINE_HEIGHT // max(1, height))
    padded, octave = _NARROWEST, _NARROWEST
    while padded < scaled:
        padded += octave // _WIDTH_STEPS
        if padded >= 2 * octave:
            octave = padded
    return padded


def padded_line(line: Picture, width: int) -> Picture:
    """The line scaled to 48 px height, padded on the right with the grey the models know as nothing."""
    import cv2

    height, own = line.shape[:2]
    scaled = min(width, max(1, -(-own * LINE_HEIGHT // height)))
    out = np.full((LINE_HEIGHT, width, 3), 127, np.uint8)
    out[:, :scaled] = cv2.resize(line, (scaled, LINE_HEIGHT))
    return out


def guarded(picture: Picture) -> Picture:
    """The picture padded right and below with its own main colour to sides the detector takes unscaled."""
    height, width = picture.shape[:2]
    tall, wide = max(height, MIN_SIDE, width // MAX_ASPECT), max(width, MIN_SIDE, height // MAX_ASPECT)
    tall, wide = -(-tall // MIN_SIDE) * MIN_SIDE, -(-wide // MIN_SIDE) * MIN_SIDE
    if (tall, wide) == (height, width):
        return np.ascontiguousarray(picture)
    colour = np.median(picture[::4, ::4].reshape(-1, 3), axis=0)
    padded = np.empty((tall, wide, 3), np.uint8)
    padded[:] = colour
    padded[:height, :width] = picture
    return padded


def boxes_of(quads: npt.ArrayLike | None, width: int, height: int) -> list[Rect]:
    """Upright boxes inside the picture for N×4×2 corner points; None and empty mean no text."""
    if quads is None or len(np.asarray(quads)) == 0:
        return []
    out: list[Rect] = []
    for quad in np.asarray(quads, dtype=np.float64).reshape(-1, 4, 2):
        (left, top), (right, bottom) = np.floor(quad.min(axis=0)), np.ceil(quad.max(axis=0))
        box = Rect(int(left), int(top), int(right - left), int(bottom - top)).clamped(width, height)
        if box.w >= MIN_BOX and box.h >= MIN_BOX:
            out.append(box)
    return out


def texts_of(texts: Any, scores: Any, count: int) -> list[tuple[str, float]]:
    """One (text, score) for each of `count` lines from whatever a library returned; missing ones are empty."""
    words = list(texts) if texts is not None else []
    marks = list(scores) if scores is not None else []
    out = [(str(word or ""), float(mark or 0.0)) for word, mark in zip(words, marks, strict=False)]
    return (out + [("", 0.0)] * count)[:count]


class RapidEngine:
    """`rapidocr` 3.x with the models of its wheel (PP-OCRv6 small); never downloads anything.

    Raises:
        UnavailableError: the package or its models are missing.
    """

    def __init__(self, threads: int) -> None:
        try:
            import onnxruntime
            import rapidocr
        except ImportError as fault:
            raise _missing("rapidocr", "pip install rapidocr") from fault
        onnxruntime.disable_telemetry_events()
        models = Path(rapidocr.__file__).parent / "models"
        detector, recogniser = _model(models, "det"), _model(models, "rec")
        self.name = f"rapidocr {recogniser.stem.partition('_')[0]}"
        self._ocr = rapidocr.RapidOCR(
            params={
                "Global.log_level": "critical",
                "Global.min_side_len": 1,
                "Global.max_side_len": NO_LIMIT,
                "Global.use_vertical_padding": False,
                "Global.use_cls": False,
                "Det.limit_type": "max",
                "Det.limit_side_len": NO_LIMIT,
                "Det.model_path": str(detector),
                "Rec.model_path": str(recogniser),
                "Rec.rec_batch_num": LINES_A_UNIT,
                "EngineConfig.onnxruntime.intra_op_num_threads": threads,
                "EngineConfig.onnxruntime.enable_cpu_mem_arena": False,
            }
        )

    def detect(self, picture: Picture) -> list[Rect]:
        """Boxes of text lines in px of the picture (all three flags on each call: they persist)."""
        found = self._ocr(guarded(picture), use_det=True, use_cls=False, use_rec=False)
        return boxes_of(getattr(found, "boxes", None), picture.shape[1], picture.shape[0])

    def recognise(self, lines: Sequence[Picture]) -> list[tuple[str, float]]:
        """Text and score of each line picture."""
        if not lines:
            return []
        width = max(line_width(line.shape[1], line.shape[0]) for line in lines)
        found = self._ocr.recognize_txt([padded_line(line, width) for line in lines])
        return texts_of(getattr(found, "txts", None), getattr(found, "scores", None), len(lines))


class OlderEngine:
    """`rapidocr-onnxruntime` 1.4 (PP-OCRv4 models), the extra `ocr-v4`.

    Raises:
        UnavailableError: the extra is not installed.
    """

    name = "rapidocr-v4 PP-OCRv4"

    def __init__(self, threads: int) -> None:
        try:
            import onnxruntime
            import rapidocr_onnxruntime
        except ImportError as fault:
            raise _missing("rapidocr-onnxruntime", 'pip install "biny-desktop[ocr-v4]"') from fault
        onnxruntime.disable_telemetry_events()
        self._ocr = rapidocr_onnxruntime.RapidOCR(
            min_side_len=1,
            max_side_len=NO_LIMIT,
            width_height_ratio=-1,
            min_height=1,
            det_limit_type="max",
            det_limit_side_len=NO_LIMIT,
            rec_batch_num=LINES_A_UNIT,
            intra_op_num_threads=threads,
        )

    def detect(self, picture: Picture) -> list[Rect]:
        """Boxes of text lines in px of the picture; the library returns (None, None) for none."""
        found = self._ocr(guarded(picture), use_det=True, use_cls=False, use_rec=False)
        return boxes_of(found[0] if found else None, picture.shape[1], picture.shape[0])

    def recognise(self, lines: Sequence[Picture]) -> list[tuple[str, float]]:
        """Text and score of each line picture."""
        if not lines:
            return []
        width = max(line_width(line.shape[1], line.shape[0]) for line in lines)
        found = self._ocr.text_rec([padded_line(line, width) for line in lines])
        rows = (found[0] if found else None) or []
        return texts_of([row[0] for row in rows], [row[1] for row in rows], len(lines))


def make_engine(name: str, threads: int) -> OcrEngine:
    """The engine of that name: `rapidocr`, `rapidocr-v4`, or `module:Class` called with the number of threads.

    Raises:
        UnavailableError: no such engine, or its package is missing.
    """
    if name == "rapidocr":
        return RapidEngine(threads)
    if name == "rapidocr-v4":
        return OlderEngine(threads)
    module, _, maker = name.partition(":")
    try:
        engine: OcrEngine = getattr(importlib.import_module(module), maker)(threads)
    except (ImportError, AttributeError, ValueError) as fault:
        raise _missing(name, "choose another engine in Settings, Reading") from fault
    return engine


def _model(folder: Path, kind: str) -> Path:
    for path in sorted(folder.glob(f"*_{kind}_*.onnx")):
        return path
    raise _missing("the models of rapidocr", "pip install --force-reinstall rapidocr")


def _missing(what: str, remedy: str) -> UnavailableError:
    return UnavailableError("No text recognition", f"{what} is not installed.", remedy)
