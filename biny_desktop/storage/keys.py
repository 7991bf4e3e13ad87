"""The database key: 32 random bytes in the system keyring, or in a file when there is no keyring (then said aloud).

Every key has an id of its own, and a key is never overwritten: after a change of keys the old one still opens old
backups. `biny.json` names the id of the database and holds a fingerprint, so that a damaged first page is not mistaken
for a wrong key.
"""

import binascii
import hashlib
import json
import logging
import re
import secrets
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal, Protocol

from biny_desktop.core.errors import StorageError, WrongKeyError
from biny_desktop.storage.atomic import write_atomic
from biny_desktop.storage.faults import explained
from biny_desktop.storage.folders import Folders, check_file

log = logging.getLogger(__name__)
SERVICE = "biny-desktop"
KEY_BYTES = 32
_ID: Final = re.compile(r"^[0-9a-f]{1,64}$")
"""Ids are made here, but come back from files: no other text becomes part of a file name."""
KeyPlace = Literal["keyring", "file", "none"]


class Keyring(Protocol):
    """The calls of the system keyring; a fault of any kind is an exception."""

    def get(self, user: str) -> str | None:
        """The secret, or None when there is none."""
        ...

    def set(self, user: str, secret: str) -> None:
        """Keep a secret."""
        ...

    def forget(self, user: str) -> None:
        """Remove a secret; one that is not there is no fault."""
        ...


class SystemKeyring:
    """The keyring of this session, through the `keyring` package (imported on first use: it is slow to load)."""

    def get(self, user: str) -> str | None:
        import keyring

        return keyring.get_password(SERVICE, user)

    def set(self, user: str, secret: str) -> None:
        import keyring

        keyring.set_password(SERVICE, user, secret)

    def forget(self, user: str) -> None:
        import keyring

        if keyring.get_password(SERVICE, user) is not None:
            keyring.delete_password(SERVICE, user)


@dataclass(frozen=True, slots=True)
class Key:
    """`secret` 32 bytes, or None when the database is plain; `place` where it is kept; `database_id` names it there.

    `proved`: the fingerprint beside the database says that this is the key it was made with.
    """

    secret: bytes | None
    place: KeyPlace
    database_id: str
    proved: bool = field(default=False, compare=False)


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
        key = make_key(folders, keyring, encrypted=encrypt_new)
        use_key(folders, key)
        return key
    return stored_key(folders, keyring, read_identity(identity))


@dataclass(frozen=True, slots=True)
class Identity:
    """What `biny.json` says: the id of the key, where it is kept, and its fingerprint (empty in older files)."""

    database_id: str
    place: KeyPlace
    fingerprint: str = ""

    def as_bytes(self) -> bytes:
        """The file's content; holds no secret."""
        return json.dumps({"id": self.database_id, "key": self.place, "check": self.fingerprint}).encode()


def identity_of(key: Key) -> Identity:
    """How a key is named beside its database."""
    return Identity(key.database_id, key.place, fingerprint(key.secret))


def fingerprint(secret: bytes | None) -> str:
    """16 hexadecimal digits that tell keys apart and reveal nothing of a random 32-byte key; empty without one."""
    return "" if secret is None else hashlib.blake2b(secret, digest_size=8, person=b"biny-key-check").hexdigest()


def stored_key(folders: Folders, keyring: Keyring, identity: Identity) -> Key:
    """The key that an identity names, from where it is kept.

    Raises:
        WrongKeyError: it cannot be found, or is another one than the database was made with.
    """
    if identity.place == "none":
        return Key(None, "none", identity.database_id, proved=True)
    place = identity.place
    if place == "keyring":
        try:
            text = _from_keyring(keyring, identity.database_id)
        except WrongKeyError:
            if not _own_file(folders, identity.database_id).exists():
                raise
            place, text = "file", _from_file(_own_file(folders, identity.database_id))  # imported where no keyring is
    else:
        text = _from_file(_key_file(folders, identity.database_id))
    secret = _decode(text)
    if identity.fingerprint and fingerprint(secret) != identity.fingerprint:
        raise WrongKeyError("The key does not fit", "The key found here belongs to another database.", _KEYRING_HINT)
    return Key(secret, place, identity.database_id, proved=bool(identity.fingerprint))


def make_key(folders: Folders, keyring: Keyring, *, encrypted: bool) -> Key:
    """A new id and (when `encrypted`) a new key, kept but not yet in use.

    Raises:
        StorageError: it cannot be kept.
    """
    database_id = new_id()
    if not encrypted:
        return Key(None, "none", database_id, proved=True)
    return keep_key(folders, keyring, database_id, secrets.token_bytes(KEY_BYTES))


def keep_key(folders: Folders, keyring: Keyring, database_id: str, secret: bytes) -> Key:
    """Keep a key under an id: in the keyring, else in a file.

    Raises:
        StorageError: neither works.
    """
    return Key(secret, _store(folders, keyring, database_id, secret.hex()), database_id, proved=True)


def new_id() -> str:
    """An id for a key."""
    return secrets.token_hex(8)


def use_key(folders: Folders, key: Key) -> None:
    """Name a key as the one of this home's database. Raises StorageError."""
    write_atomic(folders.identity_file, identity_of(key).as_bytes())


def _store(folders: Folders, keyring: Keyring, database_id: str, text: str) -> KeyPlace:
    user = f"database:{database_id}"
    try:
        keyring.set(user, text)
        if keyring.get(user) == text:
            return "keyring"
    except Exception as error:  # every keyring back end has its own exceptions; any of them means: no keyring
        log.info("no usable keyring (%s); the key is kept in a file", type(error).__name__)
    path = _new_key_file(folders, database_id)
    check_file(path)
    write_atomic(path, text.encode())
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
            raise WrongKeyError("The key is missing", f"{path.name} is not there.", _FILE_HINT)
        return path.read_text(encoding="ascii", errors="replace").strip()


def _decode(text: str) -> bytes:
    try:
        secret = binascii.unhexlify(text)
    except (binascii.Error, ValueError) as error:
        raise WrongKeyError("The key is damaged", "It is not 64 hexadecimal digits.", _KEYRING_HINT) from error
    if len(secret) != KEY_BYTES:
        raise WrongKeyError("The key is damaged", f"It has {len(secret)} bytes instead of {KEY_BYTES}.", _KEYRING_HINT)
    return secret


def read_identity(path: Path) -> Identity:
    """The identity in a `biny.json` (of a home or of a backup).

    Raises:
        StorageError: it cannot be read or is damaged.
    """
    with explained("Reading biny.json"):
        raw = path.read_bytes()
    try:
        content = json.loads(raw)
        database_id, place, check = str(content["id"]), content["key"], str(content.get("check", ""))
    except (ValueError, KeyError, TypeError) as error:
        raise StorageError("biny.json is damaged", "It does not name the database.", "Restore it.") from error
    if place not in ("keyring", "file", "none") or not _ID.match(database_id):
        raise StorageError("biny.json is damaged", "It does not say which key it is, or where.", "Restore it.")
    return Identity(database_id, place, check)


def _own_file(folders: Folders, database_id: str) -> Path:
    return folders.config / f"biny.key.{database_id}"


def _key_file(folders: Folders, database_id: str) -> Path:
    """The file of this id where there is one, else the one of the home's first key."""
    own = _own_file(folders, database_id)
    return own if own.exists() else folders.config / "biny.key"


def _new_key_file(folders: Folders, database_id: str) -> Path:
    first = folders.config / "biny.key"
    begun = first.exists() or folders.identity_file.exists()
    return _own_file(folders, database_id) if begun else first


_KEYRING_HINT = "Unlock the keyring or import the recovery key; the data stays as it is."
_FILE_HINT = "Put the key file back or import the recovery key; the data stays as it is."
