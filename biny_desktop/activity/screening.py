"""Frames that are read before they are written: held, painted, then file, rows and text at once (spec 02 §8.5).

The recorder hands frames over and goes on (`Screening`); the reader takes them before everything else (`ReadQueue`),
and its thread writes them. Until then nothing of a frame is on disk but that its id is taken; what ends otherwise (a
lock, a pause, a reading that failed, too many) leaves a row that says so.
"""

import logging
import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from biny_desktop.activity.frames import FrameWriter, Reserved
from biny_desktop.activity.read_queue import FrameReadQueue, decode
from biny_desktop.activity.span_boxes import line_boxes, span_boxes
from biny_desktop.capture.ports import EventKind, Json, KeptFrame, NewFrame, Note, SkipReason, TextScreen, TextVerdict
from biny_desktop.capture.screening import HeldPicture, screened_picture
from biny_desktop.core.errors import BinyError, StaleRevisionError, StorageError
from biny_desktop.core.events import EventBus, FrameDropped, FrameHeld, FrameRead, NonFrameNoted, RecorderStateChanged
from biny_desktop.core.geometry import Rect
from biny_desktop.core.settings import Settings
from biny_desktop.core.tiles import TileMask
from biny_desktop.reading.ports import Picture, Reading, ReadJob
from biny_desktop.redaction import Redactor
from biny_desktop.storage.database import Writer

log = logging.getLogger(__name__)
HELD_MAX: Final = 8
"""Frames held at most (spec 02 §8.5)."""
MAX_TRIES: Final = 2
"""Failed readings before a held frame counts as unreadable: it waits in memory, so fewer than for a stored one."""
_ENDS: Final = frozenset(
    {"paused_by_user", "screen_locked", "asleep", "session_inactive", "shutting_down", "not_enabled"}
)
_LEAVES: Final[Mapping[str, SkipReason]] = {"lock": "screen_locked", "sleep": "asleep"}


@dataclass(slots=True)
class _Held:
    frame: NewFrame
    picture: HeldPicture
    reserved: Reserved
    before: int | None
    tries: int = 0
    taken: bool = False


class Screener:
    """`capture.screening.Screening` for the recorder and `reading.ports.ReadQueue` for the reader. Thread-safe.

    Args:
        writer, queue: who writes frames, and the queue of those that are stored already.
        redactor, settings: give those of this moment. screen: the user's text rules.
        events: told of what is held, read and dropped; tells of locks and pauses.
    """

    def __init__(
        self, writer: FrameWriter, queue: FrameReadQueue, redactor: Callable[[], Redactor],
        settings: Callable[[], Settings], screen: TextScreen, events: EventBus,
    ) -> None:  # fmt: skip
        self._writer, self._queue, self._redactor, self._settings = writer, queue, redactor, settings
        self._screen, self._events = screen, events
        self._lock = threading.Lock()
        self._held: OrderedDict[int, _Held] = OrderedDict()
        self._mine: set[int] = set()
        self._last: dict[str, int | None] = {}
        events.subscribe(NonFrameNoted, self._on_note)
        events.subscribe(RecorderStateChanged, self._on_state)

    def wanted(self) -> bool:
        """Whether pictures have to be screened: painting is on, or a text rule masks lines."""
        if self._settings().redact.paint:
            return True
        try:
            return self._screen.wants_paint()
        except StorageError:  # rules that cannot be read do not say "no"
            return True

    def hold(self, frame: NewFrame, picture: HeldPicture) -> KeptFrame:
        """Take a frame over; the oldest one goes when there are too many. Raises StorageError."""
        reserved = self._writer.reserve()
        key = frame.monitor_key
        with self._lock:
            # After a drop nobody knows what the tiles are compared with: the whole picture is read.
            broken = key in self._last and self._last[key] is None
            kept = replace(frame, tiles=None) if broken else frame
            self._held[reserved.frame_id] = _Held(kept, picture, reserved, self._last.get(key))
            self._last[key] = reserved.frame_id
            over = self._one_too_many()
        if over is not None:
            self._unread(over, "too_many_wait")
        self._events.publish(FrameHeld(reserved.frame_id))
        return KeptFrame(reserved.frame_id, 0)

    def drop_all(self, reason: SkipReason) -> None:
        """Let go of everything, with a row for each frame."""
        with self._lock:
            dropped, self._held = list(self._held.values()), OrderedDict()
        for held in dropped:
            self._drop(held, "drop", reason, {})

    def take(self) -> ReadJob | None:
        """The oldest held frame; then what the queue gives."""
        with self._lock:
            for frame_id, held in self._held.items():
                if not held.taken:
                    held.taken = True
                    self._mine.add(frame_id)
                    load = partial(_load, held.picture)
                    return ReadJob(frame_id, held.frame.monitor_key, load, urgent=True)
        return self._queue.take()

    def tiles_between(self, one_frame: int, other_frame: int) -> TileMask | None:
        """Tiles touched between two frames; of a held one only since the frame right before it."""
        with self._lock:
            held = self._held.get(max(one_frame, other_frame))
            if held is not None:
                return held.frame.tiles if held.before == min(one_frame, other_frame) else None
        return self._queue.tiles_between(one_frame, other_frame)

    def done(self, job: ReadJob, reading: Reading) -> None:
        """Paint and commit a held frame with its text, or hide it; nothing when it was dropped meanwhile."""
        if job.frame_id not in self._mine:
            self._queue.done(job, reading)
            return
        held = self._pop(job.frame_id)
        if held is None:
            return
        try:
            lines = [line.text for line in reading.lines]
            verdict = self._screen.judge_text(lines) if self._screen.wants_text() else TextVerdict()
        except StorageError as error:
            self._unread(held, error.kind)
            return
        if verdict.rule is not None:
            self._hide(held, traced=verdict.traced)
            return
        masked = frozenset(verdict.masked)
        redaction = self._redactor().redact(["" if n in masked else line for n, line in enumerate(lines)])
        boxes = line_boxes(reading, verdict.masked)
        if self._settings().redact.paint:
            boxes += span_boxes(reading, redaction)

        def write_text(w: Writer) -> None:
            self._queue.texts.write(w, held.reserved.frame_id, reading, redaction)

        if self._keep(held, boxes, "reading", write_text, {"painted_text": len(boxes)}, ("painted",) if boxes else ()):
            self._events.publish(FrameRead(held.reserved.frame_id))

    def gone(self, job: ReadJob) -> None:
        """The picture cannot be used."""
        if job.frame_id not in self._mine:
            self._queue.gone(job)
        elif (held := self._pop(job.frame_id)) is not None:
            self._unread(held, "unreadable")

    def failed(self, job: ReadJob, reason: str) -> None:
        """One try failed; after the second the frame counts as unreadable."""
        if job.frame_id not in self._mine:
            self._queue.failed(job, reason)
            return
        with self._lock:
            held = self._held.get(job.frame_id)
            if held is None:
                return
            held.tries += 1
            held.taken = False
        log.info("screening frame %d failed (%s)", job.frame_id, reason)
        if held.tries >= MAX_TRIES and self._pop(job.frame_id) is not None:
            self._unread(held, "reading_failed")

    def put_back(self, job: ReadJob) -> None:
        """Not tried: due again, if it is still held."""
        if job.frame_id not in self._mine:
            self._queue.put_back(job)
            return
        with self._lock:
            if job.frame_id in self._held:
                self._held[job.frame_id].taken = False

    def waiting(self) -> int:
        """How many frames are held."""
        with self._lock:
            return len(self._held)

    def _one_too_many(self) -> _Held | None:
        """The oldest frame when there are too many, but not the one that is being read: it is nearly done."""
        if len(self._held) <= HELD_MAX:
            return None
        waiting = next((frame_id for frame_id, held in self._held.items() if not held.taken), None)
        return self._held.popitem(last=False)[1] if waiting is None else self._held.pop(waiting)

    def _pop(self, frame_id: int) -> _Held | None:
        with self._lock:
            self._mine.discard(frame_id)
            return self._held.pop(frame_id, None)

    def _unread(self, held: _Held, why: str) -> None:
        """Reading failed: dropped, or kept as it is by the user's choice (`redact.unscreened`)."""
        if self._settings().redact.unscreened == "keep" and not self._masks():
            self._keep(held, [], "not_read", _nothing, {"error": why}, ("not_screened",))
        else:
            self._drop(held, "skip", "screening_failed", {"error": why})

    def _masks(self) -> bool:
        """Whether a rule masks text: it is the user's "no", so that such a frame is never kept unread."""
        try:
            return self._screen.wants_paint()
        except StorageError:
            return True

    def _keep(
        self, held: _Held, boxes: list[Rect], read_state: str, then: Callable[[Writer], object],
        told: Mapping[str, Json], flags: tuple[str, ...],
    ) -> bool:  # fmt: skip
        pictures, frame = self._settings().pictures, held.frame
        try:
            made = screened_picture(held.picture, boxes, frame.scale, pictures.max_width, pictures.quality)
            screened = replace(frame, picture=made, flags=(*frame.flags, *flags), why={**frame.why, **told})
            self._writer.keep_screened(screened, held.reserved, read_state, then)
        except StaleRevisionError:
            self._drop(held, "drop", "stale_epoch", {})
        except StorageError as error:
            self._drop(held, "skip", "write_failed", {"error": error.kind})
        except BinyError as error:
            self._drop(held, "skip", "encode_failed", {"error": error.kind})
        else:
            return True
        return False

    def _hide(self, held: _Held, *, traced: bool) -> None:
        if traced and self._settings().privacy.trace == "placeholder":
            self._note(Note(held.frame.stamp, "private", "private_text"))
        self._let_go(held)

    def _drop(self, held: _Held, kind: EventKind, reason: SkipReason, detail: Mapping[str, Json]) -> None:
        window = held.frame.window
        why = {**held.frame.why, **detail}
        self._note(
            Note(held.frame.stamp, kind, reason, app_id=window.app_id or None, app_name=window.app_name or None,
                 detail=why)
        )  # fmt: skip
        self._let_go(held)

    def _let_go(self, held: _Held) -> None:
        with self._lock:
            self._last[held.frame.monitor_key] = None
            following = next(
                (each for each in self._held.values() if each.frame.monitor_key == held.frame.monitor_key), None
            )
            if following is not None:
                following.frame, following.before = replace(following.frame, tiles=None), None
        self._events.publish(FrameDropped(held.reserved.frame_id))

    def _note(self, note: Note) -> None:
        try:
            self._writer.note(note)
        except StorageError as error:
            log.warning("a row about a held frame could not be written (%s)", error.kind)

    def _on_note(self, event: NonFrameNoted) -> None:
        if event.kind in _LEAVES:
            self.drop_all(_LEAVES[event.kind])

    def _on_state(self, event: RecorderStateChanged) -> None:
        if event.reason in _ENDS:
            self.drop_all(event.reason)  # type: ignore[arg-type]  # these are the reasons of gates 1 and 2


def _nothing(_writer: Writer) -> None:
    """A frame that is kept unread has no text."""


def _load(picture: HeldPicture) -> Picture | None:
    return decode(picture.jpeg)
