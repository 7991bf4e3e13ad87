"""Gate 3 of the recorder: whether rows and pictures can be written, and whether the disk has room for them.

Free space is measured (spec 02 §6.8); a write that failed for want of space counts too, until a probe of the size of a
picture goes through, since quotas and full databases do not show in the free space.
"""

import contextlib
import logging
import secrets
import shutil
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from biny_desktop.activity import event_store
from biny_desktop.activity.ageing_plan import MB
from biny_desktop.core.clock import Clock
from biny_desktop.core.errors import BinyError, DiskFullError
from biny_desktop.core.events import DiskFree, DiskStopped, EventBus
from biny_desktop.core.ids import RandomHex, new_id
from biny_desktop.core.settings import Settings
from biny_desktop.storage.database import Database
from biny_desktop.storage.pictures import PictureFiles
from biny_desktop.storage.rows import dump_json

log = logging.getLogger(__name__)
FRESH_MS: Final = 10_000
"""A check older than this is made anew before a write, ms (spec 02 §6.8)."""
PROBE_BYTES: Final = 1_048_576
"""Size of the probe: about the largest picture, so that a probe that fits lets a picture fit."""
GB: Final = 1024 * MB
STOP_LEAST: Final = 2 * GB
STOP_MOST: Final = 20 * GB
STOP_PART: Final = 20
"""Stop at a 20th of the volume (5 %), between the two above (spec 02 §6.8)."""
_PROBE_KEY = "activity.probe"


@dataclass(frozen=True, slots=True)
class Space:
    """Of one volume, bytes."""

    free: int
    total: int


@dataclass(frozen=True, slots=True)
class DiskState:
    """What the guard saw last, of the volume with the least room beyond its limit: bytes free, the limit below which
    recording stops, and from where it goes on."""

    stopped: bool
    free_bytes: int
    stop_bytes: int
    again_bytes: int


def space_of(folder: Path) -> Space | None:
    """The space of the volume that holds a folder; None when it cannot be told."""
    try:
        found = shutil.disk_usage(folder)
    except OSError:
        return None
    return Space(found.free, found.total)


def stop_bytes(total_bytes: int, chosen_mb: int | Literal["auto"]) -> int:
    """The free space below which recording stops on a volume of that size."""
    if chosen_mb != "auto":
        return chosen_mb * MB
    return max(STOP_LEAST, min(total_bytes // STOP_PART, STOP_MOST))


def again_bytes(stop: int) -> int:
    """The free space from which it goes on."""
    return stop * 5 // 4


class DiskGuard:
    """Thread-safe. `check` is called each 60 s by the schedule and by `problem` when the last one is 10 s old.

    Args: as `FrameWriter`; `space` measures a volume (tests pass their own).
    """

    def __init__(
        self,
        db: Database,
        files: PictureFiles,
        settings: Callable[[], Settings],
        clock: Clock,
        events: EventBus,
        random_hex: RandomHex = secrets.token_hex,
        space: Callable[[Path], Space | None] = space_of,
    ) -> None:
        self._db, self._files, self._settings = db, files, settings
        self._clock, self._events, self._random_hex, self._space = clock, events, random_hex, space
        self._lock = threading.Lock()
        self._low = self._full = False
        self._checked_ms: int | None = None
        self._seen = DiskState(stopped=False, free_bytes=0, stop_bytes=0, again_bytes=0)

    @contextmanager
    def watched(self) -> Iterator[None]:
        """A block that writes; a DiskFullError out of it has the guard look at once."""
        try:
            yield
        except DiskFullError:
            self._full = True
            self._look(probe=False)
            raise

    def problem(self) -> Literal["folder_missing", "disk_low"] | None:
        """`folder_missing`, `disk_low`, or None when writing is fine. Makes nothing anew."""
        if not self._db.path.is_file() or not self._files.available():
            return "folder_missing"
        if self._checked_ms is None or self._clock.mono_ms() - self._checked_ms >= FRESH_MS:
            self.check()
        return "disk_low" if self._low or self._full else None

    def check(self) -> DiskState:
        """Measure now, and tell when recording stops or may go on; one notice each time it stops."""
        return self._look(probe=True)

    def _look(self, *, probe: bool) -> DiskState:
        with self._lock:
            was = self._seen
            measured = self._measured()
            self._low = any(each.free_bytes < (each.again_bytes if self._low else each.stop_bytes) for each in measured)
            if self._full and probe and not self._low and self._probe():
                self._full = False
            self._checked_ms = self._clock.mono_ms()
            tightest = min(measured, key=lambda each: each.free_bytes - each.stop_bytes, default=was)
            now = DiskState(self._low or self._full, tightest.free_bytes, tightest.stop_bytes, tightest.again_bytes)
            self._seen = now
        if now.stopped != was.stopped:
            self._tell(now)
        return now

    def _measured(self) -> list[DiskState]:
        """The volumes of the database and of the pictures, as far as they can be measured."""
        chosen = self._settings().pictures.disk_stop_mb
        found = []
        for folder in {self._db.path.parent, self._files.folder}:
            space = self._space(folder)
            if space is not None:
                stop = stop_bytes(space.total, chosen)
                found.append(DiskState(space.free < stop, space.free, stop, again_bytes(stop)))
        return found

    def _tell(self, now: DiskState) -> None:
        reason = "disk_low" if now.stopped else "disk_free"
        if now.stopped:
            log.warning("the disk is full: %d bytes free; recording stops", now.free_bytes)
        else:
            log.info("the disk takes writes again: %d bytes free", now.free_bytes)
        detail = dump_json({"free": now.free_bytes, "stop": now.stop_bytes, "again": now.again_bytes})
        event = event_store.NewEvent(self._clock.stamp(), "disk", reason, 1, None, None, None, None, detail)
        with contextlib.suppress(BinyError), self._db.write() as w:  # a full disk may not even take this
            event_store.insert_event(w, event)
        if now.stopped:
            self._events.publish(DiskStopped(now.free_bytes, now.stop_bytes, now.again_bytes))
        else:
            self._events.publish(DiskFree(now.free_bytes))

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
