"""Atomic writes killed at every step, picture files, the text index."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from biny_desktop.core.errors import DiskFullError, NotFoundError, StorageError, UnsafePathError
from biny_desktop.storage.atomic import RealFileOps, write_atomic
from biny_desktop.storage.database import open_database
from biny_desktop.storage.migrate import migrate
from biny_desktop.storage.pictures import PictureFiles
from biny_desktop.storage.text_index import TextIndex

SECRET = bytes(range(32))
AT = 1_770_000_000_000


class Killed(BaseException):
    """Stands for the process dying at that step."""


class StoppingOps(RealFileOps):
    """Real file operations that stop before the n-th one."""

    def __init__(self, stop_at: int, error: BaseException) -> None:
        self.left = stop_at
        self.error = error

    def _step(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise self.error

    def write_temp(self, path: Path, data: bytes) -> None:
        self._step()
        super().write_temp(path, data)

    def sync(self, path: Path) -> None:
        self._step()
        super().sync(path)

    def rename(self, old: Path, new: Path) -> None:
        self._step()
        super().rename(old, new)


@pytest.mark.parametrize("step", range(4))
@pytest.mark.parametrize("error", [Killed(), OSError(28, "No space left on device")])
def test_an_interrupted_write_leaves_the_old_or_the_new_file(tmp_path: Path, step: int, error: BaseException) -> None:
    path = tmp_path / "f"
    write_atomic(path, b"old")
    with pytest.raises((Killed, DiskFullError)):
        write_atomic(path, b"new", StoppingOps(step, error))
    assert path.read_bytes() in (b"old", b"new")
    assert [p.name for p in tmp_path.iterdir()] == ["f"]
    write_atomic(path, b"newer")
    assert path.read_bytes() == b"newer"


def test_a_stale_temporary_file_does_not_stop_a_write(tmp_path: Path) -> None:
    (tmp_path / "f.part").write_bytes(b"half")
    write_atomic(tmp_path / "f", b"whole")
    assert (tmp_path / "f").read_bytes() == b"whole"
    assert not (tmp_path / "f.part").exists()


@pytest.fixture
def pictures(tmp_path: Path) -> PictureFiles:
    (tmp_path / "pictures").mkdir()
    return PictureFiles(tmp_path / "pictures", SECRET)


def test_a_picture_is_sealed_and_comes_back(pictures: PictureFiles, tmp_path: Path) -> None:
    stored = pictures.write(b"\xff\xd8 jpeg bytes", AT, "abc123")
    raw = (tmp_path / "pictures" / stored.path).read_bytes()
    assert b"jpeg" not in raw
    assert len(raw) == stored.bytes
    assert pictures.read(stored.path) == b"\xff\xd8 jpeg bytes"
    other = PictureFiles(tmp_path / "pictures", bytes(32))
    with pytest.raises(StorageError):
        other.read(stored.path)


@pytest.mark.parametrize("change", [slice(0, 1), slice(12, 13), slice(-1, None)])
def test_a_damaged_seal_is_an_error(pictures: PictureFiles, tmp_path: Path, change: slice) -> None:
    stored = pictures.write(b"jpeg" * 20, AT, "abc123")
    path = tmp_path / "pictures" / stored.path
    raw = bytearray(path.read_bytes())
    raw[change] = bytes([raw[change][0] ^ 1])
    path.write_bytes(raw)
    with pytest.raises(StorageError):
        pictures.read(stored.path)


@pytest.mark.parametrize(
    "name", ["../x.jpg", "/etc/passwd", "2026-01-01/../../x.jpg", "holiday.jpg", "", "2026-1-1/101010-a.jpg"]
)
def test_a_path_that_is_not_ours_is_never_touched(pictures: PictureFiles, name: str) -> None:
    for use in (pictures.read, pictures.delete, pictures.exists):
        with pytest.raises(UnsafePathError):
            use(name)


def test_only_our_files_are_listed_and_links_never_followed(pictures: PictureFiles, tmp_path: Path) -> None:
    ours = pictures.write(b"x", AT, "abc")
    folder = tmp_path / "pictures"
    for foreign in ("2026-1-1", "notes-2025"):
        (folder / foreign).mkdir()
        (folder / foreign / "101010-abc.jpg").write_bytes(b"x")
    (folder / "holiday.jpg").write_bytes(b"x")
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "101010-abc.jpg").write_bytes(b"x")
    (folder / "2026-01-02").symlink_to(tmp_path / "outside")
    assert set(pictures.listed()) == {ours.path}
    with pytest.raises(UnsafePathError):
        pictures.delete("2026-01-02/101010-abc.jpg")
    assert (tmp_path / "outside" / "101010-abc.jpg").exists()


def test_a_vanished_folder_is_not_made_anew(tmp_path: Path) -> None:
    gone = PictureFiles(tmp_path / "pictures", None)
    with pytest.raises(StorageError):
        gone.write(b"x", AT, "abc")
    assert not (tmp_path / "pictures").exists()


def test_a_deleted_picture_is_gone_and_deleting_again_frees_nothing(pictures: PictureFiles) -> None:
    stored = pictures.write(b"x", AT, "abc")
    assert pictures.exists(stored.path)
    assert pictures.delete(stored.path) == stored.bytes
    assert pictures.delete(stored.path) == 0
    with pytest.raises(NotFoundError):
        pictures.read(stored.path)


INDEX = TextIndex("demo_fts", ("body", "title"))
FIELDS = st.fixed_dictionaries({"body": st.text(max_size=60), "title": st.text(max_size=30)})


@hypothesis_settings(max_examples=20)
@given(st.lists(FIELDS, min_size=1, max_size=6))
def test_what_was_indexed_leaves_no_row_and_no_word_when_removed(
    tmp_path_factory: pytest.TempPathFactory, rows: list[dict[str, str]]
) -> None:
    db = open_database(tmp_path_factory.mktemp("fts") / "t.db", None)
    migrate(db)
    with db.write() as w:
        assert INDEX.ensure(w)
        for number, fields in enumerate(rows, 1):
            INDEX.add(w, number, {**fields, "title": fields["title"] + " qzxunique"})
    with db.write() as w:
        assert INDEX.ensure(w) is False
        assert INDEX.count(w) == len(rows)
        assert len(w.query("SELECT rowid FROM demo_fts WHERE demo_fts MATCH 'qzxunique'")) == len(rows)
        for number, fields in enumerate(rows, 1):
            INDEX.remove(w, number, {**fields, "title": fields["title"] + " qzxunique"})
    assert db.truncate_wal()
    raw = b"".join(path.read_bytes() for path in db.path.parent.glob("t.db*"))
    db.close()
    assert b"qzxunique" not in raw


def test_pieces_joined_apart_leave_no_word_of_a_removed_row(tmp_path: Path) -> None:
    apart = replace(INDEX, merged_apart=True)
    db = open_database(tmp_path / "t.db", None)
    migrate(db)
    with db.write() as w:
        assert INDEX.ensure(w)
    with db.write() as w:
        assert apart.ensure(w) is False  # a table that an earlier version made, merging by itself
        config = {row.text("k"): row.value("v") for row in w.query("SELECT k, v FROM demo_fts_config")}
        assert (config["automerge"], config["crisismerge"]) == (0, 32)
    rows = {n: {"body": f"page{n} qzxunique{n} common", "title": "qzxtitle"} for n in range(1, 31)}
    joined = 0
    for number, fields in rows.items():
        with db.write() as w:
            apart.add(w, number, {**fields, "body": ""})
        with db.write() as w:
            apart.replace(w, number, {**fields, "body": ""}, fields)
        if number % 3 == 0:
            with db.write() as w:
                joined += apart.merge_step(w)
    assert joined > 2
    with db.write() as w:
        while apart.merge_step(w):
            pass
        assert len(w.query("SELECT rowid FROM demo_fts WHERE demo_fts MATCH 'qzxunique7 qzxtitle'")) == 1
        for number, fields in rows.items():
            apart.remove(w, number, fields)
    assert db.truncate_wal()
    raw = b"".join(path.read_bytes() for path in db.path.parent.glob("t.db*"))
    db.close()
    assert b"qzx" not in raw


def test_stemmed_index_finds_other_forms_of_a_word_and_forgets_them(tmp_path: Path) -> None:
    plain, stemmed = TextIndex("plain_fts", ("body",)), TextIndex("stemmed_fts", ("body",), stems=True)
    fields = {"body": "She was running; 今天中午"}
    db = open_database(tmp_path / "t.db", None)
    migrate(db)
    with db.write() as w:
        for index in (plain, stemmed):
            index.ensure(w)
            index.add(w, 1, fields)
        assert w.query("SELECT rowid FROM plain_fts WHERE plain_fts MATCH 'runs'") == []
        assert len(w.query("SELECT rowid FROM stemmed_fts WHERE stemmed_fts MATCH 'runs'")) == 1
        assert len(w.query("SELECT rowid FROM stemmed_fts WHERE stemmed_fts MATCH '今天'")) == 1
        assert b"run" in stemmed.words_of(w, [fields])
        stemmed.remove(w, 1, fields)
        assert w.query("SELECT rowid FROM stemmed_fts WHERE stemmed_fts MATCH 'runs'") == []
    db.close()
