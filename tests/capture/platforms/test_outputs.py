"""Layout units and pixels of one virtual screen."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biny_desktop.capture.platforms.json_answers import JSON_MAX, field, number, objects, parse
from biny_desktop.capture.platforms.outputs import KeptLayout, Layout, Output, rect_of, scale_of
from biny_desktop.core.geometry import Rect
from tests.fakes.clock import FakeClock
from tests.fakes.layouts import NoLayout


def test_monitors_left_of_and_above_the_first_keep_their_places() -> None:
    layout = Layout.logical([Output("a", Rect(0, 0, 1600, 900)), Output("b", Rect(1600, -172, 1920, 1080), 1.5)])

    assert [each.rect for each in layout.monitors()] == [Rect(0, 0, 2400, 1350), Rect(2400, -258, 2880, 1620)]
    assert layout.bounds == Rect(0, -258, 5280, 1620)


def test_a_work_area_outside_of_its_monitor_is_cut_or_dropped() -> None:
    layout = Layout.logical([Output("a", Rect(0, 0, 100, 100), work=Rect(-5, 10, 300, 300)),
                             Output("b", Rect(100, 0, 100, 100), work=Rect(900, 0, 5, 5))])  # fmt: skip
    assert [each.work_area for each in layout.monitors()] == [Rect(0, 10, 100, 90), Rect(100, 0, 100, 100)]


@given(x=st.integers(-9_000, 9_000), w=st.integers(1, 9_000), scale=st.floats(0.5, 8))
def test_a_window_is_never_rounded_smaller_than_it_is(x: int, w: int, scale: float) -> None:
    rect = Layout((), scale).physical(Rect(x, x, w, w))
    assert rect.x <= x * scale
    assert rect.right >= (x + w) * scale


@pytest.mark.parametrize("broken", [None, "1", True, float("nan"), float("inf"), -float("inf"), 10**9, [], {}])
def test_a_number_that_is_none_makes_no_rectangle(broken: Any) -> None:
    assert rect_of(0, 0, broken, 10) is None
    assert rect_of(broken, 0, 10, 10) is None


@pytest.mark.parametrize(
    ("value", "scale"), [(2, 2.0), (1.25, 1.25), (0, 1.0), (-1, 1.0), (99, 1.0), ("2", 1.0), (True, 1.0)]
)
def test_an_odd_scale_counts_as_one(value: Any, scale: float) -> None:
    assert scale_of(value) == scale


def test_a_layout_is_asked_once_a_second(fake_clock: FakeClock) -> None:
    asked: list[int] = []

    class Counting(NoLayout):
        def layout(self) -> Layout | None:
            asked.append(1)
            return None

    kept = KeptLayout(Counting(), fake_clock)
    for step in (0, 500, 499, 1, 0):
        fake_clock.advance(step)
        kept.layout()
    assert len(asked) == 2
    kept.close()
    kept.layout()
    assert len(asked) == 3


@pytest.mark.parametrize("text", [None, 3, "", "{", "[" * 100_000, "x" * (JSON_MAX + 1), b"\xff\xfe"])
def test_what_is_no_json_is_none(text: Any) -> None:
    assert parse(text) is None


def test_fields_of_the_wrong_kind_are_empty() -> None:
    record = {"a": 1, "b": "x", "c": True}
    assert (field(record, "a"), field(record, "b"), field(None, "b")) == ("", "x", "")
    assert (number(record, "a"), number(record, "b"), number(record, "c"), number([], "a")) == (1, None, None, None)
    assert objects([1, {"a": 2}, None]) == [{"a": 2}]
    assert objects({"a": 1}) == []
