"""Changes the key of a database file: encryption on, off, or another key, with both keys at hand until it is over.

SQLite3MC can re-key in place, but from plain to encrypted not under WAL (measured), and a killed re-key in place would
leave pages under two keys. So the file is copied, the copy re-keyed and checked, and one rename changes over. Before
the rename the journal leads back, after it forward; the pictures follow one by one, each readable at any time.
"""

import contextlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

import apsw

from biny_desktop.core.errors import StorageError, UnavailableError
from biny_desktop.storage.atomic import TEMP_SUFFIX, FileOps, RealFileOps, write_atomic
from biny_desktop.storage.connections import connect, fits, require_whole, row_counts
from biny_desktop.storage.faults import explained
from biny_desktop.storage.first_page import note_of
from biny_desktop.storage.folders import Folders
from biny_desktop.storage.keys import Identity, Key, Keyring, identity_of, stored_key, use_key
from biny_desktop.storage.progress import Watch

Step = Literal["database", "pictures"]
_COPY_PAGES: Final = 1_000
"""Pages copied between two looks at the wish to stop (4 MB)."""


@dataclass(frozen=True, slots=True)
class Change:
    """A change of keys under way: from, to, and what is being changed over."""

    old: Identity
    new: Identity
    step: Step


def journal_of(folders: Folders) -> Path:
    """The journal; it names ids and places of both keys, never a key."""
    return folders.data / "rekey.json"


def pending(folders: Folders) -> Change | None:
    """The change that is under way, or was when the app was killed.

    Raises:
        StorageError: the journal cannot be read.
    """
    with explained("Reading the re-key journal"):
        try:
            raw = journal_of(folders).read_bytes()
        except FileNotFoundError:
            return None
    try:
        content = json.loads(raw)
        old, new = (Identity(c["id"], c["key"], c["check"]) for c in (content["old"], content["new"]))
        step: Step = "pictures" if content["step"] == "pictures" else "database"
    except (ValueError, KeyError, TypeError) as error:
        raise StorageError("rekey.json is damaged", "It does not name the keys.", "Restore a backup.") from error
    return Change(old, new, step)


def change_database(folders: Folders, old: Key, new: Key, watch: Watch, ops: FileOps | None = None) -> None:
    """Put the database under another key; afterwards the pictures are due (`pending().step`).

    The caller holds the locks of the home and has stored the new key. Needs free space of the size of the database.

    Raises:
        UnavailableError: another process uses the database.
        CancelledError, DiskFullError, StorageError: it is as before.
    """
    ops = ops or RealFileOps()
    _write(folders, Change(identity_of(old), identity_of(new), "database"), ops)
    try:
        _alone(folders.database_file, old.secret)
        _copy(folders.database_file, _copy_of(folders), old.secret, watch)
        _convert(_copy_of(folders), old.secret, new.secret, watch)
        with explained("Changing over to the re-keyed database"):
            ops.sync(_copy_of(folders))
            ops.rename(_copy_of(folders), folders.database_file)
    except BaseException:
        settle_database(folders, old, new, ops)
        raise
    settle_database(folders, old, new, ops)


def settle_database(folders: Folders, old: Key, new: Key, ops: FileOps | None = None) -> bool:
    """After a kill: decide by the key that opens the file; True when the new one does and the pictures are due.

    Raises:
        StorageError: it cannot be told, both keys stay named in the journal.
    """
    ops = ops or RealFileOps()
    with explained("Settling a change of keys"):
        done = fits(folders.database_file, new.secret)
        if done:
            ops.sync(folders.data)
            use_key(folders, new)
            note_of(folders.database_file).unlink(missing_ok=True)  # a re-keyed file is laid out anew
            _write(folders, Change(identity_of(old), identity_of(new), "pictures"), ops)
        for left in (_copy_of(folders), _copy_of(folders).with_name(_copy_of(folders).name + "-journal")):
            with contextlib.suppress(FileNotFoundError):
                ops.unlink(left)
        if not done:
            finish(folders, ops)
    return done


def resume(folders: Folders, keyring: Keyring) -> Change | None:
    """At every opening: settle what a kill left of the database; returns the change whose pictures are still due.

    Raises:
        WrongKeyError: one of the two keys cannot be found. StorageError: see `settle_database`.
    """
    change = pending(folders)
    if change is None:
        with explained("Settling a change of keys"):
            part = journal_of(folders).name + TEMP_SUFFIX
            journal_of(folders).with_name(part).unlink(missing_ok=True)
    if change is None or change.step == "pictures":
        return change
    old, new = stored_key(folders, keyring, change.old), stored_key(folders, keyring, change.new)
    settle_database(folders, old, new)
    return pending(folders)


def finish(folders: Folders, ops: FileOps | None = None) -> None:
    """The change is over: forget the journal. The old key stays where it is kept, old backups need it."""
    ops = ops or RealFileOps()
    with explained("Ending a change of keys"), contextlib.suppress(FileNotFoundError):
        ops.unlink(journal_of(folders))
        ops.sync(folders.data)


def convert_file(path: Path, old: bytes | None, new: bytes | None, ops: FileOps | None = None) -> None:
    """Re-key a database that nobody has open (a copy made before a migration), by way of a copy.

    Raises:
        StorageError: it is as before.
    """
    ops = ops or RealFileOps()
    copy = path.with_name(path.name + ".rekey")
    with explained("Changing the key of a copy"):
        copy.unlink(missing_ok=True)
    try:
        _copy(path, copy, old, Watch())
        _convert(copy, old, new, Watch())
        with explained("Changing the key of a copy"):
            ops.sync(copy)
            ops.rename(copy, path)
    finally:
        with contextlib.suppress(OSError):
            copy.unlink(missing_ok=True)


def _copy_of(folders: Folders) -> Path:
    return folders.database_file.with_name("biny.db.rekey")


def _alone(path: Path, secret: bytes | None) -> None:
    """Leave WAL mode: works only for the last connection, and folds the log into the file."""
    with explained("Looking whether the database is in use"):
        connection = connect(path, secret)
        try:
            mode = connection.execute("PRAGMA journal_mode=DELETE").fetchone()
        except (apsw.BusyError, apsw.LockedError) as error:
            raise UnavailableError(
                "The database is in use", "Another program of Biny has it open.", "Quit it, then try again."
            ) from error
        finally:
            connection.close()
    if mode is None or mode[0] != "delete":
        raise StorageError("The database cannot be changed over", "It stays in WAL mode.", "Try again.")


def _copy(source: Path, target: Path, secret: bytes | None, watch: Watch) -> None:
    with explained("Copying the database"):
        target.unlink(missing_ok=True)
        target.touch(mode=0o600)
        old = connect(source, secret)
        new = connect(target, secret)
        try:
            with new.backup("main", old, "main") as work:
                while not work.done:
                    work.step(_COPY_PAGES)
                    watch.at("database", work.page_count - work.remaining, work.page_count)
        finally:
            new.close()
            old.close()


def _convert(path: Path, old: bytes | None, new: bytes | None, watch: Watch) -> None:
    """Re-key a private copy and prove that it holds the same rows. No journal: killed, the copy is thrown away."""
    connection = connect(path, old)
    with explained("Changing the key of the database"):
        try:
            connection.execute("PRAGMA journal_mode=OFF")
            before = row_counts(connection)
            if new is None:
                connection.execute("PRAGMA rekey=''")
            else:
                connection.execute("PRAGMA cipher='chacha20'")
                connection.execute(f"PRAGMA rekey='raw:{new.hex()}'")
        finally:
            connection.close()
    watch.at("check", 0, 1)
    checked = connect(path, new, still=True)
    try:
        require_whole(checked, "The re-keyed copy")
        if row_counts(checked) != before:
            raise StorageError("The database was not re-keyed", "The copy holds other rows.", "Nothing was changed.")
    finally:
        checked.close()
    watch.at("check", 1, 1)


def _write(folders: Folders, change: Change, ops: FileOps) -> None:
    def named(identity: Identity) -> dict[str, str]:
        return {"id": identity.database_id, "key": identity.place, "check": identity.fingerprint}

    content = {"old": named(change.old), "new": named(change.new), "step": change.step}
    write_atomic(journal_of(folders), json.dumps(content).encode(), ops)
