"""Reads what can be read of a damaged database, table by table, into a fresh one.

A damaged page makes every statement fail that touches it, but a look-up by row id goes round it: so rows are read in
batches, then one by one where a batch fails, and unreadable stretches are jumped over. Indexes and full-text tables are
never read: the fresh file builds its own.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import apsw

from biny_desktop.storage.connections import real_tables
from biny_desktop.storage.database import Writer
from biny_desktop.storage.rows import SqlValue

_BATCH: Final = 200
_ONE_BY_ONE: Final = 20_000
"""Row ids tried singly in an unreadable stretch before it is jumped over in doubling steps."""
_MAX_ID: Final = 2**62
_BAD = (apsw.CorruptError, apsw.NotADBError, apsw.IOError, apsw.MismatchError)
Values = tuple[SqlValue, ...]


@dataclass(frozen=True, slots=True)
class TableRescue:
    """A table of the damaged file: rows copied, rows lost (None when it cannot be told how many there were)."""

    name: str
    recovered: int
    lost: int | None


def salvage(damaged: apsw.Connection, fresh: Writer) -> list[TableRescue]:
    """Copy all readable rows of all tables that both files have.

    `fresh` does not enforce foreign keys yet; see `settle_references`. Rows that it refuses count as lost.
    """
    have = {row.text("name") for row in fresh.query("SELECT name FROM sqlite_master WHERE type = 'table'")}
    tables = [_table(damaged, fresh, name) for name in _tables(damaged) if name in have]
    _keep_numbering(damaged, fresh)
    return tables


def _keep_numbering(damaged: apsw.Connection, fresh: Writer) -> None:
    """Row ids that were given once are never given again, also when the newest rows are lost."""
    try:
        numbers = damaged.execute("SELECT name, seq FROM sqlite_sequence").fetchall()
    except (*_BAD, apsw.SQLError):  # damaged, or no table counts
        return
    for name, number in numbers:
        fresh.run("UPDATE sqlite_sequence SET seq = max(seq, :n) WHERE name = :t", {"n": number, "t": name})
        fresh.run(
            "INSERT INTO sqlite_sequence(name, seq) SELECT :t, :n WHERE NOT EXISTS("
            "SELECT 1 FROM sqlite_sequence WHERE name = :t) AND EXISTS(SELECT 1 FROM sqlite_master WHERE name = :t)",
            {"n": number, "t": name},
        )


def settle_references(fresh: Writer) -> int:
    """Rows that point at a lost row: the reference becomes null where it may, else the row goes.

    Returns how many rows went. Rows of a table without row ids are left to the domain that made it.
    """
    gone = 0
    while True:  # a row that goes may be pointed at itself
        found = fresh.query(
            'SELECT "table" AS name, rowid AS id, fkid AS key FROM pragma_foreign_key_check WHERE rowid IS NOT NULL'
        )
        if not found:
            return gone
        for row in found:
            gone += _settle(fresh, row.text("name"), row.int("id"), row.int("key"))


def _settle(fresh: Writer, table: str, row_id: int, key: int) -> int:
    links = fresh.query(
        'SELECT f."from" AS name, c."notnull" AS needed, c.pk AS pk FROM pragma_foreign_key_list(:t) f '
        'JOIN pragma_table_info(:t) c ON c.name = f."from" WHERE f.id = :key',
        {"t": table, "key": key},
    )
    if any(link.flag("needed") or link.int("pk") for link in links):
        return fresh.run(f'DELETE FROM "{table}" WHERE rowid = :id', {"id": row_id})
    columns = ", ".join(f'"{link.text("name")}" = NULL' for link in links)
    fresh.run(f'UPDATE "{table}" SET {columns} WHERE rowid = :id', {"id": row_id})
    return 0


def _tables(damaged: apsw.Connection) -> list[str]:
    try:
        return real_tables(damaged)
    except _BAD:
        return []


def _table(damaged: apsw.Connection, fresh: Writer, name: str) -> TableRescue:
    mine = [row.text("name") for row in fresh.query("SELECT name FROM pragma_table_info(:t)", {"t": name})]
    columns = [column for column in _columns(damaged, name) if column in mine]
    marks = ", ".join(f":v{place}" for place in range(len(columns)))
    names = ", ".join(f'"{column}"' for column in columns)
    sql = f'INSERT OR REPLACE INTO "{name}"({names}) VALUES({marks})'
    read = recovered = 0
    failures: list[int] = []
    for values in _rows(damaged, name, names, failures):
        read += 1
        try:
            recovered += fresh.run(sql, {f"v{place}": value for place, value in enumerate(values)})
        except apsw.ConstraintError:  # garbled beyond what the schema allows
            continue
    whole = _count(damaged, name) if failures else read
    return TableRescue(name, recovered, None if whole is None else max(0, whole - recovered))


def _columns(damaged: apsw.Connection, table: str) -> list[str]:
    return [str(row[0]) for row in damaged.execute("SELECT name FROM pragma_table_info(?)", (table,))]


def _count(damaged: apsw.Connection, table: str) -> int | None:
    """How many rows there were, counted in an index that is whole; None when there is none."""
    indexes = damaged.execute("SELECT name FROM pragma_index_list(?) WHERE NOT partial", (table,)).fetchall()
    for (index,) in indexes:
        try:
            row = damaged.execute(f'SELECT count(*) FROM "{table}" INDEXED BY "{index}"').fetchone()
        except (*_BAD, apsw.SQLError):  # damaged too, or of no use for counting
            continue
        return int(row[0]) if row else None
    return None


def _rows(damaged: apsw.Connection, table: str, names: str, failures: list[int]) -> Iterator[Values]:
    """All readable rows; the row id before each unreadable stretch is added to `failures`."""
    without_rowid = damaged.execute("SELECT wr FROM pragma_table_list(?)", (table,)).fetchone()
    if without_rowid and without_rowid[0]:
        yield from _from_both_ends(damaged, table, names, failures)
        return
    last = 0
    while True:
        batch, failed = _batch(damaged, table, names, last)
        for row_id, values in batch:
            last = row_id
            yield values
        if failed:
            following = _beyond(damaged, table, last)
            for row_id in range(last + 1, min(following, last + 1 + _ONE_BY_ONE)):
                yield from _single(damaged, table, names, row_id)
            last = following - 1
            failures.append(last)
        elif not batch:
            return
        if last >= _MAX_ID:
            return


def _batch(damaged: apsw.Connection, table: str, names: str, last: int) -> tuple[list[tuple[int, Values]], bool]:
    """The next rows above `last`, and whether an unreadable one follows them."""
    found: list[tuple[int, Values]] = []
    sql = f'SELECT rowid, {names} FROM "{table}" NOT INDEXED WHERE rowid > ? ORDER BY rowid LIMIT {_BATCH}'
    try:
        for row_id, *values in damaged.execute(sql, (last,)):
            found.append((int(row_id), tuple(values)))
    except _BAD:
        return found, True
    return found, False


def _single(damaged: apsw.Connection, table: str, names: str, row_id: int) -> Iterator[Values]:
    try:
        yield from damaged.execute(f'SELECT {names} FROM "{table}" NOT INDEXED WHERE rowid = ?', (row_id,)).fetchall()
    except _BAD:
        return


def _beyond(damaged: apsw.Connection, table: str, last: int) -> int:
    """The lowest row id above the damage from which reading goes on, found by doubling and halving."""

    def readable(row_id: int) -> bool:
        sql = f'SELECT * FROM "{table}" NOT INDEXED WHERE rowid >= ? ORDER BY rowid LIMIT 1'
        try:
            damaged.execute(sql, (row_id,)).fetchall()
        except _BAD:
            return False
        return True

    low, step = last + 1, 1
    while not readable(low + step):
        step *= 2
        if low + step > _MAX_ID:
            return _MAX_ID + 1
    high = low + step
    low = low + step // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if readable(middle) else (middle, high)
    return high


def _from_both_ends(damaged: apsw.Connection, table: str, names: str, failures: list[int]) -> Iterator[Values]:
    """A table without row ids (they are small): forwards to the damage, then backwards to it."""
    keys = [row[0] for row in damaged.execute("SELECT name FROM pragma_table_info(?) WHERE pk ORDER BY pk", (table,))]
    seen: set[Values] = set()
    for direction in ("ASC", "DESC"):
        order = ", ".join(f'"{key}" {direction}' for key in keys)
        try:
            for values in damaged.execute(f'SELECT {names} FROM "{table}" ORDER BY {order}'):
                if values not in seen:
                    seen.add(values)
                    yield values
        except _BAD:
            failures.append(len(seen))
            continue
        return
