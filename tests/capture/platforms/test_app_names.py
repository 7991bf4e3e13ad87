"""Names of programs from desktop files."""

from pathlib import Path

import pytest

from biny_desktop.capture.platforms.app_names import AppNames, data_folders


def _write(folder: Path, file: str, text: str) -> None:
    folder.mkdir(exist_ok=True)
    (folder / file).write_text(f"[Desktop Entry]\n{text}", encoding="utf-8")


def test_a_desktop_file_names_its_class(tmp_path: Path) -> None:
    _write(tmp_path, "code-oss.desktop", "Name=Code\nName[de]=Quelltext\nStartupWMClass=Code - OSS\n")

    names = AppNames([tmp_path])

    assert names.name_of("code - oss") == "Code"
    assert names.name_of("Code-OSS") == "Code"


def test_the_last_part_of_a_reversed_domain_is_enough(tmp_path: Path) -> None:
    _write(tmp_path, "org.keepassxc.KeePassXC.desktop", "Name=KeePassXC\n")

    assert AppNames([tmp_path]).name_of("keepassxc") == "KeePassXC"


def test_a_class_without_a_file_is_its_own_name(tmp_path: Path) -> None:
    assert AppNames([tmp_path, tmp_path / "missing"]).name_of("XTerm") == "XTerm"


def test_later_folders_win_and_broken_files_are_passed_over(tmp_path: Path) -> None:
    _write(tmp_path / "system", "app.desktop", "Name=System\n")
    _write(tmp_path / "own", "app.desktop", "Name=Mine\n")
    (tmp_path / "own" / "broken.desktop").write_bytes(b"\xff\xfe no section")
    _write(tmp_path / "own", "hidden.desktop", "Name=Hidden\nNoDisplay=true\n")

    names = AppNames([tmp_path / "system", tmp_path / "own"])

    assert names.name_of("app") == "Mine"
    assert names.name_of("hidden") == "hidden"


def test_folders_follow_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", "/home/me/data")
    monkeypatch.setenv("XDG_DATA_DIRS", "/first:/second")

    assert [str(folder.parent) for folder in data_folders()] == ["/second", "/first", "/home/me/data"]
