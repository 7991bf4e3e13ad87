"""Archives that would do harm are refused before anything of them is read."""

import json
import stat
import zipfile
from pathlib import Path

import pytest

from biny_desktop.conversation.importers import safety
from biny_desktop.core.errors import BinyError, InvalidInputError, NotFoundError, UnsafePathError
from tests.fakes.import_home import ImportHome, sample

CHATS = json.dumps([{"id": "c", "mapping": {"a": {"id": "a", "parent": None, "message": None}}}])


def packed(path: Path, *members: tuple[str, str], how: int = zipfile.ZIP_DEFLATED) -> Path:
    with zipfile.ZipFile(path, "w", how) as archive:
        for name, text in members:
            archive.writestr(name, text)
    return path


@pytest.mark.parametrize(
    "name", ["../evil.json", "a/../../evil.json", "/etc/evil.json", "C:\\evil.json", "..\\evil.json", "\\\\host\\evil"]
)
def test_a_member_with_a_path_outside_refuses_the_archive(home: ImportHome, tmp_path: Path, name: str) -> None:
    path = packed(tmp_path / "a.zip", ("conversations.json", CHATS), (name, "{}"))
    with pytest.raises(UnsafePathError):
        home.imports.plan(path)
    assert not (tmp_path / "evil.json").exists()


def test_a_link_in_an_archive_refuses_it(home: ImportHome, tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("conversations.json", CHATS)
        link = zipfile.ZipInfo("users.json")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(link, "/etc/passwd")
    with pytest.raises(UnsafePathError):
        home.imports.plan(path)


def test_a_member_that_is_packed_too_well_refuses_the_archive(home: ImportHome, tmp_path: Path) -> None:
    path = packed(tmp_path / "a.zip", ("conversations.json", CHATS + " " * 2_000_000))
    with pytest.raises(InvalidInputError, match="200 to 1"):
        home.imports.plan(path)


def test_a_member_that_is_too_large_refuses_the_archive(
    home: ImportHome, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = packed(tmp_path / "a.zip", ("conversations.json", CHATS))
    monkeypatch.setattr(safety, "MEMBER_MAX", 10)
    with pytest.raises(InvalidInputError, match="2 GiB"):
        home.imports.plan(path)


def test_too_many_members_refuse_the_archive(home: ImportHome, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = packed(tmp_path / "a.zip", ("conversations.json", CHATS), ("b.json", "{}"))
    monkeypatch.setattr(safety, "MEMBERS_MAX", 1)
    with pytest.raises(InvalidInputError):
        home.imports.plan(path)


def test_a_damaged_archive_is_an_error_a_person_understands(home: ImportHome, tmp_path: Path) -> None:
    path = packed(tmp_path / "a.zip", ("conversations.json", CHATS * 50), how=zipfile.ZIP_STORED)
    raw = bytearray(path.read_bytes())
    raw[60:90] = b"\xff" * 30
    path.write_bytes(raw)
    with pytest.raises(BinyError):
        home.bring(path)


def test_links_in_a_folder_are_not_followed(home: ImportHome, tmp_path: Path) -> None:
    outside = sample(tmp_path, "chatgpt")
    folder = tmp_path / "chosen"
    folder.mkdir()
    (folder / "conversations.json").symlink_to(outside / "conversations.json")
    (folder / "more").symlink_to(outside)
    with pytest.raises(InvalidInputError, match="No chats"):
        home.imports.plan(folder)


def test_what_is_not_there_or_no_chat_is_said(home: ImportHome, tmp_path: Path) -> None:
    with pytest.raises(NotFoundError):
        home.imports.plan(tmp_path / "nowhere")
    (tmp_path / "notes.md").write_text("Milk, eggs")
    (tmp_path / "conf.json").write_text('{"a": 1}')
    with pytest.raises(InvalidInputError, match="No chats"):
        home.imports.plan(tmp_path)
