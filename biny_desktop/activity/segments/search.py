"""Keyword search over titles, projects, notes and summaries of segments, in the language of the search of frames."""

from collections.abc import Callable, Sequence
from typing import Final

from biny_desktop.activity.search import COUNT_MAX, PAGE_MAX, TYPE_SOMETHING
from biny_desktop.activity.search_query import SEGMENT_FILTERS, Query, parse
from biny_desktop.activity.segments import index, search_store, store
from biny_desktop.activity.segments.model import SegmentHit, SegmentHitPage
from biny_desktop.core import marks
from biny_desktop.core.clock import Clock
from biny_desktop.core.settings import Settings
from biny_desktop.storage.database import Database, Reader

LIMIT: Final = 20


class SegmentSearch:
    """Searches segments by words, newest first. Thread-safe; reads only."""

    def __init__(self, db: Database, settings: Callable[[], Settings], clock: Clock) -> None:
        self._db, self._settings, self._clock = db, settings, clock

    def search(self, text: str, limit: int = LIMIT, cursor: int | None = None) -> SegmentHitPage:
        """One page of hits for any text a person typed (spec 03 §6.2, §6.7); filters `kind:`, `project:`, `app:`,
        `title:`, `has:` (text, highlight), `before:`, `after:`, `on:`.

        Args:
            text: the query; no text raises. limit: 1 to 500. cursor: that of the page before, for the next one.

        Raises:
            StorageError: the database cannot be read.
        """
        query = parse(text, self._clock.stamp(), self._settings().day.start, SEGMENT_FILTERS)
        if query.match is None:
            return SegmentHitPage((), 0, more=False, cursor=None, notice=TYPE_SOMETHING)
        limit = max(1, min(limit, PAGE_MAX))
        times = (query.after_ms, query.before_ms)
        with self._db.read() as r:
            counted = search_store.newest(r, query.match, times, None, COUNT_MAX + 1)
            ids = search_store.newest(r, query.match, times, cursor, limit + 1)
            hits = _hits(r, query, ids[:limit])
        following = hits[-1].segment.start_ms if len(ids) > limit and hits else None
        return SegmentHitPage(hits, min(len(counted), COUNT_MAX), len(counted) > COUNT_MAX, following)


def _hits(r: Reader, query: Query, ids: Sequence[int]) -> tuple[SegmentHit, ...]:
    segments = store.by_id(r, ids)
    find = marks.pattern(query.wanted)
    out = []
    for segment_id in ids:
        segment = segments[segment_id]
        body = index.body_of(segment)
        cut, inside = marks.snippet(body, marks.marks(body, find))
        out.append(SegmentHit(segment, cut, inside))
    return tuple(out)
