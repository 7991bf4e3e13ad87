"""Opening a home so that it always opens: what a kill left is ended first, a damaged database is rescued, once."""

import logging
from dataclasses import dataclass

from biny_desktop.activity.index import prepare_index
from biny_desktop.activity.rescue import relink_pictures
from biny_desktop.activity.segments.index import prepare_segment_index
from biny_desktop.core.clock import Clock
from biny_desktop.core.errors import StorageError, WrongKeyError
from biny_desktop.storage.damage import is_damaged, is_under_way, rescue, shows_damage
from biny_desktop.storage.database import Database, open_database, suspicion_of
from biny_desktop.storage.file_lock import held
from biny_desktop.storage.first_page import remember
from biny_desktop.storage.folders import Folders
from biny_desktop.storage.keys import Key, Keyring, obtain, stored_key, use_key
from biny_desktop.storage.migrate import migrate
from biny_desktop.storage.pictures import PictureFiles
from biny_desktop.storage.presence import Presence, in_use, sweep
from biny_desktop.storage.rekey import Change, resume
from biny_desktop.storage.restore import finish_restore

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class OpenedHome:
    """Database (newest schema, index ready), its key, the pictures, and the sign that somebody is here."""

    database: Database
    key: Key
    files: PictureFiles
    presence: Presence


def open_home(folders: Folders, keyring: Keyring, clock: Clock, *, encrypt_new: bool) -> OpenedHome:
    """Open or make a home.

    After an unclean exit, or when the last run met damage, the whole database is checked; a damaged one is set aside
    and its readable rows go on (`storage.damage.reports` says what was lost).

    Raises:
        WrongKeyError: the key is missing or another one. NewerDatabaseError: a newer app wrote it.
        StorageError: it cannot be used.
    """
    with held(folders.data / "open.lock"):  # two first starts must not both make a key, a database, an index
        finish_restore(folders)
        change = resume(folders, keyring)
        unclean = sweep(folders)
        key = obtain(folders, keyring, encrypt_new=encrypt_new)
        suspected = unclean or suspicion_of(folders.database_file).exists()
        if is_under_way(folders) or (suspected and _must_rescue(folders, key)):
            _rescue(folders, key, clock)
        presence = Presence(folders)
        try:
            database = _open(folders, key, clock, presence)
        except BaseException:
            presence.leave()
            raise
        if not key.proved and key.secret is not None:
            use_key(folders, key)  # a home of an older version: its key has just proved itself
    former = _former(folders, keyring, change)
    return OpenedHome(database, key, PictureFiles(folders.pictures, key.secret, former=former), presence)


def _open(folders: Folders, key: Key, clock: Clock, presence: Presence) -> Database:
    try:
        return _prepared(folders, key)
    except StorageError as error:
        presence.leave()
        if not shows_damage(error) or not _must_rescue(folders, key):
            raise
        _rescue(folders, key, clock)
        presence.enter()
        return _prepared(folders, key)


def _prepared(folders: Folders, key: Key) -> Database:
    database = open_database(folders.database_file, key.secret)
    try:
        migrate(database)
        prepare_index(database)
        prepare_segment_index(database)
        remember(database)
    except BaseException:
        database.close()
        raise
    return database


def _must_rescue(folders: Folders, key: Key) -> bool:
    """Whether the database has to be rescued now. While others have it open it cannot be: the next opening will."""
    if not is_damaged(folders, key):
        suspicion_of(folders.database_file).unlink(missing_ok=True)
        return False
    if in_use(folders):
        log.error("the database is damaged and in use; it is rescued when it is opened next")
        suspicion_of(folders.database_file).touch(mode=0o600)
        return False
    return True


def _rescue(folders: Folders, key: Key, clock: Clock) -> None:
    files = PictureFiles(folders.pictures, key.secret)
    rescue(
        folders, key, clock.now_ms(), lambda database: log.info("%d pictures found", relink_pictures(database, files))
    )


def _former(folders: Folders, keyring: Keyring, change: Change | None) -> bytes | None:
    """The key before a change that is not over; without it the pictures that still have it cannot be shown."""
    if change is None:
        return None
    try:
        return stored_key(folders, keyring, change.old).secret
    except WrongKeyError as error:
        log.warning("the key before the change is not here (%s)", error.kind)
        return None
