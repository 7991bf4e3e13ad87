"""Files inside a folder, reached without following anything: row 11 of spec 06 §13.

A path that `check_path` accepted is walked name by name from the open folder; on POSIX each folder is held open while
the next name is looked up in it, elsewhere each is looked at and compared again after opening. Rejected: resolving the
path first and opening the result, because a link put there in between would be followed.
"""

import contextlib
import errno
import hashlib
import os
import secrets
import stat
import threading
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from biny_desktop.core.errors import BinyError, DiskFullError, NotFoundError, StaleRevisionError, StorageError
from biny_desktop.core.paths import refuse_path

DIR_FD: Final = os.open in os.supports_dir_fd and hasattr(os, "O_NOFOLLOW")
"""Whether names can be looked up in an open folder here."""
_FLAGS: Final = getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
_REPARSE: Final = 0x400
"""FILE_ATTRIBUTE_REPARSE_POINT: links and junctions of Windows."""
_WRITING = threading.Lock()


class TooLargeError(BinyError):
    """A file is larger than what is read of one."""

    kind = "too_large"


@dataclass(frozen=True, slots=True)
class InsideFile:
    """A file as it was read: its bytes, and their sha256 in hex."""

    data: bytes = field(repr=False)
    hash: str


def hash_of(data: bytes) -> str:
    """The sha256 of a file's bytes, in hex."""
    return hashlib.sha256(data).hexdigest()


def read_inside(root: Path, path: str, max_bytes: int) -> InsideFile:
    """A file inside `root`, whole.

    Args:
        root: the folder; links on the way to it are the person's own and are followed.
        path: as `check_path` gave it. max_bytes: a larger file is not read.

    Raises:
        PathRefusedError: `link`, `case`, `escape` or `directory`. NotFoundError: there is no such file or folder.
        TooLargeError: it is larger. StorageError: it cannot be read.
    """
    *folders, name = path.split("/")
    with _explained(), _Place.opened(root, folders, make=False) as place:
        found = place.read(name, max_bytes)
    if found is None:
        raise _missing()
    return found


def look_inside(root: Path, path: str, max_bytes: int) -> InsideFile | None:
    """As `read_inside`; None where there is no such file, or no such folder, yet."""
    try:
        return read_inside(root, path, max_bytes)
    except NotFoundError:
        if root.is_dir():
            return None
        raise


def write_inside(
    root: Path,
    path: str,
    data: bytes,
    expected_hash: str | None,
    *,
    random_hex: Callable[[int], str] = secrets.token_hex,
) -> str:
    """Put a file inside `root` in one step: the old or the new one is there, never a part; returns the new hash.

    Folders on the way that do not exist are made. A replaced file keeps its mode.

    Args:
        path: as `check_path` gave it. expected_hash: sha256 hex of the file that is replaced; None: there is none.

    Raises:
        PathRefusedError: as `read_inside`, also for what was put there meanwhile. StaleRevisionError: the file there is
        another one than expected. NotFoundError: no such root. DiskFullError, StorageError: it cannot be written.
    """
    *folders, name = path.split("/")
    with _WRITING, _explained(), _Place.opened(root, folders, make=True) as place:
        before = place.look(name)
        _expect(place, name, before, expected_hash)
        temp = f".{random_hex(8)}.part"
        try:
            place.write_temp(temp, data, before)
            place.check_here()
            now = place.look(name)
            if (now is None) != (before is None):
                raise _changed()
            _expect(place, name, now, expected_hash)
            place.rename(temp, name if now is None else now.name)
        except BaseException:
            with contextlib.suppress(OSError):
                place.unlink(temp)
            raise
        place.sync()
    return hash_of(data)


# -- a folder on the way -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Entry:
    """A plain file as it stands in its folder: `name` is its spelling there."""

    name: str
    mode: int
    size: int
    identity: tuple[int, int]


class _Place:
    """The folder that holds a file; `handle` is open on POSIX, None elsewhere."""

    def __init__(self, root: Path, folder: Path, handle: int | None) -> None:
        self._root, self._folder, self._handle = root, folder, handle

    @classmethod
    @contextlib.contextmanager
    def opened(cls, root: Path, folders: list[str], *, make: bool) -> Iterator["_Place"]:
        """Walk from the root to that folder; `make`: missing ones are made."""
        real = _real(root)
        place = cls(real, real, os.open(real, os.O_RDONLY | os.O_DIRECTORY | _FLAGS) if DIR_FD else None)
        try:
            for name in folders:
                place._enter(name, make=make)
            place.check_here()
            yield place
        finally:
            if place._handle is not None:
                os.close(place._handle)

    def _enter(self, name: str, *, make: bool) -> None:
        spelled = self._spelling(name)
        if spelled is None:
            if not make:
                raise _missing()
            with contextlib.suppress(FileExistsError):
                os.mkdir(self._at(name), dir_fd=self._handle)  # pathlib knows no open folders
            spelled = name
        found = self._stat(spelled)
        if found is None:
            raise _missing()
        if not stat.S_ISDIR(found.st_mode):
            raise _missing()
        if self._handle is not None:
            deeper = os.open(spelled, os.O_RDONLY | os.O_DIRECTORY | _FLAGS, dir_fd=self._handle)
            os.close(self._handle)
            self._handle = deeper
            if _identity(os.fstat(deeper)) != _identity(found):
                refuse_path("link")
        self._folder = self._folder / spelled

    def _spelling(self, name: str) -> str | None:
        """How the name is written in this folder, None when there is nothing of it. Another spelling of the same
        letters is the same file (macOS), other letters only alike in small and capital are a twin."""
        wanted = _folded(name)
        there = [each for each in os.listdir(self._target()) if _folded(each) == wanted]  # noqa: PTH208
        if len(there) > 1 or any(unicodedata.normalize("NFC", each) != name for each in there):
            refuse_path("case")
        return there[0] if there else None

    def _stat(self, spelled: str) -> os.stat_result | None:
        """Of what stands there, never of what it points to."""
        try:
            found = os.stat(self._at(spelled), dir_fd=self._handle, follow_symlinks=False)
        except FileNotFoundError:
            return None
        if stat.S_ISLNK(found.st_mode) or getattr(found, "st_file_attributes", 0) & _REPARSE:
            refuse_path("link")
        return found

    def look(self, name: str) -> _Entry | None:
        """The plain file of that name.

        Raises:
            PathRefusedError: it is a link, has a second name, is no file, or has a twin.
        """
        spelled = self._spelling(name)
        found = self._stat(spelled) if spelled is not None else None
        if spelled is None or found is None:
            return None
        if stat.S_ISDIR(found.st_mode):
            refuse_path("directory")
        if not stat.S_ISREG(found.st_mode) or found.st_nlink > 1:
            refuse_path("link")
        return _Entry(spelled, stat.S_IMODE(found.st_mode), found.st_size, _identity(found))

    def read(self, name: str, max_bytes: int) -> InsideFile | None:
        """The plain file of that name, whole; None when there is none."""
        entry = self.look(name)
        if entry is None:
            return None
        if entry.size > max_bytes:
            raise _too_large(max_bytes)
        flags = os.O_RDONLY | _FLAGS | getattr(os, "O_NONBLOCK", 0)
        with os.fdopen(os.open(self._at(entry.name), flags, dir_fd=self._handle), "rb") as file:
            opened = os.fstat(file.fileno())
            if _identity(opened) != entry.identity or opened.st_nlink > 1:
                refuse_path("link")
            data = file.read(max_bytes + 1)
        if len(data) > max_bytes:
            raise _too_large(max_bytes)
        self.check_here()
        return InsideFile(data, hash_of(data))

    def write_temp(self, temp: str, data: bytes, before: _Entry | None) -> None:
        """A new file beside the one to be, on disk; with the mode of the one that it replaces."""
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _FLAGS
        mode = 0o666 if before is None else 0o600
        with os.fdopen(os.open(self._at(temp), flags, mode, dir_fd=self._handle), "wb") as file:
            if before is not None and hasattr(os, "fchmod"):
                os.fchmod(file.fileno(), before.mode)
            file.write(data)
            file.flush()
            os.fsync(file.fileno())

    def rename(self, old: str, new: str) -> None:
        os.replace(self._at(old), self._at(new), src_dir_fd=self._handle, dst_dir_fd=self._handle)

    def unlink(self, name: str) -> None:
        os.unlink(self._at(name), dir_fd=self._handle)

    def sync(self) -> None:
        """The names of this folder to disk; where folders cannot be opened the system keeps a journal of them."""
        if self._handle is not None:
            os.fsync(self._handle)

    def check_here(self) -> None:
        """Whether this folder is still the one under its path, and that inside the root.

        Raises:
            PathRefusedError: `escape`, or `link` when it was moved away or something was put in its place.
        """
        try:
            real = _real(self._folder)
            same = self._handle is None or _identity(real.stat()) == _identity(os.fstat(self._handle))
        except FileNotFoundError:
            refuse_path("link")
        if not real.is_relative_to(self._root):
            refuse_path("escape")
        if not same:
            refuse_path("link")

    def _at(self, name: str) -> str:
        return name if self._handle is not None else str(self._folder / name)

    def _target(self) -> int | str:
        return self._handle if self._handle is not None else str(self._folder)


def _expect(place: _Place, name: str, there: _Entry | None, expected_hash: str | None) -> None:
    """Raises StaleRevisionError unless the file that is there is the expected one."""
    if there is None and expected_hash is None:
        return
    found = place.read(name, there.size) if there is not None and expected_hash is not None else None
    if found is None or found.hash != expected_hash:
        raise _changed()


def _real(path: Path) -> Path:
    """Where it really is; `Path.resolve` answers a loop of links with an error that is none of the system's."""
    return Path(os.path.realpath(path, strict=True))


def _folded(name: str) -> str:
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())


def _identity(found: os.stat_result) -> tuple[int, int]:
    return found.st_dev, found.st_ino


def _missing() -> NotFoundError:
    return NotFoundError("There is no such file", "The folder has no file of that path.", "Look at its spelling.")


def _changed() -> StaleRevisionError:
    return StaleRevisionError(
        "The file is another one now", "It was changed, made or removed since it was read.", "Read it again first."
    )


def _too_large(max_bytes: int) -> TooLargeError:
    return TooLargeError("The file is too large", f"At most {max_bytes:,} bytes are read of one file.")


@contextlib.contextmanager
def _explained() -> Iterator[None]:
    """Errors of the system as those a person understands."""
    try:
        yield
    except FileNotFoundError as error:
        raise _missing() from error
    except OSError as error:
        if error.errno in (errno.ELOOP, errno.EMLINK, errno.ENXIO):
            refuse_path("link")
        if error.errno == errno.ENOTDIR:
            raise _missing() from error
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise DiskFullError("The disk is full", "The file was not written.", "Free some space.") from error
        raise StorageError("The file cannot be used", error.strerror or "", "Look at its permissions.") from error
