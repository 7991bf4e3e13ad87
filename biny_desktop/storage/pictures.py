"""Picture files: written whole or not at all, sealed when the database is encrypted, removed only in their folder."""

import functools
import os
import re
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from biny_desktop.core.errors import NotFoundError, StorageError, UnsafePathError
from biny_desktop.storage.atomic import FileOps, RealFileOps, write_atomic
from biny_desktop.storage.faults import explained
from biny_desktop.storage.folders import private_folder

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

_MAGIC = b"BINYSEAL\x01"
_NONCE_BYTES = 12
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
    """

    def __init__(self, folder: Path, secret: bytes | None, ops: FileOps | None = None) -> None:
        self._folder = folder
        self._secret = secret
        self._ops = ops or RealFileOps()

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
        path = self._folder / name
        private_folder(path.parent)
        data = self._seal(jpeg, name)
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
        path = self._inside(name)
        try:
            with explained("Reading a picture"):
                data = path.read_bytes()
        except StorageError as error:
            if isinstance(error.__cause__, FileNotFoundError):
                raise NotFoundError("The picture is gone", "Its file is not there any more.") from error
            raise
        return self._open(data, name)

    def exists(self, name: str) -> bool:
        """Whether the file is there."""
        return self._inside(name).is_file()

    def delete(self, name: str) -> int:
        """Remove a file; returns the bytes freed, 0 when it was gone already.

        Raises:
            StorageError: it could not be removed (try again later). UnsafePathError: the path leaves the folder.
        """
        path = self._inside(name)
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

    def _inside(self, name: str) -> Path:
        path = self._folder / name
        if not _NAME.match(name) or not path.resolve().is_relative_to(self._folder.resolve()) or path.is_symlink():
            raise UnsafePathError("The picture path is not safe", "It is not a file of the pictures folder.")
        return path

    def _seal(self, jpeg: bytes, name: str) -> bytes:
        if self._secret is None:
            return jpeg
        nonce = os.urandom(_NONCE_BYTES)
        return _MAGIC + nonce + _cipher(self._secret).encrypt(nonce, jpeg, name.encode())

    def _open(self, data: bytes, name: str) -> bytes:
        if not name.endswith(".sealed"):
            return data
        from cryptography.exceptions import InvalidTag

        if self._secret is None or not data.startswith(_MAGIC):
            raise StorageError("The picture cannot be opened", "It is sealed and the key is not here.")
        body = data[len(_MAGIC) :]
        try:
            return _cipher(self._secret).decrypt(body[:_NONCE_BYTES], body[_NONCE_BYTES:], name.encode())
        except InvalidTag as error:
            raise StorageError("The picture is damaged", "Its seal does not fit.") from error


@functools.lru_cache(maxsize=4)
def _cipher(secret: bytes) -> "AESGCM":
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM
    from cryptography.hazmat.primitives.kdf.hkdf import HKDF

    return AESGCM(HKDF(hashes.SHA256(), 32, salt=None, info=b"biny-desktop pictures").derive(secret))
