"""Names of opened folders, and what they mean."""

from pathlib import Path

import pytest

from biny_desktop.conversation.tools.folders import OpenedFolders
from biny_desktop.core.errors import InvalidInputError
from biny_desktop.core.paths import PathRefusedError, check_path
from tests.conversation.tools.scenes import settings


def opened(*folders: Path | str, own: tuple[Path, ...] = ()) -> OpenedFolders:
    return OpenedFolders(lambda: settings(folders=tuple(str(each) for each in folders)), own)


def test_a_folder_is_called_by_its_last_part(tmp_path: Path) -> None:
    folders = opened(tmp_path / "notes", tmp_path / "work" / "notes", tmp_path / "NOTES", tmp_path / "notes" / ".")
    assert list(folders.all()) == ["notes", "notes-2", "NOTES-3"]


@pytest.mark.parametrize("name", [".hidden", "a:b", "~", "con", "x" * 200, "100%", "a?", " "])
def test_every_name_can_be_written_in_a_path(tmp_path: Path, name: str) -> None:
    for called in opened(tmp_path / name, "/").all():
        assert check_path(f"{called}/a.md") == f"{called}/a.md"


def test_relative_entries_are_passed_over() -> None:
    assert opened("notes", "./x").all() == {}


def test_the_home_folder_may_be_written_short(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    assert opened("~/notes").all() == {"notes": tmp_path / "notes"}


def test_a_path_is_found_in_its_folder(tmp_path: Path) -> None:
    place = opened(tmp_path / "a", tmp_path / "b").place("b\\sub/./x.md")
    assert (place.path, place.root, place.inside) == ("b/sub/x.md", tmp_path / "b", "sub/x.md")
    assert place.target == str(tmp_path / "b" / "sub" / "x.md")


def test_a_noted_target_is_found_again_or_not(tmp_path: Path) -> None:
    target = opened(tmp_path / "b").place("b/x 100%25.md").target
    again = opened(tmp_path / "a" / "b", tmp_path / "b").found(target)
    assert again is not None
    assert (again.path, again.inside) == ("b-2/x 100%.md", "x 100%.md")
    assert opened(tmp_path / "other").found(target) is None
    assert opened(tmp_path / "b").found(str(tmp_path / "b" / ".." / "c")) is None


def test_an_unknown_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidInputError):
        opened(tmp_path / "a").place("b/x.md")
    with pytest.raises(PathRefusedError):
        opened(tmp_path / "a").place("a/..")


def test_the_programs_own_folders_stay_closed(tmp_path: Path) -> None:
    data = tmp_path / "home" / "AppData" / "biny"
    data.mkdir(parents=True)
    (tmp_path / "home" / "short").symlink_to(data)
    folders = opened(tmp_path / "home", data, own=(data,))
    for path in ("home/AppData/biny/biny.db", "biny/settings.toml", "home/short/key"):
        with pytest.raises(PathRefusedError) as refused:
            folders.place(path)
        assert refused.value.reason == "protected"
    assert folders.found(str(data / "biny.db")) is None
    assert folders.place("home/AppData/other.md").inside == "AppData/other.md"
