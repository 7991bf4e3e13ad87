"""Reading round damage: stretches of pages, gaps in the numbering, garbled rows, dangling references."""

from pathlib import Path

import apsw
import pytest

from biny_desktop.storage.connections import connect
from biny_desktop.storage.database import Database, open_database
from biny_desktop.storage.salvage import salvage, settle_references
from tests.fakes.homes import pages_of, zero_page

SCHEMA = (
    "CREATE TABLE parent(id INTEGER PRIMARY KEY AUTOINCREMENT, text TEXT NOT NULL) STRICT;"
    "CREATE TABLE child(id INTEGER PRIMARY KEY, parent_id INTEGER REFERENCES parent(id)) STRICT;"
    "CREATE TABLE strict_child(parent_id INTEGER PRIMARY KEY REFERENCES parent(id), text TEXT) STRICT;"
    "CREATE TABLE keyed(key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID, STRICT;"
)


def made(path: Path) -> Database:
    db = open_database(path, None)
    with db.write() as w:
        w.script(SCHEMA)
    return db


@pytest.fixture
def old(tmp_path: Path) -> Database:
    db = made(tmp_path / "old.db")
    with db.write() as w:
        for n in range(1, 2_001):
            row_id = n if n < 1_000 else n * 1_000_000
            w.run("INSERT INTO parent VALUES(:id, :text)", {"id": row_id, "text": f"row {n} " * 20})
            w.run("INSERT INTO child VALUES(:id, :parent)", {"id": n, "parent": row_id})
            w.run("INSERT INTO strict_child VALUES(:parent, 'x')", {"parent": row_id})
            w.run("INSERT INTO keyed VALUES(:key, :text)", {"key": f"key {n:05d}", "text": "value " * 20})
    return db


def rescued(old: Database, path: Path) -> tuple[dict[str, int], Database]:
    fresh = made(path)
    damaged = connect(old.path, None)
    with fresh.write(free=True) as w:
        tables = salvage(damaged, w)
    with fresh.write(free=True) as w:
        settle_references(w)
    damaged.close()
    return {table.name: table.recovered for table in tables}, fresh


def leaves(old: Database, table: str) -> list[int]:
    numbers = [number for number, kind in pages_of(old, table) if kind == "leaf"]
    old.close()
    return numbers


def test_an_undamaged_file_comes_over_whole(old: Database, tmp_path: Path) -> None:
    old.close()
    counts, fresh = rescued(old, tmp_path / "new.db")
    assert counts == {"parent": 2_000, "child": 2_000, "strict_child": 2_000, "keyed": 2_000}
    fresh.close()


@pytest.mark.parametrize("spoiled", [[0], [1], [3, 4, 5], [2, 8], [-1], [-2, -4], list(range(0, 20, 2))])
def test_what_lies_beside_damaged_pages_is_kept(old: Database, tmp_path: Path, spoiled: list[int]) -> None:
    pages = leaves(old, "parent")
    reader = connect(old.path, None)
    each = [
        reader.execute("SELECT ncell FROM dbstat WHERE name = 'parent' AND pageno = ?", (page,)).fetchone()[0]
        for page in pages
    ]
    reader.close()
    for which in spoiled:
        zero_page(old.path, pages[which])
    counts, fresh = rescued(old, tmp_path / "new.db")
    assert counts["parent"] == 2_000 - sum(each[which] for which in spoiled)
    with fresh.read() as r:
        assert r.query("PRAGMA foreign_key_check") == []
        assert len(r.query("SELECT 1 AS x FROM child")) == 2_000
        assert len(r.query("SELECT 1 AS x FROM child WHERE parent_id IS NOT NULL")) == counts["parent"]
        assert len(r.query("SELECT 1 AS x FROM strict_child")) == counts["parent"]
    fresh.close()


def test_a_table_without_row_ids_is_read_from_both_ends(old: Database, tmp_path: Path) -> None:
    pages = leaves(old, "keyed")
    zero_page(old.path, pages[len(pages) // 2])
    counts, fresh = rescued(old, tmp_path / "new.db")
    assert 2_000 > counts["keyed"] > 1_900
    fresh.close()


def test_rows_that_the_schema_refuses_are_left(tmp_path: Path) -> None:
    loose = apsw.Connection(str(tmp_path / "old.db"))
    loose.execute("CREATE TABLE parent(id INTEGER PRIMARY KEY, text); INSERT INTO parent VALUES(1, 'a'), (2, NULL)")
    fresh = made(tmp_path / "new.db")
    with fresh.write(free=True) as w:
        [table] = salvage(loose, w)
    assert (table.recovered, table.lost) == (1, 1)
    loose.close()
    fresh.close()
