"""What the rules give now against what is stored: which rows stay, change, come and go; pure.

A stored segment keeps its id when its start and main app stay, so that links to it stay good (spec 03 §2.5). Closed
segments that a model analysed or a person edited are fixed: nothing here moves their borders.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from biny_desktop.activity.segments.model import Analysis, Draft, Fixed, Segment, Status
from biny_desktop.activity.segments.rows_store import DayRows, FrameFacts
from biny_desktop.activity.segments.titles import rule_title

_ANALYSED: Final = frozenset({"analysed", "not_worth"})
_ASKED: Final = _ANALYSED | {"failed"}
"""A model was asked about what it was then; when that changes it is asked anew."""
_BY_RULE: Final = frozenset({"skipped_trivial", "skipped_private"})


@dataclass(frozen=True, slots=True)
class Entry:
    """A segment as it has to be: `stored` None for a new one; ids of the rows that have to point at it and do not."""

    stored: Segment | None
    wanted: Segment
    continues: bool
    frames: tuple[int, ...]
    events: tuple[int, ...]

    @property
    def changed(self) -> bool:
        """Whether its row has to be written (`continues_id` is looked at when it is)."""
        return self.stored != self.wanted


@dataclass(frozen=True, slots=True)
class Plan:
    """Segments in order of time, those that go, and rows that belong to none any more."""

    entries: tuple[Entry, ...]
    gone: tuple[int, ...]
    loose_frames: tuple[int, ...]
    loose_events: tuple[int, ...]


def is_fixed(segment: Segment) -> bool:
    """Whether its borders do not move: a model analysed it or a person edited it, and it is closed."""
    analysed = segment.status in _ANALYSED and segment.analysis.input_hash is not None
    analysed = analysed or segment.analysis.analysed_at_ms is not None  # also while it is asked about anew, or in vain
    return not segment.open and (segment.user_locked or analysed)


def fixed_of(stored: Iterable[Segment]) -> list[Fixed]:
    """The stretches of the fixed ones among these."""
    return [Fixed(each.start_ms, each.end_ms, each.close_reason) for each in stored if is_fixed(each)]


def plan(drafts: Sequence[Draft], stored: Sequence[Segment], rows: DayRows) -> Plan:
    """Match what the rules cut with what is stored of the same time.

    Args:
        drafts: what the rules gave for the time between the fixed segments. stored: all stored segments of that time.
        rows: the rows the rules were given.
    """
    fixed = [each for each in stored if is_fixed(each)]
    free = [each for each in stored if not is_fixed(each)]
    pairs = _pairs(drafts, free)
    taken_frames = {row_id for draft in drafts for row_id in draft.frame_ids}
    taken_events = {row_id for draft in drafts for row_id in draft.event_ids}
    entries = [_entry(draft, pairs.get(place), rows) for place, draft in enumerate(drafts)]
    entries += [_fixed_entry(segment, rows, taken_frames, taken_events) for segment in fixed]
    kept = {each.stored.id for each in entries if each.stored is not None}
    gone = tuple(each.id for each in free if each.id not in kept)
    inside = {row_id for each in entries for row_id in each.frames} | taken_frames
    inside_events = {row_id for each in entries for row_id in each.events} | taken_events
    ours = {each.id for each in free}
    return Plan(
        tuple(sorted(entries, key=lambda each: each.wanted.start_ms)), gone,
        tuple(n for n, f in rows.frames.items() if f.segment_id in ours and n not in inside),
        tuple(n for n, e in rows.events.items() if e.segment_id in ours and n not in inside_events),
    )  # fmt: skip


def _pairs(drafts: Sequence[Draft], free: Sequence[Segment]) -> dict[int, Segment]:
    """Place of a draft → the stored segment it goes on as."""
    by_start = {segment.start_ms: segment for segment in free}
    out: dict[int, Segment] = {}
    for place, draft in enumerate(drafts):
        same = by_start.get(draft.start_ms)
        if same is not None and (same.open or same.user_locked or _main(same) == _main(draft)):
            out[place] = same
    left = [segment for segment in free if segment not in out.values()]
    for segment in sorted(left, key=lambda each: (not each.user_locked, each.start_ms)):
        places = [
            place for place, draft in enumerate(drafts)
            if place not in out and _overlap(draft, segment) > 0
            and (segment.user_locked or _main(draft) == _main(segment))
        ]  # fmt: skip
        if places:
            out[max(places, key=lambda place: _overlap(drafts[place], segment))] = segment
    return out


def _main(segment: Segment | Draft) -> str | None:
    """The id of its main app; for one without apps its kind."""
    return max(segment.apps, key=lambda app: app.ms).app_id if segment.apps else segment.kind


def _overlap(draft: Draft, segment: Segment) -> int:
    return min(draft.end_ms, segment.end_ms) - max(draft.start_ms, segment.start_ms)


def _entry(draft: Draft, stored: Segment | None, rows: DayRows) -> Entry:
    frames = [rows.frames[n] for n in draft.frame_ids if n in rows.frames]  # others are rows of a neighbouring day
    counts = _count(frames, sum(n in rows.events for n in draft.event_ids))
    wanted = _as_drafted(stored or _BLANK, draft, counts)
    if stored is not None:
        wanted = replace(wanted, revision=_revision(stored, wanted))
    own = stored.id if stored is not None else None
    return Entry(
        stored, wanted, draft.continues,
        tuple(n for n in draft.frame_ids if n in rows.frames and (own is None or rows.frames[n].segment_id != own)),
        tuple(n for n in draft.event_ids if n in rows.events and (own is None or rows.events[n].segment_id != own)),
    )  # fmt: skip


_BLANK: Final = Segment(
    id=0, start_ms=0, end_ms=1, zone="UTC", day="", kind="active", open=False, active_ms=0, idle_ms=0, private_ms=0,
    spans=(), apps=(), titles=(), keys=0, clicks=0, frame_count=0, read_count=0, event_count=0, picture_bytes=0,
    close_reason="", continues_id=None, clock_adjusted=False, user_locked=False, edited=(), note=None, hidden=False,
    trivial=False, title="", title_by="rule", project=None, status="pending", reason="", stale=False, tries=0,
    next_try_at_ms=None, analysis=Analysis(), revision=1,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Counts:
    frames: int
    read: int
    picture_bytes: int
    events: int


def _count(frames: Sequence[FrameFacts], events: int) -> _Counts:
    pictures = {each.picture_id: each.picture_bytes for each in frames if each.picture_id is not None}
    return _Counts(len(frames), sum(each.read for each in frames), sum(pictures.values()), events)


def _as_drafted(stored: Segment, draft: Draft, counts: _Counts) -> Segment:
    """The stored segment with everything that the rules say of it."""
    title = rule_title(draft.kind, draft.apps, draft.titles) if stored.title_by == "rule" else stored.title
    seen = (stored.start_ms, stored.end_ms, stored.frame_count, stored.read_count)
    changed = seen != (draft.start_ms, draft.end_ms, counts.frames, counts.read)
    return replace(
        stored, start_ms=draft.start_ms, end_ms=draft.end_ms, zone=draft.zone, day=draft.day, kind=draft.kind,
        open=draft.open, active_ms=draft.active_ms, idle_ms=draft.idle_ms, private_ms=draft.private_ms,
        spans=draft.spans, apps=draft.apps, titles=draft.titles, keys=draft.keys, clicks=draft.clicks,
        frame_count=counts.frames, read_count=counts.read, picture_bytes=counts.picture_bytes,
        event_count=counts.events, close_reason=draft.close_reason, clock_adjusted=draft.clock_adjusted,
        trivial=draft.trivial, title=title, status=_status(stored, draft),
        stale=stored.stale or (stored.status in _ASKED and changed),
    )  # fmt: skip


def _status(stored: Segment, draft: Draft) -> Status:
    if draft.kind == "private":
        return "skipped_private"
    if draft.trivial:
        return "skipped_trivial"
    return "pending" if stored.status in _BY_RULE else stored.status


def _revision(stored: Segment, wanted: Segment) -> int:
    """Raised when a closed segment changes in what a person sees, not while an open one grows."""
    if stored.open and wanted.open:
        return stored.revision
    unseen = {"picture_bytes": 0, "read_count": 0, "continues_id": None, "stale": False, "revision": 0}
    return stored.revision + (replace(stored, **unseen) != replace(wanted, **unseen))  # type: ignore[arg-type]


def _fixed_entry(segment: Segment, rows: DayRows, taken_frames: set[int], taken_events: set[int]) -> Entry:
    """A fixed segment with the late rows of its time; only its counts change, and what a model said becomes stale."""

    def late(owner: int | None, at_ms: int) -> bool:
        return owner is None and segment.start_ms <= at_ms < segment.end_ms

    own = [f for f in rows.frames.values() if f.segment_id == segment.id]
    new = {n: f for n, f in rows.frames.items() if n not in taken_frames and late(f.segment_id, f.at_ms)}
    events = [n for n, e in rows.events.items() if n not in taken_events and late(e.segment_id, e.at_ms)]
    counts = _count([*own, *new.values()], sum(e.segment_id == segment.id for e in rows.events.values()) + len(events))
    analysed_ms = segment.analysis.analysed_at_ms
    read_late = analysed_ms is not None and any(f.read and f.changed_ms > analysed_ms for f in (*own, *new.values()))
    stale = segment.status in _ASKED and (bool(new) or counts.read > segment.read_count or read_late)
    wanted = replace(
        segment, frame_count=counts.frames, read_count=counts.read, picture_bytes=counts.picture_bytes,
        event_count=counts.events,
        stale=segment.stale or stale,
    )  # fmt: skip
    return Entry(segment, wanted, continues=False, frames=tuple(new), events=tuple(events))
