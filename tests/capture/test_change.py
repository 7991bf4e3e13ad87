"""Change detection on recorded crops, on drawn screens, and the detector's own behaviour."""

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from biny_desktop.capture.change import Detector
from biny_desktop.capture.ports import Pixels, Shot
from biny_desktop.core.geometry import Rect
from tests.bench.frames import Frame, rows_of
from tests.capture.screens import DARK, LIGHT, NOISE, WANTED, Theme, base, happen, look, shot_of, typed

CROPS = Path(__file__).parents[1] / "data" / "frames"
PAIRS = {f"{pair[1].id} {pair[1].what.split(':')[0]}": pair for pair in rows_of(CROPS)}
THEMES = pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
SCALES = pytest.mark.parametrize("scale", [1, 2])


def compared(before: Shot, after: Shot) -> tuple[bool, str]:
    detector = Detector()
    detector.accept(before, look())
    change = detector.compare(after, look())
    return change.changed, change.reason


@pytest.mark.parametrize("pair", PAIRS.values(), ids=PAIRS)
def test_recorded_pair_is_judged_as_a_person_would(pair: list[Frame]) -> None:
    before, after = pair
    detector = Detector()
    detector.accept(before.shot, before.look)
    assert detector.compare(after.shot, after.look).changed == after.wanted


@THEMES
@SCALES
@pytest.mark.parametrize("name", WANTED)
def test_what_a_person_wants_is_kept(name: str, theme: Theme, scale: int) -> None:
    changed, reason = compared(*happen(WANTED[name], theme, scale))
    assert changed, reason


@THEMES
@SCALES
@pytest.mark.parametrize("name", NOISE)
def test_what_is_no_news_is_dropped(name: str, theme: Theme, scale: int) -> None:
    changed, reason = compared(*happen(NOISE[name], theme, scale))
    assert not changed, reason
    assert reason.startswith("same_")


def _jpeg(pixels: Pixels, quality: int) -> Pixels:
    made, data = cv2.imencode(".jpg", cv2.cvtColor(pixels, cv2.COLOR_BGRA2BGR), [cv2.IMWRITE_JPEG_QUALITY, quality])
    assert made
    return np.asarray(cv2.cvtColor(cv2.imdecode(data, cv2.IMREAD_COLOR), cv2.COLOR_BGR2BGRA), np.uint8)


def _noise(pixels: Pixels, levels: int) -> Pixels:
    shifts = np.random.default_rng(levels).integers(-levels, levels + 1, pixels.shape)
    return np.clip(pixels.astype(np.int16) + shifts, 0, 255).astype(np.uint8)


@THEMES
@SCALES
@pytest.mark.parametrize("quality", [95, 85, 75, 60])
def test_compression_is_no_news(quality: int, theme: Theme, scale: int) -> None:
    shot = base(theme, scale).shot()
    assert not compared(shot, replace(shot, pixels=_jpeg(shot.pixels, quality)))[0]


@THEMES
@pytest.mark.parametrize("levels", [1, 2, 4])
def test_noise_is_no_news(levels: int, theme: Theme) -> None:
    shot = base(theme, 1).shot()
    changed, reason = compared(shot, replace(shot, pixels=_noise(shot.pixels, levels)))
    assert (changed, reason) == (False, "same_below_noise")


@THEMES
def test_news_under_noise_is_kept(theme: Theme) -> None:
    before, after = happen(WANTED["short word"], theme, 1)
    assert compared(before, replace(after, pixels=_noise(after.pixels, 2)))[0]


@pytest.mark.parametrize("shift", [0.15, 0.3])
def test_a_line_drawn_part_of_a_pixel_further_is_no_news(shift: float) -> None:
    shot = base(LIGHT, 1).shot()
    moved = shot.pixels.copy()
    line = moved[40:64, 20:420]
    line[:] = cv2.warpAffine(line, np.float32([[1, 0, shift], [0, 1, 0]]), (400, 24), borderMode=cv2.BORDER_REPLICATE)
    assert compared(shot, replace(shot, pixels=moved)) == (False, "same_structure")


def test_first_picture_and_another_size_are_changed_everywhere() -> None:
    detector = Detector()
    small, large = shot_of(np.zeros((90, 160, 4), np.uint8)), shot_of(np.zeros((100, 160, 4), np.uint8))
    first = detector.compare(small, look())
    assert (first.changed, first.reason, first.tiles.share()) == (True, "first", 1.0)
    detector.accept(small, look())
    assert detector.compare(small, look()).reason == "same_exact"
    other = detector.compare(large, look())
    assert (other.changed, other.reason, other.tiles.share()) == (True, "size", 1.0)


def test_dropped_pictures_never_move_the_baseline() -> None:
    detector = Detector()
    start = base(LIGHT, 1)
    detector.accept(start.shot(), look())
    grown = base(LIGHT, 1)
    for step, (x, y) in enumerate([(24, 320), (200, 350), (400, 380), (300, 410)]):
        change = detector.compare(grown.shot(), look(at_ms=step))
        assert not change.changed or step >= 2, "one small mark alone is noise, several together are news"
        grown.box(x, y, 7, 9, grown.theme.ink)
    assert detector.compare(grown.shot(), look(at_ms=9)).changed


def test_forget_makes_the_next_picture_the_first() -> None:
    detector = Detector()
    shot = base(LIGHT, 1).shot()
    detector.accept(shot, look())
    detector.forget()
    assert detector.compare(shot, look()).reason == "first"


def test_tiles_name_the_place_of_the_change() -> None:
    before, after = happen(typed("tape"), LIGHT, 1)
    detector = Detector()
    detector.accept(before, look())
    change = detector.compare(after, look())
    assert [(rect.x, rect.y) for rect in change.tiles.rects()] == [(0, 300)]
    assert all(Rect(20, 318, 60, 24).intersect(part) == part for part in change.parts)
    assert change.numbers["parts"] == 1


def test_a_look_that_stops_early_still_names_every_changed_tile() -> None:
    screen = base(LIGHT, 1)
    for row in range(6):
        screen.text(300 * (row % 2) + 20, 60 + 60 * row, "another line of some length")
    detector = Detector()
    detector.accept(base(LIGHT, 1).shot(), look())
    change = detector.compare(screen.shot(), look())
    rows = {rect.y // 60 for rect in change.tiles.rects()}
    assert change.changed
    assert rows == {1, 2, 3, 4, 5, 6}


def test_panel_counts_when_a_full_screen_window_covers_it() -> None:
    before, after = happen(NOISE["panel clock"], LIGHT, 1)
    detector = Detector()
    detector.accept(before, look())
    assert detector.compare(after, look()).reason == "same_panel"
    covered = base(LIGHT, 1)
    covered.text(20, 455, "the last line of a slide", fill=(250, 250, 250))
    whole = look(window_rect=Rect(0, 0, *before.size))
    assert detector.compare(covered.shot(), look()).reason == "same_panel"
    assert detector.compare(covered.shot(), whole).changed


def test_what_a_click_did_at_its_place_counts() -> None:
    before, after = happen(NOISE["hover button"], LIGHT, 1)
    detector = Detector()
    detector.accept(before, look())
    assert not detector.compare(after, look()).changed
    assert detector.compare(after, look(trigger="click", click=(440, 172))).changed


def test_a_single_letter_counts_when_it_was_typed() -> None:
    before, after = happen(typed("x"), LIGHT, 1)
    detector = Detector()
    detector.accept(before, look())
    assert detector.compare(after, look()).reason == "same_tiny"
    assert detector.compare(after, look(trigger="typing_pause")).changed


def test_odd_widths_and_scales_are_fine() -> None:
    pixels = np.full((301, 403, 4), 255, np.uint8)
    other = pixels.copy()
    other[100:140, 361:403, :3] = 0
    for scale in (1.0, 1.25, 1.5):
        detector = Detector()
        detector.accept(shot_of(pixels, scale), look())
        change = detector.compare(shot_of(other, scale), look())
        assert change.parts == (Rect(361, 100, 42, 40),)
        assert change.tiles.count() >= 1


def test_the_unused_channel_has_no_say() -> None:
    shot = base(LIGHT, 1).shot()
    pixels = shot.pixels.copy()
    pixels[..., 3] = 0
    assert compared(shot, replace(shot, pixels=pixels)) == (False, "same_below_noise")
