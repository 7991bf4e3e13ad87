"""Something happened: a synchronous bus between packages that do not know each other."""

import logging
import threading
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

log = logging.getLogger(__name__)
EventT = TypeVar("EventT")


@dataclass(frozen=True, slots=True)
class FrameKept:
    """A frame row was committed."""

    frame_id: int


@dataclass(frozen=True, slots=True)
class FrameHeld:
    """A frame waits in memory for its text to be read; it has no row yet."""

    frame_id: int


@dataclass(frozen=True, slots=True)
class FrameDropped:
    """A frame that was held is not kept: its picture is gone, and a row says why."""

    frame_id: int


@dataclass(frozen=True, slots=True)
class FrameRead:
    """The text of a frame was committed (or it was found to have none)."""

    frame_id: int


@dataclass(frozen=True, slots=True)
class NonFrameNoted:
    """An event row that says why nothing was kept was committed or extended."""

    event_id: int
    kind: str


@dataclass(frozen=True, slots=True)
class RecorderStateChanged:
    """The recorder entered another state; the row is committed."""

    state: str
    reason: str


@dataclass(frozen=True, slots=True)
class ActivityDeleted:
    """Frames were deleted for good, with all that hung on them."""

    frame_ids: tuple[int, ...]
    days: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DayDeleted:
    """A whole activity day was deleted; its UTC range is [start_ms, end_ms)."""

    day: str
    start_ms: int
    end_ms: int


@dataclass(frozen=True, slots=True)
class FirstDeletionPlanned:
    """Pictures are due to be made smaller or deleted for the first time, or under other limits; nothing happens before
    `starts_at_ms` (UTC ms). What is due: `Retention.preview`."""

    starts_at_ms: int


@dataclass(frozen=True, slots=True)
class PicturesAged:
    """Pictures were made smaller or deleted by their age or for space; `bytes_freed` those that are free now."""

    shrunk: int
    deleted: int
    bytes_freed: int


@dataclass(frozen=True, slots=True)
class PinsOverQuota:
    """The pinned pictures alone take more than the space for pictures; nothing is deleted for it."""

    pinned_bytes: int
    quota_bytes: int


@dataclass(frozen=True, slots=True)
class PinChanged:
    """The picture of these frames was pinned or unpinned."""

    frame_ids: tuple[int, ...]
    pinned: bool


@dataclass(frozen=True, slots=True)
class DiskStopped:
    """Free space fell below the limit: nothing is recorded until `again_bytes` are free."""

    free_bytes: int
    stop_bytes: int
    again_bytes: int


@dataclass(frozen=True, slots=True)
class DiskFree:
    """There is space again; recording goes on."""

    free_bytes: int


@dataclass(frozen=True, slots=True)
class SettingChanged:
    """A setting has another value now."""

    key: str


@dataclass(frozen=True, slots=True)
class PrivacyChanged:
    """A privacy rule, a built-in list or a redaction pattern is another one now."""


@dataclass(frozen=True, slots=True)
class SegmentsChanged:
    """Segments of these activity days were made, changed or removed; committed."""

    days: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SegmentAnalysed:
    """A model's account of a segment was committed (or its failure was)."""

    segment_id: int


@dataclass(frozen=True, slots=True)
class AnalysisAsked:
    """A person wants a segment looked at again by the model."""

    segment_id: int


@dataclass(frozen=True, slots=True)
class ReportMade:
    """A report was written or rewritten; `kind` day or week, `key` ISO date or week, `state` as in its row.

    `asked`: a person asked for it, so nobody has to be told.
    """

    kind: str
    key: str
    state: str
    asked: bool


@dataclass(frozen=True, slots=True)
class IndexChanged:
    """Vectors of that kind were written, removed, re-centred or rebuilt."""

    kind: str


@dataclass(frozen=True, slots=True)
class ModelsChanged:
    """A model slot, its key or the embedder is another one now."""


@dataclass(frozen=True, slots=True)
class TurnFinished:
    """A turn of a conversation ended (or stands still, see `status`); its events are committed (spec 05 §2.7)."""

    session_id: str
    turn_id: str
    leaf_id: str
    status: str
    project_id: str | None
    incognito: bool


@dataclass(frozen=True, slots=True)
class SessionsChanged:
    """Sessions were made, written to or deleted; committed. Empty: many of them."""

    session_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MessagesDeleted:
    """Messages were deleted for good by the user; memories with anchors to them lose their source."""

    session_id: str
    message_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ApprovalsChanged:
    """Something was put into the inbox of approvals, or answered."""


class EventBus:
    """Calls subscribers in the publisher's thread; one that fails is logged and never stops the others."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._subscribers: dict[type, list[Callable[..., None]]] = defaultdict(list)

    def subscribe(self, kind: type[EventT], handler: Callable[[EventT], None]) -> Callable[[], None]:
        """Have `handler` called with every event of exactly that type; returns the function that ends it."""
        with self._lock:
            self._subscribers[kind].append(handler)

        def cancel() -> None:
            with self._lock:
                if handler in self._subscribers[kind]:
                    self._subscribers[kind].remove(handler)

        return cancel

    def publish(self, event: object) -> None:
        """Tell every subscriber of this event's type."""
        with self._lock:
            handlers = list(self._subscribers[type(event)])
        for handler in handlers:
            try:
                handler(event)
            except Exception:  # a subscriber's bug must not stop the recorder or the other subscribers
                log.exception("a subscriber of %s failed", type(event).__name__)
