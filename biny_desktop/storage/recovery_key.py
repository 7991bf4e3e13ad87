"""The recovery key: the database key in a form that a person can print, read aloud and type.

52 letters and digits of Crockford's base 32 (no I, L, O, U; small letters and look-alikes are understood) and four that
check them, in 14 groups of four. Words were rejected: a list in one language is no help to people of another.
"""

import hashlib
from typing import Final

from biny_desktop.core.errors import InvalidInputError
from biny_desktop.storage.keys import KEY_BYTES

_ALPHABET: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_LOOK_ALIKES: Final = str.maketrans({"I": "1", "L": "1", "O": "0"})
_DIGITS: Final = 52
"""32 bytes are 256 bits, 5 bits a digit."""
_CHECK_DIGITS: Final = 4
"""20 bits: a mistyped key passes once in a million; the database itself then refuses it."""
_GROUP: Final = 4


def to_text(secret: bytes) -> str:
    """The key as `XXXX-XXXX-…`, 14 groups."""
    text = _digits(int.from_bytes(secret), _DIGITS)
    text += _check(text)
    return "-".join(text[start : start + _GROUP] for start in range(0, len(text), _GROUP))


def from_text(text: str) -> bytes:
    """The 32 bytes of a typed key; blanks, dashes and case do not matter.

    Raises:
        InvalidInputError: it is too short or long, holds another sign, or its check does not fit.
    """
    kept = "".join(c for c in text.upper() if not c.isspace() and c not in "-–—_.").translate(_LOOK_ALIKES)
    strange = sorted({c for c in kept if c not in _ALPHABET})
    if strange:
        raise _refused(f"It holds {' '.join(strange)}, which no recovery key has.")
    if len(kept) != _DIGITS + _CHECK_DIGITS:
        raise _refused(f"It has {len(kept)} letters and digits instead of {_DIGITS + _CHECK_DIGITS}.")
    body = kept[:_DIGITS]
    number = 0
    for digit in body:
        number = number * 32 + _ALPHABET.index(digit)
    if _check(body) != kept[_DIGITS:] or number >= 1 << (8 * KEY_BYTES):
        raise _refused("There is a typing error in it: its last group does not fit the others.")
    return number.to_bytes(KEY_BYTES)


def _check(body: str) -> str:
    digest = hashlib.blake2b(body.encode(), digest_size=8, person=b"biny-recovery").digest()
    return _digits(int.from_bytes(digest) % 32**_CHECK_DIGITS, _CHECK_DIGITS)


def _digits(number: int, count: int) -> str:
    return "".join(_ALPHABET[(number >> (5 * place)) & 31] for place in reversed(range(count)))


def _refused(why: str) -> InvalidInputError:
    return InvalidInputError("This is no recovery key", why, "Type it as it was printed; nothing was changed.")
