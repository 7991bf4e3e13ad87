"""After a change of keys: every picture is written again under the key of now, row by row, at any time readable."""

import logging
from dataclasses import dataclass
from typing import Final

from biny_desktop.activity import picture_store
from biny_desktop.core.clock import Clock
from biny_desktop.core.errors import BinyError, DiskFullError, NotFoundError, StorageError
from biny_desktop.storage.database import Database
from biny_desktop.storage.pictures import PictureFiles, StoredFile
from biny_desktop.storage.progress import Watch

log = logging.getLogger(__name__)
_BATCH: Final = 50
"""Pictures of one transaction: twice their bytes are on disk until it is committed."""


@dataclass(frozen=True, slots=True)
class Resealed:
    """`pictures` done, `missing` without a file, `failed` that no key opens (left as they are), `orphans` removed."""

    pictures: int
    missing: int
    failed: int
    orphans: int


def reseal_pictures(db: Database, files: PictureFiles, clock: Clock, watch: Watch) -> Resealed:
    """Go on where it stopped until all are done; killed or cancelled, call it again.

    Nothing else may write pictures meanwhile (the app is not running): at the end every file of ours that no row names
    is removed, since it may be the plain twin of a sealed one.

    Raises:
        CancelledError, DiskFullError: some are done, all are readable; the rest is due.
        StorageError: database or folder cannot be used.
    """
    if not files.available():
        raise StorageError("The pictures folder is gone", "Its pictures cannot be sealed anew.", "Connect that disk.")
    done = missing = failed = 0
    with db.read() as r:
        total = len(picture_store.known_paths(r))
    while True:
        with db.read() as r:
            after = picture_store.resealed_to(r)
            batch = picture_store.kept_files(r, after, _BATCH)
        if not batch:
            break
        moved: list[tuple[int, str, StoredFile]] = []
        for picture_id, path in batch:
            try:
                moved.append((picture_id, path, files.reseal(path)))
            except NotFoundError:
                missing += 1
            except DiskFullError:
                raise
            except BinyError as error:
                log.warning("picture %d cannot be sealed anew (%s)", picture_id, error.kind)
                failed += 1
        _commit(db, files, clock, moved, batch[-1][0])
        done += len(moved)
        watch.at("pictures", min(done + missing + failed, total), total)
    orphans = _remove_orphans(db, files)
    with db.write() as w:
        picture_store.set_resealed_to(w, None)
    return Resealed(done, missing, failed, orphans)


def _commit(
    db: Database, files: PictureFiles, clock: Clock, moved: list[tuple[int, str, StoredFile]], upto: int
) -> None:
    with db.write() as w:
        for picture_id, old, new in moved:
            picture_store.move_file(w, picture_id, old, new.path, new.bytes, clock.now_ms())
        picture_store.set_resealed_to(w, upto)
    for _, old, new in moved:
        if new.path != old:
            files.delete(old)


def _remove_orphans(db: Database, files: PictureFiles) -> int:
    with db.read() as r:
        known = picture_store.known_paths(r)
    orphans = [name for name in files.listed() if name not in known]
    for name in orphans:
        files.delete(name)
    return len(orphans)
