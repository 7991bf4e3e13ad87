"""The recovery key of a home: shown to be kept elsewhere, and typed in where the key was lost."""

from dataclasses import dataclass

from biny_desktop.core.errors import InvalidInputError, WrongKeyError
from biny_desktop.storage import recovery_key
from biny_desktop.storage.connections import fits
from biny_desktop.storage.file_lock import held
from biny_desktop.storage.folders import Folders, prepare
from biny_desktop.storage.keys import (
    KeyPlace,
    Keyring,
    fingerprint,
    keep_key,
    new_id,
    read_identity,
    stored_key,
    use_key,
)
from biny_desktop.storage.rekey import pending


@dataclass(frozen=True, slots=True)
class ImportReceipt:
    """Where the key is kept now, and the id it is kept under."""

    key_place: KeyPlace
    database_id: str


def export_key(folders: Folders, keyring: Keyring) -> str:
    """The recovery key of this home: 14 groups of four.

    Raises:
        InvalidInputError: there is none, the home is empty or not encrypted. WrongKeyError: the key is not here.
    """
    if not folders.identity_file.exists():
        raise InvalidInputError("There is no data yet", "The home is empty.", "Start the app first.")
    secret = stored_key(folders, keyring, read_identity(folders.identity_file)).secret
    if secret is None:
        raise InvalidInputError("There is no recovery key", "Encryption is off.", "biny data encrypt on")
    return recovery_key.to_text(secret)


def import_key(folders: Folders, keyring: Keyring, text: str) -> ImportReceipt:
    """Keep a typed recovery key, after it has opened the database; the data itself is not touched.

    Raises:
        InvalidInputError: it is no recovery key, or there is no database. WrongKeyError: it belongs to another one.
        StorageError: it cannot be kept.
    """
    secret = recovery_key.from_text(text)
    prepare(folders)
    with held(folders.data / "open.lock"):
        if not folders.database_file.exists():
            raise InvalidInputError("There is no database", "Restore a backup first.", "biny data restore DIR")
        current = read_identity(folders.identity_file) if folders.identity_file.exists() else None
        change = pending(folders)
        known = [*([current] if current else []), *([change.old, change.new] if change else [])]
        named = next((each for each in known if each.fingerprint == fingerprint(secret)), None)
        opens = (named is not None and named == current) or fits(folders.database_file, secret)
        if named is None and not opens:
            raise WrongKeyError("The key does not fit", "It belongs to another database.", "Nothing was changed.")
        if named is None and current is not None and not current.fingerprint:
            named = current
        key = keep_key(folders, keyring, named.database_id if named else new_id(), secret)
        if opens:
            use_key(folders, key)
    return ImportReceipt(key.place, key.database_id)
