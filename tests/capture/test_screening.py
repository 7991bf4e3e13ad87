"""Pictures that are read before they are written: how they are held and painted, and that the recorder never waits."""

import io

import numpy as np
import pytest
from PIL import Image

from biny_desktop.capture.encode import EncodeError
from biny_desktop.capture.ports import KeptFrame, NewFrame
from biny_desktop.capture.screening import HELD_QUALITY, HeldPicture, NoScreening, held_picture, screened_picture
from biny_desktop.core.errors import StorageError
from biny_desktop.core.events import FrameDropped
from biny_desktop.core.geometry import Rect
from tests.capture.rig import Rig
from tests.fakes.capture import make_pixels


class FakeScreening:
    """`Screening`: keeps what it is given; `error` is raised by `hold`."""

    def __init__(self, *, on: bool = True) -> None:
        self.on = on
        self.held: list[tuple[NewFrame, HeldPicture]] = []
        self.error: StorageError | None = None

    def wanted(self) -> bool:
        return self.on

    def hold(self, frame: NewFrame, picture: HeldPicture) -> KeptFrame:
        if self.error is not None:
            raise self.error
        self.held.append((frame, picture))
        return KeptFrame(100 + len(self.held), 0)


def decoded(jpeg: bytes) -> np.ndarray:
    return np.asarray(Image.open(io.BytesIO(jpeg)).convert("RGB")).astype(int)


def rig_with(screening: FakeScreening) -> Rig:
    return Rig(screening=screening)


def test_boxes_are_one_flat_colour_before_the_picture_is_made_smaller() -> None:
    white = np.full((400, 1_600, 4), 255, np.uint8)
    white[100:120, 200:400, :3] = 0
    made = screened_picture(held_picture(white), [Rect(200, 100, 200, 20)], 1.0, 800, 80)
    assert (made.width, made.height) == (800, 200)
    picture = decoded(made.jpeg)
    inside = picture[50:60, 100:200]
    assert inside.std() < 3
    assert abs(inside.mean() - 72) < 4
    assert picture[48:50, 99:201].mean() < 90  # the margin of 4 px
    assert picture[40:44, 100:200].mean() > 250
    thumb = decoded(made.thumb)
    assert thumb[23:26, 21:39].std() < 6


def test_the_margin_grows_with_the_scale_and_boxes_outside_do_no_harm() -> None:
    held = held_picture(make_pixels(200, 100))
    made = screened_picture(held, [Rect(-50, -50, 60, 60), Rect(500, 500, 9, 9), Rect(5, 5, 0, 0)], 2.0, 2_560, 90)
    assert decoded(made.jpeg)[:17, :17].std() < 4


def test_what_is_held_is_whole_and_of_high_quality_and_its_hashes_are_of_what_is_left() -> None:
    pixels = make_pixels(3_000, 100)
    held = held_picture(pixels)
    assert (held.width, held.height, HELD_QUALITY) == (3_000, 100, 95)
    plain, painted = (screened_picture(held, boxes, 1.0, 2_560, 70) for boxes in ([], [Rect(0, 0, 3_000, 100)]))
    assert plain.pixel_hash != painted.pixel_hash
    assert plain.thumb != painted.thumb
    with pytest.raises(EncodeError):
        screened_picture(HeldPicture(b"no picture", 1, 1), [], 1.0, 2_560, 70)


def test_a_screened_frame_is_handed_over_whole_and_nothing_is_written() -> None:
    screening = FakeScreening()
    rig = rig_with(screening).begin()
    assert rig.sink.frames == []
    frame, picture = screening.held[0]
    assert (frame.picture, frame.seen_again_of, frame.held) == (None, None, None)
    assert frame.why["screened"] is True
    assert (picture.width, picture.height) == (640, 360)
    assert rig.recorder.health().counters["kept"] == 1
    rig.input.click(10, 10)
    rig.run(5_000)
    assert len(screening.held) == 1, "the held picture is the baseline"
    assert rig.skips()[-1] == "same_exact"


def test_a_held_picture_is_never_pointed_at() -> None:
    screening = FakeScreening()
    rig = rig_with(screening).begin()
    first = rig.pixels(0)
    for pixels in (rig.pixels(1), first):
        rig.screen.show(pixels)
        rig.input.click(10, 10)
        rig.run(6_000)
    assert len(screening.held) == 3
    assert all(frame.seen_again_of is None for frame, _ in screening.held)


def test_a_dropped_picture_is_no_baseline() -> None:
    screening = FakeScreening()
    rig = rig_with(screening).begin()
    rig.bus.publish(FrameDropped(101))
    rig.input.click(10, 10)
    rig.run(6_000)
    assert len(screening.held) == 2


@pytest.mark.logs_warning("was not saved")
def test_a_frame_that_cannot_be_handed_over_is_a_failed_write() -> None:
    screening = FakeScreening()
    screening.error = StorageError("no")
    rig = rig_with(screening)
    rig.recorder.begin()
    rig.run(3_000)
    assert rig.skips()[-1] == "write_failed"
    assert rig.recorder.health().state == "backing_off"
    screening.error = None
    rig.input.click(10, 10)
    rig.run(6_000)
    assert len(screening.held) == 1


def test_without_screening_nothing_can_be_held() -> None:
    assert not NoScreening().wanted()
    rig = rig_with(FakeScreening(on=False)).begin()
    assert len(rig.sink.frames) == 1
    with pytest.raises(ValueError):
        NoScreening().hold(rig.sink.frames[0], held_picture(make_pixels()))


def test_a_bright_picture_is_told_and_not_yet_judged() -> None:
    rig = Rig()
    rig.screen.show(np.full((360, 640, 4), 255, np.uint8))
    rig.begin()
    (frame,) = rig.sink.frames
    assert frame.why["bright"] is True
    assert frame.flags == ()
