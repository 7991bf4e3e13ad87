"""Tile masks, rectangles, the event bus, resources and language."""

import logging

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biny_desktop.core.events import EventBus, FrameKept, FrameRead
from biny_desktop.core.geometry import Rect
from biny_desktop.core.i18n import _, language, use_language
from biny_desktop.core.resources import resource
from biny_desktop.core.tiles import TileMask

RECTS = st.builds(Rect, st.integers(-300, 2500), st.integers(-300, 1500), st.integers(0, 900), st.integers(0, 900))


def test_a_1080p_picture_has_32_by_18_tiles() -> None:
    mask = TileMask.for_picture(1920, 1080, 60)
    assert (mask.cols, mask.rows, mask.count()) == (32, 18, 0)
    assert mask.full().share() == 1.0


@given(st.lists(RECTS, max_size=5))
def test_touched_tiles_cover_every_box(boxes: list[Rect]) -> None:
    mask = TileMask.for_picture(1920, 1080, 60).touching(boxes)
    covered = mask.rects()
    for box in boxes:
        inside = box.clamped(1920, 1080)
        area = sum(inside.intersect(part).area for part in covered)
        assert area == inside.area


def test_masks_of_different_pictures_cannot_be_joined() -> None:
    with pytest.raises(ValueError, match="different pictures"):
        TileMask.for_picture(1920, 1080, 60).union(TileMask.for_picture(1280, 720, 60))


@given(RECTS, RECTS)
def test_intersection_and_union_hold(one: Rect, other: Rect) -> None:
    both = one.intersect(other)
    assert both.area <= min(one.area, other.area)
    if one.area and other.area:
        assert one.union(other).area >= max(one.area, other.area)
    clamped = one.clamped(100, 100)
    assert clamped.area == 0 or (clamped.x >= 0 and clamped.y >= 0 and clamped.right <= 100 and clamped.bottom <= 100)


def test_a_failing_subscriber_does_not_stop_the_others(caplog: pytest.LogCaptureFixture) -> None:
    bus, seen = EventBus(), []
    bus.subscribe(FrameKept, lambda event: 1 / 0)
    cancel = bus.subscribe(FrameKept, lambda event: seen.append(event.frame_id))
    with caplog.at_level(logging.CRITICAL, "biny_desktop.core.events"):
        bus.publish(FrameKept(7))
        bus.publish(FrameRead(8))
        cancel()
        bus.publish(FrameKept(9))
    assert seen == [7]


def test_resources_are_found_and_a_missing_one_is_named() -> None:
    assert resource("translations").is_dir()
    with pytest.raises(FileNotFoundError, match="nothing"):
        resource("nothing.here")


def test_a_language_that_is_not_shipped_falls_back_to_english() -> None:
    assert use_language("fr") == "en"
    assert _("some text nobody translates") == "some text nobody translates"
    assert language() == "en"
