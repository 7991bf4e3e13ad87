"""One tray app a home: a lock file held while it runs; a second start asks the first to come to the front."""

import contextlib
import os
from pathlib import Path
from types import TracebackType

from biny_desktop.core.errors import UnavailableError
from biny_desktop.storage.folders import Folders, check_file


class InstanceLock:
    """Held while the app runs; the system frees it when the process dies, however it dies."""

    def __init__(self, folders: Folders) -> None:
        self._path: Path = folders.data / "app.lock"
        self._handle: int | None = None

    def take(self) -> bool:
        """Whether the lock is ours now; False when another process has it."""
        check_file(self._path)
        handle = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            _lock(handle)
        except OSError:
            os.close(handle)
            return False
        self._handle = handle
        return True

    def release(self) -> None:
        """Give it back; may be called twice."""
        if self._handle is not None:
            with contextlib.suppress(OSError):
                os.close(self._handle)
            self._handle = None

    def __enter__(self) -> "InstanceLock":
        if not self.take():
            raise UnavailableError("Biny is already running", "The app of this home is running.", "Use that one.")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()


def _lock(handle: int) -> None:
    if os.name == "nt":
        import msvcrt

        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]
    else:
        import fcntl

        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
