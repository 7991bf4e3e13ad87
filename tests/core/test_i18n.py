"""Lists and running text in the language spoken now."""

import pytest

from biny_desktop.core.i18n import listed, sentences, use_language


@pytest.mark.parametrize(
    ("parts", "text"),
    [
        (("One.", "", "Two."), "One. Two."),
        (("一。", "二。"), "一。二。"),
        (("一。", "Two.", "三。"), "一。Two. 三。"),
        (("", "One."), "One."),
        ((), ""),
    ],
)
def test_no_space_follows_a_full_width_mark(parts: tuple[str, ...], text: str) -> None:
    assert sentences(*parts) == text


def test_a_list_leaves_out_what_is_empty() -> None:
    assert listed(("one", "", "two")) == "one, two"


def test_a_list_has_the_comma_of_the_language() -> None:
    use_language("zh_CN")
    try:
        assert listed(("一", "二")) == "一、二"
    finally:
        use_language("en")
