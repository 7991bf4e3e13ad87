"""Encryption on, off, or under another key: database, pictures and the copies that lie about, then the setting."""

import contextlib
import json
import logging
import shutil
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from biny_desktop.activity.reseal import reseal_pictures
from biny_desktop.conversation.turns.store import TurnStore
from biny_desktop.core.clock import Clock
from biny_desktop.core.errors import BinyError, DiskFullError, InvalidInputError, StorageError
from biny_desktop.service.data_care.closed import closed_home
from biny_desktop.storage.backup import ASIDE, SPARE_BYTES, FreeSpace, free_bytes
from biny_desktop.storage.connections import fits
from biny_desktop.storage.damage import reports
from biny_desktop.storage.database import open_database
from biny_desktop.storage.faults import explained
from biny_desktop.storage.folders import Folders
from biny_desktop.storage.keys import Key, KeyPlace, Keyring, make_key, read_identity, stored_key
from biny_desktop.storage.migrate import migrate
from biny_desktop.storage.pictures import PictureFiles
from biny_desktop.storage.progress import UNWATCHED, Watch
from biny_desktop.storage.rekey import change_database, convert_file, finish, pending, resume
from biny_desktop.storage.restore import finish_restore
from biny_desktop.storage.settings_file import set_value

log = logging.getLogger(__name__)
Mode = Literal["on", "off", "rekey"]


@dataclass(frozen=True, slots=True)
class EncryptionReceipt:
    """How it is now, and what was done: pictures written again, not openable, copies re-keyed, old files removed."""

    changed: bool
    encrypted: bool
    key_place: KeyPlace
    pictures: int
    pictures_failed: int
    copies: int
    removed: tuple[str, ...]


def change_encryption(
    folders: Folders, keyring: Keyring, clock: Clock, mode: Mode, watch: Watch = UNWATCHED, *,
    starting: bool = False, free: FreeSpace = free_bytes,
) -> EncryptionReceipt:  # fmt: skip
    """Bring a closed home to another state; an earlier change that was stopped is ended first.

    Stopped or killed before the database is changed over, nothing has changed; after that the home opens as it will be,
    and the pictures that are left follow at the next start of the app or with the same command.

    Raises:
        UnavailableError: somebody has the home open. InvalidInputError: there is nothing to do it on.
        CancelledError, DiskFullError, StorageError: see above.
    """
    with closed_home(folders, starting=starting):
        receipt = _finish_earlier(folders, keyring, clock, watch)
        key = _key_now(folders, keyring)
        if mode == "rekey" and key.secret is None:
            raise InvalidInputError("There is no key to change", "Encryption is off.", "biny data encrypt on")
        if (mode == "on") != (key.secret is None) and mode != "rekey":
            _follow(folders, mode)
            return replace(receipt, encrypted=key.secret is not None, key_place=key.place)
        _require(folders, free)
        database = open_database(folders.database_file, key.secret)
        try:
            migrate(database)
        finally:
            database.close()
        new = make_key(folders, keyring, encrypted=mode != "off")
        change_database(folders, key, new, watch)
        _follow(folders, mode)
        return _finish_pictures(folders, key, new, clock, watch)


def follow_setting(folders: Folders, keyring: Keyring, clock: Clock, *, wanted: bool) -> EncryptionReceipt | None:
    """At the start of the app: end a change that was stopped, and do what `storage.encryption` says by now.

    Returns what was done, None when nothing was due. A fault is logged: the app starts with the home as it is.
    """
    try:
        if not folders.identity_file.exists() or not folders.database_file.exists():
            return None
        is_on = read_identity(folders.identity_file).place != "none"
        if is_on == wanted and pending(folders) is None:
            return None
        return change_encryption(folders, keyring, clock, "on" if wanted else "off", starting=True)
    except BinyError as error:
        log.warning("the change of encryption waits (%s)", error.kind)
        return None


def plain_leftovers(folders: Folders) -> tuple[Path, ...]:
    """Set-aside files and folders that are not encrypted; turning encryption on removes them, so say so before."""
    found = [folders.data / report.aside for report in reports(folders) if not report.encrypted]
    for folder in folders.data.glob(f"{ASIDE}*"):
        with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
            if json.loads((folder / "biny.json").read_bytes())["key"] == "none":
                found.append(folder)
    return tuple(path for path in found if path.exists())


def _finish_earlier(folders: Folders, keyring: Keyring, clock: Clock, watch: Watch) -> EncryptionReceipt:
    finish_restore(folders)
    change = resume(folders, keyring)
    if change is None:
        return EncryptionReceipt(False, False, "none", 0, 0, 0, ())
    old, new = stored_key(folders, keyring, change.old), stored_key(folders, keyring, change.new)
    return _finish_pictures(folders, old, new, clock, watch)


def _key_now(folders: Folders, keyring: Keyring) -> Key:
    if not folders.identity_file.exists() or not folders.database_file.exists():
        raise InvalidInputError("There is no data yet", "The home is empty.", "biny config set storage.encryption …")
    return stored_key(folders, keyring, read_identity(folders.identity_file))


def _require(folders: Folders, free: FreeSpace) -> None:
    if not folders.pictures.is_dir():
        raise StorageError("The pictures folder is gone", "Its pictures belong to it.", "Connect that disk.")
    wal = folders.database_file.with_name("biny.db-wal")
    needed = sum(path.stat().st_size for path in (folders.database_file, wal) if path.exists())
    if free(folders.data) < needed + SPARE_BYTES:
        raise DiskFullError(
            "There is not enough space", f"A second database of {needed / 1e6:.0f} MB is made.", "Free some space."
        )


def _finish_pictures(folders: Folders, old: Key, new: Key, clock: Clock, watch: Watch) -> EncryptionReceipt:
    database = open_database(folders.database_file, new.secret)
    try:
        migrate(database)
        files = PictureFiles(folders.pictures, new.secret, former=old.secret)
        done = reseal_pictures(database, files, clock, watch)
        turns = TurnStore(folders.data / "turns", new.secret, clock, former=old.secret)
        turns.tidy()
        turns.reseal()
    finally:
        database.close()
    copies, removed = _change_copies(folders, old, new)
    if old.secret is None and new.secret is not None:
        removed += _remove(plain_leftovers(folders))
    finish(folders)
    log.info("encryption changed: %d pictures, %d copies, %d removed", done.pictures, copies, len(removed))
    return EncryptionReceipt(
        True, new.secret is not None, new.place, done.pictures, done.failed, copies, tuple(removed)
    )


def _change_copies(folders: Folders, old: Key, new: Key) -> tuple[int, list[str]]:
    """The copies made before migrations follow; one that no key of these opens is removed if it may be plain."""
    changed, removed = 0, []
    for path in sorted((folders.data / "backups").glob("*.db")):
        try:
            if fits(path, new.secret):
                continue
            convert_file(path, old.secret, new.secret)
            changed += 1
        except DiskFullError:
            raise
        except StorageError as error:
            log.warning("a copy from before a migration cannot be re-keyed (%s)", error.kind)
            if old.secret is None:
                removed += _remove((path,))
    return changed, removed


def _remove(paths: tuple[Path, ...]) -> list[str]:
    with explained("Removing files that are not encrypted"):
        for path in paths:
            if path.is_dir():
                shutil.rmtree(path)
                continue
            for suffix in ("", "-wal", "-shm"):
                path.with_name(path.name + suffix).unlink(missing_ok=True)
    return [path.name for path in paths]


def _follow(folders: Folders, mode: Mode) -> None:
    """The setting says what is; else the next start would change it back."""
    set_value(folders.settings_file, "storage.encryption", "off" if mode == "off" else "on")
