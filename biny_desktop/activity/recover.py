"""What is set right at every start: half-written files, rows without files, cut-off readings and deletes."""

import logging
from dataclasses import dataclass
from typing import Final

from biny_desktop.activity import index, picture_store, read_store
from biny_desktop.activity.deletes import Deletes
from biny_desktop.core.clock import Clock
from biny_desktop.core.errors import BinyError
from biny_desktop.storage.database import Database
from biny_desktop.storage.pictures import PictureFiles

log = logging.getLogger(__name__)
MIN_AGE_MS: Final = 60_000
"""A file without a row is removed when it is older than this: a younger one may be a write under way (spec 02 §6.1)."""
_BATCH: Final = 500


@dataclass(frozen=True, slots=True)
class Recovered:
    """What a start set right: files removed, pictures marked missing, readings put back, deletes ended."""

    orphans_removed: int
    pictures_missing: int
    readings_requeued: int
    delete_resumed: bool
    files_pending: int


def recover(db: Database, files: PictureFiles, deletes: Deletes, clock: Clock) -> Recovered:
    """Sweep once, before recording starts; running it again changes nothing.

    With the pictures folder gone (another disk, not connected) no file is touched and no row is marked.

    Raises:
        StorageError: the database or the folder cannot be used.
    """
    with db.write() as w:
        requeued = read_store.requeue_reading(w)
    resumed = deletes.resume() is not None
    if not files.available():
        log.warning("the pictures folder is not there; its sweep waits")
        return Recovered(0, 0, requeued, resumed, 0)
    pending = deletes.finish_pending().pending
    found = Recovered(_remove_orphans(db, files, clock), _mark_missing(db, files, clock), requeued, resumed, pending)
    log.info(
        "start-up sweep: %d files removed, %d pictures missing, %d readings put back, %d files pending",
        found.orphans_removed, found.pictures_missing, found.readings_requeued, found.files_pending,
    )  # fmt: skip
    return found


def _remove_orphans(db: Database, files: PictureFiles, clock: Clock) -> int:
    """Files of ours that no row knows and that are older than a minute."""
    listed = files.listed()  # before the rows are read: a file written after this is not in it
    with db.read() as r:
        known = picture_store.known_paths(r)
    removed = 0
    for name, modified_s in listed.items():
        if name not in known and clock.now_ms() - modified_s * 1000 > MIN_AGE_MS:
            try:
                files.delete(name)
                removed += 1
            except BinyError as error:
                log.warning("a file without a row cannot be removed yet (%s)", error.kind)
    return removed


def _mark_missing(db: Database, files: PictureFiles, clock: Clock) -> int:
    """Rows whose file is not there; their frames are no longer found by `has:picture` and not read."""
    missing = after = 0
    while True:
        with db.read() as r:
            batch = picture_store.live_files(r, after, _BATCH)
        if not batch:
            return missing
        after = batch[-1].id
        for picture in batch:
            if not _there(files, picture.path):
                with db.write() as w:
                    frames = picture_store.frames_using(w, picture.id)
                    with index.reindexed(w, frames):
                        picture_store.mark_missing(w, picture.id, clock.now_ms())
                        read_store.give_up(w, frames)
                missing += 1


def _there(files: PictureFiles, path: str) -> bool:
    try:
        return files.exists(path)
    except BinyError:  # a path that leaves the folder is never opened
        return False
