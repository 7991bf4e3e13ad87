"""Keyword search over titles and texts of frames: newest first or best first, in pages that neither repeat nor skip."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Final, Literal

from biny_desktop.activity import frame_store, search_store
from biny_desktop.activity.marks import boxes
from biny_desktop.activity.model import Hit, HitPage
from biny_desktop.activity.search_query import Query, parse
from biny_desktop.core import marks
from biny_desktop.core.clock import Clock
from biny_desktop.core.settings import Settings
from biny_desktop.storage.database import Database, Reader

PAGE_MAX: Final = 500
"""Hits of one page at most (spec 03 §6.5)."""
COUNT_MAX: Final = 1_000
"""Hits that are counted; more are told as "1,000+" (spec 03 §6.5)."""
RANKED_MAX: Final = 2_000
"""Newest hits that `best` ranks (spec 03 §6.5)."""
_RANKINGS_MAX: Final = 8
TYPE_SOMETHING: Final = "type something"

Order = Literal["newest", "best"]


class KeywordSearch:
    """Searches frames by words. Thread-safe; reads only."""

    def __init__(self, db: Database, settings: Callable[[], Settings], clock: Clock) -> None:
        self._db, self._settings, self._clock = db, settings, clock
        self._lock = threading.Lock()
        self._rankings: OrderedDict[tuple[str, int | None, int | None], list[int]] = OrderedDict()

    def search(self, text: str, *, limit: int = 20, cursor: int | None = None, order: Order | None = None) -> HitPage:
        """One page of hits for any text a person typed (spec 03 §6).

        Args:
            text: the query; no text raises. limit: 1 to 500. cursor: that of the page before, for the next one.
            order: `newest` or `best` (by bm25 among the newest 2,000); default is `search.order`.

        Raises:
            StorageError: the database cannot be read.
        """
        settings = self._settings()
        query = parse(text, self._clock.stamp(), settings.day.start)
        if query.match is None:
            return HitPage((), 0, False, None, TYPE_SOMETHING)
        limit = max(1, min(limit, PAGE_MAX))
        with self._db.read() as r:
            where = search_store.window(r, query.after_ms, query.before_ms)
            if where is None:
                return HitPage((), 0, False, None)
            counted = search_store.newest(r, query.match, where, search_store.MAX_ID, COUNT_MAX + 1)
            if (order or settings.search.order) == "best":
                ids = self._ranked_page(r, query, where, limit, cursor)
            elif cursor is None and limit < COUNT_MAX:
                ids = counted[: limit + 1]
            else:
                ids = search_store.newest(r, query.match, where, cursor or search_store.MAX_ID, limit + 1)
            more_pages = len(ids) > limit
            hits = _hits(r, query, ids[:limit])
        total = min(len(counted), COUNT_MAX)
        return HitPage(hits, total, len(counted) > COUNT_MAX, ids[limit - 1] if more_pages else None)

    def _ranked_page(
        self, r: Reader, query: Query, where: search_store.Window, limit: int, cursor: int | None
    ) -> list[int]:
        """The ids after `cursor` in the ranking of the query's first page, which new frames do not change."""
        assert query.match is not None
        key = (query.match, query.after_ms, query.before_ms)
        with self._lock:
            ranking = self._rankings.get(key) if cursor is not None else None
        if ranking is None or cursor not in ranking:
            newest = search_store.newest(r, query.match, where, search_store.MAX_ID, RANKED_MAX)
            ranking = search_store.ranked(r, query.match, newest)
            with self._lock:
                self._rankings[key] = ranking
                self._rankings.move_to_end(key)
                while len(self._rankings) > _RANKINGS_MAX:
                    self._rankings.popitem(last=False)
        if cursor is None:
            start = 0
        elif cursor in ranking:
            start = ranking.index(cursor) + 1
        else:
            return []  # the last hit of the page before was deleted and the ranking forgotten
        there = frame_store.ids_there(r, ranking[start:])
        return [each for each in ranking[start:] if each in there][: limit + 1]


def _hits(r: Reader, query: Query, ids: Sequence[int]) -> tuple[Hit, ...]:
    frames, texts = frame_store.frames_by_id(r, ids), search_store.hit_texts(r, ids)
    find = marks.pattern(query.wanted)
    out: list[Hit] = []
    for frame_id in ids:
        if frame_id not in frames:
            continue
        frame, tier = frames[frame_id]
        text = texts.get(frame_id)
        body = text.text if text else ""
        found = marks.marks(body, find)
        cut, inside = marks.snippet(body, found)
        out.append(Hit(frame, cut, inside, boxes(text.lines, found) if text else (), tier))
    return tuple(out)
