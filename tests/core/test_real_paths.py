"""Row 11 of the path check on real files, with and without lookups in open folders."""

import os
import shutil
import stat
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from biny_desktop.core import real_paths
from biny_desktop.core.errors import DiskFullError, NotFoundError, StaleRevisionError, StorageError
from biny_desktop.core.paths import PathRefusedError, check_path
from biny_desktop.core.real_paths import TooLargeError, hash_of, look_inside, read_inside, write_inside
from tests.core.test_paths import PIECES

MAX = 1_000
OLD, NEW = b"old\n", b"new\n"


@pytest.fixture(params=[True, False], ids=["open folders", "looking again"], autouse=True)
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param and not real_paths.DIR_FD:
        monkeypatch.setattr(real_paths, "DIR_FD", False)  # this system has the one way only
    monkeypatch.setattr(real_paths, "DIR_FD", request.param and real_paths.DIR_FD)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    inside = tmp_path / "root"
    (inside / "docs").mkdir(parents=True)
    (inside / "docs" / "a.md").write_bytes(OLD)
    (tmp_path / "secret.md").write_bytes(b"secret")
    return inside


def refusal(act: Callable[[], object]) -> str:
    with pytest.raises(PathRefusedError) as refused:
        act()
    return refused.value.reason


def left(root: Path) -> set[str]:
    return {each.relative_to(root).as_posix() for each in root.rglob("*") if not each.is_dir()}


def test_a_file_is_read_with_its_hash(root: Path) -> None:
    found = read_inside(root, "docs/a.md", MAX)
    assert (found.data, found.hash) == (OLD, hash_of(OLD))
    assert "old" not in repr(found)


def test_what_is_missing_is_said_so(root: Path) -> None:
    for path in ("docs/b.md", "other/a.md", "docs/a.md/b"):
        with pytest.raises(NotFoundError):
            read_inside(root, path, MAX)
        assert look_inside(root, path, MAX) is None
    for gone in (root / "none", root / "docs" / "a.md"):
        with pytest.raises(NotFoundError):
            look_inside(gone, "a.md", MAX)


def test_a_folder_is_no_file(root: Path) -> None:
    assert refusal(lambda: read_inside(root, "docs", MAX)) == "directory"
    assert refusal(lambda: write_inside(root, "docs", NEW, None)) == "directory"


def test_a_large_file_is_not_read(root: Path) -> None:
    (root / "big").write_bytes(b"x" * (MAX + 1))
    with pytest.raises(TooLargeError):
        read_inside(root, "big", MAX)
    assert len(read_inside(root, "big", MAX + 1).data) == MAX + 1


def test_the_root_itself_may_be_reached_by_a_link(root: Path, tmp_path: Path) -> None:
    (tmp_path / "short").symlink_to(root)
    assert read_inside(tmp_path / "short", "docs/a.md", MAX).data == OLD


def test_a_root_that_is_a_loop_is_refused(tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    assert refusal(lambda: read_inside(tmp_path / "loop", "a.md", MAX)) == "link"


@pytest.mark.parametrize("target", ["../../secret.md", "a.md", "/etc/passwd", "nowhere"])
def test_a_link_is_never_followed(root: Path, target: str) -> None:
    (root / "docs" / "link.md").symlink_to(target)
    assert refusal(lambda: read_inside(root, "docs/link.md", MAX)) == "link"
    assert refusal(lambda: write_inside(root, "docs/link.md", NEW, None)) == "link"
    assert refusal(lambda: write_inside(root, "docs/link.md", NEW, hash_of(OLD))) == "link"
    assert left(root) == {"docs/a.md", "docs/link.md"}


@pytest.mark.parametrize("target", ["..", "docs", "/etc"])
def test_a_linked_folder_is_never_entered(root: Path, target: str) -> None:
    (root / "way").symlink_to(target)
    assert refusal(lambda: read_inside(root, "way/a.md", MAX)) == "link"
    assert refusal(lambda: write_inside(root, "way/new.md", NEW, None)) == "link"


def test_a_second_name_of_a_file_is_refused(root: Path, tmp_path: Path) -> None:
    os.link(tmp_path / "secret.md", root / "docs" / "hard.md")
    assert refusal(lambda: read_inside(root, "docs/hard.md", MAX)) == "link"
    assert refusal(lambda: write_inside(root, "docs/hard.md", NEW, hash_of(b"secret"))) == "link"
    assert (tmp_path / "secret.md").read_bytes() == b"secret"


def test_a_special_file_is_refused_without_opening_it(root: Path) -> None:
    os.mkfifo(root / "pipe")
    assert refusal(lambda: read_inside(root, "pipe", MAX)) == "link"
    assert refusal(lambda: write_inside(root, "pipe", NEW, None)) == "link"


@pytest.mark.parametrize("path", ["docs/A.md", "DOCS/a.md", "Docs/new.md"])
def test_a_twin_in_other_letters_is_refused(root: Path, path: str) -> None:
    assert refusal(lambda: read_inside(root, path, MAX)) == "case"
    assert refusal(lambda: write_inside(root, path, NEW, None)) == "case"


def test_a_twin_beside_the_file_is_refused(root: Path) -> None:
    (root / "docs" / "A.md").write_bytes(NEW)
    assert refusal(lambda: read_inside(root, "docs/a.md", MAX)) == "case"


def test_another_spelling_of_the_same_letters_is_the_same_file(root: Path) -> None:
    (root / "cafe\u0301.md").write_bytes(OLD)
    assert read_inside(root, "café.md", MAX).data == OLD
    write_inside(root, "café.md", NEW, hash_of(OLD))
    assert [each.name for each in root.glob("caf*")] == ["cafe\u0301.md"]
    (root / "café.md").write_bytes(OLD)
    assert refusal(lambda: read_inside(root, "café.md", MAX)) == "case"


def test_a_new_file_is_made_with_its_folders(root: Path) -> None:
    assert write_inside(root, "new/deep/b.md", NEW, None) == hash_of(NEW)
    assert (root / "new/deep/b.md").read_bytes() == NEW
    assert left(root) == {"docs/a.md", "new/deep/b.md"}


def test_a_replaced_file_keeps_its_mode(root: Path) -> None:
    (root / "docs/a.md").chmod(0o640)
    write_inside(root, "docs/a.md", NEW, hash_of(OLD))
    assert (root / "docs/a.md").read_bytes() == NEW
    assert stat.S_IMODE((root / "docs/a.md").stat().st_mode) == 0o640


@pytest.mark.parametrize(
    ("path", "expected"), [("docs/a.md", None), ("docs/a.md", hash_of(NEW)), ("docs/b.md", hash_of(OLD))]
)
def test_only_the_expected_file_is_replaced(root: Path, path: str, expected: str | None) -> None:
    with pytest.raises(StaleRevisionError):
        write_inside(root, path, NEW, expected)
    assert left(root) == {"docs/a.md"}
    assert (root / "docs/a.md").read_bytes() == OLD


# -- between the check and the write -----------------------------------------------------------------------------------


@pytest.fixture
def meanwhile(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[Callable[[], object]], None]]:
    """Do something when the temporary file is on disk and not yet in its place."""

    def arrange(act: Callable[[], object]) -> None:
        real, done = os.fsync, []

        def fsync(handle: int) -> None:
            real(handle)
            if not done:
                done.append(act())

        monkeypatch.setattr(real_paths.os, "fsync", fsync)

    yield arrange
    monkeypatch.undo()


def test_a_link_placed_between_check_and_write_is_refused(
    root: Path, tmp_path: Path, meanwhile: Callable[[Callable[[], object]], None]
) -> None:
    def swap() -> None:
        (root / "docs/a.md").unlink()
        (root / "docs/a.md").symlink_to(tmp_path / "secret.md")

    meanwhile(swap)
    assert refusal(lambda: write_inside(root, "docs/a.md", NEW, hash_of(OLD))) == "link"
    assert (tmp_path / "secret.md").read_bytes() == b"secret"
    assert left(root) == {"docs/a.md"}


def test_a_link_placed_where_nothing_was_is_refused(
    root: Path, tmp_path: Path, meanwhile: Callable[[Callable[[], object]], None]
) -> None:
    meanwhile(lambda: (root / "docs/b.md").symlink_to(tmp_path / "secret.md"))
    assert refusal(lambda: write_inside(root, "docs/b.md", NEW, None)) == "link"
    assert (tmp_path / "secret.md").read_bytes() == b"secret"


def test_a_folder_that_became_a_link_is_refused(
    root: Path, tmp_path: Path, meanwhile: Callable[[Callable[[], object]], None]
) -> None:
    (tmp_path / "outside").mkdir()

    def swap() -> None:
        (root / "docs").rename(tmp_path / "moved")
        (root / "docs").symlink_to(tmp_path / "outside")

    meanwhile(swap)
    assert refusal(lambda: write_inside(root, "docs/a.md", NEW, hash_of(OLD))) in ("link", "escape")
    assert list((tmp_path / "outside").iterdir()) == []
    assert (tmp_path / "moved" / "a.md").read_bytes() == OLD


def test_a_folder_that_was_moved_away_is_not_written_to(
    root: Path, tmp_path: Path, meanwhile: Callable[[Callable[[], object]], None]
) -> None:
    meanwhile(lambda: (root / "docs").rename(tmp_path / "moved"))
    assert refusal(lambda: write_inside(root, "docs/a.md", NEW, hash_of(OLD))) == "link"
    assert (tmp_path / "moved" / "a.md").read_bytes() == OLD


def test_a_file_changed_meanwhile_is_kept(root: Path, meanwhile: Callable[[Callable[[], object]], None]) -> None:
    meanwhile(lambda: (root / "docs/a.md").write_bytes(b"by hand"))
    with pytest.raises(StaleRevisionError):
        write_inside(root, "docs/a.md", NEW, hash_of(OLD))
    assert (root / "docs/a.md").read_bytes() == b"by hand"
    assert left(root) == {"docs/a.md"}


def test_a_file_made_meanwhile_is_kept(root: Path, meanwhile: Callable[[Callable[[], object]], None]) -> None:
    meanwhile(lambda: (root / "docs/b.md").write_bytes(b"by hand"))
    with pytest.raises(StaleRevisionError):
        write_inside(root, "docs/b.md", NEW, None)
    assert (root / "docs/b.md").read_bytes() == b"by hand"


@pytest.mark.parametrize(("code", "kind"), [(28, DiskFullError), (5, StorageError)])
def test_a_failed_write_leaves_the_old_file(
    root: Path, monkeypatch: pytest.MonkeyPatch, code: int, kind: type[Exception]
) -> None:
    def fail(_handle: int) -> None:
        raise OSError(code, "no")

    monkeypatch.setattr(real_paths.os, "fsync", fail)
    with pytest.raises(kind):
        write_inside(root, "docs/a.md", NEW, hash_of(OLD))
    assert left(root) == {"docs/a.md"}
    assert (root / "docs/a.md").read_bytes() == OLD


def test_a_file_that_may_not_be_read_is_said_so(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_args: object, **_more: object) -> int:
        raise PermissionError(13, "denied")

    monkeypatch.setattr(real_paths.os, "open", fail)
    with pytest.raises(StorageError):
        read_inside(root, "docs/a.md", MAX)


# -- whatever is given -------------------------------------------------------------------------------------------------


@given(st.one_of(st.lists(PIECES, max_size=14).map("".join), st.text(max_size=40)))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_an_accepted_path_always_resolves_inside_the_root(tmp_path: Path, raw: str) -> None:
    try:
        path = check_path(raw)
    except PathRefusedError:
        return
    root = tmp_path / "fuzz"
    shutil.rmtree(root, ignore_errors=True)
    root.mkdir()
    write_inside(root, path, NEW, None)
    assert (root / path).resolve().is_relative_to(root.resolve())
    assert read_inside(root, path, MAX).data == NEW
    assert len(left(root)) == 1
    assert sorted(each.name for each in tmp_path.iterdir()) == ["fuzz"]
