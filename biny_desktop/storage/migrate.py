"""Brings a database to the newest schema: numbered SQL files, each in one transaction, a backup first."""

import re
from pathlib import Path

from biny_desktop.core.errors import NewerDatabaseError
from biny_desktop.storage.database import Database
from biny_desktop.storage.faults import explained
from biny_desktop.storage.folders import private_folder

_NAME = re.compile(r"^(\d{4})_[a-z0-9_]+\.sql$")
FOLDER = Path(__file__).parent / "migrations"


def migrate(database: Database, folder: Path = FOLDER, *, upto: int | None = None) -> int:
    """Run what is missing (with `upto`, to that schema only); returns the schema version now.

    A database that holds rows is first copied to `backups/before-NNNN.db` beside it (same key).

    Raises:
        NewerDatabaseError: the file was written by a newer app; nothing was changed.
        StorageError: a step failed; the database is as the last whole step left it.
    """
    steps = [step for step in _steps(folder) if upto is None or step[0] <= upto]
    newest = steps[-1][0] if steps else 0
    with database.read() as r:
        row = r.one("PRAGMA user_version")
    version = row.int("user_version") if row else 0
    if version > newest:
        raise NewerDatabaseError(
            "The database is from a newer version",
            f"It has schema {version}, this version knows {newest}.",
            "Install the newer version again; nothing was changed.",
        )
    if 0 < version < newest:
        backups = private_folder(database.path.parent / "backups")
        target = backups / f"before-{version + 1:04d}.db"
        with explained("Backing up the database"):
            target.unlink(missing_ok=True)
        database.backup_to(target)
    for number, path in steps:
        if number > version:
            with database.write() as w:
                # A second process may have been quicker between the look and the lock.
                row = w.one("PRAGMA user_version")
                if row and row.int("user_version") < number:
                    w.script(path.read_text(encoding="utf-8"))
                    w.script(f"PRAGMA user_version={number}")
    return max(version, newest)


def _steps(folder: Path) -> list[tuple[int, Path]]:
    found = [(int(m.group(1)), path) for path in folder.iterdir() if (m := _NAME.match(path.name))]
    return sorted(found)
