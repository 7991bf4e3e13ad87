"""Start at login: written, read back as the system sees it, and safe beside entries of others."""

import plistlib
import sys
from pathlib import Path

import pytest

from biny_desktop.core.errors import StorageError, UnavailableError, UnsafePathError
from biny_desktop.service.autostart.launch_agent import LABEL, LaunchAgent
from biny_desktop.service.autostart.pick import NoAutostart, pick, start_command
from biny_desktop.service.autostart.ports import Autostart, StartCommand
from biny_desktop.service.autostart.run_key import APPROVED, RUN, VALUE, RunKey
from biny_desktop.service.autostart.xdg import XdgAutostart
from tests.fakes.registry import FakeRegistry

COMMAND = StartCommand(("/opt/app dir/py", "-m", "biny_desktop", "--home", '/home/a b/100% $x`\\"', "run"))


def xdg(folder: Path, command: StartCommand = COMMAND) -> XdgAutostart:
    return XdgAutostart(command, {"XDG_CONFIG_HOME": str(folder / "config")}, folder)


def agent(folder: Path, command: StartCommand = COMMAND) -> LaunchAgent:
    return LaunchAgent(command, folder)


@pytest.mark.parametrize("make", [xdg, agent, lambda _folder: RunKey(COMMAND, FakeRegistry())])
def test_on_and_off_are_read_back(tmp_path: Path, make: object) -> None:
    way: Autostart = make(tmp_path)  # type: ignore[operator]
    assert way.state().state == "off"
    way.off()
    way.on(COMMAND)
    way.on(COMMAND)
    assert way.state().state == "on"
    assert way.state().where
    way.off()
    assert way.state().state == "off"


@pytest.mark.parametrize("make", [xdg, agent])
def test_an_entry_of_another_version_is_told_and_replaced_when_switched_on(tmp_path: Path, make: object) -> None:
    make(tmp_path).on(StartCommand(("/old/python", "-m", "biny_desktop", "run")))  # type: ignore[operator]
    way: Autostart = make(tmp_path)  # type: ignore[operator]
    assert way.state().state == "other"
    way.on(COMMAND)
    assert way.state().state == "on"


@pytest.mark.parametrize("make", [xdg, agent])
@pytest.mark.parametrize(
    "raw", [b"", b"\xff\xfe\x00", b"[Desktop Entry]\nName=x\n", b"<plist>", b"bplist00\x00", b"x" * 70_000]
)
def test_a_damaged_entry_is_told_and_can_be_replaced_or_removed(tmp_path: Path, make: object, raw: bytes) -> None:
    way = make(tmp_path)  # type: ignore[operator]
    way.path.parent.mkdir(parents=True)
    way.path.write_bytes(raw)
    assert way.state().state == "other"
    assert way.state().detail
    way.on(COMMAND)
    assert way.state().state == "on"
    way.path.write_bytes(raw)
    way.off()
    assert way.state().state == "off"


@pytest.mark.parametrize("make", [xdg, agent])
def test_a_link_is_replaced_and_never_written_through(tmp_path: Path, make: object) -> None:
    way = make(tmp_path)  # type: ignore[operator]
    precious = tmp_path / "precious"
    precious.write_text("mine")
    way.path.parent.mkdir(parents=True)
    way.path.symlink_to(precious)
    way.on(COMMAND)
    assert precious.read_text() == "mine"
    assert not way.path.is_symlink()
    assert way.state().state == "on"
    assert list(way.path.parent.iterdir()) == [way.path]


@pytest.mark.parametrize("make", [xdg, agent])
def test_a_folder_in_its_place_is_left_alone(tmp_path: Path, make: object) -> None:
    way = make(tmp_path)  # type: ignore[operator]
    way.path.mkdir(parents=True)
    assert way.state().state == "other"
    with pytest.raises(UnsafePathError):
        way.on(COMMAND)
    with pytest.raises(StorageError):
        way.off()
    assert way.path.is_dir()


@pytest.mark.parametrize("line", ["Hidden=true", "X-GNOME-Autostart-enabled=false"])
def test_an_entry_that_the_session_switched_off_is_told(tmp_path: Path, line: str) -> None:
    way = xdg(tmp_path)
    way.on(COMMAND)
    text = way.path.read_text(encoding="utf-8").replace("X-GNOME-Autostart-enabled=true", line)
    way.path.write_text(text + "[Desktop Action x]\nHidden=false\n", encoding="utf-8")
    assert way.state().state == "off_by_system"
    way.on(COMMAND)
    assert way.state().state == "on"


def test_the_exec_line_quotes_what_a_desktop_file_must_quote(tmp_path: Path) -> None:
    way = xdg(tmp_path)
    way.on(COMMAND)
    line = next(line for line in way.path.read_text(encoding="utf-8").splitlines() if line.startswith("Exec="))
    # Unescaped once as a string of the file, then read by the quoting rules of Exec.
    value = line.removeprefix("Exec=").replace("\\\\", "\\")
    assert value == (
        '"/opt/app dir/py" -m biny_desktop --home "/home/a b/100%% \\$x\\`\\\\\\"" run'
    )  # fmt: skip
    assert way.path.stat().st_mode & 0o777 == 0o644


def test_the_agent_is_a_property_list_that_runs_at_load(tmp_path: Path) -> None:
    way = agent(tmp_path)
    way.on(COMMAND)
    entry = plistlib.loads(way.path.read_bytes())
    assert (entry["Label"], entry["RunAtLoad"], entry["KeepAlive"]) == (LABEL, True, False)
    assert tuple(entry["ProgramArguments"]) == COMMAND.words
    way.path.write_bytes(plistlib.dumps({**entry, "Disabled": True}))
    assert way.state().state == "off_by_system"


def test_the_task_manager_has_its_say_and_on_takes_it_back() -> None:
    registry = FakeRegistry()
    way = RunKey(COMMAND, registry)
    way.on(COMMAND)
    registry.values[APPROVED, VALUE] = b"\x03" + bytes(11)
    assert way.state().state == "off_by_system"
    registry.values[APPROVED, VALUE] = b"\x02" + bytes(11)
    assert way.state().state == "on"
    way.on(COMMAND)
    assert (APPROVED, VALUE) not in registry.values
    registry.values[RUN, VALUE] = "C:\\else.exe"
    assert way.state().state == "other"


def test_a_registry_that_refuses_is_a_known_fault() -> None:
    registry = FakeRegistry()
    way = RunKey(COMMAND, registry)
    registry.fault = PermissionError("no")
    assert way.state().state == "other"
    for change in (lambda: way.on(COMMAND), way.off):
        with pytest.raises(StorageError):
            change()
    registry.fault = None
    with pytest.raises(UnavailableError):
        way.on(StartCommand(("x" * 300,)))
    assert registry.values == {}


def test_each_system_has_its_way_and_an_unknown_one_says_so(tmp_path: Path) -> None:
    assert pick(None, system="linux", env={}, user_home=tmp_path).autostart.state().where.startswith(str(tmp_path))
    assert pick(None, system="darwin", env={}, user_home=tmp_path).autostart.name == "launch_agent"
    unknown = pick(None, system="plan9", env={}, user_home=tmp_path)
    assert isinstance(unknown.autostart, NoAutostart)
    assert unknown.autostart.state().state == "unavailable"
    unknown.autostart.off()
    with pytest.raises(UnavailableError):
        unknown.autostart.on(unknown.command)


def test_the_home_in_use_is_the_one_that_is_started(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert pick(None, system="linux", env={"BINY_HOME": "/h"}, user_home=tmp_path).command.words[-3:] == (
        "--home", "/h", "run",
    )  # fmt: skip
    assert start_command(None).words == (sys.executable, "-m", "biny_desktop", "run")
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert start_command(None).words == (sys.executable, "run")
