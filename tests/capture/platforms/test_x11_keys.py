"""Typing keys told from all others."""

import pytest

from biny_desktop.capture.platforms.x11_keys import classify, is_typing


@pytest.mark.parametrize(
    "keysym", [0x61, 0x20, 0xE9, 0x6C1, 0x01004ECA, 0xFF08, 0xFF0D, 0xFFFF, 0xFFB7, 0xFF8D, 0xFE51],
    ids=["a", "space", "é", "cyrillic", "han", "backspace", "return", "delete", "keypad 7", "keypad enter", "dead"],
)  # fmt: skip
def test_typing_keys(keysym: int) -> None:
    assert is_typing(keysym)


@pytest.mark.parametrize(
    "keysym", [0, 0xFFE1, 0xFFE3, 0xFFEB, 0xFE03, 0xFF51, 0xFF55, 0xFF09, 0xFF1B, 0xFFBE, 0xFF95, 0x1008FF11],
    ids=["none", "shift", "control", "super", "level 3", "left", "page up", "tab", "escape", "f1", "home", "volume"],
)  # fmt: skip
def test_other_keys(keysym: int) -> None:
    assert not is_typing(keysym)


def test_a_keypad_digit_behind_its_navigation_key_types() -> None:
    assert classify(8, 3, [0xFF95, 0xFFB7, 0, 0xFF51, 0, 0x61, 0x61, 0x41, 0]) == {8, 10}


def test_an_empty_table_has_no_typing_keys() -> None:
    assert classify(8, 0, []) == frozenset()
