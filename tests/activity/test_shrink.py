"""Pictures made smaller: proportions, never enlarged, nothing of the source's metadata, damage told."""

import io

import pytest
from PIL import Image

from biny_desktop.activity.shrink import UndecodableError, shrunk
from tests.fakes.activity import screen_jpeg


def test_a_portrait_and_a_small_picture_keep_their_proportions_and_no_metadata() -> None:
    made = shrunk(screen_jpeg(1, (1_080, 1_920)), "medium")
    assert (made.width, made.height) == (405, 720)
    small = shrunk(screen_jpeg(1, (300, 200)), "small")
    assert (small.width, small.height) == (300, 200)
    with Image.open(io.BytesIO(screen_jpeg(1))) as image:
        out = io.BytesIO()
        exif = image.getexif()
        exif[270] = "title of a window"
        image.save(out, "JPEG", exif=exif, comment=b"title of a window", dpi=(300, 300))
    assert b"title" not in shrunk(out.getvalue(), "small").jpeg
    with pytest.raises(UndecodableError):
        shrunk(b"no picture", "small")
    with pytest.raises(UndecodableError):
        shrunk(screen_jpeg(1)[:2_000], "small")
