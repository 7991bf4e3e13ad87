"""Deleting what was recorded: preview, batches while recording goes on, files, receipt; a kill does no harm."""

import itertools
import json
import logging
import secrets
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from typing import Final

from biny_desktop.activity import delete_store, derived_store, event_store, index
from biny_desktop.activity.delete_scope import Selection as Selection  # noqa: PLC0414  (front ends take it from here)
from biny_desktop.activity.delete_scope import check, scope_of, stretch_of
from biny_desktop.activity.delete_segments import SegmentDeletes, days_between, mark_changed
from biny_desktop.activity.delete_store import Freed, Scope
from biny_desktop.activity.model import DeletePreview, DeleteReceipt
from biny_desktop.activity.segments import clear_store
from biny_desktop.activity.segments.clearing import Cleared
from biny_desktop.core.clock import Clock, Stamp
from biny_desktop.core.days import activity_day
from biny_desktop.core.events import ActivityDeleted, DayDeleted, EventBus, SegmentsChanged
from biny_desktop.core.ids import RandomHex
from biny_desktop.core.settings import Settings
from biny_desktop.storage.database import Database
from biny_desktop.storage.pictures import PictureFiles
from biny_desktop.storage.rows import dump_json

log = logging.getLogger(__name__)
WAL_TRIES: Final = 20
"""Tries to empty the write-ahead log while somebody reads, 50 ms apart; later `finish_pending` tries again."""
_WAL_WAIT_S: Final = 0.05
BATCH_MS: Final = 400
"""How long one transaction of a delete may keep the recorder waiting, ms; batches shrink to fit, 1,000 at most."""
_FIRST_BATCH: Final = 20
MANY: Final = 200
"""From this many frames on the index is rewritten once (10 s at 200,000 rows) instead of edited a row at a time."""


@dataclass
class _Tally:
    """What a run has removed so far."""

    frames: list[int] = field(default_factory=list)
    events: int = 0
    texts: int = 0
    days: set[str] = field(default_factory=set)
    words: set[bytes] | None = field(default_factory=set)
    cleared: Cleared = field(default_factory=Cleared)


@dataclass(frozen=True, slots=True)
class _Job:
    """A delete under way: rows up to these ids, so that what is recorded meanwhile stays. `closed`: the rows are gone,
    but not everybody who keeps something of them was told."""

    selection: Selection
    last_frame: int
    last_event: int
    closed: bool = False

    def scope(self) -> Scope:
        return scope_of(self.selection, self.last_frame, self.last_event)

    def dump(self) -> str:
        return dump_json(asdict(self))

    @staticmethod
    def load(text: str) -> "_Job":
        raw = json.loads(text)
        chosen = raw["selection"]
        chosen["frame_ids"] = tuple(chosen["frame_ids"])
        return _Job(Selection(**chosen), raw["last_frame"], raw["last_event"], raw.get("closed", False))


class Deletes:
    """Deletes for good; there is no undo. Thread-safe: one delete at a time through the one write path.

    Args: as `FrameWriter`.
    """

    def __init__(
        self,
        db: Database,
        files: PictureFiles,
        settings: Callable[[], Settings],
        clock: Clock,
        events: EventBus,
        random_hex: RandomHex = secrets.token_hex,
    ) -> None:
        self._db, self._files, self._settings = db, files, settings
        self._clock, self._events, self._random_hex = clock, events, random_hex

    def preview(self, selection: Selection) -> DeletePreview:
        """What a delete would remove now.

        Raises:
            InvalidInputError: the selection is empty or its range ends before it begins.
        """
        check(selection)
        with self._db.read() as r:
            job = _Job(selection, *delete_store.newest_ids(r))
            found = delete_store.scope_counts(r, job.scope())
            stretch = stretch_of(selection)
            segments = (
                clear_store.count_touching(r, *stretch) if stretch else delete_store.touched_segments(r, job.scope())
            )
        return DeletePreview(
            selection.what, found.frames, found.events, found.texts, found.pictures, found.picture_bytes,
            found.pinned, found.first_ms, found.last_ms, segments,
        )  # fmt: skip

    def run(self, selection: Selection) -> DeleteReceipt:
        """Delete, count again, and tell. Recording goes on meanwhile; rows of after the start of the call stay.

        Raises:
            InvalidInputError: see `preview`; nothing was deleted.
            StorageError: it stopped half-way; the next start (`resume`) ends it.
        """
        check(selection)
        with self._db.write() as w:
            job = _Job(selection, *delete_store.newest_ids(w))
            delete_store.save_job(w, job.dump())
        return self._finish(job)

    def resume(self) -> DeleteReceipt | None:
        """End a delete that a kill cut off; None when there was none. Raises StorageError."""
        with self._db.read() as r:
            saved = delete_store.saved_job(r)
        return None if saved is None else self._finish(_Job.load(saved), resumed=True)

    def finish_pending(self) -> Freed:
        """Remove the files still on the delete list and empty the write-ahead log. Raises StorageError."""
        freed = delete_store.finish_files(self._db, self._files, self._clock.now_ms())
        self._empty_wal()
        return freed

    def _finish(self, job: _Job, *, resumed: bool = False) -> DeleteReceipt:
        tally = _Tally(words=None if resumed else set(), cleared=Cleared(words=None if resumed else set()))
        scope, selection = job.scope(), job.selection
        segments = SegmentDeletes(self._db, self._settings, self._clock, self._random_hex, tally.cleared)
        if not job.closed:
            segments.begin(selection.app_id, stretch_of(selection))
            self._delete_rows(job, scope, tally, resumed=resumed)
            segments.end(selection.app_id, stretch_of(selection), (selection.start_ms, selection.end_ms))
            job = self._close(job)
        tally.days |= tally.cleared.days
        self._tell(selection, tally, resumed=resumed)
        self._forget(job)
        # What subscribers took out of their own rows leaves the file with the write-ahead log.
        freed = self.finish_pending()
        with self._db.read() as r:
            again = delete_store.scope_counts(r, scope)
            verified = delete_store.left_of(r, tally.frames) == 0 and again.frames == 0 and again.events == 0
            verified = verified and segments.verified(r, stretch_of(selection))
        log.info("deleted %d frames, %d events, %d files", len(tally.frames), tally.events, freed.files)
        return DeleteReceipt(
            selection.what, len(tally.frames), tally.events, tally.texts, len(tally.frames), freed.files,
            freed.bytes_freed, freed.pending, verified, len(tally.cleared.ids),
        )  # fmt: skip

    def _tell(self, selection: Selection, tally: _Tally, *, resumed: bool) -> None:
        if resumed:  # what the killed run did not tell of can be seen by what it marked
            with self._db.read() as r:
                tally.days |= derived_store.days_of_outdated_reports(r)
        days = tuple(sorted(tally.days))
        if tally.frames or tally.events or tally.cleared.ids or days:
            self._events.publish(ActivityDeleted(tuple(tally.frames), days))
        if selection.day is not None and selection.start_ms is not None and selection.end_ms is not None:
            self._events.publish(DayDeleted(selection.day, selection.start_ms, selection.end_ms))
        if tally.cleared.ids:
            self._events.publish(SegmentsChanged(tuple(sorted(tally.cleared.days))))

    def _delete_rows(self, job: _Job, scope: Scope, tally: _Tally, *, resumed: bool) -> None:
        """All batches, each as long as the recorder may wait, then what the index still holds of them."""
        everything = job.selection.what == "everything"
        with self._db.read() as r:
            many = not everything and (resumed or len(delete_store.frame_batch(r, scope, MANY)) >= MANY)
        if everything:
            with self._db.write() as w:
                index.empty_index(w, job.last_frame)
        if many:
            index.delete_loosely(self._db, on=True)
        size = _FIRST_BATCH
        began = self._clock.mono_ms()
        while self._batch(scope, tally, size, indexed=not everything):
            took = self._clock.mono_ms() - began
            size = max(1, min(delete_store.BATCH, 2 * size, size * BATCH_MS // max(1, took)))
            began = self._clock.mono_ms()
        if many:
            index.delete_loosely(self._db, on=False)
        if not everything:
            index.clear_deleted_words(self._db, tally.words)

    def _batch(self, scope: Scope, tally: _Tally, size: int, *, indexed: bool) -> bool:
        """One transaction; False when nothing was left to delete."""
        start = self._settings().day.start
        with self._db.write() as w:
            frames, events = delete_store.frame_batch(w, scope, size), delete_store.event_batch(w, scope, size)
            if not frames and not events:
                return False
            stamps = [(stamp.at_ms, stamp.zone) for stamp in delete_store.stamps_of(w, frames)]
            days = {activity_day(*each, start) for each in (*stamps, *delete_store.event_stamps(w, events))}
            texts = delete_store.delete_rows(
                w, frames, events, self._clock.now_ms(), tally.words, tally.cleared, indexed=indexed
            )
            mark_changed(w, days)
            event_store.set_generation(w, self._random_hex(16))
        tally.frames += frames
        tally.events += len(events)
        tally.texts += texts
        tally.days |= days
        return True

    def _forget(self, job: _Job) -> None:
        """The delete is over, unless another one has begun meanwhile."""
        with self._db.write() as w:
            if delete_store.saved_job(w) == job.dump():
                delete_store.save_job(w, None)

    def _close(self, job: _Job) -> _Job:
        """Note that the rows are gone; a deleted time leaves one row that says so and nothing else."""
        selection, now = job.selection, self._clock.stamp()
        closed = replace(job, closed=True)
        with self._db.write() as w:
            delete_store.save_job(w, closed.dump())
            if selection.what == "everything":
                delete_store.delete_states(w)
                derived_store.forget_questions(w)
            if selection.what in ("range", "day") and selection.start_ms is not None and selection.end_ms is not None:
                end = min(selection.end_ms, now.at_ms)
                if end > selection.start_ms:
                    stamp = Stamp(selection.start_ms, now.zone, now.mono_ms, now.boot_id)
                    event = event_store.NewEvent(stamp, "state", "deleted", 1, end, None, None, None, "{}")
                    event_store.insert_event(w, event)
                    mark_changed(w, days_between(selection.start_ms, end, now.zone, self._settings().day.start))
        return closed

    def _empty_wal(self) -> None:
        for _ in itertools.repeat(None, WAL_TRIES):
            if self._db.truncate_wal():
                return
            self._clock.wait(_WAL_WAIT_S)
        log.info("the write-ahead log is in use; it is emptied later")
