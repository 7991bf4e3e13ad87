"""Deleting what was recorded: preview, batches while recording goes on, files, receipt; a kill does no harm."""

import itertools
import json
import logging
import secrets
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import Final, Literal

from biny_desktop.activity import delete_store, event_store, index
from biny_desktop.activity.delete_store import Freed, Scope
from biny_desktop.activity.model import DeletePreview, DeleteReceipt
from biny_desktop.core.clock import Clock, Stamp
from biny_desktop.core.days import DayRange, activity_day
from biny_desktop.core.errors import InvalidInputError
from biny_desktop.core.events import ActivityDeleted, DayDeleted, EventBus
from biny_desktop.core.ids import RandomHex
from biny_desktop.core.settings import Settings
from biny_desktop.storage.database import Database
from biny_desktop.storage.pictures import PictureFiles
from biny_desktop.storage.rows import SqlValue, dump_json

log = logging.getLogger(__name__)
What = Literal["frames", "range", "app", "day", "everything"]
WAL_TRIES: Final = 20
"""Tries to empty the write-ahead log while somebody reads, 50 ms apart; later `finish_pending` tries again."""
_WAL_WAIT_S: Final = 0.05
BATCH_MS: Final = 400
"""How long one transaction of a delete may keep the recorder waiting, ms; batches shrink to fit, 1,000 at most."""
_FIRST_BATCH: Final = 20
MANY: Final = 200
"""From this many frames on the index is rewritten once (10 s at 200,000 rows) instead of edited a row at a time."""


@dataclass(frozen=True, slots=True)
class Selection:
    """What to delete (spec 03 §9); build it with one of the functions below. Times UTC ms, [start, end)."""

    what: What
    frame_ids: tuple[int, ...] = ()
    start_ms: int | None = None
    end_ms: int | None = None
    app_id: str | None = None
    day: str | None = None

    @staticmethod
    def of_frames(*frame_ids: int) -> "Selection":
        """Single frames."""
        return Selection("frames", frame_ids=frame_ids)

    @staticmethod
    def of_range(start_ms: int, end_ms: int) -> "Selection":
        """All frames and events of a time."""
        return Selection("range", start_ms=start_ms, end_ms=end_ms)

    @staticmethod
    def of_app(app_id: str, start_ms: int | None = None, end_ms: int | None = None) -> "Selection":
        """An app's frames and events, of all time or of a range."""
        return Selection("app", app_id=app_id, start_ms=start_ms, end_ms=end_ms)

    @staticmethod
    def of_day(bounds: DayRange) -> "Selection":
        """A whole activity day (`Timeline.day_bounds`)."""
        return Selection("day", start_ms=bounds.start_ms, end_ms=bounds.end_ms, day=bounds.day)

    @staticmethod
    def of_everything() -> "Selection":
        """All rows and pictures. Recording has to be stopped by the caller first."""
        return Selection("everything")


@dataclass
class _Tally:
    """What a run has removed so far."""

    frames: list[int] = field(default_factory=list)
    events: int = 0
    texts: int = 0
    days: set[str] = field(default_factory=set)
    words: set[bytes] | None = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class _Job:
    """A delete under way: rows up to these ids, so that what is recorded meanwhile stays."""

    selection: Selection
    last_frame: int
    last_event: int

    def dump(self) -> str:
        return dump_json(asdict(self))

    @staticmethod
    def load(text: str) -> "_Job":
        raw = json.loads(text)
        chosen = raw["selection"]
        chosen["frame_ids"] = tuple(chosen["frame_ids"])
        return _Job(Selection(**chosen), raw["last_frame"], raw["last_event"])


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
        _check(selection)
        with self._db.read() as r:
            job = _Job(selection, *delete_store.newest_ids(r))
            found = delete_store.scope_counts(r, _scope(job))
        return DeletePreview(
            selection.what, found.frames, found.events, found.texts, found.pictures, found.picture_bytes,
            found.pinned, found.first_ms, found.last_ms,
        )  # fmt: skip

    def run(self, selection: Selection) -> DeleteReceipt:
        """Delete, count again, and tell. Recording goes on meanwhile; rows of after the start of the call stay.

        Raises:
            InvalidInputError: see `preview`; nothing was deleted.
            StorageError: it stopped half-way; the next start (`resume`) ends it.
        """
        _check(selection)
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
        tally = _Tally(words=None if resumed else set())
        scope = _scope(job)
        self._delete_rows(job, scope, tally, resumed=resumed)
        self._close(job)
        freed = self.finish_pending()
        with self._db.read() as r:
            again = delete_store.scope_counts(r, scope)
            verified = delete_store.left_of(r, tally.frames) == 0 and again.frames == 0 and again.events == 0
        selection = job.selection
        if tally.frames or tally.events:
            self._events.publish(ActivityDeleted(tuple(tally.frames), tuple(sorted(tally.days))))
        if selection.day is not None and selection.start_ms is not None and selection.end_ms is not None:
            self._events.publish(DayDeleted(selection.day, selection.start_ms, selection.end_ms))
        log.info("deleted %d frames, %d events, %d files", len(tally.frames), tally.events, freed.files)
        return DeleteReceipt(
            selection.what, len(tally.frames), tally.events, tally.texts, len(tally.frames), freed.files,
            freed.bytes_freed, freed.pending, verified,
        )  # fmt: skip

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
            texts = delete_store.delete_frames(w, frames, self._clock.now_ms(), tally.words, indexed=indexed)
            delete_store.delete_events(w, events)
            for day in sorted(days):
                event_store.bump_day(w, day)
            event_store.set_generation(w, self._random_hex(16))
        tally.frames += frames
        tally.events += len(events)
        tally.texts += texts
        tally.days |= days
        return True

    def _close(self, job: _Job) -> None:
        """Forget the job; a deleted time leaves one row that says so and nothing else."""
        selection, now = job.selection, self._clock.stamp()
        with self._db.write() as w:
            delete_store.save_job(w, None)
            if selection.what == "everything":
                delete_store.delete_states(w)
            if selection.what in ("range", "day") and selection.start_ms is not None and selection.end_ms is not None:
                end = min(selection.end_ms, now.at_ms)
                if end > selection.start_ms:
                    stamp = Stamp(selection.start_ms, now.zone, now.mono_ms, now.boot_id)
                    event = event_store.NewEvent(stamp, "state", "deleted", 1, end, None, None, None, "{}")
                    event_store.insert_event(w, event)

    def _empty_wal(self) -> None:
        for _ in itertools.repeat(None, WAL_TRIES):
            if self._db.truncate_wal():
                return
            self._clock.wait(_WAL_WAIT_S)
        log.info("the write-ahead log is in use; it is emptied later")


def _check(selection: Selection) -> None:
    start, end = selection.start_ms, selection.end_ms
    if selection.what == "frames" and not selection.frame_ids:
        raise InvalidInputError("Nothing chosen", "No frame was named.")
    if selection.what in ("range", "day") and (start is None or end is None):
        raise InvalidInputError("Not a time range", "A start and an end are needed.")
    if selection.what == "app" and not selection.app_id:
        raise InvalidInputError("Nothing chosen", "No app was named.")
    if start is not None and end is not None and start >= end:
        raise InvalidInputError("Not a time range", "It ends before it begins; nothing was deleted.")


def _scope(job: _Job) -> Scope:
    chosen = job.selection
    params: dict[str, SqlValue] = {"last_frame": job.last_frame, "last_event": job.last_event}
    frames, events = ["f.id <= :last_frame"], ["e.id <= :last_event"]
    if chosen.what == "frames":
        params["chosen"] = json.dumps(chosen.frame_ids)
        return Scope("f.id IN (SELECT value FROM json_each(:chosen)) AND f.id <= :last_frame", None, params)
    if chosen.app_id is not None:
        params["app"] = chosen.app_id
        frames.append("f.app_id = :app")
        events.append("e.app_id = :app")
    if chosen.start_ms is not None:
        params["start"] = chosen.start_ms
        frames.append("f.captured_at >= :start")
        events.append("e.at >= :start")
    if chosen.end_ms is not None:
        params["end"] = chosen.end_ms
        frames.append("f.captured_at < :end")
        events.append("e.at < :end")
    return Scope(" AND ".join(frames), " AND ".join(events), params)
