"""SQL that gives the rules their rows: frames, events and recorder states of a time."""

from dataclasses import dataclass
from typing import Final

from biny_desktop.activity.segments.model import ActivityRow
from biny_desktop.core.clock import Stamp
from biny_desktop.storage.database import Reader
from biny_desktop.storage.rows import JsonValue, Row

CONTEXT_MS: Final = 2 * 3_600_000
"""How far before and after a day rows are read too, ms: an activity that crosses a border has its last cut, and its
next one, in this time."""
_WITH_DETAIL: Final = frozenset({"input"})


@dataclass(frozen=True, slots=True)
class FrameFacts:
    """What a segment counts of a frame: `bytes` of its picture, 0 when that is gone; `changed_ms` of a read one."""

    segment_id: int | None
    at_ms: int
    read: bool
    changed_ms: int
    picture_id: int | None
    picture_bytes: int


@dataclass(frozen=True, slots=True)
class EventFacts:
    """Which segment an event belongs to."""

    segment_id: int | None
    at_ms: int


@dataclass(frozen=True, slots=True)
class DayRows:
    """Rows in any order, and what is known of each frame and event of the asked time by its id."""

    rows: tuple[ActivityRow, ...]
    frames: dict[int, FrameFacts]
    events: dict[int, EventFacts]


def read_rows(r: Reader, start_ms: int, end_ms: int) -> DayRows:
    """All rows of [start, end) by their wall time, those of two hours before and after it, and what tells what held
    when it began: the last lock and sleep rows, the last recorder state. Facts are those of the rows inside."""
    rows: list[ActivityRow] = []
    frames: dict[int, FrameFacts] = {}
    events: dict[int, EventFacts] = {}
    params = {"start": start_ms - CONTEXT_MS, "end": end_ms + CONTEXT_MS}
    for row in r.query(_FRAMES, params):
        frame = _frame(row)
        rows.append(frame)
        if start_ms <= frame.stamp.at_ms < end_ms:
            frames[frame.id] = FrameFacts(
                row.maybe_int("segment_id"), frame.stamp.at_ms, row.text("read_state") == "done",
                row.int("updated_at"), row.maybe_int("picture_id"), row.int("bytes"),
            )  # fmt: skip
    for row in r.query(_EVENTS, params):
        event = _event(row)
        rows.append(event)
        if start_ms <= event.stamp.at_ms < end_ms:
            events[event.id] = EventFacts(row.maybe_int("segment_id"), event.stamp.at_ms)
    rows += [_event(row) for row in r.query(_PRESENCE_BEFORE, params)]
    rows += [
        ActivityRow("state", row.int("id"), Stamp(row.int("at"), "UTC", 0, ""), row.text("state"), row.text("reason"))
        for row in r.query(_STATES, params)
    ]
    return DayRows(tuple(rows), frames, events)


_FRAMES: Final = (
    "SELECT f.id, f.captured_at, f.time_zone, f.mono_ms, f.boot_id, f.trigger, f.app_id, f.app_name, f.title, f.url, "
    "f.idle_ms, f.keys, f.clicks, f.segment_id, f.read_state, f.updated_at, f.picture_id, "
    "coalesce(CASE WHEN p.state = 'live' THEN p.bytes END, 0) AS bytes "
    "FROM frames f LEFT JOIN pictures p ON p.id = f.picture_id WHERE f.captured_at >= :start AND f.captured_at < :end"
)
_EVENT_COLUMNS: Final = (
    "SELECT id, at, until, time_zone, mono_ms, boot_id, kind, reason, count, app_id, app_name, title, detail, "
    "segment_id FROM frame_events "
)
_EVENTS: Final = _EVENT_COLUMNS + "WHERE at >= :start AND at < :end"
_PRESENCE_BEFORE: Final = (
    _EVENT_COLUMNS + "WHERE kind IN ('lock', 'unlock', 'sleep', 'wake') AND at < :start AND at < :end "
    "ORDER BY at DESC LIMIT 4"
)
_STATES: Final = (
    "SELECT id, at, state, reason FROM (SELECT id, at, state, reason FROM recorder_states WHERE at < :start "
    "AND at < :end ORDER BY at DESC, id DESC LIMIT 1) UNION ALL "
    "SELECT id, at, state, reason FROM recorder_states WHERE at >= :start AND at < :end"
)


def _frame(row: Row) -> ActivityRow:
    return ActivityRow(
        "frame", row.int("id"), _stamp(row, "captured_at"), row.text("trigger"), app_id=row.text("app_id") or None,
        app_name=row.text("app_name") or None, title=row.text("title") or None, url=row.maybe_text("url"),
        keys=row.int("keys"), clicks=row.int("clicks"), idle_ms=row.maybe_int("idle_ms"),
    )  # fmt: skip


def _event(row: Row) -> ActivityRow:
    kind = row.text("kind")
    detail = row.json("detail") if kind in _WITH_DETAIL else None
    return ActivityRow(
        "event", row.int("id"), _stamp(row, "at"), kind, row.text("reason"), row.maybe_int("until"), row.int("count"),
        row.maybe_text("app_id"), row.maybe_text("app_name"), row.maybe_text("title"),
        keys=_number(detail, "keys"), clicks=_number(detail, "clicks"),
    )  # fmt: skip


def _stamp(row: Row, at: str) -> Stamp:
    return Stamp(row.int(at), row.text("time_zone"), row.int("mono_ms"), row.text("boot_id"))


def _number(detail: JsonValue, name: str) -> int:
    value = detail.get(name) if isinstance(detail, dict) else None
    return value if isinstance(value, int) else 0
