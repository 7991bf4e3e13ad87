"""What start at login looks like on every system."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol

State = Literal["on", "off", "off_by_system", "other", "unavailable"]


@dataclass(frozen=True, slots=True)
class AutostartState:
    """How it really is: `off_by_system`: our entry is there, but the desktop or the user's session tools disabled it;
    `other`: an entry of our name that does not start this installation (another version, or damaged); `where` names
    the entry, `detail` says in words what is wrong."""

    state: State
    where: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class StartCommand:
    """What is run at login: program and arguments; `icon` a file or a theme name."""

    words: tuple[str, ...]
    icon: str = "biny-desktop"

    @property
    def program(self) -> Path:
        return Path(self.words[0])


class Autostart(Protocol):
    """Start at login of one system. Methods may block on files; `state` never raises for what it finds."""

    name: str

    def state(self) -> AutostartState:
        """Read how it is now."""
        ...

    def on(self, command: StartCommand) -> None:
        """Write the entry, in place of one of our name. Raises StorageError, UnsafePathError, UnavailableError."""
        ...

    def off(self) -> None:
        """Remove the entry of our name; nothing happens without one. Raises as `on`."""
        ...
