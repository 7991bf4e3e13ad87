"""A lock between processes: held on an open file, freed by the system however the holder dies."""

import contextlib
import os
import time
from collections.abc import Iterator
from pathlib import Path

from biny_desktop.core.errors import StorageError
from biny_desktop.storage.faults import explained
from biny_desktop.storage.folders import check_file

WAIT_S = 30.0
"""How long `held` waits for another process; opening a home with a migration may take some seconds."""
LOOK_S = 0.02


class FileLock:
    """A lock file; `take` once, `release` when done. Not re-entrant, one object a holder."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._handle: int | None = None

    def take(self) -> bool:
        """Whether the lock is ours now; False when another process (or another object) has it.

        Raises:
            UnsafePathError: the file is a link. StorageError: it cannot be made.
        """
        check_file(self._path)
        with explained("Locking the data folder"):
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


@contextlib.contextmanager
def held(path: Path) -> Iterator[None]:
    """Hold the lock for a short piece of work, waiting for others.

    Raises:
        StorageError: another process kept it too long.
    """
    lock = FileLock(path)
    deadline = time.monotonic() + WAIT_S
    while not lock.take():
        if time.monotonic() > deadline:
            raise StorageError("The data folder is busy", "Another process holds it.", "Try again in a moment.")
        time.sleep(LOOK_S)
    try:
        yield
    finally:
        lock.release()


def _lock(handle: int) -> None:
    if os.name == "nt":
        import msvcrt

        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]
    else:
        import fcntl

        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
