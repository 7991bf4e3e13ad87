"""Raw connections to a database file: the key first, then sqlite-vec; and the questions that tell whether it is whole.

Only `database`, and the modules that copy, re-key, check or rescue a whole file, use them.
"""

from pathlib import Path
from urllib.parse import quote

import apsw

from biny_desktop.core.errors import StorageError, WrongKeyError
from biny_desktop.storage.faults import explained

BUSY_TIMEOUT_MS = 5_000
"""How long a statement waits for another process's lock (spec 01, Storage)."""


def connect(path: Path, secret: bytes | None, *, still: bool = False) -> apsw.Connection:
    """Open a file with its key and look at its schema once.

    Args:
        path: the file. secret: 32 bytes, None for a plain file.
        still: nobody writes the file while it is open; then nothing is written beside it either, not even a log.

    Raises:
        WrongKeyError: the key does not fit, or the first page is damaged.
        StorageError: it cannot be opened, or is damaged.
    """
    import sqlite_vec

    with explained("Opening the database"):
        if still:
            flags = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
            connection = apsw.Connection(f"file:{quote(str(path))}?immutable=1", flags=flags)
        else:
            connection = apsw.Connection(str(path))
        try:
            connection.set_busy_timeout(BUSY_TIMEOUT_MS)
            if secret is not None:
                connection.execute("PRAGMA cipher='chacha20'")
                # A raw key skips the pass-phrase derivation: the key is random already, a connection opens in 1 ms.
                connection.execute(f"PRAGMA key='raw:{secret.hex()}'")
            connection.enable_load_extension(True)
            connection.load_extension(sqlite_vec.loadable_path())
            connection.enable_load_extension(False)
            connection.execute("SELECT count(*) FROM sqlite_master")
        except apsw.NotADBError as error:
            connection.close()
            raise WrongKeyError(
                "The database cannot be opened",
                "The key does not fit, or the file is no database of this app.",
                "Check which key belongs to it; the file is left as it is.",
            ) from error
        except BaseException:
            connection.close()
            raise
    return connection


def fits(path: Path, secret: bytes | None) -> bool:
    """Whether this key opens the file; nothing is written. Raises StorageError when it cannot be read at all."""
    try:
        connect(path, secret, still=True).close()
    except WrongKeyError:
        return False
    return True


def problems(connection: apsw.Connection) -> list[str]:
    """What `quick_check` finds, at most 20 lines of page numbers; empty when the file is whole."""
    try:
        found = [str(row[0]) for row in connection.execute("PRAGMA quick_check(20)")]
    except (apsw.CorruptError, apsw.NotADBError) as error:
        return [str(error)]
    return [] if found == ["ok"] else found


def real_tables(connection: apsw.Connection) -> list[str]:
    """Tables that hold rows of their own: no virtual ones, no parts of those, none of SQLite's. Sorted."""
    rows = connection.execute(
        "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite\\_%' "
        "ESCAPE '\\' ORDER BY name"
    )
    return [str(row[0]) for row in rows]


def row_counts(connection: apsw.Connection) -> dict[str, int]:
    """How many rows each table holds. Raises StorageError when one cannot be counted."""
    with explained("Counting the rows"):
        counts = {}
        for name in real_tables(connection):
            row = connection.execute(f'SELECT count(*) FROM "{name}"').fetchone()
            counts[name] = int(row[0]) if row else 0
        return counts


def schema_version(connection: apsw.Connection) -> int:
    """`user_version`: the number of the last migration. Raises StorageError."""
    with explained("Reading the schema version"):
        row = connection.execute("PRAGMA user_version").fetchone()
    return int(row[0]) if row else 0


def require_whole(connection: apsw.Connection, what: str) -> None:
    """Raises StorageError when `quick_check` finds something."""
    found = problems(connection)
    if found:
        raise StorageError(f"{what} is damaged", f"The check says: {found[0]}", "Run `biny doctor`.")
