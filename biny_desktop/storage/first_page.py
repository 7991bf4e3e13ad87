"""A database that lost its first page, which says where every table begins: a note of that is kept beside the file.

The note holds names, columns and root pages, no row. From it a first page is made anew by letting SQLite write one (for
an encrypted file an encrypted one) in a file of the same size, and put before a copy of the pages that are left.
Keeping a copy of the page itself was rejected: it holds the size of the file, which is another one by then.
"""

import json
import shutil
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

import apsw

from biny_desktop.storage.atomic import write_atomic
from biny_desktop.storage.connections import connect, real_tables
from biny_desktop.storage.database import Database, Reader
from biny_desktop.storage.faults import explained

PAGE: Final = 4096
"""Bytes of a page, SQLite's default, which every database of this app has."""
_ROOM: Final = 2_500
"""Bytes of table texts that surely fit on a first page, beside its header and the frame of each row."""
_FILL: Final = 1 << 20
_WAL_HEADER: Final = 32
_WAL_FRAME: Final = 24


@dataclass(frozen=True, slots=True)
class Root:
    """Where a table begins, and the shortest text that makes SQLite read its rows rightly."""

    name: str
    page: int
    sql: str


def note_of(path: Path) -> Path:
    """The note beside a database file."""
    return path.with_name(path.name + ".roots")


def remember(database: Database) -> None:
    """Write the note anew when the schema changed since. Raises StorageError."""
    with database.read() as r:
        cookie, version = r.query("PRAGMA schema_version")[0], r.query("PRAGMA user_version")[0]
        number = cookie.int("schema_version")
        if _read(database.path)[0] == number:
            return
        roots = [
            Root(row.text("name"), row.int("rootpage"), _short_sql(r, row.text("name"), wr=row.flag("wr")))
            for row in r.query(
                "SELECT m.name, m.rootpage, l.wr FROM sqlite_master m JOIN pragma_table_list l ON l.name = m.name "
                "WHERE l.schema = 'main' AND l.type = 'table' AND m.type = 'table' ORDER BY m.name"
            )
        ]
    content = {"schema": number, "version": version.int("user_version"), "roots": [asdict(root) for root in roots]}
    write_atomic(note_of(database.path), json.dumps(content).encode())


@contextmanager
def rebuilt(damaged: Path, original: Path, secret: bytes | None) -> Iterator[tuple[int, Iterator[apsw.Connection]]]:
    """Make a lost first page anew; gives (schema version, connections that together show all tables).

    Args:
        damaged: the set-aside file; it is copied, not changed. original: the path it had, whose note is used.

    Raises:
        StorageError: there is not enough space, or the files cannot be read.
    """
    work, maker = damaged.with_name("biny.db.work"), damaged.with_name("biny.db.maker")
    _, version, roots = _read(original)
    try:
        with explained("Making a first page"):
            pages = _lay_out(damaged, work)
        yield version, _shown(work, maker, pages, secret, roots)
    finally:
        for path in (work, maker):
            for suffix in ("", "-wal", "-shm", "-journal"):
                path.with_name(path.name + suffix).unlink(missing_ok=True)


def _read(path: Path) -> tuple[int, int, list[Root]]:
    try:
        content = json.loads(note_of(path).read_bytes())
        roots = [Root(str(each["name"]), int(each["page"]), str(each["sql"])) for each in content["roots"]]
        return int(content["schema"]), int(content["version"]), roots
    except (OSError, ValueError, KeyError, TypeError):
        return -1, 0, []


def _short_sql(r: Reader, table: str, *, wr: bool) -> str:
    """The table without its rules: names, types, defaults, and what its key is."""
    columns = r.query("SELECT name, type, dflt_value, pk FROM pragma_table_info(:t)", {"t": table})
    keys = sorted((column for column in columns if column.int("pk")), key=lambda column: column.int("pk"))
    alias = keys[0].text("name") if len(keys) == 1 and keys[0].text("type") == "INTEGER" and not wr else None
    parts = []
    for column in columns:
        default = column.maybe_text("dflt_value")
        part = f'"{column.text("name")}" {column.text("type")}'
        part += " PRIMARY KEY" if column.text("name") == alias else ""
        parts.append(part + (f" DEFAULT({default})" if default is not None else ""))
    if wr:
        parts.append("PRIMARY KEY(" + ",".join(f'"{key.text("name")}"' for key in keys) + ")")
    return f'CREATE TABLE "{table}"({",".join(parts)})' + (" WITHOUT ROWID" if wr else "")


def _lay_out(damaged: Path, work: Path) -> int:
    """Copy the damaged file with what its log holds; returns the number of pages."""
    work.unlink(missing_ok=True)
    shutil.copyfile(damaged, work)
    work.chmod(0o600)
    log = damaged.with_name(damaged.name + "-wal")
    with work.open("r+b") as file:
        for number, content in _logged(log.read_bytes() if log.exists() else b""):
            file.seek((number - 1) * PAGE)
            file.write(content)
        file.seek(0, 2)
        return -(-file.tell() // PAGE)


def _logged(log: bytes) -> Iterator[tuple[int, bytes]]:
    """Pages of the committed transactions of a write-ahead log, in their order."""
    salt, place = log[16:24], _WAL_HEADER
    open_pages: list[tuple[int, bytes]] = []
    while len(log) >= place + _WAL_FRAME + PAGE and log[place + 8 : place + 16] == salt:
        number, committed = struct.unpack(">II", log[place : place + 8])
        open_pages.append((number, log[place + _WAL_FRAME : place + _WAL_FRAME + PAGE]))
        if committed:
            yield from open_pages
            open_pages = []
        place += _WAL_FRAME + PAGE


def _shown(work: Path, maker: Path, pages: int, secret: bytes | None, roots: list[Root]) -> Iterator[apsw.Connection]:
    with explained("Making a first page"):
        _grow(maker, pages, secret)
    for group in _groups(roots):
        with explained("Making a first page"):
            _put_before(work, _first_page(maker, secret, group), maker.stat().st_size)
        connection = connect(work, secret)
        try:
            real_tables(connection)
            yield connection
        finally:
            connection.close()


def _groups(roots: list[Root]) -> Iterator[list[Root]]:
    group: list[Root] = []
    for root in roots:
        if group and sum(len(each.sql) + 2 * len(each.name) for each in [*group, root]) > _ROOM:
            yield group
            group = []
        group.append(root)
    if group:
        yield group


def _grow(maker: Path, pages: int, secret: bytes | None) -> None:
    """A file of our own of at least as many pages, whose first page therefore allows for all of them."""
    maker.unlink(missing_ok=True)
    connection = connect(maker, secret)
    try:
        connection.execute("PRAGMA journal_mode=MEMORY").fetchall()  # a statement after one with rows would wait
        connection.execute("CREATE TABLE filler(x)")
        with connection:
            for _ in range(pages * PAGE // _FILL + 1):
                connection.execute(f"INSERT INTO filler VALUES(zeroblob({_FILL}))")
    finally:
        connection.close()


def _first_page(maker: Path, secret: bytes | None, group: list[Root]) -> bytes:
    connection = connect(maker, secret)
    try:
        connection.execute("PRAGMA journal_mode=MEMORY").fetchall()
        connection.execute("PRAGMA writable_schema=ON")
        with connection:
            connection.execute("DELETE FROM sqlite_master")
            for root in group:
                connection.execute(
                    "INSERT INTO sqlite_master(type, name, tbl_name, rootpage, sql) VALUES('table', ?, ?, ?, ?)",
                    (root.name, root.name, root.page, root.sql),
                )
    finally:
        connection.close()
    with maker.open("rb") as file:
        return file.read(PAGE)


def _put_before(work: Path, page: bytes, size: int) -> None:
    with work.open("r+b") as file:
        file.write(page)
        file.truncate(max(size, work.stat().st_size))
