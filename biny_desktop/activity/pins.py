"""Pinning pictures: what the person wants to keep keeps its size and lives until it is unpinned (spec 02 §6.5)."""

from collections.abc import Callable
from typing import Final

from biny_desktop.activity import index, picture_store
from biny_desktop.core.clock import Clock
from biny_desktop.core.errors import NotFoundError
from biny_desktop.core.events import EventBus, PinChanged
from biny_desktop.core.text import clean_title
from biny_desktop.redaction import Redactor
from biny_desktop.storage.database import Database

NOTE_MAX: Final = 256
"""Longest note, characters a person sees (as titles, spec 02 §4.5)."""


class Pins:
    """Pins the pictures of frames; every frame that shows the same picture is pinned with it.

    Args: the database, the redactor of the present settings (a note is text that is kept), time, events.
    """

    def __init__(self, db: Database, redactor: Callable[[], Redactor], clock: Clock, events: EventBus) -> None:
        self._db, self._redactor, self._clock, self._events = db, redactor, clock, events

    def pin(self, frame_id: int, note: str = "") -> None:
        """Keep the picture of a frame, out of ageing and quota; pinned already, the note is replaced.

        Raises:
            NotFoundError: there is no such frame, or its picture is gone. StorageError: nothing changed.
        """
        redactor = self._redactor()
        text = redactor.redact_line(clean_title(redactor.redact_line(note).text, NOTE_MAX)).text
        with self._db.write() as w:
            file = picture_store.file_of_frame(w, frame_id)
            if file is None or file.state != "live":
                raise NotFoundError("Nothing to pin", f"Frame {frame_id} or its picture is gone.")
            frames = picture_store.frames_using(w, file.id)
            with index.reindexed(w, frames):
                picture_store.set_pin(w, file.id, self._clock.now_ms(), pinned=True, note=text or None)
        self._events.publish(PinChanged(tuple(frames), pinned=True))

    def unpin(self, frame_id: int) -> None:
        """Let the picture of a frame age again; not pinned, nothing happens.

        Raises:
            NotFoundError: there is no such frame. StorageError: nothing changed.
        """
        with self._db.write() as w:
            file = picture_store.file_of_frame(w, frame_id)
            if file is None:
                raise NotFoundError("No such frame", f"Frame {frame_id} does not exist or was deleted.")
            frames = picture_store.frames_using(w, file.id)
            with index.reindexed(w, frames):
                picture_store.set_pin(w, file.id, self._clock.now_ms(), pinned=False, note=None)
        self._events.publish(PinChanged(tuple(frames), pinned=False))
