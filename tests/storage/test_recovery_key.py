"""The recovery key as a person types it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biny_desktop.core.errors import InvalidInputError
from biny_desktop.storage.recovery_key import from_text, to_text

SECRET = bytes(range(32))


@given(st.binary(min_size=32, max_size=32))
def test_a_key_comes_back_from_its_printed_form(secret: bytes) -> None:
    text = to_text(secret)
    assert len(text.split("-")) == 14
    assert from_text(text) == secret


def test_case_blanks_dashes_and_look_alikes_do_not_matter() -> None:
    text = to_text(SECRET)
    assert from_text("  " + text.lower().replace("-", " ") + "\n") == SECRET
    assert from_text(text.replace("0", "o").replace("1", "l")) == SECRET
    assert from_text(text.replace("-", "–")) == SECRET


@given(st.integers(0, 55), st.sampled_from("0123456789ABCDEFGHJKMNPQRSTVWXYZ"))
def test_one_wrong_sign_is_noticed(place: int, sign: str) -> None:
    plain = to_text(SECRET).replace("-", "")
    if plain[place] != sign:
        with pytest.raises(InvalidInputError):
            from_text(plain[:place] + sign + plain[place + 1 :])


def test_two_swapped_groups_are_noticed() -> None:
    groups = to_text(SECRET).split("-")
    groups[2], groups[5] = groups[5], groups[2]
    with pytest.raises(InvalidInputError, match="typing error"):
        from_text("-".join(groups))


@pytest.mark.parametrize("text", ["", "ABCD", "U" * 56, "密钥", to_text(SECRET) + "0", "Z" * 56])
def test_what_is_no_key_is_refused(text: str) -> None:
    with pytest.raises(InvalidInputError):
        from_text(text)
