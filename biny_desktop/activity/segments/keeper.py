"""Keeps the table of segments in step with the rows: cuts the days that changed, writes only what differs."""

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from biny_desktop.activity import event_store
from biny_desktop.activity.segments import index, keep_store, removal, store
from biny_desktop.activity.segments.days import day_of, day_span, zones_of
from biny_desktop.activity.segments.keep_store import Basis, Cutting
from biny_desktop.activity.segments.reconcile import Entry, Plan, fixed_of, is_fixed, plan
from biny_desktop.activity.segments.rows_store import read_rows
from biny_desktop.activity.segments.rules import cut
from biny_desktop.core.clock import Clock
from biny_desktop.core.events import EventBus, SegmentsChanged
from biny_desktop.core.settings import Settings
from biny_desktop.storage.database import Database, Reader, Writer

log = logging.getLogger(__name__)
TRIES: Final = 4
"""How often a day is read again when others wrote segments of it meanwhile; after that the next run does it."""
_MINUTE_MS: Final = 60_000


@dataclass(frozen=True, slots=True)
class _Cut:
    """A day as it has to be, and the state of things it was read in."""

    day: str
    start_ms: int
    end_ms: int
    basis: Basis
    cutting: Cutting
    plan: Plan


def _always() -> bool:
    return True


class SegmentKeeper:
    """The one writer of segments by rule. Thread-safe: one run at a time; another process may run its own.

    Args: the database, the present settings, time and zone, where changes are told.
    """

    def __init__(self, db: Database, settings: Callable[[], Settings], clock: Clock, events: EventBus) -> None:
        self._db, self._settings, self._clock, self._events = db, settings, clock, events
        self._running = threading.Lock()

    def catch_up(self, go_on: Callable[[], bool] = _always) -> int:
        """Cut the days that have new rows since the last run, newest first; returns how many segments changed.

        With nothing new it costs three small questions. The first run in an old home goes through all its days; asked
        between days, `go_on` may end it, and the next run goes on there.

        Raises:
            StorageError: the database cannot be used; what was done is done.
        """
        with self._running:
            days, newest_state = self._due()
            changed, whole = self._cut_days(days, go_on)
            if newest_state is not None and whole:
                with self._db.write() as w:
                    keep_store.set_states_seen(w, newest_state)
        return changed

    def rebuild(self, day: str) -> int:
        """Cut a day anew; segments that a person edited or a model analysed stay. Returns how many changed.

        Raises:
            InvalidInputError: `day` is not an ISO date. StorageError: nothing changed.
        """
        with self._running:
            changed = self._cut_day(day)
        if changed:
            self._events.publish(SegmentsChanged((day,)))
        return changed

    def _due(self) -> tuple[list[str], int | None]:
        """Days to cut, newest first, and the newest recorder state if there are new ones."""
        settings, now = self._settings(), self._clock.stamp()
        self._look_at_old_rows(settings.day.start)
        with self._db.read() as r:
            days = set(keep_store.due_days(r))
            days |= set(keep_store.open_days(r, now.at_ms - settings.segments.hard_gap_min * _MINUTE_MS))
            newest, times = keep_store.new_states(r)
            if times or days:
                zone_at = zones_of(r, now.zone)
                days |= {day_of(at, zone_at, settings.day.start) for at in times}
                if days:
                    days.add(day_of(now.at_ms, zone_at, settings.day.start))
        return sorted(days, reverse=True), newest if times else None

    def _look_at_old_rows(self, day_start: str) -> None:
        """Once in a home: days whose rows were written before there were revisions of days are due too."""
        with self._db.read() as r:
            if keep_store.states_seen(r) is not None:
                return
            newest, _ = keep_store.new_states(r)
            days = keep_store.days_with_rows(r, day_start)
        with self._db.write() as w:
            keep_store.mark_unknown(w, days)
            keep_store.set_states_seen(w, newest)

    def _cut_days(self, days: list[str], go_on: Callable[[], bool]) -> tuple[int, bool]:
        """(segments changed, whether it came to the end)."""
        changed: dict[str, int] = {}
        try:
            for day in days:
                if not go_on():
                    break
                changed[day] = self._cut_day(day)
        finally:
            told = tuple(sorted(day for day, n in changed.items() if n))
            if told:
                self._events.publish(SegmentsChanged(told))
        return sum(changed.values()), len(changed) == len(days)

    def _cut_day(self, day: str) -> int:
        for _ in range(TRIES):
            with self._db.read() as r:
                found = self._read(r, day)
            with self._db.write() as w:
                if keep_store.basis(w, found.start_ms, found.end_ms) == found.basis:
                    return self._write(w, found)
        log.info("a day is being changed by others; it is cut later")
        return 0

    def _read(self, r: Reader, day: str) -> _Cut:
        settings, now = self._settings(), self._clock.stamp()
        zone_at = zones_of(r, now.zone)
        span = day_span(day, zone_at, settings.day.start)
        until = max(span.start_ms, min(span.end_ms, now.at_ms))
        before = keep_store.basis(r, span.start_ms, span.end_ms)
        stored = store.touching(r, span.start_ms, span.end_ms)
        inside = [each for each in stored if each.start_ms >= span.start_ms]
        borders = [replace(each, open=False, user_locked=True) for each in stored if each.start_ms < span.start_ms]
        rows = read_rows(r, span.start_ms, until)
        result = cut(
            rows.rows, settings.segments, day_start=settings.day.start,
            span=(span.start_ms, until), watching=settings.watch.enabled,
            fixed=fixed_of([*borders, *inside]), ended=until == span.end_ms,
        )  # fmt: skip
        revision = keep_store.day_revision(r, day)
        return _Cut(
            day, span.start_ms, span.end_ms, before, Cutting(revision, until, result.gaps),
            plan(result.drafts, inside, rows),
        )  # fmt: skip

    def _write(self, w: Writer, found: _Cut) -> int:
        """Write what differs, in one transaction; returns how many segments changed."""
        at = self._clock.now_ms()
        todo = found.plan
        removal.take_out(w, todo.gone)
        keep_store.own_rows(w, None, todo.loose_frames, todo.loose_events)
        changed = len(todo.gone)
        before = keep_store.segment_before(w, found.start_ms)
        for entry in todo.entries:
            before, new = self._put(w, entry, before, at)
            changed += new
        if before is not None and todo.entries and todo.entries[-1].wanted.close_reason == "day_end":
            keep_store.continue_at(w, found.end_ms, before)
        n = found.cutting.n
        if changed:
            event_store.bump_day(w, found.day)
            # Rows that came meanwhile leave the day due.
            n += keep_store.day_revision(w, found.day) == n + 1
        keep_store.set_cutting(w, found.day, replace(found.cutting, n=n))
        return changed

    def _put(self, w: Writer, entry: Entry, before: int | None, at_ms: int) -> tuple[int, bool]:
        """Write one segment if it differs; returns its id and whether it did."""
        wanted, stored = entry.wanted, entry.stored
        if stored is None or not is_fixed(stored):
            wanted = replace(wanted, continues_id=before if entry.continues else None)
        changed = wanted != stored
        if stored is None:
            own = store.insert(w, wanted, at_ms)
            index.add(w, own)
        else:
            own = stored.id
            if changed:
                with index.reindexed(w, [own]):
                    store.update(w, wanted, at_ms)
        keep_store.own_rows(w, own, entry.frames, entry.events)
        return own, changed
