"""The real database file: encryption, snapshots, one writer, migrations, wrong keys, full disks."""

import os
import threading
from pathlib import Path

import pytest

from biny_desktop.core.errors import DiskFullError, NewerDatabaseError, StorageError, UnsafePathError, WrongKeyError
from biny_desktop.storage.database import Database, open_database
from biny_desktop.storage.migrate import FOLDER, migrate

SECRET = bytes(range(32))


@pytest.fixture
def database(tmp_path: Path):
    db = open_database(tmp_path / "biny.db", SECRET)
    migrate(db)
    yield db
    db.close()


def put(db: Database, key: str, value: str) -> None:
    with db.write() as w:
        w.run("INSERT INTO meta(key, value) VALUES(:key, :value)", {"key": key, "value": value})


def count(db: Database) -> int:
    with db.read() as r:
        row = r.one("SELECT count(*) AS n FROM meta")
    assert row is not None
    return row.int("n")


def test_the_file_is_private_and_holds_no_plain_text(database: Database) -> None:
    put(database, "k", "a telling sentence")
    raw = b"".join(path.read_bytes() for path in database.path.parent.glob("biny.db*"))
    assert b"telling" not in raw
    assert b"SQLite format" not in raw
    assert database.path.stat().st_mode & 0o777 == 0o600


def test_vectors_and_full_text_work_in_every_connection(database: Database) -> None:
    with database.read() as r:
        row = r.one("SELECT vec_version() AS v, sqlite_compileoption_used('ENABLE_FTS5') AS fts")
    assert row is not None
    assert row.text("v").startswith("v")
    assert row.flag("fts")


def test_another_key_is_refused_and_the_file_stays_as_it_is(database: Database) -> None:
    put(database, "k", "v")
    database.close()
    before = database.path.read_bytes()
    for wrong in (bytes(32), None):
        with pytest.raises(WrongKeyError):
            open_database(database.path, wrong)
    assert database.path.read_bytes() == before
    again = open_database(database.path, SECRET)
    assert count(again) == 1
    again.close()


def test_a_link_or_a_second_name_is_refused(tmp_path: Path) -> None:
    real = tmp_path / "real.db"
    open_database(real, SECRET).close()
    (tmp_path / "link.db").symlink_to(real)
    with pytest.raises(UnsafePathError):
        open_database(tmp_path / "link.db", SECRET)
    os.link(real, tmp_path / "hard.db")
    with pytest.raises(UnsafePathError):
        open_database(tmp_path / "hard.db", SECRET)


def test_a_failed_write_leaves_nothing(database: Database) -> None:

    def half_a_write() -> None:
        with database.write() as w:
            w.run("INSERT INTO meta(key, value) VALUES('half', 'x')")
            raise RuntimeError("stop")

    with pytest.raises(RuntimeError):
        half_a_write()
    assert count(database) == 0


def test_a_reader_sees_one_snapshot_while_another_thread_writes(database: Database) -> None:
    with database.read() as r:
        first = r.one("SELECT count(*) AS n FROM meta")
        writer = threading.Thread(target=put, args=(database, "k", "v"))
        writer.start()
        writer.join()
        second = r.one("SELECT count(*) AS n FROM meta")
    assert first is not None
    assert second is not None
    assert first.int("n") == second.int("n") == 0
    assert count(database) == 1


def test_writing_inside_a_write_is_a_bug_and_says_so(database: Database) -> None:
    with database.write(), pytest.raises(RuntimeError, match="already open"), database.write():
        pass


def test_a_full_database_is_said_plainly_and_loses_nothing(database: Database) -> None:
    put(database, "k", "v")
    with database.write() as w:
        w.script("PRAGMA max_page_count=1")
    with pytest.raises(DiskFullError):
        put(database, "big", "x" * 1_000_000)
    assert count(database) == 1


def test_two_processes_share_the_file(database: Database) -> None:
    other = open_database(database.path, SECRET)
    put(other, "a", "1")
    put(database, "b", "2")
    assert count(database) == count(other) == 2
    other.close()


def test_a_closed_database_says_so(database: Database) -> None:
    database.close()
    with pytest.raises(StorageError), database.read():
        pass
    with pytest.raises(StorageError), database.write():
        pass
    assert database.truncate_wal() is False


def test_migrations_run_once_in_order_with_a_backup_before_the_next(tmp_path: Path) -> None:
    steps = tmp_path / "steps"
    steps.mkdir()
    (steps / "0001_one.sql").write_text("CREATE TABLE a(x); INSERT INTO a VALUES(1);")
    (steps / "README.txt").write_text("not a step")
    db = open_database(tmp_path / "m.db", SECRET)
    assert migrate(db, steps) == 1
    assert migrate(db, steps) == 1
    (steps / "0002_two.sql").write_text("CREATE TABLE b(y);")
    assert migrate(db, steps) == 2
    backup = open_database(tmp_path / "backups" / "before-0002.db", SECRET)
    with backup.read() as r:
        assert r.one("SELECT x FROM a") is not None
        assert r.one("SELECT 1 AS x FROM sqlite_master WHERE name = 'b'") is None
    backup.close()
    db.close()


def test_a_failed_migration_leaves_the_last_whole_step(tmp_path: Path) -> None:
    steps = tmp_path / "steps"
    steps.mkdir()
    (steps / "0001_one.sql").write_text("CREATE TABLE a(x);")
    db = open_database(tmp_path / "m.db", None)
    migrate(db, steps)
    (steps / "0002_bad.sql").write_text("CREATE TABLE b(y); CREATE TABLE a(x);")
    with pytest.raises(Exception, match="already exists"):
        migrate(db, steps)
    with db.read() as r:
        assert r.one("SELECT 1 AS x FROM sqlite_master WHERE name = 'b'") is None
    (steps / "0002_bad.sql").unlink()
    assert migrate(db, steps) == 1
    db.close()


def test_a_newer_database_is_refused_unchanged(database: Database) -> None:
    with database.write() as w:
        w.script("PRAGMA user_version=9999")
    with pytest.raises(NewerDatabaseError):
        migrate(database)


def test_the_shipped_migrations_are_numbered_without_gaps() -> None:
    numbers = sorted(int(path.name[:4]) for path in FOLDER.glob("*.sql"))
    assert numbers == list(range(1, len(numbers) + 1))
