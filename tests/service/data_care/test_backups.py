"""Backups of real homes: made beside a running app, proved, restored here and elsewhere, killed at each step."""

import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from biny_desktop.core.errors import DiskFullError, InvalidInputError, UnavailableError, WrongKeyError
from biny_desktop.service.data_care import backups
from biny_desktop.service.data_care.encryption import change_encryption
from biny_desktop.service.data_care.recovery import export_key, import_key
from biny_desktop.service.single import InstanceLock
from biny_desktop.storage.backup import MANIFEST
from biny_desktop.storage.progress import CancelledError, Watch
from tests.fakes.homes import PLAIN, Home, MemoryKeyring, killed_at_each_step, zero_page

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(params=[False, True], ids=["plain", "encrypted"])
def home(request: pytest.FixtureRequest, tmp_path: Path) -> Home:
    made = Home(tmp_path / "h").fill(encrypted=request.param)
    (made.folders.config / "USER.md").write_text("# Ada\n")
    (made.folders.config / "memory" / "people").mkdir(parents=True)
    (made.folders.config / "memory" / "people" / "telling name.md").write_text("a friend")
    made.folders.settings_file.write_text("[read]\nevery = 2\n")
    return made


def back_up(home: Home, target: Path, watch: Watch = Watch(), **more: object) -> backups.BackupReceipt:  # noqa: B008
    def work(opened) -> backups.BackupReceipt:
        product = SimpleNamespace(folders=home.folders, database=opened.database, key=opened.key, clock=home.clock)
        return backups.back_up(product, target, watch, **more)

    return home.opened(work)  # type: ignore[return-value]


def test_a_backup_is_whole_private_and_names_no_title(home: Home, tmp_path: Path) -> None:
    (home.folders.config / "model_keys.json").write_text('{"https://models.example:443": "sk-planted"}')
    done = back_up(home, tmp_path / "b")
    assert not any(b"sk-planted" in path.read_bytes() for path in (tmp_path / "b").rglob("*") if path.is_file())
    assert done.missing == 0
    assert done.files == 8
    manifest = (tmp_path / "b" / MANIFEST).read_bytes()
    assert PLAIN not in manifest
    assert b"people" not in manifest
    assert all(path.stat().st_mode & 0o077 == 0 for path in (tmp_path / "b").rglob("*"))
    assert not list((tmp_path / "b").rglob("biny.key*"))
    receipt = backups.verify(home.folders, home.ring, tmp_path / "b", pictures=True)
    assert receipt.ok
    assert receipt.opened
    assert receipt.pictures_opened == 3
    if done.encrypted:
        found = b"".join(path.read_bytes() for path in (tmp_path / "b").rglob("*") if path.suffix in (".db", ".sealed"))
        assert PLAIN not in found
        assert b"\xff\xd8\xff" not in found[:3]


def test_it_is_made_while_another_writes(home: Home, tmp_path: Path) -> None:
    writer = home.open()
    with writer.database.write() as w:
        w.run("INSERT INTO meta(key, value) VALUES('x', 'y')")
        assert w.one("SELECT 1 AS one") is not None
    back_up(home, tmp_path / "b")
    writer.database.close()
    writer.presence.leave()
    assert backups.verify(home.folders, home.ring, tmp_path / "b").ok


@pytest.mark.parametrize("name", ["biny.db", "biny.json", "settings.toml", "picture", "vault", "lost", "manifest"])
def test_any_change_of_a_backup_is_found(home: Home, tmp_path: Path, name: str) -> None:
    back_up(home, tmp_path / "b")
    pictures = [path for path in (tmp_path / "b" / "pictures").rglob("*") if path.is_file()]
    file = {
        "picture": pictures[0], "lost": pictures[0], "manifest": tmp_path / "b" / MANIFEST,
        "vault": tmp_path / "b" / "vault" / "memory" / "people" / "telling name.md",
    }.get(name, tmp_path / "b" / name)  # fmt: skip
    if name == "lost":
        file.unlink()
    elif name == "manifest":
        content = json.loads(file.read_text())
        content["rows"]["frames"] += 1
        file.write_text(json.dumps(content))
    elif name == "biny.db":
        zero_page(file, 3)
    else:
        file.write_bytes(file.read_bytes()[:-1] + b"?")
    receipt = backups.verify(home.folders, home.ring, tmp_path / "b")
    assert not receipt.ok
    assert "telling" not in " ".join(receipt.problems)
    if name != "manifest":
        before = home.content()
        with pytest.raises(InvalidInputError):
            backups.restore(Home(tmp_path / "new").folders, home.ring, home.clock, tmp_path / "b")
        with pytest.raises(InvalidInputError):
            backups.restore(home.folders, home.ring, home.clock, tmp_path / "b")
        assert home.content() == before


def test_a_restore_brings_the_home_back_and_sets_the_other_aside(home: Home, tmp_path: Path) -> None:
    before = home.content()
    back_up(home, tmp_path / "b")
    (home.folders.config / "USER.md").write_text("# changed\n")

    def lose(opened) -> None:
        with opened.database.write() as w:
            w.run("UPDATE frames SET title = 'later'")

    home.opened(lose)
    changed = home.content()
    receipt = backups.restore(home.folders, home.ring, home.clock, tmp_path / "b")
    assert receipt.key_here
    assert home.content() == before
    assert (home.folders.config / "USER.md").read_text() == "# Ada\n"
    data, config = (Path(path) for path in receipt.aside)
    assert (config / "USER.md").read_text() == "# changed\n"
    old = Home(tmp_path / "old", home.ring, home.clock)
    old.folders.config.mkdir(parents=True)
    data.rename(old.folders.data)
    for key in home.folders.config.glob("biny.key*"):
        key.rename(old.folders.config / key.name)
    assert old.content() == changed


def test_a_restore_on_another_machine_asks_for_the_recovery_key(tmp_path: Path) -> None:
    home = Home(tmp_path / "h", MemoryKeyring()).fill(encrypted=True)
    before, typed = home.content(), export_key(home.folders, home.ring)
    back_up(home, tmp_path / "b")
    there = Home(tmp_path / "there", MemoryKeyring())
    assert not backups.verify(there.folders, there.ring, tmp_path / "b").opened
    receipt = backups.restore(there.folders, there.ring, there.clock, tmp_path / "b")
    assert not receipt.key_here
    with pytest.raises(WrongKeyError):
        there.open()
    assert import_key(there.folders, there.ring, typed).key_place == "keyring"
    assert there.content() == before
    direct = Home(tmp_path / "direct")
    assert backups.restore(direct.folders, direct.ring, direct.clock, tmp_path / "b", recovery=typed).key_here
    assert direct.content() == before
    other = Home(tmp_path / "o").fill(1, encrypted=True)
    wrong = export_key(other.folders, other.ring)
    with pytest.raises(WrongKeyError):
        backups.verify(there.folders, there.ring, tmp_path / "b", recovery=wrong)


def test_an_old_backup_opens_after_the_key_was_changed(tmp_path: Path) -> None:
    home = Home(tmp_path / "h").fill(encrypted=True)
    before = home.content()
    back_up(home, tmp_path / "b")
    change_encryption(home.folders, home.ring, home.clock, "rekey")
    assert backups.drill(home.folders, home.ring, home.clock, tmp_path / "b").ok
    change_encryption(home.folders, home.ring, home.clock, "off")
    backups.restore(home.folders, home.ring, home.clock, tmp_path / "b")
    assert home.content() == before
    assert home.opened(lambda o: o.database.encrypted)


def test_a_restore_killed_at_each_step_is_the_old_home_or_the_new_one(home: Home, tmp_path: Path) -> None:
    before = home.content()
    back_up(home, tmp_path / "b")
    pristine = Home(tmp_path / "pristine").fill(1, encrypted=True)
    old = pristine.content()
    pristine.copy_to(tmp_path / "target")
    for key in home.folders.config.glob("biny.key*"):
        for place in (tmp_path / "target", tmp_path / "pristine"):
            identity = json.loads(home.folders.identity_file.read_text())["id"]
            (place / "config" / f"biny.key.{identity}").write_text(key.read_text())
    seen = []

    def restore() -> None:
        target = Home(tmp_path / "target")
        backups.restore(target.folders, target.ring, target.clock, tmp_path / "b")

    for step in killed_at_each_step(restore):
        target = Home(tmp_path / "target")
        seen.append(target.content())
        assert seen[-1] in (old, before), step
        assert not (target.folders.data / "restore.part").exists(), step
        aside = list(target.folders.data.glob("before-restore-*/biny.db"))
        assert len(aside) == (1 if seen[-1] == before else 0), step
        pristine.copy_to(tmp_path / "target")
    assert seen[0] == old
    assert seen[-1] == before
    assert len(seen) > 20


def test_a_backup_killed_at_each_step_leaves_no_folder_that_looks_like_one(home: Home, tmp_path: Path) -> None:
    for step in killed_at_each_step(lambda: back_up(home, tmp_path / "b")):
        if (tmp_path / "b" / MANIFEST).exists():  # killed after the last step
            assert backups.verify(home.folders, home.ring, tmp_path / "b").ok, step
            shutil.rmtree(tmp_path / "b")
    assert backups.verify(home.folders, home.ring, tmp_path / "b").ok
    assert not (tmp_path / "b.part").exists()


def test_a_real_kill_during_a_restore(tmp_path: Path) -> None:
    home = Home(tmp_path / "h").fill(30, encrypted=False)
    before = home.content()
    back_up(home, tmp_path / "b")
    command = [sys.executable, "-m", "biny_desktop", "--home", str(home.path), "data", "restore", str(tmp_path / "b"),
               "--yes"]  # fmt: skip
    child = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        while child.poll() is None and not list(home.folders.data.glob("restore.*")):
            pass
    finally:
        os.kill(child.pid, signal.SIGKILL)
        child.wait()
    assert home.content() == before
    assert not list(home.folders.data.glob("restore.*"))


def test_a_drill_leaves_nothing_and_says_what_it_looked_at(
    home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "tmp").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "tmp"))
    back_up(home, tmp_path / "b")
    done = backups.drill(home.folders, home.ring, home.clock, tmp_path / "b")
    assert done.ok
    assert done.check.pictures_opened == 3
    assert done.check.rows > 6
    assert list((tmp_path / "tmp").iterdir()) == []


def test_cancel_leaves_nothing(home: Home, tmp_path: Path) -> None:
    stop = Watch(cancelled=lambda: True)
    with pytest.raises(CancelledError):
        back_up(home, tmp_path / "b", stop)
    assert not list(tmp_path.glob("b*"))
    back_up(home, tmp_path / "b")
    before = home.content()
    for work in (backups.verify, backups.drill):
        arguments = (home.folders, home.ring, *([home.clock] if work is backups.drill else []), tmp_path / "b", stop)
        with pytest.raises(CancelledError):
            work(*arguments)
    with pytest.raises(CancelledError):
        backups.restore(home.folders, home.ring, home.clock, tmp_path / "b", stop)
    assert home.content() == before
    assert not (home.folders.data / "restore.part").exists()


def test_progress_counts_up_to_its_total(home: Home, tmp_path: Path) -> None:
    told = []
    back_up(home, tmp_path / "b", Watch(told.append))
    assert [p.step for p in told if p.done == 0] == ["database", "pictures", "vault"]
    assert all(0 <= p.done <= p.total for p in told)


def test_too_little_space_is_said_first(home: Home, tmp_path: Path) -> None:
    with pytest.raises(DiskFullError):
        back_up(home, tmp_path / "b", free=lambda _: 1_000_000)
    assert not list(tmp_path.glob("b*"))
    back_up(home, tmp_path / "b")
    with pytest.raises(DiskFullError):
        backups.restore(home.folders, home.ring, home.clock, tmp_path / "b", free=lambda _: 1_000_000)


def test_a_disk_that_fills_up_in_the_middle_leaves_nothing(home: Home, tmp_path: Path) -> None:
    (home.folders.config / "memory" / "big.md").write_bytes(bytes(3_000_000))
    script = (
        "import resource, sys, signal\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "from pathlib import Path\n"
        "from types import SimpleNamespace\n"
        "from biny_desktop.core.errors import DiskFullError\n"
        "from biny_desktop.service.data_care.backups import back_up\n"
        "from tests.fakes.homes import Home\n"
        "home = Home(Path(sys.argv[1])); opened = home.open()\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (2_000_000, 2_000_000))\n"
        "product = SimpleNamespace(folders=home.folders, database=opened.database, key=opened.key, clock=home.clock)\n"
        "try:\n"
        "    back_up(product, Path(sys.argv[2]))\n"
        "except DiskFullError:\n"
        "    print('full')\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, str(home.path), str(tmp_path / "b")],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.stdout == "full\n", done.stderr
    assert not list(tmp_path.glob("b*"))


def test_places_that_cannot_take_a_backup(home: Home, tmp_path: Path) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "x").touch()
    (tmp_path / "link").symlink_to(tmp_path / "full")
    for target in (
        tmp_path / "full",
        tmp_path / "link",
        home.folders.data / "b",
        home.folders.config,
        tmp_path / "full" / "x",
    ):
        with pytest.raises(InvalidInputError):
            back_up(home, target)
    (tmp_path / "empty").mkdir()
    assert back_up(home, tmp_path / "empty").files == 8


def test_a_running_app_is_in_the_way_of_a_restore_not_of_a_backup(home: Home, tmp_path: Path) -> None:
    with InstanceLock(home.folders):
        back_up(home, tmp_path / "b")
        with pytest.raises(UnavailableError):
            backups.restore(home.folders, home.ring, home.clock, tmp_path / "b")


def test_pictures_that_were_moved_are_backed_up_and_come_back_into_the_home(home: Home, tmp_path: Path) -> None:
    before = home.content()
    elsewhere = tmp_path / "elsewhere"
    home.folders.pictures.rename(elsewhere)
    home.folders.place_file.write_text(json.dumps({"folder": str(elsewhere)}))
    assert home.content() == before
    back_up(home, tmp_path / "b")
    with pytest.raises(InvalidInputError):
        back_up(home, elsewhere / "c")
    backups.restore(home.folders, home.ring, home.clock, tmp_path / "b")
    assert home.folders.pictures == home.folders.data / "pictures"
    assert home.content() == before
    assert len([path for path in elsewhere.rglob("*") if path.is_file()]) == 3


def test_what_is_no_backup_is_said(home: Home, tmp_path: Path) -> None:
    (tmp_path / "e").mkdir()
    for content in (None, "{}", "[]", '{"format": 99}', '{"format": 1, "files": [{}]}'):
        if content is not None:
            (tmp_path / "e" / MANIFEST).write_text(content)
        with pytest.raises(InvalidInputError):
            backups.verify(home.folders, home.ring, tmp_path / "e")


def test_a_manifest_cannot_lead_out_of_its_folder(home: Home, tmp_path: Path) -> None:
    back_up(home, tmp_path / "b")
    (tmp_path / "outside").write_text("x")
    file = tmp_path / "b" / MANIFEST
    content = json.loads(file.read_text())
    for path in ("../outside", "pictures/../../outside", "/etc/hostname", "vault:..", "biny.key"):
        changed = {**content, "files": [*content["files"], {"path": path, "bytes": 1, "sha256": "x"}]}
        file.write_text(json.dumps(changed))
        with pytest.raises(InvalidInputError):
            backups.restore(Home(tmp_path / "n").folders, home.ring, home.clock, tmp_path / "b")
    assert not (tmp_path / "n" / "data" / "biny.db").exists()
