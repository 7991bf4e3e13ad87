"""What readers of segments get, and what the rules take and give; all text already redacted, times UTC ms."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from biny_desktop.activity.model import Frame, Gap, GapCause, PictureState
from biny_desktop.core.clock import Stamp

RULES_VERSION: Final = 1
"""Version of the rules; stored with every segment. Raise it when the same rows give other segments."""

SegmentKind = Literal["active", "watching", "private"]
CloseReason = Literal[
    "", "lock", "sleep", "session", "pause", "off", "shutdown", "crash", "stalled", "no_input", "app_change", "cap",
    "day_end", "private", "kind_change", "clock_step", "zone", "deleted", "split", "edited",
]  # fmt: skip
"""Why a segment ended; empty while it is open."""
Status = Literal[
    "pending", "analysed", "not_worth", "skipped_trivial", "skipped_no_model", "skipped_private", "failed"
]  # fmt: skip
TitleBy = Literal["rule", "model", "user"]
Tier = Literal["ephemeral", "standard", "important"]
EditField = Literal["title", "note", "project", "borders", "hidden"]


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch inside a segment that does not count as active."""

    kind: Literal["idle", "private"]
    start_ms: int
    end_ms: int


@dataclass(frozen=True, slots=True)
class AppTime:
    """An app and how long it was in front while the person was active."""

    app_id: str
    app_name: str
    ms: int


@dataclass(frozen=True, slots=True)
class TitleTime:
    """A window title and how long it was in front while the person was active."""

    title: str
    app_id: str
    ms: int


RowKind = Literal["frame", "event", "state"]


@dataclass(frozen=True, slots=True)
class ActivityRow:
    """One row as the rules see it: a frame, an event row or a recorder state; in any order.

    `what` is the trigger of a frame, the kind of an event, the state of a state; `reason` that of an event or state.
    `until_ms` (UTC ms, by the clock of `stamp`) for rows that stand for a stretch. Of a state only `stamp.at_ms` is
    used: it has no monotonic time, and the rules place it among its neighbours. `idle_ms` of a frame; `keys`, `clicks`
    count in `input` rows.
    """

    kind: RowKind
    id: int
    stamp: Stamp
    what: str
    reason: str = ""
    until_ms: int | None = None
    count: int = 1
    app_id: str | None = None
    app_name: str | None = None
    title: str | None = None
    url: str | None = None
    keys: int = 0
    clicks: int = 0
    idle_ms: int | None = None


@dataclass(frozen=True, slots=True)
class Fixed:
    """A stretch [start, end) of a segment that the rules leave as it is (analysed, or locked by the user); `closed` is
    its close reason, which tells whether what follows `continues` it."""

    start_ms: int
    end_ms: int
    closed: CloseReason = ""


@dataclass(frozen=True, slots=True)
class Draft:
    """A segment as the rules cut it; `open` while it may still grow.

    `frame_ids`, `event_ids` are the rows in it. `clock_adjusted`: its wall times were moved so that nothing overlaps,
    its lengths were not. `continues`: it goes on from the one before it (day border, cap).
    """

    start_ms: int
    end_ms: int
    zone: str
    day: str
    kind: SegmentKind
    open: bool
    active_ms: int
    idle_ms: int
    private_ms: int
    spans: tuple[Span, ...]
    apps: tuple[AppTime, ...]
    titles: tuple[TitleTime, ...]
    keys: int
    clicks: int
    frame_ids: tuple[int, ...]
    event_ids: tuple[int, ...]
    event_count: int
    close_reason: CloseReason
    continues: bool
    clock_adjusted: bool
    trivial: bool


@dataclass(frozen=True, slots=True)
class Cut:
    """What `rules.cut` makes of rows: drafts and gaps, each oldest first; with the fixed stretches they cover the span
    exactly and nothing overlaps."""

    drafts: tuple[Draft, ...]
    gaps: tuple[Gap, ...]


@dataclass(frozen=True, slots=True)
class Highlight:
    """A remarkable thing of a segment, with the frames that show it."""

    text: str
    frame_ids: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Analysis:
    """What a model said of a segment and the checks let through."""

    description: str = ""
    summary: str = ""
    topics: tuple[str, ...] = ()
    highlights: tuple[Highlight, ...] = ()
    entities: Mapping[str, tuple[str, ...]] | None = None
    worth: bool = False
    worth_why: str = ""
    is_meeting: bool = False
    tier: Tier = "standard"
    confidence: float = 0.0
    model: str | None = None
    prompt_version: str | None = None
    input_hash: str | None = None
    analysed_at_ms: int | None = None


@dataclass(frozen=True, slots=True)
class Segment:
    """One activity. `active_ms + idle_ms + private_ms` is its true length; the wall times only label it.

    `title` is never empty: by rule it is `<main app> – <most seen title>` (for kind `private` the front end's word).
    `edited` names the fields the user changed; `user_locked`: its borders do not move any more. `stale`: rows in it
    changed after the analysis. `tries`, `next_try_at_ms` of the analysis.
    """

    id: int
    start_ms: int
    end_ms: int
    zone: str
    day: str
    kind: SegmentKind
    open: bool
    active_ms: int
    idle_ms: int
    private_ms: int
    spans: tuple[Span, ...]
    apps: tuple[AppTime, ...]
    titles: tuple[TitleTime, ...]
    keys: int
    clicks: int
    frame_count: int
    read_count: int
    event_count: int
    picture_bytes: int
    close_reason: CloseReason
    continues_id: int | None
    clock_adjusted: bool
    user_locked: bool
    edited: tuple[EditField, ...]
    note: str | None
    hidden: bool
    trivial: bool
    title: str
    title_by: TitleBy
    project: str | None
    status: Status
    reason: str
    stale: bool
    tries: int
    next_try_at_ms: int | None
    analysis: Analysis
    revision: int

    @property
    def length_ms(self) -> int:
        """Its true length."""
        return self.active_ms + self.idle_ms + self.private_ms


@dataclass(frozen=True, slots=True)
class HourBar:
    """One local hour of a day: `label` "02", and "02b" for the second one of a repeated hour; active ms by app, most
    first (at most 8, the rest under an empty app id); `watching_ms`, `private_ms` beside it."""

    label: str
    start_ms: int
    end_ms: int
    active_ms: int
    watching_ms: int
    private_ms: int
    apps: tuple[AppTime, ...]


@dataclass(frozen=True, slots=True)
class DayTotals:
    """Sums of a day, ms. `segments` without trivial and hidden ones, which are `trivial` and `hidden`."""

    active_ms: int
    idle_ms: int
    private_ms: int
    watching_ms: int
    gap_ms: Mapping[GapCause, int]
    segments: int
    trivial: int
    hidden: int
    apps: int
    frames: int
    projects: tuple[tuple[str, int], ...]
    """(project, active ms), most first."""


@dataclass(frozen=True, slots=True)
class DayView:
    """A day: `items` are all segments (trivial and hidden ones too) and gaps in order; together they are the day up to
    now, exactly, and nothing overlaps. Times before the first row ever and after now are in no item."""

    day: str
    zone: str
    start_ms: int
    end_ms: int
    items: tuple[Segment | Gap, ...]
    hours: tuple[HourBar, ...]
    totals: DayTotals


@dataclass(frozen=True, slots=True)
class HeatDay:
    """One day of a heat map: active ms of each local hour, 24 values from `day.start` on (a repeated hour is added to
    its twin), and how many segments."""

    day: str
    hours_ms: tuple[int, ...]
    active_ms: int
    segments: int


@dataclass(frozen=True, slots=True)
class Thumb:
    """A frame on the time line; `jpeg` 160×90, None where there is none."""

    frame_id: int
    at_ms: int
    app_id: str
    picture_state: PictureState
    jpeg: bytes | None


@dataclass(frozen=True, slots=True)
class RangeView:
    """A stretch of time at one zoom: its segments and gaps, and thumbnails spread evenly over it (≤ 2,000).

    Over two days what is far below a pixel is left out, and segments come without spans and titles.

    `frames` counts all frames of the stretch, of which `thumbs` shows some.
    """

    start_ms: int
    end_ms: int
    items: tuple[Segment | Gap, ...]
    thumbs: tuple[Thumb, ...]
    frames: int


@dataclass(frozen=True, slots=True)
class SegmentDetail:
    """A segment with its newest frames (at most 500, newest first), how many events it has, and its edits."""

    segment: Segment
    frames: tuple[Frame, ...]
    events: int
    edits: tuple["SegmentEdit", ...]


@dataclass(frozen=True, slots=True)
class SegmentEdit:
    """What was changed by whom; `before`, `after` are plain JSON objects."""

    id: int
    at_ms: int
    what: str
    before: Mapping[str, object]
    after: Mapping[str, object]
    who: str


@dataclass(frozen=True, slots=True)
class SegmentHit:
    """A segment found by words; `marks` are (start, end) offsets into `snippet`."""

    segment: Segment
    snippet: str
    marks: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class SegmentHitPage:
    """Hits newest first; `total`, `more`, `cursor`, `notice` as in `HitPage`."""

    hits: tuple[SegmentHit, ...]
    total: int
    more: bool
    cursor: int | None
    notice: str | None = None


@dataclass(frozen=True, slots=True)
class DigestLine:
    """A segment in few words, for prompts and other programs."""

    segment_id: int
    start_ms: int
    end_ms: int
    zone: str
    title: str
    active_ms: int


@dataclass(frozen=True, slots=True)
class DigestText:
    """At most 200 characters of a screen."""

    frame_id: int
    at_ms: int
    text: str


@dataclass(frozen=True, slots=True)
class Digest:
    """The last minutes without a model: what goes on now, today's sums, at most 8 segments and 3 texts (spec 03 §8)."""

    now: DigestLine | None
    today: DayTotals
    segments: tuple[DigestLine, ...]
    texts: tuple[DigestText, ...]
