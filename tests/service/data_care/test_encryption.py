"""Encryption on, off and under another key, on real homes: killed at each step, disk full, nothing plain left."""

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from biny_desktop.core.errors import DiskFullError, InvalidInputError, StorageError, UnavailableError
from biny_desktop.service.data_care.encryption import change_encryption, follow_setting, plain_leftovers
from biny_desktop.service.single import InstanceLock
from biny_desktop.storage.connections import fits
from biny_desktop.storage.damage import DamageReport, _write_reports
from biny_desktop.storage.keys import obtain, read_identity
from biny_desktop.storage.progress import CancelledError, Progress, Watch
from biny_desktop.storage.rekey import pending
from tests.fakes.homes import PLAIN, Home, MemoryKeyring, killed_at_each_step
from tests.waiting import wait_until

ROOT = Path(__file__).resolve().parents[3]
MODES = [(False, "on"), (True, "off"), (True, "rekey")]


def change(home: Home, mode: str, watch: Watch = Watch()):  # noqa: B008  # frozen, and says nothing
    return change_encryption(home.folders, home.ring, home.clock, mode, watch)  # type: ignore[arg-type]


def secret_of(home: Home) -> bytes | None:
    return obtain(home.folders, home.ring, encrypt_new=False).secret


@pytest.mark.parametrize("ring", ["file", "keyring"])
def test_turning_it_on_leaves_nothing_plain_and_loses_nothing(tmp_path: Path, ring: str) -> None:
    home = Home(tmp_path / "h")
    if ring == "keyring":
        home.ring = MemoryKeyring()
    home.fill(encrypted=False)
    before = home.content()
    assert home.plain_files()
    (home.folders.data / "backups").mkdir()
    shutil.copy(home.folders.database_file, home.folders.data / "backups" / "before-0002.db")
    day = next(home.folders.pictures.iterdir())
    (day / "010203-abc.jpg.part").write_bytes(b"\xff\xd8\xff telling half")
    (day / "010203-abc.jpg").write_bytes(b"\xff\xd8\xff telling orphan")
    receipt = change(home, "on")
    assert receipt.changed
    assert receipt.encrypted
    assert receipt.key_place == ring
    assert receipt.pictures == 3
    assert receipt.copies == 1
    assert home.plain_files() == []
    assert home.content() == before
    assert home.found("telling") == 3
    assert home.plain_files() == []
    assert fits(home.folders.data / "backups" / "before-0002.db", secret_of(home))


def test_turning_it_off_gives_plain_readable_files(tmp_path: Path) -> None:
    home = Home(tmp_path / "h").fill(encrypted=True)
    before = home.content()
    assert home.plain_files() == []
    receipt = change(home, "off")
    assert receipt.key_place == "none"
    assert home.content() == before
    pictures = [path for path in home.folders.pictures.rglob("*") if path.is_file()]
    assert len(pictures) == 3
    assert all(path.suffix == ".jpg" and path.read_bytes().startswith(b"\xff\xd8") for path in pictures)
    assert home.folders.database_file.read_bytes().startswith(b"SQLite format 3")
    assert "off" in home.folders.settings_file.read_text()


def test_a_new_key_opens_everything_and_the_old_one_only_old_copies(tmp_path: Path) -> None:
    home = Home(tmp_path / "h").fill(encrypted=True)
    before, old = home.content(), secret_of(home)
    old_identity = read_identity(home.folders.identity_file)
    receipt = change(home, "rekey")
    new = secret_of(home)
    assert receipt.pictures == 3
    assert new != old
    assert not fits(home.folders.database_file, old)
    assert home.content() == before
    from biny_desktop.storage.keys import stored_key

    assert stored_key(home.folders, home.ring, old_identity).secret == old


@pytest.mark.parametrize(("encrypted", "mode"), MODES)
def test_killed_at_each_step_it_opens_whole_and_converges(tmp_path: Path, encrypted: bool, mode: str) -> None:
    pristine = Home(tmp_path / "pristine").fill(2, encrypted=encrypted)
    before = pristine.content()
    pristine.copy_to(tmp_path / "h")
    steps = 0
    for step in killed_at_each_step(lambda: change(Home(tmp_path / "h"), mode)):
        steps = step
        home = Home(tmp_path / "h", clock=pristine.clock)
        assert home.content() == before, step
        if pending(home.folders) is not None or mode != "rekey":
            receipt = change(home, "on" if mode == "rekey" else mode)
            assert receipt.encrypted == (mode != "off"), step
        assert pending(home.folders) is None
        assert home.content() == before, step
        if mode != "off":
            assert home.plain_files() == [], step
        left = {path.name for path in home.folders.data.iterdir()}
        assert not {name for name in left if "rekey" in name}, step
        pristine.copy_to(tmp_path / "h")
    assert steps > 15


def test_a_real_kill_between_database_and_pictures_goes_on_at_the_next_start(tmp_path: Path) -> None:
    home = Home(tmp_path / "h").fill(40, encrypted=False)
    before = home.content()
    command = [sys.executable, "-m", "biny_desktop", "--home", str(home.path), "data", "encrypt", "on", "--yes"]
    child = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        journal = home.folders.data / "rekey.json"
        wait_until(lambda: child.poll() is not None or (journal.exists() and b"pictures" in journal.read_bytes()), 60)
    finally:
        os.kill(child.pid, signal.SIGKILL)
        child.wait()
    assert home.content() == before
    follow_setting(home.folders, home.ring, home.clock, wanted=True)
    assert home.content() == before
    assert pending(home.folders) is None
    assert home.plain_files() == []


def test_cancelled_before_the_change_over_it_is_as_before(tmp_path: Path) -> None:
    home = Home(tmp_path / "h").fill(encrypted=False)
    before = home.content()
    with pytest.raises(CancelledError):
        change(home, "on", Watch(cancelled=lambda: True))
    assert pending(home.folders) is None
    assert secret_of(home) is None
    assert home.content() == before


def test_cancelled_among_the_pictures_all_are_readable_and_it_goes_on(tmp_path: Path) -> None:
    home = Home(tmp_path / "h").fill(60, encrypted=False)
    before, told = home.content(), []

    def cancelled() -> bool:
        return any(progress.step == "pictures" for progress in told)

    with pytest.raises(CancelledError):
        change(home, "on", Watch(told.append, cancelled))
    assert pending(home.folders) is not None
    assert home.content() == before
    receipt = change(home, "on")
    assert receipt.pictures == 10
    assert home.plain_files() == []
    assert home.content() == before
    assert {Progress("pictures", 50, 60)} <= set(told)


def test_too_little_space_is_said_before_anything_is_begun(tmp_path: Path) -> None:
    home = Home(tmp_path / "h").fill(encrypted=False)
    with pytest.raises(DiskFullError):
        change_encryption(home.folders, home.ring, home.clock, "on", free=lambda _: 1_000)
    assert pending(home.folders) is None
    assert secret_of(home) is None


def test_a_full_disk_in_the_middle_leaves_it_as_before(tmp_path: Path) -> None:
    """A real limit on the size of files, in a process of its own."""
    home = Home(tmp_path / "h").fill(encrypted=False)
    before = home.content()
    script = (
        "import resource, sys, signal\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "from biny_desktop.app import run_cli\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))\n"
        "sys.exit(run_cli(['--home', sys.argv[1], 'data', 'encrypt', 'on', '--yes', '--json']))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, str(home.path)], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1, done
    assert '"disk_full"' in done.stdout or '"storage"' in done.stdout
    assert pending(home.folders) is None
    assert home.content() == before


def test_a_running_app_or_an_open_command_is_in_the_way(tmp_path: Path) -> None:
    home = Home(tmp_path / "h").fill(encrypted=False)
    with InstanceLock(home.folders), pytest.raises(UnavailableError, match="running"):
        change(home, "on")
    opened = home.open()
    with pytest.raises(UnavailableError, match="in use"):
        change(home, "on")
    opened.database.close()
    opened.presence.leave()
    assert change(home, "on").changed


def test_nothing_to_do_is_said(tmp_path: Path) -> None:
    with pytest.raises(InvalidInputError):
        change(Home(tmp_path / "empty"), "on")
    home = Home(tmp_path / "h").fill(encrypted=False)
    with pytest.raises(InvalidInputError):
        change(home, "rekey")
    assert not change(home, "off").changed


def test_a_vanished_pictures_folder_is_in_the_way(tmp_path: Path) -> None:
    home = Home(tmp_path / "h").fill(encrypted=False)
    home.folders.pictures.rename(tmp_path / "elsewhere")
    with pytest.raises(StorageError, match="gone"):
        change(home, "on")
    assert secret_of(home) is None


@pytest.mark.logs_warning("cannot be sealed anew")
def test_a_damaged_picture_is_left_and_counted(tmp_path: Path) -> None:
    home = Home(tmp_path / "h").fill(encrypted=True)
    picture = next(path for path in home.folders.pictures.rglob("*.sealed"))
    picture.write_bytes(picture.read_bytes()[:-1] + b"x")
    receipt = change(home, "off")
    assert (receipt.pictures, receipt.pictures_failed) == (2, 1)
    assert picture.exists()


def test_the_setting_is_followed_at_the_start(tmp_path: Path) -> None:
    home = Home(tmp_path / "h").fill(encrypted=False)
    assert follow_setting(home.folders, home.ring, home.clock, wanted=False) is None
    done = follow_setting(home.folders, home.ring, home.clock, wanted=True)
    assert done is not None
    assert done.encrypted
    assert home.plain_files() == []
    assert follow_setting(Home(tmp_path / "new").folders, home.ring, home.clock, wanted=True) is None


def test_plain_set_aside_files_are_named_and_removed_when_it_is_turned_on(tmp_path: Path) -> None:
    home = Home(tmp_path / "h").fill(encrypted=False)
    aside = home.folders.data / "biny.db.damaged-1"
    shutil.copy(home.folders.database_file, aside)
    _write_reports(home.folders, [DamageReport(1, aside.name, False, True, True, ())])
    old = home.folders.data / "before-restore-1"
    old.mkdir()
    (old / "biny.json").write_text('{"id": "ab", "key": "none"}')
    (old / "biny.db").write_bytes(b"SQLite format 3 telling")
    assert set(plain_leftovers(home.folders)) == {aside, old}
    assert set(change(home, "on").removed) == {aside.name, old.name}
    assert home.plain_files() == []


def test_checkpoints_of_turns_follow_and_half_written_ones_go(tmp_path: Path) -> None:
    home = Home(tmp_path / "h").fill(1, encrypted=False)
    turns = home.folders.data / "turns"
    turns.mkdir(mode=0o700)
    (turns / "s1.json").write_bytes(PLAIN)
    (turns / "s1.json.0123456789ab.part").write_bytes(PLAIN)
    change(home, "on")
    assert [path.name for path in turns.iterdir()] == ["s1.json.sealed"]
    assert home.plain_files() == []
    change(home, "off")
    assert (turns / "s1.json").read_bytes() == PLAIN
