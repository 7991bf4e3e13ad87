"""Picture files: written whole or not at all, sealed when the database is encrypted, removed only in their folder."""

import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from biny_desktop.core.errors import NotFoundError, StorageError, UnsafePathError
from biny_desktop.storage.atomic import FileOps, RealFileOps, write_atomic
from biny_desktop.storage.faults import explained
from biny_desktop.storage.folders import private_folder
from biny_desktop.storage.sealing import is_sealed, seal, unseal

_PURPOSE: Final = "pictures"
_NAME = re.compile(r"^\d{4}-\d{2}-\d{2}/\d{6}-[0-9a-f]+\.jpg(\.sealed)?(\.part)?$")


@dataclass(frozen=True, slots=True)
class StoredFile:
    """A written file: `path` relative to the pictures folder with forward slashes, `bytes` on disk."""

    path: str
    bytes: int


class PictureFiles:
    """The pictures folder of one home.

    Args:
        folder: absolute path of `pictures/`.
        secret: the database key; pictures are sealed with a key derived from it. None keeps them plain.
        ops: the file operations (tests inject faults).
        former: the key before a change of keys that is not over yet; pictures it sealed are read too.
    """

    def __init__(
        self, folder: Path, secret: bytes | None, ops: FileOps | None = None, *, former: bytes | None = None
    ) -> None:
        self._folder = folder
        self._secret = secret
        self._former = former
        self._ops = ops or RealFileOps()
        self._changing = threading.RLock()

    @property
    def folder(self) -> Path:
        """Where the pictures lie now."""
        return self._folder

    @contextmanager
    def quiet(self) -> Iterator[None]:
        """A block in which no other thread writes or deletes a picture; reading goes on."""
        with self._changing:
            yield

    def use_folder(self, folder: Path) -> None:
        """From now on the pictures lie there, under the same relative names."""
        with self._changing:
            self._folder = folder

    def write(self, jpeg: bytes, at_ms: int, unique: str) -> StoredFile:
        """Write a picture as `YYYY-MM-DD/HHMMSS-<unique>.jpg[.sealed]` (UTC date).

        Raises:
            DiskFullError, StorageError: nothing is left behind.
        """
        when = datetime.fromtimestamp(at_ms / 1000, UTC)
        name = f"{when:%Y-%m-%d}/{when:%H%M%S}-{unique}.jpg" + (".sealed" if self._secret else "")
        if not self.available():
            raise StorageError(
                "The pictures folder is gone", "It is not made anew, it may be on another disk.", "Connect that disk."
            )
        data = self._seal(jpeg, name)
        with self._changing:
            path = self._folder / name
            private_folder(path.parent)
            write_atomic(path, data, self._ops)
        return StoredFile(name, len(data))

    def available(self) -> bool:
        """Whether the folder is there; it is never made anew, it may be on another disk."""
        return self._folder.is_dir()

    def read(self, name: str) -> bytes:
        """The JPEG bytes of a stored picture.

        Raises:
            NotFoundError: the file is gone. StorageError: it is damaged or sealed with another key.
        """
        path = self.inside(name)
        try:
            with explained("Reading a picture"):
                data = path.read_bytes()
        except StorageError as error:
            if isinstance(error.__cause__, FileNotFoundError):
                raise NotFoundError("The picture is gone", "Its file is not there any more.") from error
            raise
        return self._open(data, name)

    def reseal(self, name: str) -> StoredFile:
        """Write a picture again as the key of now wants it: sealed with it, or plain; done already, nothing happens.

        A plain and a sealed file have different names: the caller changes the row, then deletes the old file.

        Raises:
            NotFoundError: the file is gone. DiskFullError: nothing changed, try again.
            StorageError: it is damaged or sealed with a key that is not here; it stays as it is.
        """
        path = self.inside(name)
        target = name.removesuffix(".sealed") + (".sealed" if self._secret else "")
        if target == name and (self._secret is None or self._sealed_now(path, name)):
            return StoredFile(name, self._size(path))
        data = self._seal(self.read(name), target)
        write_atomic(self.inside(target), data, self._ops)
        return StoredFile(target, len(data))

    def exists(self, name: str) -> bool:
        """Whether the file is there."""
        return self.inside(name).is_file()

    def delete(self, name: str) -> int:
        """Remove a file; returns the bytes freed, 0 when it was gone already.

        Raises:
            StorageError: it could not be removed (try again later). UnsafePathError: the path leaves the folder.
        """
        path = self.inside(name)
        with explained("Deleting a picture"):
            try:
                size = path.stat().st_size
                self._ops.unlink(path)
            except FileNotFoundError:
                return 0
        return size

    def listed(self) -> dict[str, float]:
        """Every file of ours in the folder (temporary ones too): relative path → modification time, UTC seconds.

        Files and folders that do not look like ours, and links, are not listed.
        """
        found: dict[str, float] = {}
        with explained("Listing the pictures"):
            for day in self._folder.iterdir() if self._folder.is_dir() else ():
                if not day.is_dir() or day.is_symlink():
                    continue
                for file in day.iterdir():
                    name = f"{day.name}/{file.name}"
                    if _NAME.match(name) and not file.is_symlink():
                        found[name] = file.lstat().st_mtime
        return found

    def inside(self, name: str) -> Path:
        """The absolute path of a stored picture.

        Raises:
            UnsafePathError: the name is not that of a picture, or leads out of the folder.
        """
        path = self._folder / name
        if not _NAME.match(name) or not path.resolve().is_relative_to(self._folder.resolve()) or path.is_symlink():
            raise UnsafePathError("The picture path is not safe", "It is not a file of the pictures folder.")
        return path

    def _seal(self, jpeg: bytes, name: str) -> bytes:
        if self._secret is None:
            return jpeg
        return seal(self._secret, _PURPOSE, jpeg, name)

    def _size(self, path: Path) -> int:
        with explained("Looking at a picture"):
            if path.exists():
                return path.stat().st_size
        raise NotFoundError("The picture is gone", "Its file is not there any more.")

    def _sealed_now(self, path: Path, name: str) -> bool:
        with explained("Reading a picture"):
            data = path.read_bytes() if path.exists() else b""
        return self._secret is not None and unseal(self._secret, _PURPOSE, data, name) is not None

    def _open(self, data: bytes, name: str) -> bytes:
        if not name.endswith(".sealed"):
            return data
        keys = [key for key in (self._secret, self._former) if key is not None]
        if not keys or not is_sealed(data):
            raise StorageError("The picture cannot be opened", "It is sealed and the key is not here.")
        for key in keys:
            jpeg = unseal(key, _PURPOSE, data, name)
            if jpeg is not None:
                return jpeg
        raise StorageError("The picture is damaged", "Its seal does not fit.")
