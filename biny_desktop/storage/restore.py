"""Puts a backup in the place of a home; what was there is set aside whole, never deleted.

Everything is copied and proved beside its place first; then a journal is written, and from there on the moves only go
forward: killed in between, the next opening ends them.
"""

import contextlib
import json
import os
import shutil
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from biny_desktop.core.errors import DiskFullError, InvalidInputError, StorageError
from biny_desktop.storage.atomic import FileOps, RealFileOps, write_atomic
from biny_desktop.storage.backup import (
    ASIDE,
    SPARE_BYTES,
    Entry,
    FreeSpace,
    Manifest,
    copy_hashed,
    free_bytes,
    located,
    private_tree,
    read_manifest,
)
from biny_desktop.storage.faults import explained
from biny_desktop.storage.folders import Folders, prepare, private_folder
from biny_desktop.storage.progress import Watch

_STAGE: Final = "restore.part"
# The logs go before the database they belong to: a database never meets the log of another one.
_DATA: Final = (
    "biny.db-wal", "biny.db-shm", "biny.db.check", "biny.db.roots", "rekey.json", "rescue.json", "damage-reports.json",
    "backups", "biny.db", "biny.json", "pictures.json", "pictures",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Restored:
    """A finished restore: `aside` the folders that hold what was there before (none when nothing was)."""

    files: int
    bytes: int
    encrypted: bool
    database_id: str
    aside: tuple[str, ...]


def restore_backup(
    folder: Path, folders: Folders, now_ms: int, watch: Watch, free: FreeSpace = free_bytes, ops: FileOps | None = None
) -> Restored:
    """Restore a backup into an empty or existing home. The caller holds the locks of the home; nobody has it open.

    Raises:
        InvalidInputError: the folder is no backup, or one of its files is damaged; nothing was changed.
        DiskFullError, CancelledError, StorageError: before the moves nothing was changed; after, the next call or
            opening ends them.
    """
    finish_restore(folders, ops)
    manifest = read_manifest(folder)
    prepare(folders)
    pictures = folders.data / "pictures"  # ones that were moved elsewhere stay there, `pictures.json` is set aside
    if pictures.is_symlink() or pictures.is_mount():
        raise StorageError(
            "The pictures folder cannot be set aside", "It is on another disk.", "Restore into a new home (--home)."
        )
    have = free(folders.data)
    if have < manifest.bytes + SPARE_BYTES:
        raise DiskFullError(
            "There is not enough space",
            f"The backup needs {manifest.bytes / 1e6:.0f} MB, {have / 1e6:.0f} MB are free.",
            "Free some space; nothing was changed.",
        )
    try:
        _stage(folder, manifest, folders, watch)
    except BaseException:
        _drop_stages(folders)
        raise
    stamp = f"{datetime.fromtimestamp(now_ms / 1000, UTC):%Y%m%dT%H%M%S}"
    while any((base / (ASIDE + stamp)).exists() for base in (folders.data, folders.config)):
        stamp += "x"
    write_atomic(_journal(folders), json.dumps({"stamp": stamp}).encode(), ops)
    finish_restore(folders, ops)
    made = [base / (ASIDE + stamp) for base in (folders.data, folders.config)]
    aside = tuple(str(path) for path in made if path.exists())
    return Restored(len(manifest.files), manifest.bytes, manifest.encrypted, manifest.database_id, aside)


def finish_restore(folders: Folders, ops: FileOps | None = None) -> bool:
    """End a restore that was killed; True when there was one. Called before every opening, under its lock.

    Raises:
        StorageError: a move failed; it is tried again at the next opening.
    """
    ops = ops or RealFileOps()
    with explained("Ending a restore"):
        try:
            stamp = str(json.loads(_journal(folders).read_bytes())["stamp"])
        except FileNotFoundError:
            _drop_stages(folders)
            return False
        except (ValueError, KeyError, TypeError) as error:
            raise StorageError("restore.json is damaged", "It does not name the folder.", "Restore again.") from error
        if not stamp.strip("x").replace("T", "").isdigit():
            raise StorageError("restore.json is damaged", "It names a strange folder.", "Restore again.")
        for name in _DATA:
            _swap(folders.data, name, folders.data / (ASIDE + stamp), ops)
        stage = folders.config / _STAGE
        for name in sorted(path.name for path in stage.iterdir()) if stage.is_dir() else ():
            _swap(folders.config, name, folders.config / (ASIDE + stamp), ops)  # what the backup lacks stays
        for base in (folders.data, folders.config):
            ops.sync(base)
        ops.unlink(_journal(folders))
        _drop_stages(folders)
    return True


def _swap(base: Path, name: str, aside: Path, ops: FileOps) -> None:
    """Move the old one away and the new one in; each of the two is done at most once, in any number of tries."""
    staged, live, old = base / _STAGE / name, base / name, aside / name
    if live.exists() and not old.exists() and (staged.exists() or not _comes_back(base, name)):
        if live.is_dir() and not any(live.iterdir()):
            live.rmdir()
        else:
            private_folder(aside)
            ops.rename(live, old)
    if staged.exists():
        ops.rename(staged, live)


def _comes_back(base: Path, name: str) -> bool:
    """Whether this name is one that the backup brings (then a live one without a staged one is the new one)."""
    return name in ("biny.db", "biny.json", "pictures") and (base / _STAGE).exists()


def _stage(folder: Path, manifest: Manifest, folders: Folders, watch: Watch) -> None:
    data, config = private_folder(folders.data / _STAGE), private_folder(folders.config / _STAGE)
    private_folder(data / "pictures")
    done = 0
    for entry, source in located(folder, manifest):
        watch.at("restore", done, manifest.bytes)
        done += entry.bytes
        if source is None:
            raise _damaged(entry)
        target = _staged(entry, source.relative_to(folder), data, config)
        private_tree(config if target.is_relative_to(config) else data, target.parent)
        copied = copy_hashed(source, target)
        if (copied.bytes, copied.sha256) != (entry.bytes, entry.sha256):
            raise _damaged(entry)
    if not (data / "biny.db").is_file() or not (data / "biny.json").is_file():
        raise InvalidInputError("The backup is not whole", "It holds no database.", "Use another backup.")
    for base, _, _ in os.walk(data):
        RealFileOps().sync(Path(base))


def _staged(entry: Entry, relative: Path, data: Path, config: Path) -> Path:
    if entry.path.startswith("vault:"):
        return config / Path(*relative.parts[1:])
    return (config if entry.path == "settings.toml" else data) / relative


def _damaged(entry: Entry) -> InvalidInputError:
    name = "A vault file" if entry.path.startswith("vault:") else entry.path
    return InvalidInputError(
        "The backup is damaged", f"{name} is missing or was changed; nothing was restored.", "Use another backup."
    )


def _drop_stages(folders: Folders) -> None:
    for base in (folders.data, folders.config):
        if (base / _STAGE).is_dir():
            with contextlib.suppress(FileNotFoundError):
                shutil.rmtree(base / _STAGE)


def _journal(folders: Folders) -> Path:
    return folders.data / "restore.json"
