"""What readers ask of segments: a day, a stretch at some zoom, one segment, lists, heat, a digest for prompts."""

from collections.abc import Callable, Sequence
from datetime import date, timedelta
from typing import Final

from biny_desktop.activity import timeline_store
from biny_desktop.activity.model import Gap, GapCause
from biny_desktop.activity.segments import keep_store, reader_store, store
from biny_desktop.activity.segments.days import DaySpan, ZoneAt, day_of, day_span, hours_of, zones_of
from biny_desktop.activity.segments.lying_between import gaps_between
from biny_desktop.activity.segments.model import (
    DayView,
    Digest,
    DigestLine,
    HeatDay,
    RangeView,
    Segment,
    SegmentDetail,
    SegmentKind,
)
from biny_desktop.activity.segments.sums import heat, hour_bars, totals
from biny_desktop.core.clock import Clock
from biny_desktop.core.errors import InvalidInputError, NotFoundError
from biny_desktop.core.settings import Settings
from biny_desktop.storage.database import Database, Reader

THUMBS_MAX: Final = 2_000
"""Thumbnails of one call at most (spec 03 §8)."""
PAGE_MAX: Final = 500
"""Segments of one page, and frames of one detail, at most."""
HEAT_DAYS_MAX: Final = 800
"""Days of one heat map at most: two years and some."""
ZOOM_PARTS: Final = 4_000
"""A stretch shows what is longer than this part of it; at a month that is 11 minutes, a quarter of a pixel."""
ZOOM_FROM_MS: Final = 2 * 86_400_000
"""Shorter stretches show everything, ms."""
DIGEST_MINUTES: Final = (5, 1_440)
DIGEST_SEGMENTS: Final = 8
DIGEST_TEXTS: Final = 3
"""Limits of a digest (spec 03 §8)."""
_MINUTE_MS: Final = 60_000
_MARGIN: Final = timedelta(days=1)


class Segments:
    """Reads; never writes. Thread-safe. All text it gives is redacted. Raises StorageError when the disk fails.

    It shows what `SegmentKeeper` stored; what is newer shows as a gap, so call `catch_up` first for today.
    """

    def __init__(self, db: Database, settings: Callable[[], Settings], clock: Clock) -> None:
        self._db, self._settings, self._clock = db, settings, clock

    def day(self, day: str) -> DayView:
        """A day with everything in it, up to now.

        Raises:
            InvalidInputError: `day` is not an ISO date.
        """
        start = self._settings().day.start
        with self._db.read() as r:
            zone_at = self._zones(r)
            span = day_span(day, zone_at, start)
            items = self._items(r, span.start_ms, span.end_ms, own=True)
            frames = timeline_store.count_between(r, span.start_ms, span.end_ms)
            hours = hours_of(span, zone_at, start)
        segments = [item for item in items if isinstance(item, Segment)]
        bars = hour_bars(segments, hours)
        return DayView(day, span.zone, span.start_ms, span.end_ms, items, bars, totals(items, frames))

    def today(self) -> str:
        """The activity day that is under way."""
        with self._db.read() as r:
            return day_of(self._clock.now_ms(), self._zones(r), self._settings().day.start)

    def span(self, day: str) -> DaySpan:
        """When a day begins and ends, and the zone at its end.

        Raises:
            InvalidInputError: `day` is not an ISO date.
        """
        with self._db.read() as r:
            return day_span(day, self._zones(r), self._settings().day.start)

    def range(self, start_ms: int, end_ms: int, thumbs: int = 200) -> RangeView:
        """A stretch [start, end), UTC ms; over two days what would be far below a pixel is left out, and segments
        come without their spans and titles.

        Raises:
            InvalidInputError: it ends before it begins.
        """
        if end_ms <= start_ms:
            raise InvalidInputError("Not a time range", "It ends before it begins.")
        wide = end_ms - start_ms > ZOOM_FROM_MS
        min_ms = (end_ms - start_ms) // ZOOM_PARTS if wide else 0
        with self._db.read() as r:
            items = self._items(r, start_ms, end_ms, min_ms=min_ms)
            found = reader_store.thumbs(r, start_ms, end_ms, max(1, min(thumbs, THUMBS_MAX))) if thumbs > 0 else []
            frames = timeline_store.count_between(r, start_ms, end_ms)
        return RangeView(start_ms, end_ms, items, tuple(found), frames)

    def segment(self, segment_id: int) -> Segment:
        """One segment.

        Raises:
            NotFoundError: there is none of that id (any more).
        """
        with self._db.read() as r:
            return _there(store.get(r, segment_id), segment_id)

    def detail(self, segment_id: int) -> SegmentDetail:
        """One segment with its newest 500 frames and its edits.

        Raises:
            NotFoundError: there is none of that id (any more).
        """
        with self._db.read() as r:
            segment = _there(store.get(r, segment_id), segment_id)
            return SegmentDetail(
                segment, tuple(reader_store.frames_of(r, segment_id, PAGE_MAX)),
                reader_store.count_events(r, segment_id), tuple(store.edits_of(r, segment_id)),
            )  # fmt: skip

    def of_frame(self, frame_id: int) -> Segment | None:
        """The segment a frame belongs to; None when it belongs to none (yet) or is gone."""
        with self._db.read() as r:
            return store.of_frame(r, frame_id)

    def list(
        self,
        start_ms: int,
        end_ms: int,
        limit: int = 50,
        before: int | None = None,
        kind: SegmentKind | None = None,
        *,
        hidden: bool = False,
    ) -> tuple[Segment, ...]:
        """Segments with a part in [start, end), newest first, at most 500.

        Args:
            before: `start_ms` of the last one of the page before. kind: only that kind. hidden: also those that are
            hidden or trivial.
        """
        with self._db.read() as r:
            wanted = store.Wanted(start_ms, end_ms, before, kind, hidden)
            return tuple(store.newest(r, wanted, max(1, min(limit, PAGE_MAX))))

    def heat(self, first_day: str, last_day: str) -> tuple[HeatDay, ...]:
        """One row a day from the first to the last, both included; at most 800.

        Raises:
            InvalidInputError: no dates, or the last is before the first.
        """
        days = _days(first_day, last_day)
        with self._db.read() as r:
            found = reader_store.briefs(r, days[0], days[-1])
        return heat(days, found, self._settings().day.start)

    def days_with_segments(self, limit: int = 60) -> tuple[str, ...]:
        """The newest days that hold segments, newest first."""
        with self._db.read() as r:
            return tuple(reader_store.days_with_segments(r, max(1, limit)))

    def digest(self, minutes: int = 120) -> Digest:
        """The last 5 to 1,440 minutes in few words, without a model (spec 03 §8)."""
        low, high = DIGEST_MINUTES
        now = self._clock.now_ms()
        since = now - max(low, min(minutes, high)) * _MINUTE_MS
        today = self.day(self.today())
        with self._db.read() as r:
            found = store.newest(r, store.Wanted(since, now + 1), DIGEST_SEGMENTS + 1)
            texts = reader_store.newest_texts(r, since, DIGEST_TEXTS)
        under_way = next((each for each in found if each.open), None)
        closed = [each for each in found if not each.open][:DIGEST_SEGMENTS]
        return Digest(
            _line(under_way) if under_way else None, today.totals, tuple(_line(each) for each in closed), tuple(texts)
        )

    def _zones(self, r: Reader) -> ZoneAt:
        return zones_of(r, self._clock.stamp().zone)

    def _items(
        self, r: Reader, start_ms: int, end_ms: int, *, min_ms: int = 0, own: bool = False
    ) -> tuple[Segment | Gap, ...]:
        """Segments and gaps of a stretch; nothing is claimed before the first row and after now. `own` leaves out a
        segment that began before it."""
        times = reader_store.times(r, start_ms, end_ms)
        since = timeline_store.known_since(r)
        low = end_ms if since is None else max(start_ms, min([since, *(start for start, _ in times)]))
        if own:
            low = max([low, *(end for start, end in times if start < start_ms)])
            times = [each for each in times if each[0] >= start_ms]
        high = max([min(end_ms, self._clock.now_ms()), *(min(end_ms, end) for _, end in times)])
        known = keep_store.known_gaps(r, *_around(start_ms, end_ms))
        items: list[Segment | Gap] = [
            each for each in store.touching(r, start_ms, end_ms, min_ms) if not own or each.start_ms >= start_ms
        ]
        items += gaps_between(r, times, known, (low, high), self._default(), min_ms)
        return tuple(sorted(items, key=lambda item: item.start_ms))

    def _default(self) -> GapCause:
        return "away" if self._settings().watch.enabled else "no_input"


def _around(start_ms: int, end_ms: int) -> tuple[str, str]:
    """ISO days that surely hold a stretch, whatever the zone."""
    first, last = (date(1970, 1, 1) + timedelta(milliseconds=at) for at in (start_ms, end_ms))
    return (first - 2 * _MARGIN).isoformat(), (last + _MARGIN).isoformat()


def _there(segment: Segment | None, segment_id: int) -> Segment:
    if segment is None:
        raise NotFoundError("No such activity", f"Activity {segment_id} does not exist or was deleted.")
    return segment


def _line(segment: Segment) -> DigestLine:
    return DigestLine(segment.id, segment.start_ms, segment.end_ms, segment.zone, segment.title, segment.active_ms)


def _days(first_day: str, last_day: str) -> Sequence[str]:
    try:
        first, last = date.fromisoformat(first_day), date.fromisoformat(last_day)
    except ValueError as error:
        raise InvalidInputError("Not a day", f"{first_day} – {last_day}", "Write days as 2026-03-14.") from error
    if last < first:
        raise InvalidInputError("Not a time range", "It ends before it begins.")
    n = min((last - first).days + 1, HEAT_DAYS_MAX)
    return [(first + timedelta(days=place)).isoformat() for place in range(n)]
