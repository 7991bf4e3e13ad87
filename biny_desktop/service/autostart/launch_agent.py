"""macOS: a LaunchAgent of this user, read by launchd at the next login."""

import plistlib
from pathlib import Path
from xml.parsers.expat import ExpatError

from biny_desktop.core.errors import StorageError
from biny_desktop.service.autostart.files import read_small, remove_small, write_small
from biny_desktop.service.autostart.ports import AutostartState, StartCommand

LABEL = "org.biny.desktop"


class LaunchAgent:
    """The property list `org.biny.desktop.plist`; `command`: what it should start."""

    name = "launch_agent"

    def __init__(self, command: StartCommand, home: Path) -> None:
        self._command = command
        self.path = home / "Library" / "LaunchAgents" / f"{LABEL}.plist"

    def state(self) -> AutostartState:
        """Read the agent."""
        where = str(self.path)
        try:
            raw = read_small(self.path)
            entry = None if raw is None else plistlib.loads(raw)
        except StorageError as error:
            return AutostartState("other", where, error.message)
        except (plistlib.InvalidFileException, ExpatError, ValueError, OverflowError, IndexError, AttributeError):
            return AutostartState("other", where, "The agent is damaged.")
        if raw is None:
            return AutostartState("off", where)
        if not isinstance(entry, dict) or entry.get("Label") != LABEL:
            return AutostartState("other", where, "The agent is damaged.")
        if entry.get("Disabled") is True or entry.get("RunAtLoad") is not True:
            return AutostartState("off_by_system", where, "The agent is there, but switched off.")
        if entry.get("ProgramArguments") != list(self._command.words):
            return AutostartState("other", where, "The agent starts something else.")
        return AutostartState("on", where)

    def on(self, command: StartCommand) -> None:
        """Write the agent; it is not loaded now, the app runs already."""
        self._command = command
        write_small(
            self.path,
            plistlib.dumps(
                {
                    "Label": LABEL, "ProgramArguments": list(command.words), "RunAtLoad": True, "KeepAlive": False,
                    "ProcessType": "Interactive", "LimitLoadToSessionType": "Aqua",
                }
            ),
        )  # fmt: skip

    def off(self) -> None:
        """Remove the agent."""
        remove_small(self.path)
