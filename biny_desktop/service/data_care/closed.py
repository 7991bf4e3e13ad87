"""A home for oneself: no app, no other command has it open, and none can open it meanwhile."""

from collections.abc import Iterator
from contextlib import contextmanager

from biny_desktop.core.errors import UnavailableError
from biny_desktop.service.single import InstanceLock
from biny_desktop.storage.file_lock import held
from biny_desktop.storage.folders import Folders, prepare
from biny_desktop.storage.presence import in_use


@contextmanager
def closed_home(folders: Folders, *, starting: bool = False) -> Iterator[None]:
    """Hold a home closed.

    Args:
        starting: the caller is the starting app and has the instance lock already.

    Raises:
        UnavailableError: the app or another command has it open. StorageError: the folder cannot be used.
    """
    lock = InstanceLock(prepare(folders))
    if not starting and not lock.take():
        raise UnavailableError("Biny is running", "This needs the home for itself.", "Quit the app, then try again.")
    try:
        with held(folders.data / "open.lock"):
            if in_use(folders):
                raise UnavailableError(
                    "The home is in use", "Another command or program has it open.", "Wait for it, then try again."
                )
            yield
    finally:
        lock.release()
