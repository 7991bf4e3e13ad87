"""The part of a delete that is about segments: before its rows go, and once they are gone."""

from collections.abc import Callable, Iterable
from datetime import date, timedelta
from typing import Final

from biny_desktop.activity import derived_store, event_store
from biny_desktop.activity.segments import clear_store, clearing, index, keep_store, store
from biny_desktop.activity.segments.clearing import Cleared
from biny_desktop.core.clock import Clock
from biny_desktop.core.days import activity_day
from biny_desktop.core.ids import RandomHex
from biny_desktop.core.settings import Settings
from biny_desktop.storage.database import Database, Reader, Writer

_APP_BATCH: Final = 20
"""Segments that one transaction takes an app out of."""
_DAYS_MAX: Final = 4_000
"""Days of one deleted range that are marked one by one; older ones hold no rows."""

Stretch = tuple[int, int]


def mark_changed(w: Writer, days: Iterable[str]) -> None:
    """Rows of these days were deleted: they are cut again, and their reports are made anew."""
    touched = sorted(set(days))
    for day in touched:
        event_store.bump_day(w, day)
    keep_store.forget_cutting(w, touched)
    derived_store.outdate_reports(w, touched)


def days_between(start_ms: int, end_ms: int, zone: str, day_start: str) -> set[str]:
    """The activity days of [start, end), at most the last 4,000."""
    last = date.fromisoformat(activity_day(end_ms - 1, zone, day_start))
    count = min(_DAYS_MAX, (end_ms - start_ms) // 82_800_000 + 2)
    first = activity_day(start_ms, zone, day_start)
    days = ((last - timedelta(days=n)).isoformat() for n in range(count))
    return {day for day in days if day >= first}


class SegmentDeletes:
    """Takes segments out or rewrites them, in short transactions. `cleared` collects what was touched."""

    def __init__(
        self, db: Database, settings: Callable[[], Settings], clock: Clock, random_hex: RandomHex, cleared: Cleared
    ) -> None:
        self._db, self._settings, self._clock, self._random_hex = db, settings, clock, random_hex
        self._cleared = cleared

    def begin(self, app_id: str | None, stretch: Stretch | None) -> None:
        """Before the rows go: segments inside a deleted time go, those that reach into it are shortened.

        Raises:
            StorageError: it stopped half-way; it can be done again.
        """
        if stretch is None or app_id is not None:
            return
        more = True
        while more:
            with self._db.write() as w:
                more = clearing.clear_inside(w, *stretch, self._cleared)
                self._mark(w)
        with self._db.write() as w:
            clearing.shorten_across(w, *stretch, self._clock.now_ms(), self._cleared)
            self._mark(w)

    def end(self, app_id: str | None, stretch: Stretch | None, times: tuple[int | None, int | None]) -> None:
        """Once the rows are gone: what was made of them meanwhile goes too, an app leaves segments that only carried
        it on, and no word of what went stays in the index.

        Raises:
            StorageError: it stopped half-way; it can be done again.
        """
        self.begin(app_id, stretch)
        if app_id is not None:
            with self._db.read() as r:
                ids = clear_store.with_app(r, app_id, *times)
            for place in range(0, len(ids), _APP_BATCH):
                with self._db.write() as w:
                    clearing.forget_app(w, ids[place : place + _APP_BATCH], app_id, self._clock.now_ms(), self._cleared)
                    self._mark(w)
        index.clear_deleted_words(self._db, self._cleared.words)

    def verified(self, r: Reader, stretch: Stretch | None) -> bool:
        """Whether none of the segments that were inside the deleted time is there."""
        if stretch is None:
            return True
        there = store.by_id(r, self._cleared.ids).values()
        return not any(each.start_ms >= stretch[0] and each.end_ms <= stretch[1] for each in there)

    def _mark(self, w: Writer) -> None:
        if self._cleared.days:
            mark_changed(w, self._cleared.days)
            event_store.set_generation(w, self._random_hex(16))
