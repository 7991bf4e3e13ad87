"""Text of X properties in the encodings that programs use."""

import pytest

from biny_desktop.capture.platforms.x11_properties import Property, decode_compound, decode_utf8
from biny_desktop.capture.platforms.x11_tree import class_name


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        (b"caf\xe9", "café"),
        (b"\x1b%G\xe4\xbb\x8a\xe5\xa4\xa9\x1b%@", "今天"),
        ("日本".encode("iso2022_jp"), "日本"),
        (b"\x1b$(A" + bytes(byte & 0x7F for byte in "今天".encode("gb2312")) + b"\x1b(B", "今天"),
        (b"\x1b-A plain", " plain"),
        (b"\x1b$(A\x7f", "\x7f"),
    ],
    ids=["latin-1", "utf-8 part", "japanese", "chinese", "unknown set", "broken"],
)
def test_compound_text_is_read(raw: bytes, text: str) -> None:
    assert decode_compound(raw) == text


@pytest.mark.parametrize("length", range(1, 7))
def test_a_text_cut_inside_a_character_loses_only_that_character(length: int) -> None:
    assert decode_utf8("今天".encode()[:length], cut=True) == "今天"[: length // 3]


def test_a_whole_text_that_was_cut_keeps_its_last_character() -> None:
    assert decode_utf8(b"ab", cut=True) == "ab"


@pytest.mark.parametrize(
    ("raw", "name"),
    [
        (b"nav\0Firefox\0", "Firefox"),
        (b"nav\0\0", "nav"),
        (b"nav", "nav"),
        (b"\0\0", ""),
        (b"", ""),
        (b"\0\xe9\0", "é"),
    ],
)
def test_the_class_wins_over_the_instance(raw: bytes, name: str) -> None:
    assert class_name(Property(31, 8, raw, cut=False)) == name


def test_a_class_of_numbers_is_no_class() -> None:
    assert class_name(Property(31, 32, b"\0\0\0\1", cut=False)) == ""
    assert class_name(None) == ""


def test_numbers_of_a_text_are_none() -> None:
    assert Property(31, 8, b"abcd", cut=False).numbers() == ()
