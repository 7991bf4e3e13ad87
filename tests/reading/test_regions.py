import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from biny_desktop.core.geometry import Rect
from biny_desktop.core.tiles import TileMask
from biny_desktop.reading.regions import MAX_REGIONS, Found, cell_rects, cells_of, joined, mask_rects, regions, slices

rects = st.builds(Rect, st.integers(0, 900), st.integers(0, 900), st.integers(1, 200), st.integers(1, 90))


def test_a_small_region_is_one_slice() -> None:
    assert slices(Rect(5, 6, 1200, 1200)) == [Rect(5, 6, 1200, 1200)]


@settings(deadline=None)
@given(st.integers(1, 20_000), st.integers(1, 5_000))
def test_slices_are_small_cover_all_and_overlap(width: int, height: int) -> None:
    whole = Rect(7, 9, width, height)
    parts = slices(whole)
    assert all(part.w <= 1200 and part.h <= 1200 and part.intersect(whole) == part for part in parts)
    for near, side in (("x", "right"), ("y", "bottom")):
        starts = sorted({getattr(part, near) for part in parts})
        ends = sorted({getattr(part, side) for part in parts})
        assert starts[0] == getattr(whole, near)
        assert ends[-1] == getattr(whole, side)
        assert all(end - start >= 95 for end, start in zip(ends, starts[1:], strict=False))


def test_a_line_cut_between_two_slices_is_joined_and_one_seen_twice_counts_once() -> None:
    left, right = Found(Rect(800, 50, 200, 20), 1, True, False), Found(Rect(910, 51, 300, 19), 2, True, False)
    twice = Found(Rect(920, 90, 60, 20), 1, False, False), Found(Rect(921, 90, 60, 20), 2, False, False)
    below = Found(Rect(800, 72, 190, 20), 1, False, False)
    boxes = joined([left, right, *twice, below])
    assert sorted(boxes, key=lambda box: box.y) == [Rect(800, 50, 410, 20), below.box, Rect(920, 90, 61, 20)]


def test_half_a_line_at_a_cut_gives_way_to_the_whole_one() -> None:
    half, full = Found(Rect(10, 850, 300, 10), 1, False, True), Found(Rect(11, 850, 299, 22), 2, False, False)
    assert joined([half, full]) == [full.box]


def test_lines_of_one_slice_are_never_joined() -> None:
    found = [Found(Rect(10, 10, 100, 20), 1, False, False), Found(Rect(100, 10, 50, 20), 1, False, False)]
    assert len(joined(found)) == 2


def test_a_mask_is_grown_by_one_tile_and_stays_inside() -> None:
    mask = TileMask.for_picture(1920, 1080, 60).touching([Rect(60, 60, 10, 10), Rect(1900, 1070, 5, 5)])
    assert mask_rects(mask, 1920, 1080) == [Rect(0, 0, 180, 180), Rect(1800, 960, 120, 120)]


def test_a_mask_of_a_larger_grab_is_scaled_outwards() -> None:
    mask = TileMask.for_picture(3840, 2160, 120).touching([Rect(1200, 600, 120, 120)])
    (rect,) = mask_rects(mask, 2560, 1440)
    wanted = Rect(1080 * 2 // 3, 480 * 2 // 3, 360 * 2 // 3, 360 * 2 // 3)
    assert rect.intersect(wanted) == wanted
    assert rect.area < 2 * wanted.area


def test_cells_and_their_rectangles_belong_together() -> None:
    cells = cells_of([Rect(70, 100, 10, 20)], 300, 5)
    assert cells.sum() == 20
    (rect,) = [rect for rect in cell_rects(cells, 300, 300) if rect.y < 64] or cell_rects(cells, 300, 300)
    assert rect.contains(70, 100)
    assert not np.any(cells[:100])


@settings(deadline=None)
@given(st.lists(rects, max_size=25), st.lists(rects, max_size=25))
def test_regions_are_few_hold_every_change_and_cut_no_line(changed: list[Rect], lines: list[Rect]) -> None:
    out = regions(changed, lines)
    assert len(out) <= MAX_REGIONS
    assert all(any(rect.intersect(area) == rect for area in out) for rect in changed)
    for line in lines:
        middle = Rect(line.x, line.y + line.h // 4, line.w, line.h - line.h // 2)
        assert all(not middle.intersect(area).area or line.intersect(area) == line for area in out)


def test_changes_in_two_corners_do_not_become_the_whole_screen() -> None:
    frame = [Rect(0, 0, 1920, 40), Rect(0, 0, 40, 1080)]
    assert sum(area.area for area in regions(frame, [])) < 0.1 * 1920 * 1080
