"""JPEG as it is stored, and private rectangles painted over."""

import io

import cv2
import numpy as np
import pytest
from PIL import Image

from biny_desktop.capture.encode import PAINT_COLOUR, EncodeError, encode, paint
from biny_desktop.core.geometry import Rect
from tests.capture.screens import LIGHT, base


def test_picture_keeps_its_size_and_has_no_metadata() -> None:
    pixels = base(LIGHT, 1).shot().pixels
    made = encode(pixels, 2560, 70)
    picture = Image.open(io.BytesIO(made.jpeg))
    assert (made.width, made.height) == picture.size == (720, 480)
    assert set(picture.info) <= {"jfif", "jfif_version", "jfif_unit", "jfif_density"}
    assert not picture.getexif()
    assert np.abs(np.asarray(picture).astype(int) - pixels[..., 2::-1]).mean() < 4


def test_wide_picture_is_made_smaller_in_its_shape() -> None:
    made = encode(np.zeros((1440, 5120, 4), np.uint8), 2560, 70)
    assert (made.width, made.height) == (2560, 720)
    assert encode(np.zeros((1, 9000, 4), np.uint8), 2560, 70).height == 1


@pytest.mark.parametrize(("width", "height"), [(5120, 1440), (1080, 1920), (1366, 768)])
def test_all_four_edges_are_in_the_picture(width: int, height: int) -> None:
    pixels = np.full((height, width, 4), 255, np.uint8)
    for edge in (np.s_[:4], np.s_[-4:], np.s_[:, :4], np.s_[:, -4:]):
        pixels[edge] = (30, 30, 220, 255)
    jpeg = encode(pixels, 2560, 70).jpeg
    picture = np.asarray(cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR), np.uint8)
    for edge in (picture[0], picture[-1], picture[:, 0], picture[:, -1]):
        assert edge[:, 0].mean() < 120


def test_lower_quality_is_smaller() -> None:
    pixels = base(LIGHT, 1).shot().pixels
    assert len(encode(pixels, 2560, 40).jpeg) < len(encode(pixels, 2560, 95).jpeg)


@pytest.mark.parametrize("shape", [(0, 0, 4), (10, 0, 4), (10, 10, 3), (10, 70_000, 4)])
def test_what_is_no_picture_is_refused(shape: tuple[int, int, int]) -> None:
    with pytest.raises(EncodeError):
        encode(np.zeros(shape, np.uint8), 100_000, 70)


def test_painted_rectangle_is_flat_with_a_margin_and_the_rest_untouched() -> None:
    pixels = np.random.default_rng(2).integers(0, 255, (120, 200, 4), np.uint8)
    kept = pixels.copy()
    painted = paint(pixels, [Rect(50, 40, 60, 30)], 1)
    assert (painted[32:78, 42:118] == PAINT_COLOUR).all()
    outside = np.ones((120, 200), bool)
    outside[32:78, 42:118] = False
    assert (painted[outside] == kept[outside]).all()
    assert (pixels == kept).all()
    assert (paint(pixels, [Rect(50, 40, 60, 30)], 2)[24, 34] == PAINT_COLOUR).all()


def test_rectangles_outside_or_empty_paint_nothing_wrong() -> None:
    pixels = np.zeros((50, 50, 4), np.uint8)
    assert not paint(pixels, [Rect(-90, -90, 20, 20), Rect(200, 10, 5, 5), Rect(10, 10, 0, 9)], 1).any()
    corner = paint(pixels, [Rect(-10, -10, 15, 15)], 1)
    assert (corner[:13, :13] == PAINT_COLOUR).all()
    assert not corner[13:].any()
    assert (paint(pixels, [Rect(-5, -5, 500, 500)], 1) == PAINT_COLOUR).all()
