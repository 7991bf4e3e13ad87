"""What readers of reports get; all text redacted, times UTC ms."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from biny_desktop.activity.model import GapCause
from biny_desktop.activity.segments.model import AppTime, HourBar, TitleTime

ReportKind = Literal["day", "week"]
ReportState = Literal["done", "done_no_model", "narrative_failed", "empty_day", "failed"]


@dataclass(frozen=True, slots=True)
class KeyMoment:
    """One of the ten longest segments."""

    segment_id: int
    title: str
    start_ms: int
    end_ms: int
    zone: str
    active_ms: int


@dataclass(frozen=True, slots=True)
class Statistics:
    """The figures of a day or of the seven days of a week, ms and counts (spec 03 §5).

    `hours` is empty for a week; `days` is (ISO day, active ms, segments) of a week's seven days, empty for a day.
    """

    start_ms: int
    end_ms: int
    zone: str
    segments: int
    trivial: int
    active_ms: int
    idle_ms: int
    private_ms: int
    watching_ms: int
    gap_ms: Mapping[GapCause, int]
    hours: tuple[HourBar, ...]
    days: tuple[tuple[str, int, int], ...]
    apps: tuple[AppTime, ...]
    app_count: int
    projects: tuple[tuple[str, int], ...]
    titles: tuple[TitleTime, ...]
    frames_kept: int
    frames_read: int
    dropped: Mapping[str, int]
    redactions: Mapping[str, int]
    pictures: int
    picture_bytes: int
    key_moments: tuple[KeyMoment, ...]
    pending: int
    failed: Mapping[str, int]
    """Segments whose analysis failed, by typed reason."""


NOTHING: Final = Statistics(
    start_ms=0, end_ms=0, zone="UTC", segments=0, trivial=0, active_ms=0, idle_ms=0, private_ms=0, watching_ms=0,
    gap_ms={}, hours=(), days=(), apps=(), app_count=0, projects=(), titles=(), frames_kept=0, frames_read=0,
    dropped={}, redactions={}, pictures=0, picture_bytes=0, key_moments=(), pending=0, failed={},
)  # fmt: skip
"""The figures of a report that could never be made, or whose figures cannot be read any more."""


NOT_WRITTEN: Final = "not_written"


@dataclass(frozen=True, slots=True)
class Report:
    """A written report. `key` ISO day or `YYYY-Www`; `narrative` is inside `markdown` as well; `reason` in a word or
    two for `narrative_failed` and `failed`; `stale`: its day changed since, it is made anew at the next check."""

    id: int
    kind: ReportKind
    key: str
    state: ReportState
    reason: str
    statistics: Statistics
    markdown: str
    narrative: str | None
    model: str | None
    stale: bool
    tries: int
    next_try_at_ms: int | None
    made_at_ms: int
    revision: int
    file_error: str = ""
    """Kind of the error when its file could not be written, `NOT_WRITTEN` until it was; tried again at the next
    check."""


@dataclass(frozen=True, slots=True)
class ReportMark:
    """A report in a calendar."""

    kind: ReportKind
    key: str
    state: ReportState
    stale: bool
    active_ms: int
    made_at_ms: int
