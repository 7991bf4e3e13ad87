"""What every piece of care needs, found for a home without opening it."""

from dataclasses import dataclass
from pathlib import Path

from biny_desktop.core.clock import Clock, SystemClock
from biny_desktop.storage.folders import Folders, resolve
from biny_desktop.storage.keys import Keyring, SystemKeyring


@dataclass(frozen=True, slots=True)
class Care:
    """The folders of a home, where its keys are kept, and the time."""

    folders: Folders
    keyring: Keyring
    clock: Clock


def care_of(home: Path | None) -> Care:
    """For `--home`, `BINY_HOME` or the usual place; makes nothing."""
    return Care(resolve(home), SystemKeyring(), SystemClock())
