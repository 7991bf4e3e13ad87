"""Keys in a keyring or a file, private folders, settings file, leases."""

import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from biny_desktop.core.errors import InvalidSettingError, StorageError, UnsafePathError, WrongKeyError
from biny_desktop.storage import settings_file
from biny_desktop.storage.database import open_database
from biny_desktop.storage.folders import Folders, prepare, private_folder, resolve
from biny_desktop.storage.keys import obtain
from biny_desktop.storage.leases import acquire, release
from biny_desktop.storage.migrate import migrate
from tests.fakes.clock import FakeClock
from tests.fakes.homes import MemoryKeyring, NoKeyring


class ForgetfulKeyring(MemoryKeyring):
    def set(self, user: str, secret: str) -> None:
        pass


@pytest.fixture
def folders(tmp_path: Path) -> Folders:
    return prepare(resolve(tmp_path / "home"))


def test_the_key_lives_in_the_keyring_and_comes_back(folders: Folders) -> None:
    ring = MemoryKeyring()
    key = obtain(folders, ring, encrypt_new=True)
    assert key.place == "keyring"
    assert list(ring.kept) == [f"database:{key.database_id}"]
    assert obtain(folders, ring, encrypt_new=False) == key
    assert not (folders.config / "biny.key").exists()


@pytest.mark.parametrize("ring", [NoKeyring(), ForgetfulKeyring()])
def test_without_a_working_keyring_the_key_is_a_private_file(folders: Folders, ring: NoKeyring) -> None:
    key = obtain(folders, ring, encrypt_new=True)
    path = folders.config / "biny.key"
    assert key.place == "file"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert obtain(folders, NoKeyring(), encrypt_new=True) == key


def test_a_lost_key_is_an_error_and_never_a_new_key(folders: Folders) -> None:
    ring = MemoryKeyring()
    obtain(folders, ring, encrypt_new=True)
    before = (folders.data / "biny.json").read_bytes()
    ring.kept.clear()
    for broken in (ring, NoKeyring()):
        with pytest.raises(WrongKeyError):
            obtain(folders, broken, encrypt_new=True)
    assert (folders.data / "biny.json").read_bytes() == before


def test_a_lost_identity_beside_a_database_is_an_error(folders: Folders) -> None:
    folders.database_file.write_bytes(b"x")
    with pytest.raises(WrongKeyError):
        obtain(folders, MemoryKeyring(), encrypt_new=True)


@pytest.mark.parametrize("content", ["", "{}", "[]", '{"id": 1, "key": "moon"}', "\x00"])
def test_a_damaged_identity_is_said(folders: Folders, content: str) -> None:
    (folders.data / "biny.json").write_text(content)
    with pytest.raises(StorageError):
        obtain(folders, MemoryKeyring(), encrypt_new=True)


@pytest.mark.parametrize("content", ["", "zz", "ab" * 31, "é"])
def test_a_damaged_key_file_is_said(folders: Folders, content: str) -> None:
    obtain(folders, NoKeyring(), encrypt_new=True)
    (folders.config / "biny.key").write_text(content)
    with pytest.raises(WrongKeyError):
        obtain(folders, NoKeyring(), encrypt_new=True)


def test_encryption_off_makes_no_key(folders: Folders) -> None:
    assert obtain(folders, MemoryKeyring(), encrypt_new=False).secret is None


def test_folders_are_private_and_links_are_refused(tmp_path: Path) -> None:
    folders = prepare(resolve(tmp_path / "h"))
    for path in (folders.config, folders.data, folders.logs, folders.pictures):
        assert stat.S_IMODE(path.stat().st_mode) == 0o700
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(UnsafePathError):
        private_folder(tmp_path / "link")
    (tmp_path / "file").write_text("x")
    with pytest.raises(StorageError):
        private_folder(tmp_path / "file")
    with pytest.raises(StorageError):
        private_folder(tmp_path / "file" / "below")


def test_an_open_folder_is_closed_again(tmp_path: Path) -> None:
    (tmp_path / "d").mkdir(mode=0o755)
    private_folder(tmp_path / "d")
    assert stat.S_IMODE((tmp_path / "d").stat().st_mode) == 0o700


def test_home_comes_from_the_option_then_the_environment(tmp_path: Path) -> None:
    assert resolve(tmp_path, {"BINY_HOME": "/other"}).data == tmp_path / "data"
    assert resolve(None, {"BINY_HOME": str(tmp_path)}).config == tmp_path / "config"
    assert resolve(None, {"XDG_CONFIG_HOME": str(tmp_path)}).config == tmp_path / "biny"


def test_setting_one_value_keeps_the_others_and_unknown_ones(folders: Folders) -> None:
    path = folders.settings_file
    path.write_text("[capture]\nmerge_ms = 5000\n[future]\nthing = 1\n")
    assert settings_file.set_value(path, "read.every", "2") == 2
    text = path.read_text()
    assert "merge_ms = 5000" in text
    assert "thing = 1" in text
    with pytest.raises(InvalidSettingError):
        settings_file.set_value(path, "read.every", "0")
    assert path.read_text() == text
    settings_file.unset(path, "read.every")
    assert "every" not in path.read_text()


def test_a_lease_is_held_by_one_and_runs_out(folders: Folders) -> None:
    clock = FakeClock()
    db = open_database(folders.database_file, None)
    migrate(db)
    first = acquire(db, clock, "sleep", "one", 1_000)
    assert first is not None
    assert acquire(db, clock, "sleep", "two", 1_000) is None
    assert acquire(db, clock, "sleep", "one", 1_000) is not None
    clock.advance(1_001)
    second = acquire(db, clock, "sleep", "two", 1_000)
    assert second is not None
    assert second.fence > first.fence
    release(db, first)
    assert acquire(db, clock, "sleep", "three", 1_000) is None
    release(db, second)
    assert acquire(db, clock, "sleep", "three", 1_000) is not None
    db.close()


def test_a_real_keyring_back_end_in_its_own_process_keeps_the_key(tmp_path: Path) -> None:
    """A file back end of the `keyring` package itself, through the real module."""
    home = tmp_path / "h"
    script = (
        "import sys, json, pathlib\n"
        "from biny_desktop.storage.folders import prepare, resolve\n"
        "from biny_desktop.storage.keys import SystemKeyring, obtain\n"
        "key = obtain(prepare(resolve(pathlib.Path(sys.argv[1]))), SystemKeyring(), encrypt_new=True)\n"
        "print(json.dumps([key.place, key.secret.hex()]))\n"
    )
    env = {
        **os.environ,
        "PYTHON_KEYRING_BACKEND": "tests.fakes.file_keyring.FileKeyring",
        "BINY_TEST_KEYRING": str(tmp_path / "ring"),
    }
    env.pop("BINY_HOME", None)
    root = Path(__file__).resolve().parents[2]
    runs = [
        json.loads(
            subprocess.run(
                [sys.executable, "-c", script, str(home)], env=env, cwd=root, capture_output=True, check=True
            ).stdout
        )
        for _ in range(2)
    ]
    assert runs[0] == runs[1]
    assert runs[0][0] == "keyring"
