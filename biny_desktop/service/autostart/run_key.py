"""Windows: a value below the user's Run key, and what the Task Manager says about it."""

import subprocess
from typing import Protocol

from biny_desktop.core.errors import StorageError, UnavailableError
from biny_desktop.service.autostart.ports import AutostartState, StartCommand

RUN = r"Software\Microsoft\Windows\CurrentVersion\Run"
APPROVED = r"Software\Microsoft\Windows\CurrentVersion\Explorer\StartupApproved\Run"
"""Here the Task Manager keeps what the user switched off: first byte odd = off."""
VALUE = "BinyDesktop"
LONGEST = 260
"""Longer commands are not run by the Run key (characters)."""


class Registry(Protocol):
    """Values below HKEY_CURRENT_USER; a key or value that is not there is None. Methods raise OSError."""

    def read(self, key: str, value: str) -> str | bytes | None:
        """A value, whatever its type."""
        ...

    def write(self, key: str, value: str, text: str) -> None:
        """Write a text (REG_SZ), making the key."""
        ...

    def delete(self, key: str, value: str) -> None:
        """Delete a value; nothing happens without one."""
        ...


class RunKey:
    """The value `BinyDesktop`; `command`: what it should start."""

    name = "run_key"

    def __init__(self, command: StartCommand, registry: Registry) -> None:
        self._command, self._registry = command, registry

    def state(self) -> AutostartState:
        """Read the value and the Task Manager's word about it."""
        where = f"HKCU\\{RUN}\\{VALUE}"
        try:
            found, approved = self._registry.read(RUN, VALUE), self._registry.read(APPROVED, VALUE)
        except OSError as error:
            return AutostartState("other", where, f"The registry cannot be read ({type(error).__name__}).")
        if found is None:
            return AutostartState("off", where)
        if isinstance(approved, bytes) and approved[:1] and approved[0] & 1:
            return AutostartState("off_by_system", where, "It is switched off in the Task Manager.")
        if found != subprocess.list2cmdline(self._command.words):
            return AutostartState("other", where, "The entry starts something else.")
        return AutostartState("on", where)

    def on(self, command: StartCommand) -> None:
        """Write the value, and take back what the Task Manager says against it."""
        text = subprocess.list2cmdline(command.words)
        if len(text) > LONGEST:
            raise UnavailableError("Start at login was not changed", "The path of the app is too long for Windows.")
        try:
            self._registry.write(RUN, VALUE, text)
            self._registry.delete(APPROVED, VALUE)
        except OSError as error:
            raise _fault(error) from error
        self._command = command

    def off(self) -> None:
        """Delete the value."""
        try:
            self._registry.delete(RUN, VALUE)
            self._registry.delete(APPROVED, VALUE)
        except OSError as error:
            raise _fault(error) from error


def _fault(error: OSError) -> StorageError:
    return StorageError("Start at login was not changed", f"The registry refused ({type(error).__name__}).")
