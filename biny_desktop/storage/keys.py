"""The database key: 32 random bytes in the system keyring, or in a file when there is no keyring (then said aloud)."""

import binascii
import json
import logging
import secrets
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol

from biny_desktop.core.errors import StorageError, WrongKeyError
from biny_desktop.storage.atomic import write_atomic
from biny_desktop.storage.faults import explained
from biny_desktop.storage.folders import Folders, check_file

log = logging.getLogger(__name__)
SERVICE = "biny-desktop"
KEY_BYTES = 32
KeyPlace = Literal["keyring", "file", "none"]


class Keyring(Protocol):
    """The three calls of the system keyring; a fault of any kind is an exception."""

    def get(self, user: str) -> str | None:
        """The secret, or None when there is none."""
        ...

    def set(self, user: str, secret: str) -> None:
        """Keep a secret."""
        ...


class SystemKeyring:
    """The keyring of this session, through the `keyring` package (imported on first use: it is slow to load)."""

    def get(self, user: str) -> str | None:
        import keyring

        return keyring.get_password(SERVICE, user)

    def set(self, user: str, secret: str) -> None:
        import keyring

        keyring.set_password(SERVICE, user, secret)


@dataclass(frozen=True, slots=True)
class Key:
    """`secret` 32 bytes, or None when the database is plain; `place` where it is kept; `database_id` names it there."""

    secret: bytes | None
    place: KeyPlace
    database_id: str


def obtain(folders: Folders, keyring: Keyring, *, encrypt_new: bool) -> Key:
    """The key of this home's database; a new home gets a new id and (when `encrypt_new`) a new key.

    Raises:
        WrongKeyError: the database is encrypted and its key cannot be found; nothing is overwritten.
        StorageError: the identity file cannot be read or written.
    """
    identity = folders.identity_file
    check_file(identity)
    if not identity.exists():
        if folders.database_file.exists():
            raise WrongKeyError(
                "The database has lost its identity",
                "biny.db is there, but biny.json beside it is missing, so its key cannot be found.",
                "Put biny.json back from a backup, or move biny.db away to begin anew.",
            )
        return _create(folders, identity, keyring, encrypt_new=encrypt_new)
    database_id, place = _read_identity(identity)
    if place == "none":
        return Key(None, "none", database_id)
    text = _from_keyring(keyring, database_id) if place == "keyring" else _from_file(_key_file(folders))
    return Key(_decode(text), place, database_id)


def _create(folders: Folders, identity: Path, keyring: Keyring, *, encrypt_new: bool) -> Key:
    database_id = secrets.token_hex(8)
    if not encrypt_new:
        key = Key(None, "none", database_id)
    else:
        secret = secrets.token_bytes(KEY_BYTES)
        key = Key(secret, _store(folders, keyring, database_id, secret.hex()), database_id)
    write_atomic(identity, json.dumps({"id": database_id, "key": key.place}).encode())
    return key


def _store(folders: Folders, keyring: Keyring, database_id: str, text: str) -> KeyPlace:
    user = f"database:{database_id}"
    try:
        keyring.set(user, text)
        if keyring.get(user) == text:
            return "keyring"
    except Exception as error:  # every keyring back end has its own exceptions; any of them means: no keyring
        log.info("no usable keyring (%s); the key is kept in a file", type(error).__name__)
    check_file(_key_file(folders))
    write_atomic(_key_file(folders), text.encode())
    return "file"


def _from_keyring(keyring: Keyring, database_id: str) -> str:
    try:
        text = keyring.get(f"database:{database_id}")
    except Exception as error:  # see _store
        raise WrongKeyError(
            "The keyring does not answer", f"The key of the database is in it ({type(error).__name__}).", _KEYRING_HINT
        ) from error
    if text is None:
        raise WrongKeyError("The key is missing", "The system keyring holds no key for this database.", _KEYRING_HINT)
    return text


def _from_file(path: Path) -> str:
    check_file(path)
    with explained("Reading the key file"):
        if not path.exists():
            raise WrongKeyError("The key is missing", f"{path.name} is not there.", "Put the key file back.")
        return path.read_text(encoding="ascii", errors="replace").strip()


def _decode(text: str) -> bytes:
    try:
        secret = binascii.unhexlify(text)
    except (binascii.Error, ValueError) as error:
        raise WrongKeyError("The key is damaged", "It is not 64 hexadecimal digits.", _KEYRING_HINT) from error
    if len(secret) != KEY_BYTES:
        raise WrongKeyError("The key is damaged", f"It has {len(secret)} bytes instead of {KEY_BYTES}.", _KEYRING_HINT)
    return secret


def _read_identity(path: Path) -> tuple[str, KeyPlace]:
    with explained("Reading biny.json"):
        raw = path.read_bytes()
    try:
        content = json.loads(raw)
        database_id, place = str(content["id"]), content["key"]
    except (ValueError, KeyError, TypeError) as error:
        raise StorageError("biny.json is damaged", "It does not name the database.", "Restore it.") from error
    if place not in ("keyring", "file", "none"):
        raise StorageError("biny.json is damaged", "It does not say where the key is.", "Restore it.")
    return database_id, place


def _key_file(folders: Folders) -> Path:
    return folders.config / "biny.key"


_KEYRING_HINT = "Unlock the keyring or import the recovery key; the data stays as it is."
