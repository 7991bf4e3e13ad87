"""`biny data` as a user starts it: processes on real homes, their output and exit statuses."""

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from biny_desktop.service.single import InstanceLock
from tests.fakes.homes import Home, zero_page

ROOT = Path(__file__).resolve().parents[2]


def biny(home: Path, *words: str, typed: str | None = None, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "biny_desktop", "--home", str(home), *words],
        cwd=ROOT, env={**os.environ, **env}, input=typed, stdin=subprocess.DEVNULL if typed is None else None,
        capture_output=True, text=True, check=False,
    )  # fmt: skip


def told(done: subprocess.CompletedProcess[str]) -> dict:
    lines = done.stdout.splitlines()
    assert len(lines) == 1, done
    return json.loads(lines[0])


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / "h").fill(encrypted=True)


def test_backup_verify_drill_and_restore(home: Home, tmp_path: Path) -> None:
    before, target = home.content(), str(tmp_path / "b")
    made = told(biny(home.path, "data", "backup", target, "--json"))
    assert made["files"] == 5
    assert made["encrypted"] is True
    assert told(biny(home.path, "data", "verify", target, "--json"))["ok"] is True
    drilled = told(biny(home.path, "data", "drill", target, "--json"))
    assert drilled["ok"] is True
    assert drilled["pictures_opened"] == 3
    restored = told(biny(home.path, "data", "restore", target, "--yes", "--json"))
    assert restored["key_here"] is True
    assert len(restored["aside"]) >= 1
    assert home.content() == before
    again = biny(home.path, "data", "backup", target, "--json")
    assert again.returncode == 1
    assert told(again)["error"]["kind"] == "invalid_input"


def test_a_bad_backup_is_status_1_and_says_what(home: Home, tmp_path: Path) -> None:
    assert biny(home.path, "data", "backup", str(tmp_path / "b")).returncode == 0
    zero_page(tmp_path / "b" / "biny.db", 2)
    for command in ("verify", "drill"):
        done = biny(home.path, "data", command, str(tmp_path / "b"), "--json")
        assert done.returncode == 1
        assert told(done)["ok"] is False
        assert any("biny.db" in line for line in told(done)["problems"])
        assert "not good" in biny(home.path, "data", command, str(tmp_path / "b")).stdout
    missing = biny(home.path, "data", "verify", str(tmp_path / "nowhere"), "--json")
    assert missing.returncode == 1
    assert told(missing)["error"]["hint"]


def test_encryption_off_on_and_a_new_key(home: Home) -> None:
    before = home.content()
    first = told(biny(home.path, "data", "key", "export", "--json"))["recovery_key"]
    assert told(biny(home.path, "data", "encrypt", "off", "--yes", "--json"))["encrypted"] is False
    assert home.content() == before
    on = told(biny(home.path, "data", "encrypt", "on", "--yes", "--json"))
    assert (on["encrypted"], on["changed"], on["pictures"]) == (True, True, 3)
    assert told(biny(home.path, "data", "encrypt", "on", "--yes", "--json"))["changed"] is False
    plain = biny(home.path, "data", "encrypt", "rekey", "--yes")
    assert plain.returncode == 0
    assert "Encryption is on" in plain.stdout
    assert told(biny(home.path, "data", "key", "export", "--json"))["recovery_key"] != first
    assert home.content() == before
    assert told(biny(home.path, "config", "get", "storage.encryption", "--json"))["value"] == "on"


def test_the_recovery_key_travels_by_a_pipe(home: Home, tmp_path: Path) -> None:
    before = home.content()
    key = biny(home.path, "data", "key", "export").stdout
    biny(home.path, "data", "backup", str(tmp_path / "b"))
    there = Home(tmp_path / "there")
    assert "recovery key" in biny(there.path, "data", "restore", str(tmp_path / "b"), "--yes").stdout
    lost = biny(there.path, "status", "--json")
    assert told(lost)["error"]["kind"] == "wrong_key"
    assert "recovery key" in told(lost)["error"]["hint"]
    wrong = biny(there.path, "data", "key", "import", "--json", typed="0000-0000\n")
    assert wrong.returncode == 1
    assert told(wrong)["error"]["kind"] == "invalid_input"
    assert told(biny(there.path, "data", "key", "import", "--json"))["error"]["kind"] == "invalid_input"
    assert biny(there.path, "data", "key", "import", typed=key).returncode == 0
    assert there.content() == before
    elsewhere = tmp_path / "elsewhere"
    verified = biny(elsewhere, "data", "verify", str(tmp_path / "b"), "--recovery-key", "--json", typed=key)
    assert told(verified)["opened"] is True
    assert not elsewhere.exists()


@pytest.mark.parametrize("words", [("encrypt", "off"), ("encrypt", "rekey"), ("restore", "x")])
def test_nothing_is_asked_and_nothing_done_without_a_terminal(home: Home, words: tuple[str, ...]) -> None:
    before = home.folders.database_file.read_bytes()
    done = biny(home.path, "data", *words, "--json")
    assert done.returncode == 1
    assert "--yes" in told(done)["error"]["hint"]
    assert home.folders.database_file.read_bytes() == before


def test_on_a_terminal_it_asks_and_no_means_no(home: Home) -> None:
    leader, follower = pty.openpty()
    command = [sys.executable, "-m", "biny_desktop", "--home", str(home.path), "data", "encrypt", "off"]
    with subprocess.Popen(
        command, cwd=ROOT, stdin=follower, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as child:
        os.write(leader, b"n\n")
        out, err = child.communicate(timeout=60)
    os.close(leader)
    os.close(follower)
    assert child.returncode == 1
    assert out == ""
    assert "Decrypt everything?" in err
    assert home.opened(lambda o: o.database.encrypted)


def test_a_running_app_lets_a_backup_through_and_nothing_else(home: Home, tmp_path: Path) -> None:
    with InstanceLock(home.folders):
        assert biny(home.path, "data", "backup", str(tmp_path / "b")).returncode == 0
        for words in (("encrypt", "off", "--yes"), ("restore", str(tmp_path / "b"), "--yes")):
            done = biny(home.path, "data", *words, "--json")
            assert told(done)["error"]["kind"] == "unavailable"
            assert "Quit" in told(done)["error"]["hint"]


@pytest.mark.parametrize("words", [(), ("backup",), ("encrypt",), ("encrypt", "maybe"), ("key", "show"), ("verify",)])
def test_wrong_usage_is_status_2(tmp_path: Path, words: tuple[str, ...]) -> None:
    assert biny(tmp_path / "h", "data", *words).returncode == 2
    assert not (tmp_path / "h").exists()


def test_doctor_tells_of_a_rescued_database(home: Home) -> None:
    pages = home.opened(lambda o: _leaves(o.database))
    zero_page(home.folders.database_file, pages[0])
    (home.folders.data / "biny.db.check").touch()
    checks = {check["name"]: check for check in told(biny(home.path, "doctor", "--json"))["checks"]}
    assert checks["damage"]["state"] == "warn"
    assert "recovered" in checks["damage"]["text"]


def _leaves(database) -> list[int]:
    from tests.fakes.homes import pages_of

    return [number for number, kind in pages_of(database, "frame_text") if kind == "leaf"]
