"""Rows with typed getters: damaged JSON reads as nothing."""

import pytest

from biny_desktop.storage.rows import Row, dump_json, read_json


@pytest.mark.parametrize("text", ["", "{", "nul", "[" * 100_000, '{"a": }', None])
def test_what_is_no_json_reads_as_nothing(text: str | None) -> None:
    assert read_json(text) is None
    assert Row(("apps",), (text,)).json("apps") is None


def test_json_comes_back_as_it_was() -> None:
    value = {"a": [1, 2.5, None, True, "码头"]}
    assert Row(("x",), (dump_json(value),)).json("x") == value
