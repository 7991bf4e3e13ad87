from collections.abc import Sequence

import numpy as np
import pytest

from biny_desktop.core.geometry import Rect
from biny_desktop.core.tiles import TileMask
from biny_desktop.reading.lines import ReadCancelledError, read_picture
from biny_desktop.reading.memory import LineMemory
from biny_desktop.reading.ports import Picture, Reading
from tests.fakes.clock import FakeClock
from tests.fakes.ocr import PageEngine
from tests.reading.pages import LINE_PX, blank, log_lines, page


def mask(picture: Picture, *boxes: Rect) -> TileMask:
    return TileMask.for_picture(picture.shape[1], picture.shape[0], 60).touching(boxes)


def difference(one: Picture, other: Picture) -> TileMask:
    ys, xs = np.nonzero((one != other).any(axis=2))
    return mask(one, *(Rect(int(x), int(y), 1, 1) for y, x in zip(ys, xs, strict=True)))


def whole(picture: Picture) -> Reading:
    return read_picture(picture, PageEngine(), LineMemory(), None)


@pytest.mark.parametrize("size", [(1, 1), (3000, 3), (3, 3000), (20_000, 40), (7680, 4320), (5, 500)])
def test_blank_and_tiny_pictures_have_no_text_and_cost_nothing(size: tuple[int, int]) -> None:
    engine = PageEngine()
    reading = read_picture(blank(*size), engine, LineMemory(), None)
    assert (reading.text, reading.lines, reading.size) == ("", (), size)
    assert engine.detected == []


def test_a_scrolled_terminal_costs_one_new_line_and_reads_like_a_whole_page() -> None:
    memory, engine = LineMemory(), PageEngine()
    before, after = page(log_lines(1, 15)), page(log_lines(2, 15))
    first = read_picture(before, engine, memory, None, frame_id=1)
    assert (first.plan, first.lines_read) == ("whole", 15)
    engine.detected.clear()
    second = read_picture(after, engine, memory, difference(before, after), frame_id=2)
    assert second.lines_read <= 3
    assert second.text == whole(after).text
    assert second.lines_read + second.lines_reused == 15
    assert all(height < 200 for _, height in engine.detected), "what only moved is not looked at again"


def test_a_chat_line_that_arrives_costs_one_line() -> None:
    memory, engine = LineMemory(), PageEngine()
    before, after = page(log_lines(1, 9)), page(log_lines(1, 10))
    read_picture(before, engine, memory, None)
    reading = read_picture(after, engine, memory, difference(before, after))
    assert (reading.plan, reading.lines_read) == ("changed", 1)
    assert reading.text == whole(after).text


def test_a_line_that_grows_is_read_anew() -> None:
    memory, engine = LineMemory(), PageEngine()
    before, after = page(["make te"]), page(["make test && make install"])
    read_picture(before, engine, memory, None)
    reading = read_picture(after, engine, memory, difference(before, after))
    assert reading.text == whole(after).text
    assert len(reading.lines) == 1


def test_a_line_that_vanishes_is_gone() -> None:
    memory, engine = LineMemory(), PageEngine()
    before, after = page(log_lines(1, 6)), page(log_lines(1, 5))
    read_picture(before, engine, memory, None)
    assert read_picture(after, engine, memory, difference(before, after)).text == whole(after).text


def test_return_to_an_earlier_screen_recognises_nothing() -> None:
    memory, engine = LineMemory(), PageEngine()
    one, other = page(log_lines(1, 14)), page(log_lines(100, 14))
    first = read_picture(one, engine, memory, None, frame_id=1)
    read_picture(other, engine, memory, difference(one, other), frame_id=2)
    again = read_picture(one, engine, memory, difference(one, other), frame_id=3)
    assert again.lines_read == 0
    assert again.text == first.text


def test_a_window_over_another_is_put_together_from_two_earlier_screens() -> None:
    memory, engine = LineMemory(), PageEngine()
    left, right, both = blank(1280, 768), blank(1280, 768), blank(1280, 768)
    for picture in (left, both):
        picture[:, :640] = page(log_lines(1, 30), 640, 768)
    for picture in (right, both):
        picture[:, 640:] = page(log_lines(200, 30), 640, 768)
    engine_lines = read_picture(left, engine, memory, None, frame_id=1).lines_read
    read_picture(right, engine, memory, None, frame_id=2)
    engine.detected.clear()
    reading = read_picture(both, engine, memory, None, frame_id=3)
    assert (reading.lines_read, len(reading.lines), engine_lines) == (0, 60, 30)
    assert engine.detected == []


def test_nothing_touched_reuses_all_without_looking() -> None:
    memory, engine = LineMemory(), PageEngine()
    picture = page(log_lines(1, 5))
    first = read_picture(picture, engine, memory, None)
    engine.detected.clear()
    reading = read_picture(picture.copy(), engine, memory, mask(picture))
    assert (reading.plan, reading.lines, reading.lines_read) == ("same", first.lines, 0)
    assert engine.detected == []


def test_more_than_two_fifths_new_or_another_size_reads_the_whole() -> None:
    memory, engine = LineMemory(), PageEngine()
    one = page(log_lines(1, 14))
    read_picture(one, engine, memory, None)
    other = np.random.default_rng(1).integers(0, 255, one.shape, dtype=np.uint8)
    assert read_picture(other, engine, memory, mask(other, Rect(0, 0, 640, 400))).plan == "whole"
    small = page(log_lines(1, 14), 500, 400)
    assert read_picture(small, engine, memory, None).plan == "whole"
    assert read_picture(small.copy(), engine, memory, None, monitor="other").plan == "whole"


def test_memory_of_one_monitor_is_not_used_for_another_but_lines_are() -> None:
    memory, engine = LineMemory(), PageEngine()
    picture = page(log_lines(1, 5))
    read_picture(picture, engine, memory, None, monitor="left")
    reading = read_picture(picture, engine, memory, None, monitor="right")
    assert (reading.plan, reading.lines_read, reading.lines_reused) == ("whole", 0, 5)


class Nothing(PageEngine):
    """Finds no text."""

    def detect(self, picture: Picture) -> list[Rect]:
        return []


class Unsure(PageEngine):
    """Recognises with scores around the limit, the first line not at all."""

    def recognise(self, lines: Sequence[Picture]) -> list[tuple[str, float]]:
        return [("", 0.0), ("low", 0.49), ("high", 0.5), ("  ", 0.9)][: len(lines)]


def test_lines_read_with_less_than_half_or_without_text_are_dropped_and_not_tried_again() -> None:
    memory = LineMemory()
    picture = page(["aaa 1", "bbb 2", "ccc 3", "ddd 4"])
    reading = read_picture(picture, Unsure(), memory, None)
    assert reading.text == "high"
    assert read_picture(picture, Unsure(), memory, None, monitor="other").lines_read == 0


def test_units_are_short_and_of_similar_width() -> None:
    units: list[list[Picture]] = []

    class Watching(PageEngine):
        def recognise(self, lines: Sequence[Picture]) -> list[tuple[str, float]]:
            units.append(list(lines))
            return super().recognise(lines)

    words = [("word " * (number % 10 + 1)) + str(number) for number in range(40)]
    read_picture(page(words, 900, 40 * LINE_PX), Watching(), LineMemory(), None)
    assert max(len(unit) for unit in units) <= 8
    assert sum(len(unit) for unit in units) == 40


def test_a_cancelled_reading_keeps_what_it_recognised() -> None:
    memory, engine = LineMemory(), PageEngine()
    picture = page(log_lines(1, 12))
    with pytest.raises(ReadCancelledError):
        read_picture(picture, engine, memory, None, cancelled=lambda: engine.recognised > 0)
    assert memory.last("") is None
    left = 12 - len(memory)
    assert 0 < left < 12
    assert read_picture(picture, engine, memory, None).lines_read == left


def test_time_comes_from_the_clock() -> None:
    clock = FakeClock()

    class Slow(PageEngine):
        def detect(self, picture: Picture) -> list[Rect]:
            clock.advance(250)
            return super().detect(picture)

    assert read_picture(page(["a word"]), Slow(), LineMemory(), None, clock=clock).ms == 250


def test_a_line_that_runs_down_is_turned_before_it_is_recognised() -> None:
    shapes: list[tuple[int, ...]] = []

    class Watching(PageEngine):
        def recognise(self, lines: Sequence[Picture]) -> list[tuple[str, float]]:
            shapes.extend(line.shape[:2] for line in lines)
            return super().recognise(lines)

    picture = blank(300, 300)
    picture[50:200, 100:120] = np.random.default_rng(3).integers(0, 200, (150, 20, 3), dtype=np.uint8)
    read_picture(picture, Watching(), LineMemory(), None)
    ((height, width),) = shapes
    assert width > height


def test_a_line_that_goes_on_behind_the_edge_of_what_changed_is_read_in_full() -> None:
    memory, engine = LineMemory(), PageEngine()
    after = page(["a long line that was half behind another window until a moment ago"], 900, 200, 80)
    before = after.copy()
    before[:, :330] = 200
    read_picture(before, Nothing(), memory, None)
    reading = read_picture(after, engine, memory, difference(before, after))
    assert [line.box for line in reading.lines] == [line.box for line in whole(after).lines]
