"""The one database: many readers, one writer, encrypted, with sqlite-vec and FTS5 in every connection.

Reads use one connection a thread and see one snapshot a `with` block. Writes go only through `Database.write()`: a lock
in this process, then BEGIN IMMEDIATE against other processes, so that CLI, MCP server and tray app can share the file.
"""

import contextlib
import threading
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import apsw

from biny_desktop.core.errors import StorageError
from biny_desktop.storage.connections import connect
from biny_desktop.storage.faults import explained
from biny_desktop.storage.folders import check_file
from biny_desktop.storage.rows import Params, Row

CACHE_KIB = 65_536
"""Page cache of a reading connection: 64 MiB, an encrypted vector scan needs it (spec 01, Traps)."""


class Reader:
    """Questions to one connection inside one transaction."""

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection

    def query(self, sql: str, params: Params | None = None) -> list[Row]:
        """All rows of a SELECT with named parameters."""
        with explained("Reading from the database"):
            cursor = self._connection.execute(sql, dict(params or {}))
            first = cursor.fetchone()
            if first is None:
                return []
            names = tuple(column[0] for column in cursor.get_description())
            return [Row(names, values) for values in (first, *cursor.fetchall())]

    def one(self, sql: str, params: Params | None = None) -> Row | None:
        """The first row, or None."""
        rows = self.query(sql, params)
        return rows[0] if rows else None


class Writer(Reader):
    """One write transaction; committed when the block ends well, rolled back on any exception."""

    def run(self, sql: str, params: Params | None = None) -> int:
        """Execute a statement; returns how many rows it changed."""
        with explained("Writing to the database"):
            before = self._connection.total_changes()
            self._connection.execute(sql, dict(params or {}))
            return self._connection.total_changes() - before

    def insert(self, sql: str, params: Params | None = None) -> int:
        """Execute an INSERT; returns the row id."""
        with explained("Writing to the database"):
            self._connection.execute(sql, dict(params or {}))
            return self._connection.last_insert_rowid()

    def script(self, sql: str) -> None:
        """Execute several statements without parameters (migrations)."""
        with explained("Changing the database"):
            self._connection.execute(sql)


class _PerThread(threading.local):
    connection: apsw.Connection | None = None
    depth = 0


class Database:
    """An open database file. Thread-safe. Build it with `open_database`."""

    def __init__(self, path: Path, secret: bytes | None) -> None:
        self._path = path
        self._secret = secret
        self._local = _PerThread()
        self._readers: weakref.WeakSet[apsw.Connection] = weakref.WeakSet()
        self._lock = threading.Lock()
        self._writing_thread: int | None = None
        self._closed = False
        self._connection = self._connect()

    @property
    def path(self) -> Path:
        """Where the file is."""
        return self._path

    @property
    def encrypted(self) -> bool:
        """Whether the file is encrypted."""
        return self._secret is not None

    @contextmanager
    def read(self) -> Iterator[Reader]:
        """A snapshot of the committed state, on this thread's own connection; may be nested.

        Raises:
            StorageError: the database cannot be read (closed, damaged, folder gone).
        """
        connection = self._local.connection
        if self._closed:
            raise StorageError("The database is closed", "The app is shutting down.")
        if connection is None:
            connection = self._local.connection = self._connect()
            self._readers.add(connection)
        if self._local.depth == 0:
            with explained("Reading from the database"):
                connection.execute("BEGIN")
        self._local.depth += 1
        try:
            with self._suspecting():
                yield Reader(connection)
        finally:
            self._local.depth -= 1
            if self._local.depth == 0 and connection.in_transaction:
                connection.execute("ROLLBACK")

    @contextmanager
    def write(self, *, free: bool = False) -> Iterator[Writer]:
        """The one write path: lock, BEGIN IMMEDIATE, commit or roll back. Not re-entrant.

        Args:
            free: references between rows are not enforced in this transaction (a rescue of damaged rows).

        Raises:
            DiskFullError, StorageError: nothing was written.
        """
        if self._writing_thread == threading.get_ident():
            raise RuntimeError("a write transaction is already open in this thread")
        with self._lock:
            if self._closed:
                raise StorageError("The database is closed", "The app is shutting down.")
            self._writing_thread = threading.get_ident()
            try:
                writer = Writer(self._connection)
                with explained("Writing to the database"):
                    if free:
                        self._connection.execute("PRAGMA foreign_keys=OFF")
                    self._connection.execute("BEGIN IMMEDIATE")
                try:
                    with self._suspecting():
                        yield writer
                        with explained("Writing to the database"):
                            self._connection.execute("COMMIT")
                except BaseException:
                    if self._connection.in_transaction:
                        self._connection.execute("ROLLBACK")
                    raise
            finally:
                if free:
                    self._connection.execute("PRAGMA foreign_keys=ON")
                self._writing_thread = None

    def truncate_wal(self) -> bool:
        """Empty the write-ahead log, so that deleted text leaves it too; False while somebody reads (try again)."""
        with self._lock, explained("Emptying the write-ahead log"):
            if self._closed:
                return False
            try:
                row = self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            except apsw.LockedError:
                return False
        return bool(row and row[0] == 0)

    def backup_to(self, target: Path) -> None:
        """Copy the whole database, with the same key, while it is in use.

        Raises:
            StorageError, DiskFullError: the copy failed and was removed.
        """
        with explained("Backing up the database"):
            source, copy = self._connect(), _open(target, self._secret)
            try:
                with copy.backup("main", source, "main") as work:
                    while not work.done:
                        work.step(1_000)
            except BaseException:
                copy.close()
                target.unlink(missing_ok=True)
                raise
            finally:
                source.close()
                copy.close()
            target.chmod(0o600)

    @contextmanager
    def _suspecting(self) -> Iterator[None]:
        """Leaves a mark beside the file when it shows damage, so that the next start checks all of it."""
        try:
            yield
        except StorageError as error:
            if isinstance(error.__cause__, apsw.CorruptError | apsw.NotADBError):
                with contextlib.suppress(OSError):
                    suspicion_of(self._path).touch(mode=0o600)
            raise

    def close(self) -> None:
        """Close every connection; further use raises StorageError. May be called twice."""
        with self._lock:
            self._closed = True
            for connection in list(self._readers):
                connection.close()
            self._connection.close()

    def _connect(self) -> apsw.Connection:
        return _open(self._path, self._secret)


def suspicion_of(path: Path) -> Path:
    """The file whose presence says that this database has to be checked before it is used again."""
    return path.with_name(path.name + ".check")


def open_database(path: Path, secret: bytes | None) -> Database:
    """Open or create the database file (mode 0600).

    Args:
        path: the file; its folder exists.
        secret: 32 bytes, or None for a plain file.

    Raises:
        UnsafePathError: the file is a link or has a second name.
        WrongKeyError: the file is encrypted with another key, or is no database.
        StorageError: it cannot be opened.
    """
    for file in (path, path.with_name(path.name + "-wal"), path.with_name(path.name + "-shm")):
        check_file(file)
    fresh = not path.exists()
    if fresh:
        with explained("Creating the database"):
            path.touch(mode=0o600)
    return Database(path, secret)


def _open(path: Path, secret: bytes | None) -> apsw.Connection:
    connection = connect(path, secret)
    with explained("Opening the database"):
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute(
            "PRAGMA synchronous=NORMAL; PRAGMA foreign_keys=ON; PRAGMA secure_delete=ON; PRAGMA mmap_size=0;"
            f"PRAGMA cache_size=-{CACHE_KIB}; PRAGMA temp_store=MEMORY"
        )
    return connection
