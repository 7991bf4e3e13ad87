"""What readers ask of the rows: pages of frames, one frame with everything, why nothing was kept, gaps, days."""

import itertools
from collections.abc import Callable, Iterable
from typing import Final

from biny_desktop.activity import event_store, read_store, timeline_store
from biny_desktop.activity.gaps import MIN_GAP_MS, split
from biny_desktop.activity.index import FRAME_INDEX, token
from biny_desktop.activity.model import (
    Counts,
    FrameDetail,
    FramePage,
    Gap,
    GapCause,
    NonFrame,
    ReasonCount,
    Totals,
)
from biny_desktop.activity.open_picture import open_picture
from biny_desktop.activity.space import StorageReport, storage_report
from biny_desktop.core.clock import Clock
from biny_desktop.core.days import DayRange, activity_day, activity_range
from biny_desktop.core.errors import InvalidInputError, NotFoundError
from biny_desktop.core.settings import Settings
from biny_desktop.storage.database import Database
from biny_desktop.storage.pictures import PictureFiles

PAGE_MAX: Final = 500
"""Frames of one page at most."""
THUMBS_MAX: Final = 2_000
"""Thumbnails of one call at most (spec 03 §8)."""
EVENTS_MAX: Final = 20_000
"""Event rows looked at for the gaps of one call; a full day has some thousands."""
_DAY_MS: Final = 86_400_000


class Timeline:
    """Reads; never writes. Thread-safe. All text it gives is redacted. Raises StorageError when the disk fails."""

    def __init__(self, db: Database, files: PictureFiles, settings: Callable[[], Settings], clock: Clock) -> None:
        self._db, self._files, self._settings, self._clock = db, files, settings, clock

    def frames(
        self,
        before: int | None = None,
        limit: int = 100,
        start_ms: int | None = None,
        end_ms: int | None = None,
        app: str | None = None,
    ) -> FramePage:
        """Frames newest first, with ids below `before`; [start, end) UTC ms; `app` an app id. At most 500 a page."""
        limit = max(1, min(limit, PAGE_MAX))
        query = None if app is None else (app, f'meta : "{token("app_id", app)}"')
        with self._db.read() as r:
            found = timeline_store.page(r, limit + 1, before, (start_ms, end_ms), query)
        more = len(found) > limit
        return FramePage(tuple(found[:limit]), found[limit - 1].id if more else None)

    def frame(self, frame_id: int) -> FrameDetail:
        """One frame with everything known of it.

        Raises:
            NotFoundError: there is no such frame, or it was deleted.
        """
        with self._db.read() as r:
            found = timeline_store.detail(r, frame_id)
        if found is None:
            raise NotFoundError("No such frame", f"Frame {frame_id} does not exist or was deleted.")
        return found

    def picture(self, frame_id: int) -> bytes:
        """The JPEG bytes of a frame's picture.

        Raises:
            NotFoundError: the frame or its picture is gone. StorageError: the file cannot be opened.
        """
        return open_picture(self._db, self._files, frame_id)

    def thumbs(self, frame_ids: Iterable[int]) -> dict[int, bytes]:
        """Thumbnails (JPEG 160×90) by frame id, where there is one; at most 2,000 a call."""
        with self._db.read() as r:
            return timeline_store.thumbs(r, itertools.islice(frame_ids, THUMBS_MAX))

    def neighbours(self, frame_id: int) -> tuple[int | None, int | None]:
        """The ids of the frames before and after."""
        with self._db.read() as r:
            return timeline_store.neighbours(r, frame_id)

    def events(self, start_ms: int, end_ms: int, limit: int = 1_000) -> list[NonFrame]:
        """Event rows that begin in [start, end), oldest first."""
        with self._db.read() as r:
            return event_store.events_between(r, start_ms, end_ms, max(1, limit))

    def why(self, start_ms: int, end_ms: int) -> list[ReasonCount]:
        """Why nothing was kept in [start, end), by reason, most frequent first."""
        with self._db.read() as r:
            return event_store.reasons_between(r, start_ms, end_ms)

    def gaps(self, start_ms: int, end_ms: int, min_ms: int = MIN_GAP_MS) -> list[Gap]:
        """Stretches of [start, end) without a frame, with their cause, oldest first; never overlapping.

        Nothing is claimed about the time before the first row and after now.
        """
        default: GapCause = "away" if self._settings().watch.enabled else "no_input"
        with self._db.read() as r:
            since = timeline_store.known_since(r)
            if since is None:
                return []
            start, end = max(start_ms, since), min(end_ms, self._clock.now_ms())
            found: list[Gap] = []
            if start >= end:
                return found
            for low, high in timeline_store.stretches(r, start, end, min_ms):
                events = event_store.events_touching(r, low, high, EVENTS_MAX)
                states = timeline_store.states_around(r, low, high, EVENTS_MAX)
                found += split((low, high), events, states, default, min_ms)
        return found

    def day_bounds(self, day: str) -> DayRange:
        """The UTC range of an activity day, in the zone its frames were made in (else the present one).

        Raises:
            InvalidInputError: `day` is not an ISO date.
        """
        start, zone = self._settings().day.start, self._clock.stamp().zone
        try:
            bounds = activity_range(day, zone, start)
            with self._db.read() as r:
                newest = timeline_store.newest_before(r, bounds.end_ms + _DAY_MS // 2)
            if newest and newest[1] != zone and activity_day(*newest, start) == day:
                return activity_range(day, newest[1], start)
        except (ValueError, OverflowError) as error:
            raise InvalidInputError("Not a day", f"{day!r} is no date.", "Write it as 2026-03-14.") from error
        return bounds

    def days(self, limit: int = 60) -> list[tuple[str, int]]:
        """(activity day, frames) of the newest days that hold frames, newest first."""
        start = self._settings().day.start
        counts: dict[str, int] = {}
        before = 2**62
        with self._db.read() as r:
            while newest := timeline_store.newest_before(r, before):
                day = activity_day(*newest, start)
                if day not in counts and len(counts) >= limit:
                    break
                low = min(activity_range(day, newest[1], start).start_ms, newest[0])
                counts[day] = counts.get(day, 0) + timeline_store.count_between(r, low, before)
                before = low
        return list(counts.items())

    def apps(self, start_ms: int | None = None, end_ms: int | None = None) -> list[tuple[str, str, int]]:
        """(app id, name, frames) of [start, end), most frames first."""
        with self._db.read() as r:
            return timeline_store.apps_between(r, start_ms, end_ms)

    def storage(self) -> StorageReport:
        """The space that pictures take, by tier, with what it will be in 30 days (spec 03 §8)."""
        return storage_report(self._db, self._files, self._settings().pictures, self._clock.now_ms())

    def counts(self) -> Counts:
        """Counts for the status: 4 ms at 200,000 frames, since the window asks every few seconds."""
        stamp, start = self._clock.stamp(), self._settings().day.start
        today = activity_range(activity_day(stamp.at_ms, stamp.zone, start), stamp.zone, start)
        with self._db.read() as r:
            newest, states = timeline_store.newest_rows(r), read_store.unread_counts(r)
            return Counts(
                frames=newest.frames,
                queued=states.get("queued", 0) + states.get("reading", 0) + states.get("failed", 0),
                parked=states.get("parked", 0), not_read=states.get("not_read", 0),
                frames_today=timeline_store.count_between(r, today.start_ms, today.end_ms),
                last_frame_ms=newest.frame_ms, last_event_ms=newest.event_ms,
            )  # fmt: skip

    def totals(self) -> Totals:
        """Counts for Doctor."""
        with self._db.read() as r:
            rows = timeline_store.row_counts(r)
            return Totals(
                rows=self.counts(), events=rows.events, texts=rows.texts, indexed=FRAME_INDEX.count(r),
                pictures_live=rows.pictures_live, picture_bytes=rows.picture_bytes,
                pictures_pending=rows.pictures_pending,
            )  # fmt: skip
