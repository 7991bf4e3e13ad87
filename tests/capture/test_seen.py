"""Screens seen again: found, bounded, forgotten."""

from dataclasses import replace

import numpy as np

from biny_desktop.capture.fingerprint import fingerprint
from biny_desktop.capture.ports import Shot
from biny_desktop.capture.seen import SeenAgain
from tests.capture.screens import DARK, LIGHT, NOISE, WANTED, base, happen, look, replaced, shot_of, typed


def find(seen: SeenAgain, shot: Shot) -> int | None:
    return seen.find(shot, look(), fingerprint(shot.pixels).phash)


def remember(seen: SeenAgain, shot: Shot, frame_id: int) -> None:
    seen.remember(shot, frame_id, fingerprint(shot.pixels).phash)


def test_screen_seen_before_is_found_with_another_clock_and_caret() -> None:
    seen = SeenAgain()
    remember(seen, base(LIGHT, 1).shot(), 1)
    remember(seen, base(DARK, 1).shot(), 2)
    assert find(seen, base(LIGHT, 1).shot()) == 1
    for name in ("panel clock", "thin caret", "hover button"):
        assert find(seen, happen(NOISE[name], LIGHT, 1)[1]) == 1


def test_a_changed_word_or_digit_is_not_the_same_screen() -> None:
    seen = SeenAgain()
    before, after = happen(replaced("3", "4", 13), LIGHT, 1)
    remember(seen, before, 1)
    assert find(seen, before) == 1
    assert find(seen, after) is None
    assert find(seen, happen(WANTED["short word"], LIGHT, 1)[1]) is None


def test_newest_of_two_equal_screens_is_found() -> None:
    seen = SeenAgain()
    shot = base(LIGHT, 1).shot()
    remember(seen, shot, 4)
    remember(seen, shot, 9)
    assert find(seen, shot) == 9
    seen.forget_frames([9, 77])
    assert find(seen, shot) == 4


def test_another_size_is_never_the_same() -> None:
    seen = SeenAgain()
    remember(seen, base(LIGHT, 1).shot(), 1)
    assert seen.find(base(LIGHT, 2).shot(), look(), fingerprint(base(LIGHT, 1).shot().pixels).phash) is None


def test_clear_forgets_every_picture() -> None:
    seen = SeenAgain()
    remember(seen, base(LIGHT, 1).shot(), 1)
    seen.clear()
    assert find(seen, base(LIGHT, 1).shot()) is None
    assert seen.packed_bytes == 0


def test_memory_is_bounded_by_number_and_bytes() -> None:
    shots = [happen(typed("word " * number), LIGHT, 1)[1] for number in range(4)]
    seen = SeenAgain(max_pictures=2)
    for number, shot in enumerate(shots):
        remember(seen, shot, number)
    assert [find(seen, shot) for shot in shots] == [None, None, 2, 3]
    noise = np.random.default_rng(1).integers(0, 256, (200, 300, 4), np.uint8)
    tight = SeenAgain(max_bytes=250_000)
    for number in range(5):
        remember(tight, shot_of(np.roll(noise, number, axis=0)), number)
    assert 0 < tight.packed_bytes <= 250_000
    huge = SeenAgain(max_bytes=10)
    remember(huge, shots[0], 1)
    assert (huge.packed_bytes, find(huge, shots[0])) == (0, None)


def test_the_unused_channel_has_no_say() -> None:
    seen = SeenAgain()
    shot = base(LIGHT, 1).shot()
    remember(seen, shot, 1)
    pixels = shot.pixels.copy()
    pixels[..., 3] = 0
    assert find(seen, replace(shot, pixels=pixels)) == 1
