"""Sealed bytes open only with their secret, for their purpose, under their name."""

import pytest

from biny_desktop.storage.sealing import is_sealed, seal, unseal

SECRET = bytes(range(32))


def test_what_was_sealed_comes_back() -> None:
    data = seal(SECRET, "turns", b"the ferry", "a.json.sealed")
    assert is_sealed(data)
    assert b"ferry" not in data
    assert unseal(SECRET, "turns", data, "a.json.sealed") == b"the ferry"
    assert seal(SECRET, "turns", b"the ferry", "a.json.sealed") != data, "never twice the same bytes"


@pytest.mark.parametrize(
    ("secret", "purpose", "name"),
    [(bytes(32), "turns", "a"), (SECRET, "pictures", "a"), (SECRET, "turns", "b")],
)
def test_another_key_purpose_or_name_does_not_open_it(secret: bytes, purpose: str, name: str) -> None:
    assert unseal(secret, purpose, seal(SECRET, "turns", b"x", "a"), name) is None


@pytest.mark.parametrize("change", [slice(0, 1), slice(12, 13), slice(-1, None)])
def test_changed_or_cut_bytes_do_not_open(change: slice) -> None:
    data = bytearray(seal(SECRET, "turns", b"x" * 40, "a"))
    data[change] = bytes([data[change][0] ^ 1])
    assert unseal(SECRET, "turns", bytes(data), "a") is None
    for short in (b"", bytes(data[:9]), bytes(data[:21])):
        assert unseal(SECRET, "turns", short, "a") is None
