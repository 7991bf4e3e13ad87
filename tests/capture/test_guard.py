"""Black, over-exposed and frozen pictures, back-off (spec 02 §2.4–2.6)."""

from itertools import pairwise

import numpy as np

from biny_desktop.capture.guard import BackOff, FrozenGuard, is_black, is_over_exposed
from tests.capture.rig import black
from tests.fakes.capture import make_pixels


def test_black_is_black_whatever_alpha_says() -> None:
    assert is_black(black())
    assert is_black(np.zeros((0, 0, 4), dtype=np.uint8))
    dim = black()
    dim[..., :3] = 8
    assert is_black(dim)


def test_one_lit_pixel_is_enough() -> None:
    lit = black()
    lit[101, 203, 2] = 9
    assert not is_black(lit)
    assert not is_black(make_pixels())


def test_over_exposed_means_white_nearly_everywhere() -> None:
    white = np.full((100, 100, 4), 255, dtype=np.uint8)
    assert is_over_exposed(white)
    half = white.copy()
    half[:, ::2, :3] = 250
    half[:, 1::2, :3] = 250
    assert not is_over_exposed(half)
    assert not is_over_exposed(make_pixels())
    assert not is_over_exposed(white[:0])


def test_back_off_doubles_up_to_half_a_minute() -> None:
    back_off = BackOff()
    steps = [back_off.failed("no_picture", 0) for _ in range(9)]
    assert steps == [500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]
    assert not back_off.over(29_999)
    assert back_off.over(30_000)
    back_off.succeeded()
    assert back_off.over(0)
    assert back_off.failed("write_failed", 0) == 500


def test_equal_pictures_make_a_source_suspect_only_if_something_was_done() -> None:
    guard = FrozenGuard()
    assert not any(guard.grabbed(equal=True, now_ms=number) for number in range(100))
    guard.acted(9)
    assert not guard.grabbed(equal=True, now_ms=100)
    guard.acted(1)
    assert guard.grabbed(equal=True, now_ms=101)


def test_a_source_is_made_new_once_a_minute_and_stalls_after_three_times() -> None:
    guard = FrozenGuard()
    renewed = []
    for number in range(400):
        guard.acted(1)
        if guard.grabbed(equal=number > 0, now_ms=number * 1_000):
            renewed.append(number)
    assert len(renewed) >= 3
    assert min(later - earlier for earlier, later in pairwise(renewed)) >= 60
    assert guard.stalled
    guard.grabbed(equal=False, now_ms=500_000)
    assert not guard.stalled


def test_a_focus_change_makes_equal_pictures_suspect_too() -> None:
    guard = FrozenGuard()
    guard.grabbed(equal=False, now_ms=0)
    guard.acted(0, focused=True)
    assert any(guard.grabbed(equal=True, now_ms=number) for number in range(25))
