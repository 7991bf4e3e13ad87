"""The one writer of frames and non-frames: file first, then all rows in one transaction, every text redacted."""

import contextlib
import logging
import secrets
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import Final

from biny_desktop.activity import event_store, frame_store, index, picture_store, read_store
from biny_desktop.activity.disk import DiskGuard
from biny_desktop.activity.held import HeldGrabs
from biny_desktop.activity.notes import NoteWriter
from biny_desktop.activity.ports import NoTextRules
from biny_desktop.activity.safe_fields import SafeFields
from biny_desktop.capture.ports import (
    Json,
    KeptFrame,
    NewFrame,
    NewPicture,
    Note,
    RecorderState,
    SkipReason,
    TextScreen,
)
from biny_desktop.core.clock import Clock, Stamp
from biny_desktop.core.days import activity_day
from biny_desktop.core.errors import BinyError, StaleRevisionError, StorageError
from biny_desktop.core.events import ActivityDeleted, EventBus, FrameKept, NonFrameNoted, RecorderStateChanged
from biny_desktop.core.ids import RandomHex, new_id
from biny_desktop.core.settings import Settings
from biny_desktop.redaction import RULES_VERSION, Redactor
from biny_desktop.storage.database import Database, Writer
from biny_desktop.storage.pictures import PictureFiles, StoredFile
from biny_desktop.storage.rows import dump_json

log = logging.getLogger(__name__)
QUEUE_MAX: Final = 500
"""Frames that wait for reading at most (spec 02 §7, queue)."""


@dataclass(frozen=True, slots=True)
class Reserved:
    """The id of a frame that is held; `generation` tells whether rows were deleted since."""

    frame_id: int
    generation: str


class FrameWriter:
    """`capture.ports.FrameSink`: writes what the recorder kept and why it kept nothing.

    Args:
        db: the database, index prepared. files: the pictures folder. redactor: gives the one of the present settings.
        settings: gives the present settings. clock, random_hex: time and randomness. events: told after each commit.
        screen: the user's text rules. held: grabs that wait for reading, shared with the read queue.
        disk: watches the free space, shared with the schedule.
    """

    def __init__(
        self,
        db: Database,
        files: PictureFiles,
        redactor: Callable[[], Redactor],
        settings: Callable[[], Settings],
        clock: Clock,
        events: EventBus,
        random_hex: RandomHex = secrets.token_hex,
        screen: TextScreen | None = None,
        held: HeldGrabs | None = None,
        disk: DiskGuard | None = None,
    ) -> None:
        self._db, self._files, self._redactor, self._settings = db, files, redactor, settings
        self._clock, self._events, self._random_hex = clock, events, random_hex
        self._screen = screen or NoTextRules()
        self.held = held or HeldGrabs(clock)
        self._notes, self._noting = NoteWriter(settings), threading.Lock()
        self._disk = disk or DiskGuard(db, files, settings, clock, events, random_hex)
        self._kept_of: dict[str, int] = {}
        events.subscribe(ActivityDeleted, self._on_activity_deleted)

    def keep(self, frame: NewFrame) -> KeptFrame:
        """Write the picture file and the rows, in one transaction; see `FrameSink.keep`.

        Raises:
            StorageError: nothing was written; `DiskFullError` for want of space.
        """
        if (frame.picture is None) == (frame.seen_again_of is None):
            raise ValueError("a frame has a picture or points at an earlier one, exactly one of them")
        read_state, urgent = self._read_plan(frame)
        kept = self._commit(frame, lambda w, row: self._insert(w, frame, row), read_state, urgent=urgent)
        if frame.held is not None:
            self.held.put(kept.frame_id, frame.held)
        return kept

    def reserve(self) -> Reserved:
        """An id for a frame that is held, and the state of things it was held in. Raises StorageError."""
        with self._disk.watched(), self._db.write() as w:
            return Reserved(frame_store.reserve_id(w), event_store.generation(w))

    def keep_screened(
        self, frame: NewFrame, reserved: Reserved, read_state: str, then: Callable[[Writer], object]
    ) -> KeptFrame:
        """Write a frame that was held: picture and rows, and what `then` writes, or nothing.

        Raises:
            StorageError: nothing was written. StaleRevisionError: rows were deleted while it was held.
        """

        def insert(w: Writer, row: frame_store.NewRow) -> int:
            if event_store.generation(w) != reserved.generation:
                raise StaleRevisionError("The frame is not kept", "Rows were deleted while it was held.")
            frame_id = self._insert(w, frame, replace(row, id=reserved.frame_id))
            then(w)
            return frame_id

        return self._commit(frame, insert, read_state, urgent=False)

    def _commit(
        self, frame: NewFrame, insert: Callable[[Writer, frame_store.NewRow], int], read_state: str, *, urgent: bool
    ) -> KeptFrame:
        """File, then rows; the file goes again when the rows fail."""
        started_ms = self._clock.mono_ms()
        with self._disk.watched():
            file = self._write_file(frame.picture, frame.stamp) if frame.picture else None
            try:
                with self._db.write() as w:
                    frame_id = insert(w, self._row(w, frame, file, read_state, urgent=urgent, started_ms=started_ms))
            except BaseException:
                if file is not None:
                    with contextlib.suppress(BinyError):  # the sweep at the next start removes it
                        self._files.delete(file.path)
                raise
        self._kept_of[frame.monitor_key] = self._kept_of.get(frame.monitor_key, 0) + 1
        self._events.publish(FrameKept(frame_id))
        return KeptFrame(frame_id, file.bytes if file else 0)

    def note(self, note: Note) -> int:
        """Write or extend an event row; see `FrameSink.note`.

        Raises:
            StorageError: nothing was written.
        """
        if note.kind in ("lock", "sleep"):
            self.held.clear()
        with self._noting:  # the reader's thread tells of held frames, the recorder's of all else
            with self._disk.watched(), self._db.write() as w:
                event_id = self._notes.write(w, note, SafeFields(self._redactor()))
            self._notes.committed()
        self._events.publish(NonFrameNoted(event_id, note.kind))
        return event_id

    def state(self, stamp: Stamp, state: RecorderState, reason: str, detail: Mapping[str, Json]) -> None:
        """Write a `recorder_states` row. Raises StorageError."""
        safe = SafeFields(self._redactor())
        with self._disk.watched(), self._db.write() as w:
            text = dump_json(safe.detail("detail", detail))
            event_store.insert_state(w, stamp.at_ms, state, safe.line("reason", reason), text)
        self._events.publish(RecorderStateChanged(state, reason))

    def problem(self) -> SkipReason | None:
        """Gate 3: what keeps rows from being written, or None."""
        return self._disk.problem()

    def _write_file(self, picture: NewPicture, stamp: Stamp) -> StoredFile:
        try:
            return self._files.write(picture.jpeg, stamp.at_ms, new_id(stamp.at_ms, self._random_hex))
        except StorageError:
            raise
        except BinyError as error:  # an unsafe folder: for the recorder it is one more thing that cannot be written
            raise StorageError(error.title, error.message, error.hint) from error

    def _row(
        self, w: Writer, frame: NewFrame, file: StoredFile | None, read_state: str, *, urgent: bool, started_ms: int
    ) -> frame_store.NewRow:
        """The row of a frame, redacted; the row of its picture is written."""
        safe = SafeFields(self._redactor())
        window = safe.window(frame.window)
        if frame.picture is not None and file is not None:
            picture_id = picture_store.insert_picture(w, _picture_row(frame, frame.picture, file))
            original, size = None, (frame.picture.width, frame.picture.height)
        else:
            found = frame_store.original_of(w, frame.seen_again_of or 0)
            if found is None:
                raise StorageError("The earlier picture is gone", "It was deleted; nothing was written.")
            picture_id, original, size = found.picture_id, found.frame_id, found.grab_size
        if frame.held is not None:
            size = (int(frame.held.shape[1]), int(frame.held.shape[0]))
        plan: dict[str, Json] = {"state": read_state, "urgent": urgent}
        why = safe.detail("why", {**frame.why, "read": plan, "write_ms": self._clock.mono_ms() - started_ms})
        return frame_store.NewRow(
            frame.stamp, frame.trigger, safe.line("monitor", frame.monitor_key), frame.scale, window, frame.idle_ms,
            frame.keys, frame.clicks, picture_id, original, size, frame.tiles, frame.change_reason, frame.flags,
            read_state, urgent, dump_json({**why, "redactions": safe.counts} if safe.counts else why),
            safe.counts,
        )  # fmt: skip

    def _insert(self, w: Writer, frame: NewFrame, row: frame_store.NewRow) -> int:
        frame_id = frame_store.insert_frame(w, row)
        event_store.insert_redactions(w, "frame", frame_id, row.hidden, RULES_VERSION, frame.stamp.at_ms)
        index.add(w, frame_id)
        if row.read_state == "queued":
            read_store.trim_queue(w, QUEUE_MAX)
        event_store.bump_day(w, activity_day(frame.stamp.at_ms, frame.stamp.zone, self._settings().day.start))
        return frame_id

    def _read_plan(self, frame: NewFrame) -> tuple[str, bool]:
        """(read_state, urgent) of a new frame (spec 02 §7, "when"; §3.8 for text rules)."""
        read = self._settings().read
        if self._screen.wants_text():
            return "queued", True
        if not read.enabled:
            return "not_due", False
        if frame.trigger == "manual":
            return "queued", True
        if frame.why.get("bright") is True:  # only its text tells whether it is over-exposed
            return "queued", False
        # The first frame of a monitor is due: later ones are then read by their changes alone.
        return ("queued" if self._kept_of.get(frame.monitor_key, 0) % read.every == 0 else "not_due"), False

    def _on_activity_deleted(self, event: ActivityDeleted) -> None:
        self.held.drop(event.frame_ids)


def _picture_row(frame: NewFrame, picture: NewPicture, file: StoredFile) -> picture_store.PictureRow:
    return picture_store.PictureRow(
        path=file.path,
        size_bytes=file.bytes,
        width=picture.width,
        height=picture.height,
        quality=picture.quality,
        sealed=file.path.endswith(".sealed"),
        file_hash=blake2b(picture.jpeg, digest_size=16).hexdigest(),
        pixel_hash=picture.pixel_hash,
        phash=picture.phash,
        thumb=picture.thumb,
        monitor_key=frame.monitor_key,
        at_ms=frame.stamp.at_ms,
    )
