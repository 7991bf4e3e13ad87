"""The settings document themselves: `biny config list` prints the declarations, and the README points there.

A table in the README was rejected: it would be a second place to keep true.
"""

from pathlib import Path

import pytest

from biny_desktop.core.settings import Declaration, allowed, declarations

README = Path(__file__).resolve().parents[2] / "README.md"


@pytest.mark.parametrize("item", list(declarations()), ids=lambda item: item.key)
def test_every_setting_says_what_it_does_and_what_it_takes(item: Declaration) -> None:
    assert item.help.endswith((".", ").")), "one or more whole sentences"
    assert item.group_help.endswith(".")
    words = allowed(item.key)
    assert words
    if item.choices:
        assert all(choice in words for choice in item.choices)


def test_both_languages_of_the_readme_point_to_the_list() -> None:
    text = README.read_text(encoding="utf-8")
    assert text.count("`biny config list") == 2
    assert text.count("BINY_GROUP__NAME") == 2
