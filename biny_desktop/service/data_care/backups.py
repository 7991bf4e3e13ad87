"""Back up, prove, restore, and rehearse a restore: each with progress, cancel and a receipt."""

import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path

from biny_desktop.activity.index import prepare_index
from biny_desktop.activity.picture_store import known_paths
from biny_desktop.activity.segments.index import prepare_segment_index
from biny_desktop.core.clock import Clock
from biny_desktop.core.errors import InvalidInputError, StorageError, WrongKeyError
from biny_desktop.service.data_care.closed import closed_home
from biny_desktop.service.product import Product
from biny_desktop.storage import recovery_key
from biny_desktop.storage.backup import FreeSpace, free_bytes, make_backup, read_manifest
from biny_desktop.storage.check_backup import CheckReceipt, check_backup
from biny_desktop.storage.connections import connect, problems
from biny_desktop.storage.database import open_database
from biny_desktop.storage.faults import explained
from biny_desktop.storage.folders import Folders, prepare, resolve
from biny_desktop.storage.keys import Identity, Keyring, fingerprint, keep_key, read_identity, stored_key
from biny_desktop.storage.migrate import migrate
from biny_desktop.storage.progress import UNWATCHED, Watch
from biny_desktop.storage.restore import Restored, restore_backup


@dataclass(frozen=True, slots=True)
class BackupReceipt:
    """A backup that was made: `missing` rows whose picture was gone already."""

    folder: str
    files: int
    bytes: int
    rows: int
    encrypted: bool
    missing: int


@dataclass(frozen=True, slots=True)
class RestoreReceipt:
    """A restored home: `key_here` says whether it opens here, or first wants the recovery key."""

    files: int
    bytes: int
    encrypted: bool
    key_here: bool
    aside: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DrillReceipt:
    """A rehearsed restore, thrown away again: what the check of the backup said, and how long all of it took."""

    check: CheckReceipt
    ms: int

    @property
    def ok(self) -> bool:
        """The backup can be restored and opened here."""
        return self.check.ok and self.check.opened


def back_up(product: Product, target: Path, watch: Watch = UNWATCHED, free: FreeSpace = free_bytes) -> BackupReceipt:
    """Back an open home up, beside whatever else uses it. Raises as `storage.backup.make_backup`."""
    manifest = make_backup(
        product.folders, product.database, product.key, known_paths, target, product.clock.now_ms(), watch, free
    )
    return BackupReceipt(
        str(target.absolute()), len(manifest.files), manifest.bytes, sum(manifest.rows.values()), manifest.encrypted,
        manifest.missing,
    )  # fmt: skip


def verify(
    folders: Folders, keyring: Keyring, backup: Path, watch: Watch = UNWATCHED, *, recovery: str = "",
    pictures: bool = False,
) -> CheckReceipt:  # fmt: skip
    """Prove a backup; without its key on this machine (and without `recovery`) only the hashes are.

    Raises:
        InvalidInputError: it is no backup, or `recovery` is no key. WrongKeyError: `recovery` is another key.
    """
    secret = _secret(folders, keyring, backup, recovery)
    return check_backup(backup, secret, known_paths, watch, pictures=pictures)


def restore(
    folders: Folders, keyring: Keyring, clock: Clock, backup: Path, watch: Watch = UNWATCHED, *, recovery: str = "",
    starting: bool = False, free: FreeSpace = free_bytes,
) -> RestoreReceipt:  # fmt: skip
    """Put a backup in the place of this home; what was there is set aside.

    Args:
        starting: the caller is the app between two openings and has the instance lock already.

    Raises:
        UnavailableError: the home is open. InvalidInputError, WrongKeyError, DiskFullError, CancelledError: unchanged.
        StorageError: see `storage.restore.restore_backup`.
    """
    with closed_home(folders, starting=starting):
        secret = _secret(folders, keyring, backup, recovery)
        done: Restored = restore_backup(backup, folders, clock.now_ms(), watch, free)
        if done.encrypted and recovery and secret is not None:
            keep_key(folders, keyring, done.database_id, secret)
    return RestoreReceipt(done.files, done.bytes, done.encrypted, not done.encrypted or secret is not None, done.aside)


def drill(
    folders: Folders, keyring: Keyring, clock: Clock, backup: Path, watch: Watch = UNWATCHED, *, recovery: str = "",
    free: FreeSpace = free_bytes,
) -> DrillReceipt:  # fmt: skip
    """Restore into a temporary folder, open it as the app would, look at every picture, and throw it away.

    Raises: as `verify`; StorageError: it cannot be restored or opened.
    """
    started = clock.mono_ms()
    secret = _secret(folders, keyring, backup, recovery)
    receipt = check_backup(backup, secret, known_paths, watch, pictures=True)
    if receipt.ok and receipt.opened:
        with explained("Making a temporary folder"):
            base = Path(tempfile.mkdtemp(prefix="biny-drill-"))
        try:
            there = prepare(resolve(base / "home"))
            restore_backup(backup, there, clock.now_ms(), watch, free)
            _open_as_the_app(there, secret if receipt.encrypted else None)
        finally:
            shutil.rmtree(base, ignore_errors=True)
    return DrillReceipt(receipt, clock.mono_ms() - started)


def _open_as_the_app(folders: Folders, secret: bytes | None) -> None:
    database = open_database(folders.database_file, secret)
    try:
        migrate(database)
        prepare_index(database)
        prepare_segment_index(database)
    finally:
        database.close()
    connection = connect(folders.database_file, secret)
    try:
        found = problems(connection)
    finally:
        connection.close()
    if found:
        raise InvalidInputError("The backup does not open whole", found[0], "Make a new one.")


def _secret(folders: Folders, keyring: Keyring, backup: Path, recovery: str) -> bytes | None:
    """The key of a backup: typed, else found here under its id; None when it is plain or its key is not here."""
    read_manifest(backup)
    try:
        identity = read_identity(backup / "biny.json")
    except StorageError:  # its hash will tell
        return None
    if recovery:
        secret = recovery_key.from_text(recovery)
        if identity.fingerprint and fingerprint(secret) != identity.fingerprint:
            raise WrongKeyError("The key does not fit", "It belongs to another database.", "Nothing was changed.")
        return secret
    for place in (identity.place, "file"):
        try:
            return stored_key(folders, keyring, Identity(identity.database_id, place, identity.fingerprint)).secret
        except WrongKeyError:
            continue
    return None
