"""The ledger of model calls: a row for every call, kept half a year, read by the Models page."""

import logging
from dataclasses import dataclass
from typing import Final

from biny_desktop.core.clock import Clock
from biny_desktop.core.errors import StorageError
from biny_desktop.models import ledger_store as store
from biny_desktop.models.ledger_store import Call, TaskTotal
from biny_desktop.storage.database import Database

log = logging.getLogger(__name__)
DAY_MS: Final = 86_400_000
KEEP_DAYS: Final = 180
"""Days a row is kept; two seasons are enough to see what a model costs."""
PAGE_MAX: Final = 500


@dataclass(frozen=True, slots=True)
class CallPage:
    """Rows, newest first, and the cursor of the next page (None: the last one)."""

    calls: tuple[Call, ...]
    next: int | None


class Ledger:
    """Writes and reads the ledger. Thread-safe."""

    def __init__(self, db: Database, clock: Clock) -> None:
        self._db = db
        self._clock = clock

    def note(self, call: Call) -> None:
        """Keep a row and drop those that are too old. A full or locked disk is logged, never raised: the answer that
        was paid for must not be lost for its receipt."""
        try:
            with self._db.write() as w:
                store.insert(w, call)
                store.delete_before(w, self._clock.now_ms() - KEEP_DAYS * DAY_MS)
        except StorageError as error:
            log.warning("a model call could not be noted: %s", error.title)

    def page(self, limit: int = 50, before: int | None = None) -> CallPage:
        """The newest calls; `before` is the cursor of the page before, `limit` 1 to 500.

        Raises:
            StorageError: the database cannot be read.
        """
        wanted = max(1, min(limit, PAGE_MAX))
        with self._db.read() as r:
            calls = store.newest(r, wanted + 1, before)
        more = len(calls) > wanted
        return CallPage(tuple(calls[:wanted]), calls[wanted - 1].id if more else None)

    def totals(self, days: int = 30) -> tuple[TaskTotal, ...]:
        """Sums by task over the last `days` × 24 hours, most calls first.

        Raises:
            StorageError: the database cannot be read.
        """
        with self._db.read() as r:
            return tuple(store.totals(r, self._clock.now_ms() - days * DAY_MS))
