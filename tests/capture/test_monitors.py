"""Which monitor, and places in its picture (spec 02 §4.2–4.4, §11 row 2)."""

from hypothesis import given
from hypothesis import strategies as st

from biny_desktop.capture.monitors import monitor_of, place_in_picture, to_picture
from biny_desktop.core.geometry import Rect
from tests.fakes.capture import make_monitor

LEFT = make_monitor(1600, 900, 0, 0, "A")
RIGHT = make_monitor(1920, 1080, 1600, -172, "B")
BOTH = [LEFT, RIGHT]


def test_the_monitor_with_the_larger_part_of_the_window() -> None:
    assert monitor_of(BOTH, Rect(1000, 100, 700, 400), None) is LEFT
    assert monitor_of(BOTH, Rect(1500, -100, 700, 400), None) is RIGHT
    assert monitor_of(BOTH, Rect(1600, 100, 700, 400), (5, 5)) is RIGHT


def test_without_a_window_the_monitor_with_the_pointer() -> None:
    far_left = make_monitor(1280, 1024, -1280, 0, "C")
    assert monitor_of([*BOTH, far_left], None, (-100, 500)) is far_left
    assert monitor_of(BOTH, None, (1700, -100)) is RIGHT
    assert monitor_of(BOTH, None, None) is LEFT
    assert monitor_of(BOTH, Rect(9_000, 9_000, 10, 10), (1700, 0)) is RIGHT
    assert monitor_of([], Rect(0, 0, 1, 1), (0, 0)) is None


def test_rectangles_of_a_list_in_logical_units_land_in_picture_pixels() -> None:
    logical = Rect(0, 0, 1280, 720)
    assert to_picture(Rect(100, 50, 200, 100), logical, (2560, 1440)) == Rect(200, 100, 400, 200)
    assert to_picture(Rect(1200, 700, 500, 500), logical, (2560, 1440)) == Rect(2400, 1400, 160, 40)


def test_a_window_over_two_monitors_is_cut_to_each() -> None:
    window = Rect(1500, -100, 300, 300)
    assert to_picture(window, LEFT.rect, (1600, 900)) == Rect(1500, 0, 100, 200)
    assert to_picture(window, RIGHT.rect, (1920, 1080)) == Rect(0, 72, 200, 300)
    assert to_picture(Rect(0, 0, 10, 10), RIGHT.rect, (1920, 1080)).area == 0


def test_a_place_in_the_picture() -> None:
    assert place_in_picture((1600, -172), RIGHT.rect, (1920, 1080)) == (0, 0)
    assert place_in_picture((1599, 0), RIGHT.rect, (1920, 1080)) is None
    assert place_in_picture((1279, 719), Rect(0, 0, 1280, 720), (2560, 1440)) == (2558, 1438)


numbers = st.integers(-5_000, 5_000)
sizes = st.integers(0, 5_000)


@given(numbers, numbers, sizes, sizes, numbers, numbers, st.integers(1, 4_000), st.integers(1, 4_000))
def test_never_outside_and_never_negative(x: int, y: int, w: int, h: int, mx: int, my: int, pw: int, ph: int) -> None:
    inside = to_picture(Rect(x, y, w, h), Rect(mx, my, 1920, 1080), (pw, ph))
    assert inside.area == 0 or (inside.x >= 0 and inside.y >= 0 and inside.right <= pw and inside.bottom <= ph)
