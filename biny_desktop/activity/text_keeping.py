"""Letting the text of the screen go after its time (`activity.text_keep_days`): text, its words, its vectors.

Frames, pictures by their own rules, segments with title and summary, and reports stay. Words leave the index row by
row, in the thorough way, a few frames a transaction: it runs when nobody needs the machine, and a kill loses nothing.
"""

import logging
from collections.abc import Callable, Sequence
from typing import Final

from biny_desktop.activity import derived_store, index, read_store, text_keeping_store
from biny_desktop.core.clock import Clock
from biny_desktop.core.settings import Settings
from biny_desktop.storage.database import Database

log = logging.getLogger(__name__)
BATCH: Final = 10
"""Frames of one transaction: a thorough delete of a row costs up to 20 ms at 200,000 frames."""
GONE_FLAG: Final = "text_gone"
"""Flag of a frame whose text went by age."""
_DAY_MS: Final = 86_400_000


class TextKeeping:
    """Removes texts that are older than the person wants. Thread-safe through the one write path."""

    def __init__(self, db: Database, settings: Callable[[], Settings], clock: Clock) -> None:
        self._db, self._settings, self._clock = db, settings, clock

    def run(self, go_on: Callable[[], bool]) -> int:
        """Remove what is due, oldest first, asking `go_on` between small steps; returns how many texts went.

        Raises:
            StorageError: the database cannot be used; what was done is done.
        """
        days = self._settings().activity.text_keep_days
        if days == "keep":
            return 0
        before_ms = self._clock.now_ms() - days * _DAY_MS
        with self._db.read() as r:
            last_id = text_keeping_store.newest_before(r, before_ms)
        gone: set[bytes] = set()
        done = 0
        while go_on():
            with self._db.read() as r:
                ids = text_keeping_store.due(r, before_ms, last_id, BATCH)
            if not ids:
                break
            done += self._remove(ids, gone)
        if done:
            index.clear_deleted_words(self._db, gone)
            self._db.truncate_wal()
            log.info("%d texts are gone by age", done)
        return done

    def _remove(self, ids: Sequence[int], gone: set[bytes]) -> int:
        with self._db.write() as w, index.reindexed(w, ids, gone):
            removed = text_keeping_store.remove(w, ids)
            derived_store.drop_vectors(w, ids)
            for frame_id in ids:
                read_store.add_flag(w, frame_id, GONE_FLAG)
        return removed
