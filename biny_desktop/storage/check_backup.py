"""Proves a backup: every file against its hash, the database under its key, and the rows against the files."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from biny_desktop.core.errors import BinyError, StorageError, WrongKeyError
from biny_desktop.storage.backup import Manifest, PicturePaths, copy_hashed, located, read_manifest
from biny_desktop.storage.connections import connect, problems, row_counts
from biny_desktop.storage.database import Reader
from biny_desktop.storage.pictures import PictureFiles
from biny_desktop.storage.progress import Watch

MAX_PROBLEMS: Final = 50
"""Lines of a receipt; a backup with more is simply bad."""


@dataclass(frozen=True, slots=True)
class CheckReceipt:
    """What was looked at. `opened`: the database was read with its key; without the key only the hashes are proved.

    `problems` are sentences without names of vault files; `ok` means there are none.
    """

    files: int
    bytes: int
    made_at: int
    encrypted: bool
    opened: bool
    rows: int
    pictures_opened: int
    problems: tuple[str, ...]

    @property
    def ok(self) -> bool:
        """Nothing is wrong with what was looked at."""
        return not self.problems


def check_backup(
    folder: Path, secret: bytes | None, picture_paths: PicturePaths, watch: Watch, *, pictures: bool = False
) -> CheckReceipt:
    """Look at every byte of a backup; nothing is written.

    Args:
        secret: its key; None for a plain one, or when the key is not here.
        pictures: open every picture too (its seal is checked), not only its hash.

    Raises:
        InvalidInputError: it is no backup. CancelledError: stopped. StorageError: a file cannot be read.
    """
    manifest = read_manifest(folder)
    found, done = [], 0
    for entry, path in located(folder, manifest):
        watch.at("check", done, manifest.bytes)
        done += entry.bytes
        if path is None:
            found.append(f"{_shown(entry.path)} is missing.")
        else:
            copied = copy_hashed(path, None)
            if (copied.bytes, copied.sha256) != (entry.bytes, entry.sha256):
                found.append(f"{_shown(entry.path)} was changed or is damaged.")
    opened, rows = False, 0
    if not manifest.encrypted or secret is not None:
        opened, rows = _check_database(folder, manifest, secret, picture_paths, found)
    opened_pictures = _open_pictures(folder, manifest, secret, watch, found) if pictures and opened else 0
    return CheckReceipt(
        len(manifest.files), manifest.bytes, manifest.made_at, manifest.encrypted, opened, rows, opened_pictures,
        tuple(found[:MAX_PROBLEMS]),
    )  # fmt: skip


def _check_database(
    folder: Path, manifest: Manifest, secret: bytes | None, picture_paths: PicturePaths, found: list[str]
) -> tuple[bool, int]:
    try:
        still = connect(folder / "biny.db", secret if manifest.encrypted else None, still=True)
    except WrongKeyError:
        found.append("The database cannot be opened with this key, or is damaged.")
        return False, 0
    except StorageError as error:
        found.append(f"The database cannot be opened: {error.title}.")
        return False, 0
    try:
        lines = problems(still)
        found += [f"The database is damaged: {line}" for line in lines]
        if lines:
            return True, 0
        counts = row_counts(still)
        if counts != manifest.rows:
            found.append("The database holds other rows than the manifest says.")
        named = {f"pictures/{name}" for name in picture_paths(Reader(still))}
        without = len(named - {entry.path for entry in manifest.files})
        if without != manifest.missing:
            found.append(f"{without} rows have no picture file, {manifest.missing} are expected.")
        return True, sum(counts.values())
    finally:
        still.close()


def _open_pictures(folder: Path, manifest: Manifest, secret: bytes | None, watch: Watch, found: list[str]) -> int:
    files = PictureFiles(folder / "pictures", secret)
    names = [e.path.removeprefix("pictures/") for e in manifest.files if e.path.startswith("pictures/")]
    opened = 0
    for done, name in enumerate(names):
        watch.at("pictures", done, len(names))
        try:
            files.read(name)
            opened += 1
        except BinyError as error:
            found.append(f"{name}: {error.title}.")
    return opened


def _shown(path: str) -> str:
    return "A vault file" if path.startswith("vault:") else path
