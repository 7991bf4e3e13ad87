"""Reports as files: the user's words stay, links are not followed, a report is whole or not there."""

import os
from pathlib import Path

import pytest

from biny_desktop.activity.reports.files import BEGIN, END, MarkdownFiles
from biny_desktop.core.errors import DiskFullError, InvalidInputError, UnsafePathError
from biny_desktop.redaction import safe_constant
from biny_desktop.storage.atomic import RealFileOps
from tests.fakes.activity import FaultyOps

ONE, TWO = safe_constant("# 2026-03-12 Thursday\n\nActive 1 h 00 min\n"), safe_constant("# again\n")
DAY = "2026-03-12"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "memory" / "reports"


@pytest.fixture
def files(folder: Path) -> MarkdownFiles:
    return MarkdownFiles(folder)


def test_a_report_is_written_privately_and_rewritten(files: MarkdownFiles, folder: Path) -> None:
    files.put_report("day", DAY, ONE)
    path = folder / f"{DAY}.md"
    assert path.read_bytes() == BEGIN + b"\n" + ONE.encode() + END + b"\n"
    assert path.stat().st_mode & 0o077 == 0
    files.put_report("day", DAY, TWO)
    assert path.read_bytes() == BEGIN + b"\n# again\n" + END + b"\n"
    files.put_report("week", "2026-W11", TWO)
    assert sorted(each.name for each in folder.iterdir()) == ["2026-03-12.md", "2026-W11.md"]


@pytest.mark.parametrize(("before", "after"), [(b"", b"mine\r\n\xff\xfe"), (b"# top\n\n", b""), (b"a\n", b"\nb")])
def test_the_users_text_stays_byte_by_byte(files: MarkdownFiles, folder: Path, before: bytes, after: bytes) -> None:
    files.put_report("day", DAY, ONE)
    path = folder / f"{DAY}.md"
    path.write_bytes(before + path.read_bytes() + after)
    files.put_report("day", DAY, TWO)
    assert path.read_bytes() == before + BEGIN + b"\n# again\n" + END + b"\n" + after
    files.drop_report("day", DAY)
    assert (path.read_bytes() if path.exists() else b"").strip() == (before + after).strip()


def test_a_file_of_the_users_own_gets_the_report_below(files: MarkdownFiles, folder: Path) -> None:
    folder.mkdir(parents=True)
    path = folder / f"{DAY}.md"
    path.write_bytes(b"my own day" + b"\n" + BEGIN + b"\ncut off by hand")
    files.put_report("day", DAY, TWO)
    files.put_report("day", DAY, ONE)
    own = b"my own day\n" + BEGIN + b"\ncut off by hand"
    assert path.read_bytes() == own + b"\n\n" + BEGIN + b"\n" + ONE.encode() + END + b"\n"
    files.drop_report("day", DAY)
    assert path.read_bytes().rstrip() == own


def test_dropping_what_is_not_there_is_nothing(files: MarkdownFiles, folder: Path) -> None:
    files.drop_report("day", DAY)
    assert not folder.exists()
    files.put_report("day", DAY, ONE)
    files.drop_report("day", DAY)
    files.drop_report("day", DAY)
    assert list(folder.iterdir()) == []


def test_a_same_report_is_not_written_again(folder: Path) -> None:
    ops = FaultyOps(RealFileOps())
    files = MarkdownFiles(folder, ops)
    files.put_report("day", DAY, ONE)
    ops.steps.clear()
    files.put_report("day", DAY, ONE)
    assert ops.steps == []


@pytest.mark.parametrize("step", ["write_temp", "half", "sync", "rename"])
def test_a_fault_leaves_the_old_file(folder: Path, step: str) -> None:
    ops = FaultyOps(RealFileOps())
    files = MarkdownFiles(folder, ops)
    files.put_report("day", DAY, ONE)
    ops.fail_at = step
    with pytest.raises(DiskFullError):
        files.put_report("day", DAY, TWO)
    assert ONE.encode() in (folder / f"{DAY}.md").read_bytes()
    assert len(list(folder.iterdir())) == 1


@pytest.mark.parametrize("where", ["file", "hard", "folder", "parent"])
def test_links_are_not_followed(tmp_path: Path, folder: Path, where: str) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "x.md").write_text("theirs")
    if where == "parent":
        folder.parent.symlink_to(outside)
    elif where == "folder":
        folder.parent.mkdir()
        folder.symlink_to(outside)
    else:
        folder.mkdir(parents=True)
        path = folder / f"{DAY}.md"
        path.symlink_to(outside / "x.md") if where == "file" else os.link(outside / "x.md", path)
    files = MarkdownFiles(folder)
    with pytest.raises(UnsafePathError):
        files.put_report("day", DAY, ONE)
    if where == "parent":
        files.drop_report("day", DAY)  # there is no such file behind the link
    else:
        with pytest.raises(UnsafePathError):
            files.drop_report("day", DAY)
    assert (outside / "x.md").read_text() == "theirs"
    assert len(list(outside.rglob("*.md"))) == 1


@pytest.mark.parametrize("key", ["../evil", "2026-03-12/../x", "", "2026-W11"])
def test_a_name_that_is_no_day_is_refused(files: MarkdownFiles, key: str) -> None:
    with pytest.raises(InvalidInputError):
        files.put_report("day", key, ONE)
