import numpy as np
import pytest

from biny_desktop.core.errors import UnavailableError
from biny_desktop.core.geometry import Rect
from biny_desktop.reading.engine import boxes_of, guarded, line_width, make_engine, padded_line, texts_of
from tests.fakes.ocr import PageEngine
from tests.reading.pages import blank


@pytest.mark.parametrize("quads", [None, [], np.empty((0, 4, 2))])
def test_no_boxes_in_any_shape_mean_no_text(quads: object) -> None:
    assert boxes_of(quads, 100, 100) == []


def test_boxes_are_upright_inside_the_picture_and_not_tiny() -> None:
    quads = [
        [[-3, 2], [50, 4], [50, 20], [-3, 18]],
        [[90, 90], [140, 90], [140, 95], [90, 95]],
        [[1, 1], [3, 1], [3, 9], [1, 9]],
    ]
    assert boxes_of(quads, 100, 100) == [Rect(0, 2, 50, 18), Rect(90, 90, 10, 5)]


def test_missing_texts_and_scores_become_empty_lines() -> None:
    assert texts_of(None, None, 2) == [("", 0.0), ("", 0.0)]
    assert texts_of(("a", None), (0.5, None), 3) == [("a", 0.5), ("", 0.0), ("", 0.0)]


@pytest.mark.parametrize(("width", "height"), [(1, 1), (3000, 3), (1000, 20), (40, 860), (1000, 860), (31, 33)])
def test_pictures_are_padded_to_sides_the_detector_does_not_scale(width: int, height: int) -> None:
    picture = blank(width, height)
    picture[0, 0] = 7
    out = guarded(picture)
    tall, wide = out.shape[:2]
    assert tall % 32 == wide % 32 == 0
    assert max(tall, wide) <= 21 * min(tall, wide)
    assert (out[:height, :width] == picture).all()


def test_line_widths_come_in_few_steps_and_never_cut() -> None:
    widths = {line_width(width, 20) for width in range(1, 2000)}
    assert len(widths) < 20
    assert all(line_width(width, 20) >= width * 48 / 20 for width in range(1, 2000))
    assert all(int(48 * (width / 48)) == width for width in widths), "the library would pad by another width"


def test_a_line_fills_its_height_and_the_rest_is_grey() -> None:
    out = padded_line(blank(40, 24), 320)
    assert out.shape == (48, 320, 3)
    assert (out[:, :80] == 255).all()
    assert (out[:, 80:] == 127).all()


@pytest.mark.parametrize("name", ["no-such-engine", "tests.fakes.ocr:Missing", "tests.fakes.nothing:Engine", ""])
def test_an_unknown_engine_is_refused_with_a_remedy(name: str) -> None:
    with pytest.raises(UnavailableError) as fault:
        make_engine(name, 1)
    assert fault.value.hint


def test_the_older_engine_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "rapidocr_onnxruntime", None)
    with pytest.raises(UnavailableError, match="rapidocr-onnxruntime") as fault:
        make_engine("rapidocr-v4", 1)
    assert "ocr-v4" in fault.value.hint


def test_an_engine_can_be_named_by_its_class() -> None:
    engine = make_engine("tests.fakes.ocr:PageEngine", 3)
    assert isinstance(engine, PageEngine)
    assert engine.threads == 3
