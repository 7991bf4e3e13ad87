"""Hashes and thumbnail of kept pictures."""

import cv2
import imagehash
import numpy as np
import pytest
from PIL import Image

from biny_desktop.capture.fingerprint import fingerprint
from biny_desktop.capture.ports import Pixels
from tests.capture.screens import LIGHT, base, happen, typed


def decoded(jpeg: bytes) -> Pixels:
    return np.asarray(cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR), np.uint8)


def test_equal_pictures_have_equal_fingerprints_and_others_another_pixel_hash() -> None:
    before, after = happen(typed("."), LIGHT, 1)
    assert fingerprint(before.pixels) == fingerprint(base(LIGHT, 1).shot().pixels)
    assert fingerprint(before.pixels).pixel_hash != fingerprint(after.pixels).pixel_hash
    assert len(fingerprint(before.pixels).pixel_hash) == 32


def test_size_is_part_of_the_pixel_hash() -> None:
    black = np.zeros((10, 40, 4), np.uint8)
    assert fingerprint(black).pixel_hash != fingerprint(black.reshape(40, 10, 4)).pixel_hash


def test_perceptual_hash_is_that_of_the_thumbnail() -> None:
    print_ = fingerprint(base(LIGHT, 2).shot().pixels)
    thumb = Image.fromarray(cv2.cvtColor(decoded(print_.thumb), cv2.COLOR_BGR2RGB))
    assert imagehash.hex_to_hash(print_.phash) - imagehash.phash(thumb) <= 2
    assert len(print_.phash) == 16


@pytest.mark.parametrize(("width", "height"), [(5120, 1440), (1080, 1920), (1366, 768)])
def test_all_four_coloured_edges_show_in_the_thumbnail(width: int, height: int) -> None:
    pixels = np.full((height, width, 4), 255, np.uint8)
    for edge in (np.s_[:4], np.s_[-4:], np.s_[:, :4], np.s_[:, -4:]):
        pixels[edge] = (30, 30, 220, 255)
    thumb = decoded(fingerprint(pixels).thumb).astype(int)
    assert thumb.shape == (90, 160, 3)
    middle = thumb[45, 80]
    for edge in (thumb[0, 20:140], thumb[-1, 20:140], thumb[20:70, 0], thumb[20:70, -1]):
        assert (middle - edge.mean(axis=0))[0] > 10, "less blue at the red edge"
