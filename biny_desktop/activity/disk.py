"""Whether rows and pictures can be written: the folders are there, and the disk took the last write or a probe."""

import contextlib
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final, Literal

from biny_desktop.core.clock import Clock
from biny_desktop.core.errors import BinyError, DiskFullError
from biny_desktop.core.ids import RandomHex, new_id
from biny_desktop.storage.database import Database
from biny_desktop.storage.pictures import PictureFiles

log = logging.getLogger(__name__)
PROBE_EVERY_MS: Final = 10_000
"""Least time between two probes of a full disk, ms (spec 02 §6.8: a check older than this is made anew)."""
PROBE_BYTES: Final = 1_048_576
"""Size of the probe: about the largest picture, so that a probe that fits lets a picture fit."""
_PROBE_KEY = "activity.probe"


class DiskCheck:
    """Gate 3 of the recorder. A full disk is known by a failed write only; one probe after another then ends it."""

    def __init__(self, db: Database, files: PictureFiles, clock: Clock, random_hex: RandomHex) -> None:
        self._db, self._files, self._clock, self._random_hex = db, files, clock, random_hex
        self._full_since_ms: int | None = None

    @contextmanager
    def watched(self) -> Iterator[None]:
        """A block that writes; a DiskFullError out of it is remembered."""
        try:
            yield
        except DiskFullError:
            if self._full_since_ms is None:
                log.warning("the disk is full; recording stops until a probe can be written")
            self._full_since_ms = self._clock.mono_ms()
            raise

    def problem(self) -> Literal["folder_missing", "disk_low"] | None:
        """`folder_missing`, `disk_low`, or None when writing is fine. Makes nothing anew."""
        if not self._db.path.is_file() or not self._files.available():
            return "folder_missing"
        if self._full_since_ms is None:
            return None
        if self._clock.mono_ms() - self._full_since_ms >= PROBE_EVERY_MS:
            if self._probe():
                self._full_since_ms = None
                log.info("the disk takes writes again")
                return None
            self._full_since_ms = self._clock.mono_ms()
        return "disk_low"

    def _probe(self) -> bool:
        """Write a file and a row of the size of a picture and take them away again."""
        now = self._clock.now_ms()
        try:
            file = self._files.write(bytes(PROBE_BYTES), now, new_id(now, self._random_hex))
            with contextlib.suppress(BinyError):
                self._files.delete(file.path)
            with self._db.write() as w:
                w.run(
                    "INSERT INTO meta(key, value) VALUES(:key, hex(zeroblob(:size)))",
                    {"key": _PROBE_KEY, "size": PROBE_BYTES // 16},
                )
                w.run("DELETE FROM meta WHERE key = :key", {"key": _PROBE_KEY})
        except BinyError:
            return False
        return True
