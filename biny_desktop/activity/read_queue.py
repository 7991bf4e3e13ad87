"""Frames that wait to be read, and what becomes of a reading: redacted text, index and counts in one transaction.

A text that a user's rule meets is never written: the frame, every other frame of the same picture and the picture file
go, and one `private_text` row per frame takes their place. (Blanking the row was rejected: an empty frame would still
be listed, counted and searched by its app.)
"""

import io
import logging
import secrets
from collections.abc import Callable
from functools import partial
from typing import Final

import numpy as np

from biny_desktop.activity import delete_store, event_store, index, picture_store, read_store
from biny_desktop.activity.delete_segments import mark_changed
from biny_desktop.activity.held import HeldGrabs
from biny_desktop.activity.open_picture import open_picture
from biny_desktop.activity.ports import NoTextRules
from biny_desktop.activity.segments import index as segment_index
from biny_desktop.activity.segments.clearing import Cleared
from biny_desktop.activity.texts import TextWriter
from biny_desktop.capture.ports import TextScreen, TextVerdict
from biny_desktop.core.clock import Clock
from biny_desktop.core.days import activity_day
from biny_desktop.core.errors import NotFoundError, StorageError
from biny_desktop.core.events import ActivityDeleted, EventBus, FrameRead
from biny_desktop.core.ids import RandomHex
from biny_desktop.core.settings import Settings
from biny_desktop.core.tiles import TileMask
from biny_desktop.reading.ports import Picture, Reading, ReadJob
from biny_desktop.redaction import Redactor
from biny_desktop.storage.database import Database, Writer
from biny_desktop.storage.pictures import PictureFiles

log = logging.getLogger(__name__)
MAX_TRIES: Final = 3
"""Failed tries before a frame is parked (spec 02 §7, queue)."""
CHAIN_MAX: Final = 64
"""Frames whose tiles are joined at most; after more the whole picture is read anyway."""


class FrameReadQueue:
    """`reading.ports.ReadQueue` over the rows. Thread-safe; faults of the disk are logged and leave the job due.

    Args: as `FrameWriter`; `held` and `screen` are the same objects that the writer has.
    """

    def __init__(
        self,
        db: Database,
        files: PictureFiles,
        redactor: Callable[[], Redactor],
        settings: Callable[[], Settings],
        clock: Clock,
        events: EventBus,
        held: HeldGrabs,
        screen: TextScreen | None = None,
        random_hex: RandomHex = secrets.token_hex,
    ) -> None:
        self._db, self._files, self._redactor, self._settings = db, files, redactor, settings
        self._clock, self._events, self._held, self._random_hex = clock, events, held, random_hex
        self._screen = screen or NoTextRules()
        self.texts = TextWriter(settings, clock)

    def take(self) -> ReadJob | None:
        """The next job, marked `reading`; see `ReadQueue.take`. With `read.catch_up` also frames that were not due."""
        try:
            with self._db.read() as r:  # most calls find nothing: no write lock for that
                if read_store.next_due(r, catch_up=self._settings().read.catch_up) is None:
                    return None
            with self._db.write() as w:
                due = read_store.next_due(w, catch_up=self._settings().read.catch_up)
                if due is None:
                    return None
                read_store.set_state(w, due.frame_id, "reading")
        except StorageError as error:
            log.warning("the read queue cannot be used (%s)", error.kind)
            return None
        return ReadJob(due.frame_id, due.monitor_key, partial(self._load, due.frame_id), due.urgent)

    def tiles_between(self, one_frame: int, other_frame: int) -> TileMask | None:
        """Union of the tiles touched between two frames; see `ReadQueue.tiles_between`."""
        low, high = min(one_frame, other_frame), max(one_frame, other_frame)
        try:
            with self._db.read() as r:
                masks = read_store.tiles_in_chain(r, low, high, CHAIN_MAX)
        except StorageError:
            return None
        joined: TileMask | None = None
        for mask in masks or ():
            if mask is None:
                return None
            try:
                joined = mask if joined is None else joined.union(mask)
            except ValueError:  # the screen changed its size in between
                return None
        return joined

    def done(self, job: ReadJob, reading: Reading) -> None:
        """Redact and commit the text; dropped silently when the frame or its picture is gone."""
        lines = [line.text for line in reading.lines]
        verdict = self._screen.judge_text(lines) if self._screen.wants_text() else TextVerdict()
        redaction = self._redactor().redact(lines)
        try:
            if verdict.hides:  # the file is written: what a rule would have masked cannot be any more
                self._make_private(job.frame_id, traced=verdict.traced)
                return
            with self._db.write() as w:
                finished = self.texts.write(w, job.frame_id, reading, redaction)
        except StorageError as error:
            log.warning("a reading of frame %d could not be stored (%s)", job.frame_id, error.kind)
            self.put_back(job)
            return
        self._held.drop((job.frame_id,))
        if finished:
            self._events.publish(FrameRead(job.frame_id))

    def gone(self, job: ReadJob) -> None:
        """The picture does not exist any more."""
        self._change(lambda w: read_store.set_state(w, job.frame_id, "picture_gone", was="reading"))

    def failed(self, job: ReadJob, reason: str) -> None:
        """One try failed; after 3 the frame is parked. `reason` is a short word for the log."""
        log.info("reading frame %d failed (%s)", job.frame_id, reason)
        self._change(lambda w: read_store.count_try(w, job.frame_id, MAX_TRIES))

    def put_back(self, job: ReadJob) -> None:
        """Not tried: the job is due again."""
        self._change(lambda w: read_store.set_state(w, job.frame_id, "queued", was="reading"))

    def request(self, frame_id: int) -> None:
        """Read a frame now, or again: before all others and with fresh tries.

        Raises:
            NotFoundError: the frame or its picture is gone. StorageError: it cannot be noted.
        """
        with self._db.write() as w:
            file = picture_store.file_of_frame(w, frame_id)
            frame = read_store.read_frame(w, frame_id)
            if frame is None or file is None or file.state != "live":
                raise NotFoundError("Nothing to read", f"Frame {frame_id} or its picture is gone.")
            read_store.mark_urgent(w, frame_id, "reading" if frame.read_state == "reading" else "queued")

    def counts(self) -> dict[str, int]:
        """How many frames are in each read state. Raises StorageError."""
        with self._db.read() as r:
            return read_store.state_counts(r)

    def _change(self, action: Callable[[Writer], object]) -> None:
        try:
            with self._db.write() as w:
                action(w)
        except StorageError as error:  # the next start puts what is left in `reading` back
            log.warning("the read queue cannot be used (%s)", error.kind)

    def _load(self, frame_id: int) -> Picture | None:
        with self._db.read() as r:
            file = picture_store.file_of_frame(r, frame_id)
        if file is None or file.state != "live":
            return None
        held = self._held.get(frame_id)
        if held is not None:
            return np.ascontiguousarray(held[..., :3])
        try:
            return decode(open_picture(self._db, self._files, frame_id))
        except NotFoundError:
            return None

    def _make_private(self, frame_id: int, *, traced: bool) -> None:
        """Put `private_text` rows (none without a trace) in the place of a frame and of all others of its picture."""
        traced = traced and self._settings().privacy.trace == "placeholder"
        gone: set[bytes] = set()
        cleared = Cleared()
        with self._db.write() as w:
            frame = read_store.read_frame(w, frame_id)
            if frame is None:
                return
            ids = picture_store.frames_using(w, frame.picture_id) if frame.picture_id is not None else [frame_id]
            stamps = delete_store.stamps_of(w, ids)
            delete_store.delete_rows(w, ids, (), self._clock.now_ms(), gone, cleared)
            start = self._settings().day.start
            days = tuple(sorted({activity_day(stamp.at_ms, stamp.zone, start) for stamp in stamps}))
            for stamp in stamps if traced else ():
                event_store.insert_event(
                    w, event_store.NewEvent(stamp, "private", "private_text", 1, None, None, None, None, "{}")
                )
            mark_changed(w, days)
            event_store.set_generation(w, self._random_hex(16))
        self._events.publish(ActivityDeleted(tuple(ids), days))
        index.clear_deleted_words(self._db, gone)
        segment_index.clear_deleted_words(self._db, cleared.words)
        delete_store.finish_files(self._db, self._files, self._clock.now_ms())
        self._db.truncate_wal()


def decode(jpeg: bytes) -> Picture | None:
    """A stored picture as BGR pixels; None when it is no picture."""
    from PIL import Image

    try:
        with Image.open(io.BytesIO(jpeg)) as image:
            rgb = np.asarray(image.convert("RGB"))
    except (OSError, ValueError, Image.DecompressionBombError):
        return None
    return np.ascontiguousarray(rgb[..., ::-1])
