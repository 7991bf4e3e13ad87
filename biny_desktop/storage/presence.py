"""Who has a home open: a locked file a process, so that one left without its holder tells of an unclean exit."""

import contextlib
import secrets

from biny_desktop.storage.file_lock import FileLock
from biny_desktop.storage.folders import Folders, private_folder


class Presence:
    """Held from opening to closing a home. The system frees the lock however the holder ends; the file stays then."""

    def __init__(self, folders: Folders) -> None:
        self._path = private_folder(folders.data / "open") / secrets.token_hex(8)
        self._lock = FileLock(self._path)
        self.enter()

    def enter(self) -> None:
        """Be here (again)."""
        self._lock.take()

    def leave(self) -> None:
        """A clean exit; may be called twice."""
        with contextlib.suppress(FileNotFoundError, PermissionError):
            self._path.unlink()
        self._lock.release()
        with contextlib.suppress(FileNotFoundError, PermissionError):
            self._path.unlink()  # where a locked file cannot be removed


def sweep(folders: Folders) -> bool:
    """Remove the files of holders that are gone; True when there were any: the last exit was not clean.

    The caller holds the lock for opening, so that no file is seen between being made and being locked.

    Raises:
        UnsafePathError, StorageError: the folder cannot be used.
    """
    unclean = False
    for path in private_folder(folders.data / "open").iterdir():
        lock = FileLock(path)
        if lock.take():
            unclean = True
            path.unlink(missing_ok=True)
            lock.release()
    return unclean


def in_use(folders: Folders) -> bool:
    """Whether some process has the home open now. Raises UnsafePathError, StorageError."""
    for path in private_folder(folders.data / "open").iterdir():
        lock = FileLock(path)
        if not lock.take():
            return True
        lock.release()
    return False
