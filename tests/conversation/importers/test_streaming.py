"""JSON in pieces: any window, any malformed item, never more than one of them at a time."""

import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biny_desktop.conversation.importers import streaming
from biny_desktop.conversation.importers.streaming import Piece, array, lines


class Dribble(io.BytesIO):
    """Gives a few bytes at a time, whatever was asked for."""

    def __init__(self, raw: bytes, step: int) -> None:
        super().__init__(raw)
        self.step = step

    def read(self, size: int | None = -1, /) -> bytes:
        return super().read(self.step)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**60), 2**60) | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)


@given(
    st.lists(st.dictionaries(st.text(max_size=5), VALUES, max_size=4), max_size=6), st.integers(1, 40), st.booleans()
)
def test_an_array_reads_as_the_whole_would(items: list[object], step: int, ascii_only: bool) -> None:
    raw = json.dumps(items, ensure_ascii=ascii_only, indent=1).encode("utf-8", "surrogatepass")
    found = list(array(Dribble(raw, step)))
    assert [each.value for each in found] == json.loads(raw.decode("utf-8", "replace"))
    assert [each.n for each in found] == list(range(1, len(items) + 1))


@pytest.mark.parametrize("step", [1, 3, 7, 1_000])
def test_a_malformed_item_costs_only_itself(step: int) -> None:
    raw = b'[{"a": "]}\\" {"}, {"b": nope, "c": [1, {}]}, {"d": 4}, "a, [b\\", ", {"e": 5}, nothing, {"f": 6}]'
    found = list(array(Dribble(raw, step)))
    assert [(each.value, each.trouble) for each in found] == [
        ({"a": ']}" {'}, None), (None, "bad_json"), ({"d": 4}, None), (None, "bad_json"), ({"e": 5}, None),
        (None, "bad_json"), ({"f": 6}, None),
    ]  # fmt: skip


@pytest.mark.parametrize("step", [1, 5, 100])
def test_an_array_that_ends_in_the_middle_tells_of_its_last_item(step: int) -> None:
    assert list(array(Dribble(b'[{"a": 1}, {"b": "c', step))) == [Piece(1, {"a": 1}), Piece(2, trouble="bad_json")]


def test_an_item_that_is_too_long_is_passed_over() -> None:
    raw = json.dumps([{"a": "x" * 500}, {"b": ["\\" * 50, "{"] * 30}, {"c": 3}]).encode()
    found = list(array(Dribble(raw, 16), limit=100))
    assert [each.trouble for each in found] == ["too_large", "too_large", None]
    assert found[2].value == {"c": 3}


def test_one_object_is_an_array_of_one_and_nothing_is_nothing() -> None:
    assert [each.value for each in array(io.BytesIO(b' {"a": 1} '))] == [{"a": 1}]
    assert not list(array(io.BytesIO(b"")))
    assert not list(array(io.BytesIO(b"[]")))
    assert [each.value for each in array(io.BytesIO('\ufeff[{"a": 1}]'.encode()))] == [{"a": 1}]
    assert [each.value for each in array(io.BytesIO('[{"a": "é"}]'.encode("utf-16")))] == [{"a": "é"}]


def test_json_that_is_nested_without_end_is_malformed() -> None:
    raw = b'[{"a": ' + b"[" * 200_000 + b"]" * 200_000 + b'}, {"b": 1}]'
    assert [each.trouble for each in array(io.BytesIO(raw))] == ["bad_json", None]


def test_lines_tell_a_cut_last_one_from_a_malformed_one() -> None:
    raw = b'{"a": 1}\n\nnope\n{"b": 2}\n{"c": '
    assert list(lines(io.BytesIO(raw))) == [
        Piece(1, {"a": 1}), Piece(3, trouble="bad_json"), Piece(4, {"b": 2}), Piece(5, trouble="cut"),
    ]  # fmt: skip
    assert [each.value for each in lines(io.BytesIO(b'{"a": 1}'))] == [{"a": 1}]


def test_a_line_that_is_too_long_is_passed_over() -> None:
    raw = b'{"a": "' + b"x" * 300 + b'"}\n{"b": 2}\n'
    assert [(each.value, each.trouble) for each in lines(io.BytesIO(raw), limit=100)] == [
        (None, "too_large"), ({"b": 2}, None),
    ]  # fmt: skip


def test_reading_a_large_array_keeps_little_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streaming, "CHUNK", 1_000)
    made = streaming._Array(io.BytesIO(json.dumps([{"n": n, "t": "x" * 50} for n in range(2_000)]).encode()), 10_000)
    longest = 0
    for n, piece in enumerate(made.items(), 1):
        longest = max(longest, len(made._text))
        assert piece.n == n
    assert longest < 3_000
