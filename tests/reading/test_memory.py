import numpy as np

from biny_desktop.reading.memory import LineMemory, Screen, line_key
from biny_desktop.reading.prints import row_prints, square_prints
from tests.reading.pages import blank, page


def test_a_line_has_the_same_key_wherever_its_ink_stands_in_the_crop() -> None:
    crop = page(["harbour"], 200, 40)
    assert line_key(crop) == line_key(crop[3:36, 2:180])
    assert line_key(crop) != line_key(page(["Harbour"], 200, 40))


def test_ink_of_a_neighbour_in_the_rim_does_not_count() -> None:
    crop = page(["harbour"], 200, 40)
    cut = crop.copy()
    cut[:2, 20:30] = 0
    cut[10:30, 199] = 0
    assert line_key(cut) == line_key(crop)


def test_one_colour_is_no_line_and_pale_text_is_one() -> None:
    assert line_key(blank(50, 20)) is None
    assert line_key(np.empty((0, 5, 3), np.uint8)) is None
    pale = blank(50, 20)
    pale[5:9, 5:9] = 245
    other = pale.copy()
    other[5, 5] = 255
    assert line_key(pale) is not None
    assert line_key(pale) != line_key(other)


def test_the_line_unused_for_longest_leaves_first() -> None:
    memory = LineMemory(2)
    memory.learn(b"a", "one", 1.0)
    memory.learn(b"b", "two", 1.0)
    assert memory.text(b"a") == ("one", 1.0)
    memory.learn(b"c", "three", 1.0)
    assert memory.text(b"b") is None
    assert len(memory) == 2


def test_screens_are_kept_by_monitor_and_size_newest_first() -> None:
    memory = LineMemory()
    picture = blank(64, 64)
    rows = row_prints(picture)
    for number in range(100):
        size = (64, 64) if number % 2 else (32, 32)
        memory.keep("left", Screen(number, size, (), square_prints(rows)), picture, rows)
    assert [screen.frame_id for screen in memory.screens("left", (64, 64))][:2] == [99, 97]
    assert len(memory.screens("left", (64, 64))) + len(memory.screens("left", (32, 32))) == 64
    assert memory.last("right") is None
    assert memory.last_picture("right") is None
