"""A malformed database is set aside whole; what can be read of it goes into a fresh one; the result is kept to show.

Killed at any step it is begun again at the next start; after two failures the app starts with an empty database rather
than not at all. The set-aside file is never deleted here.
"""

import json
import logging
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import apsw

from biny_desktop.core.errors import DiskFullError, StorageError, WrongKeyError
from biny_desktop.storage.atomic import write_atomic
from biny_desktop.storage.connections import connect, problems, schema_version
from biny_desktop.storage.database import Database, open_database, suspicion_of
from biny_desktop.storage.faults import explained
from biny_desktop.storage.first_page import note_of, rebuilt
from biny_desktop.storage.folders import Folders
from biny_desktop.storage.keys import Key
from biny_desktop.storage.migrate import migrate
from biny_desktop.storage.salvage import TableRescue, salvage, settle_references

log = logging.getLogger(__name__)
MAX_TRIES: Final = 2
"""Rescues of one file that may fail before the app starts without its rows (spec 01: never a restart loop)."""
_PLAIN_HEADER: Final = b"SQLite format 3\x00"


@dataclass(frozen=True, slots=True)
class DamageReport:
    """One rescue: when (UTC ms), the set-aside file, per table what was kept; `seen` once the person has read it.

    `complete` is False when the rescue itself failed and the database began empty. `encrypted`: the set-aside file is.
    """

    at_ms: int
    aside: str
    encrypted: bool
    complete: bool
    seen: bool
    tables: tuple[TableRescue, ...]

    @property
    def recovered(self) -> int:
        """Rows kept in all tables."""
        return sum(table.recovered for table in self.tables)

    @property
    def lost(self) -> int | None:
        """Rows lost in all tables; None when it cannot be told for one of them."""
        known = [table.lost for table in self.tables if table.lost is not None]
        return sum(known) if len(known) == len(self.tables) and self.complete else None


def is_damaged(folders: Folders, key: Key) -> bool:
    """Check the whole file (some seconds a gigabyte).

    Raises:
        WrongKeyError: the key does not fit, as far as can be told. StorageError: it cannot be read.
    """
    path = folders.database_file
    if not path.exists() or path.stat().st_size == 0:
        return False
    try:
        connection = connect(path, key.secret)
    except WrongKeyError:
        if _first_page_is_bad(path, key):
            return True
        raise
    except StorageError as error:
        if shows_damage(error):
            return True
        raise
    try:
        found = problems(connection)
    finally:
        connection.close()
    if found:
        log.error("the database is damaged: %d findings", len(found))
    return bool(found)


def shows_damage(error: StorageError) -> bool:
    """Whether a fault may come from a damaged file (a wrong key looks the same)."""
    return isinstance(error.__cause__, apsw.CorruptError | apsw.NotADBError)


def rescue(folders: Folders, key: Key, now_ms: int, mend: Callable[[Database], None]) -> DamageReport:
    """Set the damaged file aside and go on with what can be read of it; goes on where a kill stopped it.

    Args:
        mend: called with the fresh database before references to lost rows are dropped.

    Raises:
        StorageError: not even an empty database can be made (the disk is full or gone); try again.
    """
    fresh = folders.data / "biny.db.rescued"
    tables: tuple[TableRescue, ...] | None = None
    while tables is None:
        aside, tries = _begin(folders, now_ms)
        _remove_with_logs(fresh)
        if tries > MAX_TRIES:
            log.error("the rescue failed %d times; the database begins empty", MAX_TRIES)
            break
        try:
            tables = _fill(folders, folders.data / aside, fresh, key, mend)
        except DiskFullError:
            _note(folders, aside, tries - 1)  # no fault of the file: it is tried again when there is space
            raise
        except (StorageError, apsw.Error) as error:
            log.error("the rescue failed (%s)", type(error).__name__)
    if not tables:
        _remove_with_logs(fresh)
        _empty(fresh, key)
    complete, tables = bool(tables), tables or ()
    report = DamageReport(now_ms, aside, key.secret is not None, complete, False, tables)
    with explained("Putting the rescued database in place"):
        _write_reports(folders, [*(r for r in reports(folders) if r.aside != aside), report])
        fresh.replace(folders.database_file)
        note_of(folders.database_file).unlink(missing_ok=True)
        suspicion_of(folders.database_file).unlink(missing_ok=True)
        _journal(folders).unlink(missing_ok=True)
    log.error("the database was damaged and set aside: %d rows recovered", report.recovered)
    return report


def is_under_way(folders: Folders) -> bool:
    """Whether a rescue was begun and not ended."""
    return _journal(folders).exists()


def reports(folders: Folders) -> list[DamageReport]:
    """All rescues, oldest first; a file that cannot be read gives none."""
    try:
        content = json.loads((folders.data / "damage-reports.json").read_bytes())
        return [
            DamageReport(**{**each, "tables": tuple(TableRescue(**table) for table in each["tables"])})
            for each in content
        ]
    except (OSError, ValueError, TypeError, KeyError):
        return []


def acknowledge(folders: Folders) -> None:
    """The person has read the reports. Raises StorageError."""
    _write_reports(folders, [replace(report, seen=True) for report in reports(folders)])


def _begin(folders: Folders, now_ms: int) -> tuple[str, int]:
    """Name the set-aside file in the journal, then move the three files; returns (name, number of this try)."""
    stamp = f"{datetime.fromtimestamp(now_ms / 1000, UTC):%Y%m%dT%H%M%S}"
    aside, tries = f"biny.db.damaged-{stamp}", 0
    with explained("Setting the damaged database aside"):
        try:
            content = json.loads(_journal(folders).read_bytes())
            aside, tries = str(content["aside"]), int(content["tries"])
        except (FileNotFoundError, ValueError, KeyError, TypeError):
            while (folders.data / aside).exists():
                aside += "x"
        _note(folders, aside, tries + 1)
        # The database last: as long as it is there, a killed move is seen as not done.
        for suffix in ("-wal", "-shm", ""):
            here, there = folders.data / f"biny.db{suffix}", folders.data / f"{aside}{suffix}"
            if here.exists() and not (folders.data / aside).exists():
                here.replace(there)
    return aside, tries + 1


def _note(folders: Folders, aside: str, tries: int) -> None:
    write_atomic(_journal(folders), json.dumps({"aside": aside, "tries": tries}).encode())


def _fill(
    folders: Folders, aside: Path, fresh: Path, key: Key, mend: Callable[[Database], None]
) -> tuple[TableRescue, ...]:
    try:
        damaged = connect(aside, key.secret)
    except StorageError as error:
        log.error("the first page of the damaged database cannot be read (%s); it is made anew", error.kind)
        with rebuilt(aside, folders.database_file, key.secret) as (version, parts):
            return _copy(parts, version or None, fresh, key, mend)
    try:
        return _copy([damaged], _version(damaged), fresh, key, mend)
    finally:
        damaged.close()


def _copy(
    parts: Iterable[apsw.Connection], version: int | None, fresh: Path, key: Key, mend: Callable[[Database], None]
) -> tuple[TableRescue, ...]:
    database = open_database(fresh, key.secret)
    try:
        migrate(database, upto=version)
        tables: list[TableRescue] = []
        for damaged in parts:
            with database.write(free=True) as w:
                tables += salvage(damaged, w)
        mend(database)
        with database.write(free=True) as w:
            dropped = settle_references(w)
        log.info("%d rows pointed at lost ones and went too", dropped)
        database.truncate_wal()
    finally:
        database.close()
    return tuple(tables)


def _version(damaged: apsw.Connection) -> int | None:
    """The schema of the damaged file; None (the newest) when its header does not say."""
    try:
        return schema_version(damaged) or None
    except StorageError:
        return None


def _empty(fresh: Path, key: Key) -> None:
    database = open_database(fresh, key.secret)
    try:
        migrate(database)
        database.truncate_wal()
    finally:
        database.close()


def _first_page_is_bad(path: Path, key: Key) -> bool:
    """Tell a damaged first page from a wrong key: the key is proved, or the page is blank or should be plain."""
    with explained("Looking at the database"), path.open("rb") as file:
        head = file.read(len(_PLAIN_HEADER))
    return not any(head) or (key.secret is not None and key.proved and head != _PLAIN_HEADER)


def _remove_with_logs(path: Path) -> None:
    with explained("Removing a half-made database"):
        for suffix in ("", "-wal", "-shm"):
            path.with_name(path.name + suffix).unlink(missing_ok=True)


def _journal(folders: Folders) -> Path:
    return folders.data / "rescue.json"


def _write_reports(folders: Folders, all_reports: list[DamageReport]) -> None:
    content = json.dumps([asdict(report) for report in all_reports])
    write_atomic(folders.data / "damage-reports.json", content.encode())
