"""What readers of reports get; all text redacted, times UTC ms."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

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
    """Kind of the error when its file could not be written; tried again at the next check."""


@dataclass(frozen=True, slots=True)
class ReportMark:
    """A report in a calendar."""

    kind: ReportKind
    key: str
    state: ReportState
    stale: bool
    active_ms: int
    made_at_ms: int
