from biny_desktop.core.geometry import Rect
from biny_desktop.reading.order import in_order, page_text
from biny_desktop.reading.ports import Line


def line(text: str, x: int, y: int, w: int = 100) -> Line:
    return Line(text, Rect(x, y, w, 20), 0.9)


def texts(*lines: Line) -> list[str]:
    return [one.text for one in in_order(lines)]


def test_columns_are_read_one_after_the_other() -> None:
    left = [line(f"l{n}", 10, 100 + 30 * n) for n in range(4)]
    right = [line(f"r{n}", 400, 113 + 30 * n) for n in range(4)]
    mixed = [one for pair in zip(right, left, strict=True) for one in pair]
    assert texts(*mixed, line("title", 10, 10, 500)) == ["title", "l0", "l1", "l2", "l3", "r0", "r1", "r2", "r3"]


def test_a_table_is_read_row_by_row() -> None:
    cells = [line(f"{row}{col}", 10 + 300 * col, 100 + 30 * row + col) for col in range(3) for row in range(3)]
    assert texts(*cells) == ["00", "01", "02", "10", "11", "12", "20", "21", "22"]


def test_a_row_is_read_from_left_to_right_although_boxes_are_uneven() -> None:
    assert texts(line("b", 200, 98), line("a", 10, 102), line("c", 10, 130)) == ["a", "b", "c"]


def test_nothing_and_many_lines_at_one_place_are_no_trouble() -> None:
    assert texts() == []
    assert len(texts(*[line(str(n), 10, 10) for n in range(300)])) == 300


def test_three_and_more_blank_lines_become_one() -> None:
    assert page_text([line("a\n\n\n\n\nb", 0, 0), line("c", 0, 30)]) == "a\n\nb\nc"
