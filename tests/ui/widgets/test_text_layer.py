"""From points on a picture to text and back."""

from biny_desktop.activity.model import TextLine
from biny_desktop.core.geometry import Rect
from biny_desktop.ui.widgets.text_layer import TextLayer

TEXT = "Packing list\n今天中午 lunch"
LINES = (TextLine(Rect(100, 50, 240, 20), 0, 12), TextLine(Rect(100, 100, 200, 20), 13, 23))


def layer() -> TextLayer:
    return TextLayer(TEXT, LINES)


def test_the_ends_of_a_line_are_its_first_and_last_letter() -> None:
    assert layer().offset_at(100, 60) == 0
    assert layer().offset_at(340, 60) == 12
    assert layer().offset_at(9_999, 60) == 12


def test_a_drag_over_two_lines_covers_both() -> None:
    start, end = layer().offset_at(90, 60), layer().offset_at(400, 112)
    assert layer().rects(start, end) == [Rect(100, 50, 240, 20), Rect(100, 100, 200, 20)]


def test_full_width_letters_take_more_room() -> None:
    first, second = layer().rects(13, 15)[0], layer().rects(18, 20)[0]
    assert first.w > 1.5 * second.w


def test_a_double_click_takes_the_word() -> None:
    assert TEXT[slice(*layer().word_at(9))] == "list"
    assert TEXT[slice(*layer().word_at(0))] == "Packing"


def test_a_quote_is_found_whatever_its_case_and_a_strange_one_is_not() -> None:
    assert layer().find("PACKING") == (0, 7)
    assert layer().find("中午") == (15, 17)
    assert layer().find("dinner") is None
    assert layer().find("") is None


def test_damaged_lines_do_no_harm() -> None:
    bad = TextLayer("abc", (TextLine(Rect(0, 0, 0, 5), 0, 3), TextLine(Rect(0, 0, 9, 9), 2, 90)))
    assert bad.offset_at(3, 3) is None
    assert bad.rects(0, 3) == []
