"""Moving the pictures to another place: copy, verify, switch, delete the old ones; recording goes on meanwhile.

Before the switch everything leads back, after it forward. A folder of our own is made inside the chosen one, so that a
disk that is not connected is seen as such: its mount point may be there, that folder is not.
"""

import contextlib
import logging
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from biny_desktop.activity import picture_store
from biny_desktop.activity.disk import Space, space_of
from biny_desktop.core.errors import BinyError, DiskFullError, InvalidInputError, StorageError
from biny_desktop.storage import picture_place
from biny_desktop.storage.atomic import FileOps, write_atomic
from biny_desktop.storage.database import Database
from biny_desktop.storage.faults import explained
from biny_desktop.storage.folders import Folders, private_folder
from biny_desktop.storage.picture_place import Place
from biny_desktop.storage.pictures import PictureFiles
from biny_desktop.storage.progress import UNWATCHED, Watch

log = logging.getLogger(__name__)
FOLDER_NAME: Final = "biny-pictures"
SPARE_BYTES: Final = 100_000_000
"""Free space that has to be left on the new disk, for what is recorded meanwhile."""


@dataclass(frozen=True, slots=True)
class Moved:
    """The pictures lie in `folder` now; `left_behind` files could not be removed from the old one yet (retried)."""

    folder: Path
    pictures: int
    bytes: int
    left_behind: int


class PictureMove:
    """Moves the pictures of one home. The caller sees to it that no other process records or moves.

    Args: the database, the pictures (told of the new folder), the folders of the home; `space` measures a volume.
    """

    def __init__(
        self,
        db: Database,
        files: PictureFiles,
        folders: Folders,
        ops: FileOps | None = None,
        space: Callable[[Path], Space | None] = space_of,
    ) -> None:
        self._db, self._files, self._folders, self._ops, self._space = db, files, folders, ops, space
        self._moving = threading.Lock()

    def move(self, chosen: Path, watch: Watch = UNWATCHED) -> Moved:
        """Move all pictures into a folder of our own inside `chosen` (the data folder: back to where they began).

        Raises:
            InvalidInputError: that place cannot be used. UnsafePathError: it is a link or somebody else's.
            CancelledError, DiskFullError, StorageError: the pictures are where they were, the copies are removed.
        """
        with self._moving:
            return self._move(chosen, watch)

    def settle(self) -> int:
        """End what a kill left of a move: half a copy is removed, an old folder emptied; what is not connected waits.

        Returns how many files of the old folder could not be removed yet; 0 while a move is under way.

        Raises:
            StorageError: the note of the move cannot be read or written.
        """
        if not self._moving.acquire(blocking=False):
            return 0
        try:
            return self._settle()
        finally:
            self._moving.release()

    def _move(self, chosen: Path, watch: Watch) -> Moved:
        self._settle()
        if not self._files.available():
            raise StorageError("The pictures folder is gone", "It cannot be moved now.", "Connect its disk first.")
        target = self._target(chosen)
        old = self._files.folder
        picture_place.save(self._folders, Place(old, moving_to=target), self._ops)
        try:
            private_folder(target)
            copies = PictureFiles(target, None, self._ops)
            self._require(target)
            self._copy(self._named(), copies, watch)
            with self._files.quiet():
                names = self._named()
                self._copy(names, copies, UNWATCHED)
                for stray in set(copies.listed()) - set(names):  # deleted since they were copied
                    copies.delete(stray)
                self._check(names, copies)
                picture_place.save(self._folders, Place(target, left=old), self._ops)
                self._files.use_folder(target)
        except BaseException:
            if self._folders.pictures != target:
                self._undo(target)
            raise
        size = sum(copies.inside(name).stat().st_size for name in names)
        log.info("%d pictures moved", len(names))
        return Moved(target, len(names), size, self._settle())

    def _settle(self) -> int:
        place = picture_place.load(self._folders)
        if place.moving_to is not None:
            self._undo(place.moving_to)
        if place.left is None or not place.left.is_dir():
            return 0
        old = PictureFiles(place.left, None, self._ops)
        stuck = _empty(old)
        if stuck == 0:
            # First the note: a folder that is not there would be taken for a disk that is not connected.
            place = picture_place.load(self._folders)
            picture_place.save(self._folders, replace(place, left=None), self._ops)
            _remove_folders(old)
        return stuck

    def _target(self, chosen: Path) -> Path:
        chosen = chosen.expanduser()
        home = chosen == self._folders.data
        target = chosen / ("pictures" if home else FOLDER_NAME)
        if not chosen.is_absolute() or not chosen.is_dir():
            raise InvalidInputError("No such folder", "The pictures can only move into a folder that is there.")
        if target == self._files.folder:
            raise InvalidInputError("Nothing to move", "The pictures are there already.")
        inner, own = target.resolve(), (self._files.folder, self._folders.config, self._folders.logs)
        if any(inner.is_relative_to(folder.resolve()) for folder in own):
            raise InvalidInputError("Not this folder", "It is inside a folder of Biny.", "Choose one of your own.")
        if any(path.is_symlink() or not path.is_dir() for path in target.rglob("*")):
            raise InvalidInputError("The folder is not empty", f"There is already a folder {target.name} with files.")
        return target

    def _named(self) -> list[str]:
        """The names of all rows whose file is there."""
        with self._db.read() as r:
            names = sorted(picture_store.known_paths(r))
        return [name for name in names if _there(self._files, name)]

    def _require(self, target: Path) -> None:
        space = self._space(target)
        wanted = sum(self._files.inside(name).stat().st_size for name in self._named())
        if space is not None and space.free < wanted + SPARE_BYTES:
            raise DiskFullError(
                "There is not enough space",
                f"The pictures need {wanted / 1e6:.0f} MB, {space.free / 1e6:.0f} MB are free there.",
                "Choose another disk; nothing was moved.",
            )

    def _copy(self, names: list[str], copies: PictureFiles, watch: Watch) -> None:
        for done, name in enumerate(names):
            watch.at("pictures", done, len(names))
            with explained("Copying a picture"), contextlib.suppress(FileNotFoundError):  # deleted meanwhile
                if not copies.exists(name):
                    data = self._files.inside(name).read_bytes()
                    path = copies.inside(name)
                    private_folder(path.parent)
                    write_atomic(path, data, self._ops)

    def _check(self, names: Iterable[str], copies: PictureFiles) -> None:
        """Raises StorageError when a copy is not what the picture is."""
        for name in names:
            with explained("Comparing a picture"):
                same = copies.inside(name).read_bytes() == self._files.inside(name).read_bytes()
            if not same:
                raise StorageError("A copy is not right", "The pictures stay where they are.", "Check that disk.")

    def _undo(self, target: Path) -> None:
        """Remove the copies of a move that did not get to its switch."""
        if target.is_dir():
            copies = PictureFiles(target, None, self._ops)
            if _empty(copies) == 0:
                _remove_folders(copies)
        picture_place.save(self._folders, Place(self._folders.pictures), self._ops)


def _there(files: PictureFiles, name: str) -> bool:
    try:
        return files.exists(name)
    except BinyError:  # a path that leaves the folder is never opened
        return False


def _empty(files: PictureFiles) -> int:
    """Remove our files; returns how many could not be removed."""
    stuck = 0
    for name in files.listed():
        try:
            files.delete(name)
        except BinyError as error:
            log.warning("a file of the old pictures folder cannot be removed yet (%s)", error.kind)
            stuck += 1
    return stuck


def _remove_folders(files: PictureFiles) -> None:
    """Remove the folders that are empty now."""
    with contextlib.suppress(OSError):  # somebody else's files are in it: it stays
        for day in files.folder.iterdir():
            if day.is_dir() and not day.is_symlink():
                with contextlib.suppress(OSError):
                    day.rmdir()
        files.folder.rmdir()
