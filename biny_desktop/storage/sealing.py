"""Sealing of files beside an encrypted database: AES-GCM, key derived from the database key, bound to the name."""

import functools
import os
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

MAGIC: Final = b"BINYSEAL\x01"
SEALED: Final = ".sealed"
"""What the names of sealed files end with."""
_NONCE_BYTES = 12


def is_sealed(data: bytes) -> bool:
    """Whether these bytes say that they are sealed."""
    return data.startswith(MAGIC)


def seal(secret: bytes, purpose: str, data: bytes, name: str) -> bytes:
    """The sealed bytes; they open only with this secret, for this purpose (`pictures`), under this name."""
    nonce = os.urandom(_NONCE_BYTES)
    return MAGIC + nonce + _cipher(secret, purpose).encrypt(nonce, data, name.encode())


def unseal(secret: bytes, purpose: str, data: bytes, name: str) -> bytes | None:
    """What was sealed, or None when this secret did not seal these bytes for this purpose under this name."""
    from cryptography.exceptions import InvalidTag

    body = data[len(MAGIC) :]
    if not is_sealed(data) or len(body) <= _NONCE_BYTES:
        return None
    try:
        return _cipher(secret, purpose).decrypt(body[:_NONCE_BYTES], body[_NONCE_BYTES:], name.encode())
    except InvalidTag:
        return None


@functools.lru_cache(maxsize=8)
def _cipher(secret: bytes, purpose: str) -> "AESGCM":
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM
    from cryptography.hazmat.primitives.kdf.hkdf import HKDF

    return AESGCM(HKDF(hashes.SHA256(), 32, salt=None, info=f"biny-desktop {purpose}".encode()).derive(secret))
