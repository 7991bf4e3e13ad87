"""What readers of activity get: frozen values, all text already redacted."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from biny_desktop.core.geometry import Rect
from biny_desktop.core.tiles import TileMask

PictureState = Literal["live", "pending_delete", "gone", "missing"]
ReadState = Literal[
    "not_due", "queued", "reading", "done", "no_text", "failed", "parked", "not_read", "picture_gone"
]  # fmt: skip
GapCause = Literal[
    "away", "no_input", "locked", "asleep", "paused", "private", "off", "stalled", "not_recorded", "deleted"
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Frame:
    """One kept frame as lists show it. `at_ms` UTC ms, `zone` IANA; `redactions` how many pieces were hidden."""

    id: int
    at_ms: int
    zone: str
    trigger: str
    app_id: str
    app_name: str
    title: str
    monitor_key: str
    picture_state: PictureState
    read_state: ReadState
    seen_again_of: int | None
    redactions: int
    pinned: bool
    flags: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TextLine:
    """A line of a frame's text: `box` in pixels of the stored picture, `start`, `end` offsets into the text."""

    box: Rect
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class FrameDetail:
    """Everything known of one frame.

    `picture_size`, `grab_size` (width, height) px; `tiles` in pixels of the grab; `why` as the recorder wrote it;
    `redactions_by_type` over all fields of the frame; `text` is None until it was read.
    """

    frame: Frame
    url: str | None
    idle_ms: int | None
    keys: int
    clicks: int
    scale: float
    change_reason: str
    why: Mapping[str, object]
    picture_id: int | None
    picture_path: str | None
    picture_bytes: int
    picture_size: tuple[int, int]
    picture_tier: str
    sealed: bool
    grab_size: tuple[int, int]
    tiles: TileMask | None
    text: str | None
    lines: tuple[TextLine, ...]
    engine: str | None
    lines_read: int
    lines_reused: int
    read_ms: int
    read_at_ms: int | None
    redactions_by_type: Mapping[str, int]
    revision: int
    pin_note: str | None = None


@dataclass(frozen=True, slots=True)
class NonFrame:
    """One event row: something that happened, or why nothing was kept. `until_ms` is None for a moment."""

    id: int
    at_ms: int
    until_ms: int | None
    zone: str
    kind: str
    reason: str
    count: int
    app_id: str | None
    app_name: str | None
    title: str | None
    detail: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Gap:
    """A stretch of at least the asked length without a frame, with the cause the event rows give."""

    start_ms: int
    end_ms: int
    cause: GapCause


@dataclass(frozen=True, slots=True)
class FramePage:
    """Frames newest first; `next_before` is the id to ask on from, None at the end."""

    frames: tuple[Frame, ...]
    next_before: int | None


@dataclass(frozen=True, slots=True)
class ReasonCount:
    """How often nothing was kept for one reason; `last_at_ms` the newest time."""

    kind: str
    reason: str
    count: int
    last_at_ms: int


@dataclass(frozen=True, slots=True)
class Hit:
    """One search hit. `snippet` is cut from the stored text, `marks` are (start, end) offsets into it; `boxes` where
    the words stand in the stored picture (pixels)."""

    frame: Frame
    snippet: str
    marks: tuple[tuple[int, int], ...]
    boxes: tuple[Rect, ...]
    picture_tier: str


@dataclass(frozen=True, slots=True)
class HitPage:
    """Hits of one page. `total` is exact up to 1,000, then `more` is set; `cursor` asks for the next page (None: end).

    `notice` says why there is nothing when the query itself is empty ("type something").
    """

    hits: tuple[Hit, ...]
    total: int
    more: bool
    cursor: int | None
    notice: str | None = None


@dataclass(frozen=True, slots=True)
class DeletePreview:
    """What a delete would remove. Times UTC ms. `segments` that are removed, shortened or lose rows."""

    what: str
    frames: int
    events: int
    texts: int
    pictures: int
    picture_bytes: int
    pinned: int
    first_ms: int | None
    last_ms: int | None
    segments: int = 0


@dataclass(frozen=True, slots=True)
class DeleteReceipt:
    """What was removed from where, counted again afterwards; `files_pending` could not be removed yet and are retried.

    `verified` is true when nothing of it is left in rows, text index, vectors, segments and redaction counts.
    `segments` were removed, shortened or lost rows.
    """

    what: str
    frames: int
    events: int
    texts: int
    index_rows: int
    files: int
    bytes_freed: int
    files_pending: int
    verified: bool
    segments: int = 0


@dataclass(frozen=True, slots=True)
class Counts:
    """Counts for the status, which is asked for every few seconds; times UTC ms."""

    frames: int
    queued: int
    parked: int
    not_read: int
    frames_today: int
    last_frame_ms: int | None
    last_event_ms: int | None


@dataclass(frozen=True, slots=True)
class Totals:
    """Counts for Doctor: `rows` those of the status."""

    rows: Counts
    events: int
    texts: int
    indexed: int
    pictures_live: int
    picture_bytes: int
    pictures_pending: int
