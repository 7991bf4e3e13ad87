"""A backup: a folder with the database (under its own key), the pictures, the vault and a manifest that proves them.

It is made beside its place and renamed when it is whole. The manifest names no vault file, since such a name may be a
title: those are found by the hash of their path.
"""

import hashlib
import json
import os
import shutil
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from fnmatch import fnmatch
from pathlib import Path
from typing import Final

from biny_desktop.core.errors import BinyError, DiskFullError, InvalidInputError
from biny_desktop.storage.atomic import write_atomic
from biny_desktop.storage.connections import connect, require_whole, row_counts, schema_version
from biny_desktop.storage.database import Database, Reader
from biny_desktop.storage.faults import explained
from biny_desktop.storage.folders import Folders, private_folder
from biny_desktop.storage.keys import Key, identity_of
from biny_desktop.storage.pictures import PictureFiles
from biny_desktop.storage.progress import Watch

FORMAT: Final = 1
MANIFEST: Final = "manifest.json"
PART_SUFFIX: Final = ".part"
ASIDE: Final = "before-restore-"
"""How the folders begin that a restore sets aside."""
SPARE_BYTES: Final = 64_000_000
"""Space that has to stay free beside a copy; a full disk stops more than the copy."""
_CHUNK: Final = 1 << 20
_NO_VAULT: Final = ("settings.*", "biny.key*", "model_keys.json*", "*.part", "*.lock", "*.biny-tmp", f"{ASIDE}*")
PicturePaths = Callable[[Reader], set[str]]
FreeSpace = Callable[[Path], int]


@dataclass(frozen=True, slots=True)
class Entry:
    """One file of a backup: `path` relative with forward slashes (for vault files `vault:` + hash of the path)."""

    path: str
    bytes: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a backup holds; `rows` by table, `missing` pictures that were gone when it was made."""

    made_at: int
    database_id: str
    encrypted: bool
    schema: int
    rows: dict[str, int]
    missing: int
    files: tuple[Entry, ...]

    @property
    def bytes(self) -> int:
        """Size of all files."""
        return sum(entry.bytes for entry in self.files)


def free_bytes(path: Path) -> int:
    """Free space where a file of that path would lie. Raises StorageError."""
    with explained("Asking for free space"):
        here = path.absolute()
        while not here.exists():
            here = here.parent
        return shutil.disk_usage(here).free


def make_backup(
    folders: Folders, database: Database, key: Key, picture_paths: PicturePaths, target: Path, now_ms: int,
    watch: Watch, free: FreeSpace = free_bytes,
) -> Manifest:  # fmt: skip
    """Write a backup of a home that may be in use.

    Args:
        picture_paths: the pictures that rows name, relative to the pictures folder.
        target: a new or empty folder outside the home.

    Raises:
        InvalidInputError: the target cannot be used. DiskFullError: there is not enough space.
        CancelledError, StorageError: nothing is left of it.
    """
    target = _usable(folders, target)
    part = target.with_name(target.name + PART_SUFFIX)
    _require_space(folders, target, free)
    try:
        with explained("Making the backup folder"):
            shutil.rmtree(part) if part.is_dir() and not part.is_symlink() else None
            private_folder(part)
        entries, missing = _copy_home(folders, database, key, picture_paths, part, watch)
        manifest = _manifest(part, key, now_ms, entries, missing)
        content = json.dumps({"format": FORMAT, **asdict(manifest)}, indent=1)
        write_atomic(part / MANIFEST, content.encode())
        with explained("Putting the backup in place"):
            if target.exists():
                target.rmdir()
            part.rename(target)
    except BaseException:
        shutil.rmtree(part, ignore_errors=True)
        raise
    return manifest


def read_manifest(folder: Path) -> Manifest:
    """The manifest of a backup.

    Raises:
        InvalidInputError: the folder is no backup, or one of a newer version.
    """
    try:
        content = json.loads((folder / MANIFEST).read_bytes())
        if content["format"] != FORMAT:
            raise InvalidInputError("The backup is from a newer version", "", "Install the newer version.")
        del content["format"]
        files = tuple(Entry(str(f["path"]), int(f["bytes"]), str(f["sha256"])) for f in content.pop("files"))
        return Manifest(files=files, **content)
    except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
        raise InvalidInputError(
            "This is no backup of Biny", f"{MANIFEST} is missing or damaged.", "Name the folder of a backup."
        ) from error


def located(folder: Path, manifest: Manifest) -> Iterator[tuple[Entry, Path | None]]:
    """Each entry with its file; None when it is missing, or when the entry names a place outside the backup."""
    vault = {_hidden(name): folder / "vault" / name for name in _plain_files(folder / "vault") if _is_vault(name)}
    for entry in manifest.files:
        path = vault.get(entry.path) if entry.path.startswith("vault:") else folder / entry.path
        inside = path is not None and _is_ours(entry.path) and path.is_file() and not path.is_symlink()
        yield entry, path if inside else None


def copy_hashed(source: Path, target: Path | None) -> Entry:
    """Copy a file (or with None only read it); mode 0600, on disk when it returns. `path` of the result is empty.

    Raises:
        DiskFullError, StorageError: the copy is not whole.
    """
    digest, size = hashlib.sha256(), 0
    with explained("Copying a file"), source.open("rb") as reader:
        if target is None:
            while chunk := reader.read(_CHUNK):
                digest.update(chunk)
                size += len(chunk)
            return Entry("", size, digest.hexdigest())
        handle = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
        with os.fdopen(handle, "wb") as writer:
            while chunk := reader.read(_CHUNK):
                digest.update(chunk)
                size += len(chunk)
                writer.write(chunk)
            writer.flush()
            os.fsync(writer.fileno())
    return Entry("", size, digest.hexdigest())


def private_tree(base: Path, folder: Path) -> None:
    """Make the folders from below `base` down to `folder`, each with mode 0700. Raises as `private_folder`."""
    for path in (*reversed(folder.relative_to(base).parents), folder.relative_to(base)):
        private_folder(base / path)


def vault_files(folders: Folders) -> Iterator[str]:
    """The files of the vault, which is the config folder without settings, keys and what is half made (spec 06 §2)."""
    for name in _plain_files(folders.config):
        if _is_vault(name):
            yield name


def _is_vault(name: str) -> bool:
    return not any(fnmatch(name.partition("/")[0], pattern) for pattern in _NO_VAULT)


def _usable(folders: Folders, target: Path) -> Path:
    target = target.expanduser().absolute()
    if any(target.resolve().is_relative_to(own.resolve()) for own in _own_folders(folders)):
        raise InvalidInputError("The backup cannot be there", "That is inside the home itself.", "Name another folder.")
    if target.is_symlink() or (target.exists() and (not target.is_dir() or any(target.iterdir()))):
        raise InvalidInputError("The folder is not empty", "A backup gets a folder of its own.", "Name a new folder.")
    return target


def _own_folders(folders: Folders) -> tuple[Path, ...]:
    return folders.data, folders.config, folders.logs, folders.pictures


def _require_space(folders: Folders, target: Path, free: FreeSpace) -> None:
    with explained("Measuring the home"):
        wal = folders.database_file.with_name("biny.db-wal")
        needed = sum(path.stat().st_size for path in (folders.database_file, wal) if path.exists())
        needed += sum((folders.pictures / name).stat().st_size for name in _plain_files(folders.pictures))
        needed += sum((folders.config / name).stat().st_size for name in vault_files(folders))
    have = free(target)
    if have < needed + SPARE_BYTES:
        raise DiskFullError(
            "There is not enough space for the backup",
            f"It needs {needed / 1e6:.0f} MB, {have / 1e6:.0f} MB are free.",
            "Choose another disk, or free some space.",
        )


def _copy_home(
    folders: Folders, database: Database, key: Key, picture_paths: PicturePaths, part: Path, watch: Watch
) -> tuple[list[Entry], int]:
    files = PictureFiles(folders.pictures, None)
    watch.at("database", 0, 1)
    # The database first: what is deleted after this moment may be missing, and is then no loss.
    database.backup_to(part / "biny.db")
    entries = [_entry("biny.db", copy_hashed(part / "biny.db", None))]
    watch.at("database", 1, 1)
    write_atomic(part / "biny.json", identity_of(key).as_bytes())
    entries.append(_entry("biny.json", copy_hashed(part / "biny.json", None)))
    if folders.settings_file.is_file():
        entries.append(_entry("settings.toml", copy_hashed(folders.settings_file, part / "settings.toml")))
    still = connect(part / "biny.db", key.secret, still=True)
    try:
        wanted = sorted(picture_paths(Reader(still)))
    finally:
        still.close()
    private_folder(part / "pictures")
    missing = 0
    for done, name in enumerate(wanted):
        watch.at("pictures", done, len(wanted))
        source = files.inside(name)
        private_folder((part / "pictures" / name).parent)
        if source.is_file():
            entries.append(_entry(f"pictures/{name}", copy_hashed(source, part / "pictures" / name)))
        else:
            missing += 1
    entries += _copy_vault(folders, part, watch)
    return entries, missing


def _copy_vault(folders: Folders, part: Path, watch: Watch) -> list[Entry]:
    entries = []
    names = sorted(vault_files(folders))
    for done, name in enumerate(names):
        watch.at("vault", done, len(names))
        copy = part / "vault" / name
        private_tree(part, copy.parent)
        entries.append(_entry(_hidden(name), copy_hashed(folders.config / name, copy)))
    return entries


def _manifest(part: Path, key: Key, now_ms: int, entries: list[Entry], missing: int) -> Manifest:
    still = connect(part / "biny.db", key.secret, still=True)
    try:
        require_whole(still, "The copy of the database")
        schema, rows = schema_version(still), row_counts(still)
    finally:
        still.close()
    return Manifest(now_ms, key.database_id, key.secret is not None, schema, rows, missing, tuple(entries))


def _entry(path: str, copied: Entry) -> Entry:
    return Entry(path, copied.bytes, copied.sha256)


def _hidden(name: str) -> str:
    return "vault:" + hashlib.sha256(name.encode(errors="surrogateescape")).hexdigest()


def _is_ours(path: str) -> bool:
    if path.startswith("pictures/"):
        try:
            PictureFiles(Path(), None).inside(path.removeprefix("pictures/"))
        except BinyError:
            return False
        return True
    return path in ("biny.db", "biny.json", "settings.toml") or path.startswith("vault:")


def _plain_files(folder: Path) -> Iterator[str]:
    """All files below a folder, relative with forward slashes; links are left out."""
    if not folder.is_dir():
        return
    for base, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not (Path(base) / name).is_symlink()]
        for name in names:
            path = Path(base) / name
            if path.is_file() and not path.is_symlink():
                yield path.relative_to(folder).as_posix()
