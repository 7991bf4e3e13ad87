"""Small files of the desktop: read without trusting them, written at once or not at all."""

import os
import stat
import tempfile
from pathlib import Path

from biny_desktop.core.errors import StorageError, UnsafePathError

SIZE_MAX = 65_536
"""A larger file is none of ours (bytes)."""


def read_small(path: Path) -> bytes | None:
    """The bytes of a file; None when there is none.

    Raises:
        StorageError: it is no plain file, too large, or cannot be read.
    """
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            raise StorageError("Start at login cannot be read", f"{path.name} is no plain file.")
        with path.open("rb") as file:
            raw = file.read(SIZE_MAX + 1)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise StorageError("Start at login cannot be read", _words(path, error)) from error
    if len(raw) > SIZE_MAX:
        raise StorageError("Start at login cannot be read", f"{path.name} is too large to be an entry.")
    return raw


def write_small(path: Path, raw: bytes) -> None:
    """Put a file in place (mode 0644), by a temporary one beside it.

    Raises:
        UnsafePathError: a folder stands in its place. StorageError: it cannot be written; the old one stays.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.is_dir():
            raise UnsafePathError("Start at login was not changed", f"{path} is a folder.", "Move it away.")
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
        temporary = Path(name)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(raw)
                file.flush()
                os.fsync(file.fileno())
            temporary.chmod(0o644)
            temporary.replace(path)  # a link in its place is replaced, not followed
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise
    except OSError as error:
        raise StorageError("Start at login was not changed", _words(path, error)) from error


def remove_small(path: Path) -> None:
    """Remove a file or link; nothing happens when there is none. Raises StorageError."""
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise StorageError("Start at login was not changed", _words(path, error)) from error


def _words(path: Path, error: OSError) -> str:
    return f"{path.name}: {error.strerror or type(error).__name__}."
