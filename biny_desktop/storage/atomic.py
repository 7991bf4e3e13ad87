"""Files that are either the old or the new one, never a part: temp, fsync, rename, fsync of the folder."""

import contextlib
import os
from pathlib import Path
from typing import Protocol

from biny_desktop.storage.faults import explained

TEMP_SUFFIX = ".part"


class FileOps(Protocol):
    """The four steps of an atomic write; tests inject faults at each of them."""

    def write_temp(self, path: Path, data: bytes) -> None:
        """Write a new file of mode 0600."""
        ...

    def sync(self, path: Path) -> None:
        """Force a file or a folder to disk."""
        ...

    def rename(self, old: Path, new: Path) -> None:
        """Put the file in its place."""
        ...

    def unlink(self, path: Path) -> None:
        """Remove a file."""
        ...


class RealFileOps:
    """The file system of this machine."""

    def write_temp(self, path: Path, data: bytes) -> None:
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
        with os.fdopen(os.open(path, flags, 0o600), "wb") as file:
            file.write(data)

    def sync(self, path: Path) -> None:
        if os.name != "posix" and path.is_dir():
            return  # a folder cannot be opened for fsync on Windows; the rename is journalled there
        handle = os.open(path, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)

    def rename(self, old: Path, new: Path) -> None:
        old.replace(new)

    def unlink(self, path: Path) -> None:
        path.unlink()


def write_atomic(path: Path, data: bytes, ops: FileOps | None = None, *, mark: str = "") -> None:
    """Write `data` to `path`, mode 0600; the old file stays whole until the new one is complete.

    Args:
        mark: goes into the name of the temporary file, where two processes may write the same file at once.

    Raises:
        DiskFullError, StorageError: nothing changed and the temporary file is gone.
    """
    ops = ops or RealFileOps()
    temp = path.with_name(path.name + mark + TEMP_SUFFIX)
    with explained("Writing a file"):
        try:
            with contextlib.suppress(FileNotFoundError):
                ops.unlink(temp)  # left by a killed write
            ops.write_temp(temp, data)
            ops.sync(temp)
            ops.rename(temp, path)
            ops.sync(path.parent)
        except BaseException:
            with contextlib.suppress(OSError):
                temp.unlink()
            raise
