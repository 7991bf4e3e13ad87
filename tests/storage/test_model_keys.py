"""Keys of model servers: in the keyring, or in a private file that is said aloud; never anywhere else."""

import logging
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from biny_desktop.core.errors import InvalidInputError, StorageError, UnsafePathError
from biny_desktop.storage.folders import Folders, prepare, resolve
from biny_desktop.storage.keys import Keyring
from biny_desktop.storage.model_keys import ModelKeys
from tests.fakes.homes import MemoryKeyring, NoKeyring

SERVER, OTHER = "https://api.example.com:443", "http://127.0.0.1:11434"
KEY = "sk-abc-123"


class ForgetfulKeyring(MemoryKeyring):
    """Takes secrets and loses them."""

    def set(self, user: str, secret: str) -> None:
        del user, secret


class StubbornKeyring(MemoryKeyring):
    """Keeps what it has."""

    def forget(self, user: str) -> None:
        raise OSError(user)


@pytest.fixture
def folders(tmp_path: Path) -> Folders:
    return prepare(resolve(tmp_path / "home"))


def file_of(folders: Folders) -> Path:
    return folders.config / "model_keys.json"


def test_a_key_is_kept_in_the_keyring_for_its_server_only(folders: Folders) -> None:
    ring = MemoryKeyring()
    keys = ModelKeys(folders, ring)
    assert (keys.get(SERVER), keys.place(SERVER)) == (None, "none")
    assert keys.set(SERVER, f" {KEY}\n") == "keyring"
    assert ring.kept == {f"model:{SERVER}": KEY}
    assert (keys.get(SERVER), keys.place(SERVER)) == (KEY, "keyring")
    assert keys.get(OTHER) is None
    assert not file_of(folders).exists()
    keys.forget(SERVER)
    assert (keys.get(SERVER), ring.kept) == (None, {})
    keys.forget(SERVER)


@pytest.mark.parametrize("ring", [NoKeyring(), ForgetfulKeyring()])
def test_without_a_keyring_it_is_a_private_file(folders: Folders, ring: Keyring) -> None:
    keys = ModelKeys(folders, ring)
    assert keys.set(SERVER, KEY) == "file"
    assert keys.set(OTHER, "second") == "file"
    assert stat.S_IMODE(file_of(folders).stat().st_mode) == 0o600
    assert (keys.get(SERVER), keys.place(SERVER), keys.get(OTHER)) == (KEY, "file", "second")
    keys.forget(SERVER)
    assert (keys.get(SERVER), keys.get(OTHER)) == (None, "second")
    assert KEY not in file_of(folders).read_text()


def test_a_new_key_takes_the_place_of_the_old_one_also_when_a_keyring_appears(folders: Folders) -> None:
    ModelKeys(folders, NoKeyring()).set(SERVER, "old")
    keys = ModelKeys(folders, MemoryKeyring())
    assert keys.get(SERVER) == "old"
    assert keys.set(SERVER, KEY) == "keyring"
    assert "old" not in file_of(folders).read_text()
    assert keys.get(SERVER) == KEY


def test_keys_of_all_processes_meet(folders: Folders) -> None:
    first, second = ModelKeys(folders, NoKeyring()), ModelKeys(folders, NoKeyring())
    first.set(SERVER, KEY)
    second.set(OTHER, "second")
    assert (first.get(OTHER), second.get(SERVER)) == ("second", KEY)


@pytest.mark.parametrize("key", ["", "  ", "two words", "line\nend", "schlüssel", "x" * 5_000, "tab\tkey", "\x00"])
def test_what_cannot_be_a_key_is_refused_without_repeating_it(folders: Folders, key: str) -> None:
    keys = ModelKeys(folders, MemoryKeyring())
    with pytest.raises(InvalidInputError) as caught:
        keys.set(SERVER, key)
    assert not key.strip() or key.strip() not in str(caught.value)
    assert keys.get(SERVER) is None


def test_a_keyring_that_refuses_to_forget_is_told(folders: Folders) -> None:
    keys = ModelKeys(folders, StubbornKeyring())
    keys.set(SERVER, KEY)
    with pytest.raises(StorageError):
        keys.forget(SERVER)


@pytest.mark.parametrize("content", ["", "{", "\x00"])
def test_a_damaged_file_is_told(folders: Folders, content: str) -> None:
    file_of(folders).write_text(content)
    with pytest.raises(StorageError):
        ModelKeys(folders, NoKeyring()).get(SERVER)


@pytest.mark.parametrize("content", ["[]", "3", '{"a": 1}'])
def test_what_is_no_key_in_the_file_counts_as_none(folders: Folders, content: str) -> None:
    file_of(folders).write_text(content)
    assert ModelKeys(folders, NoKeyring()).get(SERVER) is None


def test_a_linked_file_is_not_followed(folders: Folders, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").write_text("{}")
    file_of(folders).symlink_to(tmp_path / "elsewhere")
    with pytest.raises(UnsafePathError):
        ModelKeys(folders, NoKeyring()).set(SERVER, KEY)
    assert (tmp_path / "elsewhere").read_text() == "{}"


@pytest.mark.parametrize("ring", [NoKeyring(), MemoryKeyring(), StubbornKeyring()])
def test_no_key_is_in_a_log_or_a_repr(folders: Folders, ring: Keyring, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    keys = ModelKeys(folders, ring)
    keys.set(SERVER, KEY)
    assert keys.get(SERVER) == KEY
    assert KEY not in caplog.text
    assert KEY not in repr(keys) + str(vars(keys))


def test_a_real_keyring_back_end_keeps_and_forgets(tmp_path: Path) -> None:
    script = (
        "import sys, pathlib\n"
        "from biny_desktop.storage.folders import prepare, resolve\n"
        "from biny_desktop.storage.keys import SystemKeyring\n"
        "from biny_desktop.storage.model_keys import ModelKeys\n"
        "keys = ModelKeys(prepare(resolve(pathlib.Path(sys.argv[1]))), SystemKeyring())\n"
        "print(keys.set('http://a:1', 'k1'), keys.get('http://a:1'))\n"
        "keys.forget('http://a:1'), keys.forget('http://a:1')\n"
        "print(keys.place('http://a:1'), keys.get('http://a:1'))\n"
    )
    env = {
        **os.environ,
        "PYTHON_KEYRING_BACKEND": "tests.fakes.file_keyring.FileKeyring",
        "BINY_TEST_KEYRING": str(tmp_path / "ring"),
    }
    command = [sys.executable, "-c", script, str(tmp_path / "h")]
    root = Path(__file__).resolve().parents[2]
    done = subprocess.run(command, env=env, cwd=root, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["keyring k1", "none None"]
    assert "k1" not in (tmp_path / "ring").read_text()
