"""The files that an import reads: on disk, or members of a zip; opened one at a time, links never followed."""

import contextlib
import hashlib
import os
import stat
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from biny_desktop.conversation.importers.safety import check_archive, check_member
from biny_desktop.conversation.importers.streaming import CHUNK, Bytes
from biny_desktop.core.errors import InvalidInputError, NotFoundError
from biny_desktop.core.i18n import mark
from biny_desktop.core.text import clean
from biny_desktop.storage.faults import explained

ENDINGS: Final = (".json", ".jsonl", ".md", ".markdown", ".txt", ".zst")
FILES_MAX: Final = 100_000
"""Files of a folder (own)."""
TICK: Final = 256 * 1024
"""Bytes between two words of progress."""
_FAULTS: Final = (OSError, EOFError, zipfile.BadZipFile, zlib.error)
DEPTH_MAX: Final = 12
"""Folders below the chosen one (own); Codex keeps its chats four deep."""


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file to read; `member` of the zip at `path`, or "". `name` is what is told of it, `size` in bytes, `mtime_ms`
    UTC: the last resort for a time."""

    path: Path
    name: str
    size: int
    mtime_ms: int
    member: str = ""

    @property
    def base(self) -> str:
        """The name without folders."""
        return self.name.replace("\\", "/").rsplit("/", 1)[-1]


def found_files(path: Path) -> tuple[SourceFile, ...]:
    """What there is to read at a path that a person chose, by name.

    Raises:
        NotFoundError: there is nothing. InvalidInputError, UnsafePathError: see `safety`. StorageError: no access.
    """
    with explained("Looking for chats"):
        try:
            chosen = path.resolve(strict=True)
        except (OSError, RuntimeError) as error:
            raise NotFoundError(mark("There is no such file or folder")) from error
        if chosen.is_dir():
            return tuple(_in_folder(chosen))
        if not stat.S_ISREG(chosen.stat().st_mode):
            raise InvalidInputError(mark("That is no file"), mark("A file, a folder or a zip can be imported."))
        if zipfile.is_zipfile(chosen):
            return tuple(_in_zip(chosen))
        return (_on_disk(chosen, chosen.name),)


@contextmanager
def opened(file: SourceFile, tick: Callable[[int], None] | None = None) -> Iterator["Counted"]:
    """A file open for reading from its beginning.

    Args:
        tick: told now and then how many bytes were read; may raise to stop it.

    Raises:
        InvalidInputError: it is damaged, gone, or another one than it was.
    """
    with contextlib.ExitStack() as stack:
        try:
            if file.member:
                archive = stack.enter_context(zipfile.ZipFile(file.path))
                check_archive(archive)
                check_member(archive.getinfo(file.member))
                raw: Bytes = stack.enter_context(archive.open(file.member))
            else:
                flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
                raw = stack.enter_context(os.fdopen(os.open(file.path, flags), "rb"))
        except (*_FAULTS, KeyError, RuntimeError, NotImplementedError) as fault:
            raise _damaged() from fault
        yield Counted(raw, tick)


class Counted:
    """Counts what is read, for progress. Every method raises InvalidInputError where the file is damaged."""

    def __init__(self, raw: Bytes, tick: Callable[[int], None] | None = None) -> None:
        self._raw, self._tick = raw, tick
        self._done = self._told = 0

    def read(self, size: int = -1, /) -> bytes:
        """See `io.RawIOBase`."""
        return self._counted(self._raw.read, size)

    def readline(self, size: int = -1, /) -> bytes:
        """See `io.RawIOBase`."""
        return self._counted(self._raw.readline, size)

    def _counted(self, read: Callable[[int], bytes], size: int) -> bytes:
        try:
            out = read(size)
        except _FAULTS as fault:
            raise _damaged() from fault
        self._done += len(out)
        if self._tick is not None and self._done - self._told >= TICK:
            self._told = self._done
            self._tick(self._done)
        return out


def _damaged() -> InvalidInputError:
    return InvalidInputError(
        mark("A file could not be read to its end"), mark("It is damaged, or was changed meanwhile."),
        mark("What was read before it is kept. Get the file again, and import it again."),
    )  # fmt: skip


def check_members(files: Iterable[SourceFile]) -> None:
    """Refuse archives whose chosen members are not safe to read. Raises as `safety.check_member`."""
    members: dict[Path, list[str]] = {}
    for file in files:
        if file.member:
            members.setdefault(file.path, []).append(file.member)
    for path, names in members.items():
        try:
            with zipfile.ZipFile(path) as archive:
                for name in names:
                    check_member(archive.getinfo(name))
        except (*_FAULTS, KeyError) as fault:
            raise _damaged() from fault


def hash_of(file: SourceFile) -> str:
    """sha256 of the bytes on disk; of a member what its archive says of it (check sum and length).

    Raises:
        InvalidInputError: it is damaged or gone.
    """
    if file.member:
        try:
            with zipfile.ZipFile(file.path) as archive:
                known = archive.getinfo(file.member)
        except (*_FAULTS, KeyError) as fault:
            raise _damaged() from fault
        return f"crc:{known.CRC:08x}:{known.file_size}"
    out = hashlib.sha256()
    with opened(file) as stream:
        while block := stream.read(CHUNK):
            out.update(block)
    return out.hexdigest()


def _in_folder(folder: Path) -> Iterator[SourceFile]:
    found = 0
    for root, folders, names in os.walk(folder, followlinks=False):
        here = Path(root)
        below = len(here.relative_to(folder).parts)
        folders[:] = sorted(name for name in folders if below < DEPTH_MAX and not name.startswith("."))
        for name in sorted(names):
            path = here / name
            if name.lower().endswith(ENDINGS) and stat.S_ISREG(path.lstat().st_mode):
                found += 1
                if found > FILES_MAX:
                    raise InvalidInputError(
                        mark("That is too much"), mark("The folder has more than 100,000 files."),
                        mark("Choose a folder in it."),
                    )  # fmt: skip
                yield _on_disk(path, path.relative_to(folder).as_posix())


def _on_disk(path: Path, name: str) -> SourceFile:
    known = path.lstat()
    return SourceFile(path, clean(name), known.st_size, known.st_mtime_ns // 1_000_000)


def _in_zip(path: Path) -> Iterator[SourceFile]:
    mtime_ms = path.stat().st_mtime_ns // 1_000_000
    try:
        with zipfile.ZipFile(path) as archive:
            check_archive(archive)
            members = archive.infolist()
    except (OSError, zipfile.BadZipFile, NotImplementedError) as error:
        raise InvalidInputError(
            mark("This archive is damaged"), mark("Nothing was read."), mark("Get it from the other tool again.")
        ) from error
    for member in sorted(members, key=lambda each: each.filename):
        if not member.is_dir() and member.filename.lower().endswith(ENDINGS):
            yield SourceFile(path, clean(member.filename), member.file_size, mtime_ms, member.filename)
