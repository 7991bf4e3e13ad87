"""Errors keep their English words and are shown in the language spoken now."""

import pytest

from biny_desktop.core.errors import BinyError, WrongKeyError, said, said_in_line
from biny_desktop.core.i18n import use_language

LOST = WrongKeyError("The key is missing", "key.hex is not there.")


@pytest.fixture
def chinese():
    use_language("zh_CN")
    yield
    use_language("en")


@pytest.mark.usefixtures("chinese")
def test_known_words_are_translated_and_made_ones_stay() -> None:
    assert said(LOST) == ("找不到密钥", "key.hex is not there.", "")
    assert said_in_line(LOST) == "找不到密钥。key.hex is not there."
    assert LOST.title == "The key is missing"


def test_in_english_nothing_changes() -> None:
    assert said(LOST) == ("The key is missing", "key.hex is not there.", "")
    assert said_in_line(BinyError("Stopped")) == "Stopped."
