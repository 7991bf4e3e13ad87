"""Which way to start at login this system has, and what is started."""

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from biny_desktop.core.errors import UnavailableError
from biny_desktop.service.autostart.launch_agent import LaunchAgent
from biny_desktop.service.autostart.ports import Autostart, AutostartState, StartCommand
from biny_desktop.service.autostart.xdg import XdgAutostart


class NoAutostart:
    """A system without a way that we know."""

    name = "none"

    def state(self) -> AutostartState:
        return AutostartState("unavailable", "", "This system is not known.")

    def on(self, command: StartCommand) -> None:
        raise UnavailableError("Start at login is not available", f"There is no way here to start {command.program}.")

    def off(self) -> None:
        return None


@dataclass(frozen=True, slots=True)
class Picked:
    """The way chosen and why; `command` is what `on` should be given."""

    autostart: Autostart
    why: str
    command: StartCommand


def pick(
    home: Path | None, *, system: str = sys.platform, env: Mapping[str, str] = os.environ,
    user_home: Path | None = None,
) -> Picked:  # fmt: skip
    """Choose for this system. `home`: the Biny home that is started, None: that of `BINY_HOME`, else the default."""
    chosen = home or (Path(env["BINY_HOME"]) if env.get("BINY_HOME") else None)
    command, base = start_command(chosen), user_home or Path.home()
    if system == "darwin":
        return Picked(LaunchAgent(command, base), "macOS: a LaunchAgent", command)
    if system == "win32":
        return Picked(_run_key(command), "Windows: the Run key", command)
    if system.startswith(("linux", "freebsd", "openbsd", "netbsd")):
        return Picked(XdgAutostart(command, env, base), "a desktop session reads its autostart folder", command)
    return Picked(NoAutostart(), f"{system} is not known", command)


def start_command(home: Path | None) -> StartCommand:
    """How this installation is started: the bundled program, else this Python with the package."""
    where = ("--home", str(home.expanduser().absolute())) if home is not None else ()
    if getattr(sys, "frozen", False):
        return StartCommand((sys.executable, *where, "run"))
    python = Path(sys.executable)
    windowless = python.with_name("pythonw.exe")  # without a console window on Windows
    program = windowless if python.name.lower() == "python.exe" and windowless.exists() else python
    return StartCommand((str(program), "-m", "biny_desktop", *where, "run"))


def _run_key(command: StartCommand) -> Autostart:
    way: Autostart = NoAutostart()
    if sys.platform == "win32":
        from biny_desktop.service.autostart.registry import WindowsRegistry
        from biny_desktop.service.autostart.run_key import RunKey

        way = RunKey(command, WindowsRegistry())
    return way
