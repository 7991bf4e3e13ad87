import numpy as np

from biny_desktop.reading.strips import LONGEST, strips, united
from tests.reading.pages import blank, page


def test_a_usual_line_stays_whole() -> None:
    line = page(["word " * 20], 900, 24)
    assert [part.shape for part in strips(line)] == [line.shape]


def test_a_long_line_is_cut_between_words_and_joined_with_spaces() -> None:
    line = page(["harbour market " * 60], 6000, 24, top=2)
    parts = strips(line)
    assert len(parts) > 3
    assert (np.concatenate(parts, axis=1) == line).all()
    assert all(part.shape[1] * 48 <= LONGEST * 24 for part in parts)
    assert all((part[:, 0] == 255).all() and (part[:, -1] == 255).all() for part in parts[1:-1])
    text, score = united(parts, [("one", 0.9)] * (len(parts) - 1) + [("", 0.0)])
    assert text.split() == ["one"] * (len(parts) - 1)
    assert abs(score - 0.9) < 1e-9


def test_a_line_without_white_space_is_cut_and_joined_without_a_space() -> None:
    line = np.random.default_rng(1).integers(0, 255, (10, 3000, 3), dtype=np.uint8)
    parts = strips(line)
    assert united(parts, [("a", 1.0)] * len(parts))[0] == "a" * len(parts)


def test_the_lowest_line_there_can_be_is_no_trouble() -> None:
    assert sum(part.shape[1] for part in strips(blank(500, 1))) == 500
    assert united([blank(5, 5)] * 2, [("", 0.0)] * 2) == (" ", 0.0)
