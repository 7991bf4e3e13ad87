"""Where two pictures differ: every differing pixel lies in a rectangle and in a tile."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from biny_desktop.capture.differing import differing
from biny_desktop.capture.limits import Limits
from biny_desktop.capture.parts import PartFinder
from biny_desktop.core.geometry import Rect

PLACES = st.lists(st.tuples(st.integers(0, 10_000), st.integers(0, 10_000), st.integers(1, 40)), max_size=8)


def pictures(width: int, height: int, places: list[tuple[int, int, int]]) -> tuple[np.ndarray, np.ndarray]:
    before = np.full((height, width, 4), 255, np.uint8)
    after = before.copy()
    for x, y, size in places:
        after[y % height : y % height + size, x % width : x % width + size, :3] = 0
    return before, after


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 150), st.integers(1, 150), PLACES, st.sampled_from([1.0, 1.25, 2.0]))
def test_rectangles_and_tiles_hold_every_difference(
    width: int, height: int, places: list[tuple[int, int, int]], scale: float
) -> None:
    before, after = pictures(width, height, places)
    where = differing(before, after)
    real = (before != after).any(axis=2)
    assert where.any == real.any()
    area = Rect(0, 0, width, height)
    held = np.zeros_like(real)
    for rect in where.rectangles(area, Limits(), scale):
        assert rect.intersect(area) == rect
        held[rect.y : rect.bottom, rect.x : rect.right] = True
    assert not (real & ~held).any()
    tiled = np.zeros_like(real)
    for rect in where.tiles(area, width, 45).rects():
        tiled[rect.y : rect.bottom, rect.x : rect.right] = True
    assert not (real & ~tiled).any()


@settings(max_examples=60, deadline=None)
@given(st.integers(20, 300), st.integers(150, 700), PLACES)
def test_parts_hold_each_changed_pixel_once(width: int, height: int, places: list[tuple[int, int, int]]) -> None:
    before, after = pictures(width, height, places)
    real = (before != after).any(axis=2)
    finder = PartFinder(before, after, (), Limits(stop_big_size=10_000), 1.0)
    found = np.zeros(real.shape, np.int64)
    for rect in differing(before, after).rectangles(Rect(0, 0, width, height), Limits(), 1.0):
        for parts in finder.find(rect):
            for part in parts:
                box = part.box
                found[box.y : box.bottom, box.x : box.right] += part.mask > 0
                assert part.count == int((part.mask > 0).sum())
    assert (found == real).all()


def test_memory_of_another_look_is_used_again() -> None:
    before, after = pictures(64, 64, [(5, 5, 5)])
    first = differing(before, after)
    again = differing(before, before, first.cells)
    assert again.cells is first.cells
    assert not again.any


def test_only_the_area_is_searched() -> None:
    before, after = pictures(64, 64, [(5, 50, 5)])
    where = differing(before, after)
    assert not where.inside(Rect(0, 0, 64, 40))
    assert where.rectangles(Rect(0, 0, 64, 40), Limits(), 1.0) == []
