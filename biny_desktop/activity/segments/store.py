"""SQL of segments: read one, some or a page of them; write whole rows; the edits of one."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from biny_desktop.activity.segments.columns import (
    dump_apps,
    dump_entities,
    dump_highlights,
    dump_spans,
    dump_titles,
    segment_of,
)
from biny_desktop.activity.segments.model import RULES_VERSION, Segment, SegmentEdit, SegmentKind
from biny_desktop.activity.segments.parts import Seen
from biny_desktop.storage.database import Reader, Writer
from biny_desktop.storage.rows import Params, dump_json

LONGEST_MS: Final = 26 * 3_600_000
"""How far before a time a segment can begin that lasts into it, ms: no segment leaves its day, days have 25 h."""
_IDS: Final = "(SELECT value FROM json_each(:ids))"
_COLUMNS: Final = (
    "started_at", "ended_at", "time_zone", "day", "kind", "open", "active_ms", "idle_ms", "private_ms", "spans", "apps",
    "titles", "keys", "clicks", "frame_count", "read_count", "event_count", "picture_bytes", "close_reason",
    "continues_id", "clock_adjusted", "user_locked", "edited_fields", "note", "hidden", "trivial", "rules_version",
    "status", "reason", "title", "title_by", "description", "summary", "project", "topics", "highlights", "entities",
    "worth", "worth_why", "is_meeting", "tier", "confidence", "model", "prompt_version", "input_hash", "stale", "tries",
    "next_try_at", "analysed_at", "revision", "updated_at",
)  # fmt: skip
_FAR: Final = ", ".join(("id", *(f"'[]' AS {name}" if name in ("spans", "titles") else name for name in _COLUMNS)))


def get(r: Reader, segment_id: int) -> Segment | None:
    """One segment; None when there is none of that id (any more)."""
    row = r.one("SELECT * FROM segments WHERE id = :id", {"id": segment_id})
    return segment_of(row) if row else None


def by_id(r: Reader, ids: Iterable[int]) -> dict[int, Segment]:
    """These segments; missing ones are left out."""
    rows = r.query(f"SELECT * FROM segments WHERE id IN {_IDS}", {"ids": json.dumps(list(ids))})
    return {row.int("id"): segment_of(row) for row in rows}


def touching(r: Reader, start_ms: int, end_ms: int, min_ms: int = 0) -> list[Segment]:
    """Segments that have a part in [start, end) and are at least so long, in order of time.

    With a least length they are for a view from afar: without spans and titles, which are most of a row.
    """
    rows = r.query(
        f"SELECT {_FAR if min_ms else '*'} FROM segments WHERE started_at > :since AND started_at < :end "
        "AND ended_at > :start AND ended_at - started_at >= :min ORDER BY started_at, id",
        {"since": start_ms - LONGEST_MS, "start": start_ms, "end": end_ms, "min": min_ms},
    )
    return [segment_of(row) for row in rows]


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which segments a list shows: those with a part in [start, end), begun before `before_ms` (the page before)."""

    start_ms: int
    end_ms: int
    before_ms: int | None = None
    kind: SegmentKind | None = None
    hidden: bool = False
    """Also those that are hidden by the person or trivial."""


def newest(r: Reader, wanted: Wanted, limit: int) -> list[Segment]:
    """Newest first."""
    until = wanted.end_ms if wanted.before_ms is None else min(wanted.end_ms, wanted.before_ms)
    rows = r.query(
        "SELECT * FROM segments WHERE started_at > :since AND started_at < :until AND ended_at > :start "
        "AND (:kind IS NULL OR kind = :kind) AND (:all OR (hidden = 0 AND trivial = 0)) "
        "ORDER BY started_at DESC, id DESC LIMIT :limit",
        {
            "since": wanted.start_ms - LONGEST_MS, "until": until, "start": wanted.start_ms, "kind": wanted.kind,
            "all": int(wanted.hidden), "limit": limit,
        },
    )  # fmt: skip
    return [segment_of(row) for row in rows]


def of_frame(r: Reader, frame_id: int) -> Segment | None:
    """The segment a frame belongs to."""
    row = r.one("SELECT s.* FROM frames f JOIN segments s ON s.id = f.segment_id WHERE f.id = :id", {"id": frame_id})
    return segment_of(row) if row else None


def insert(w: Writer, segment: Segment, at_ms: int) -> int:
    """Write a new segment (its `id` and `revision` are not looked at); returns its id, which is never used again."""
    names = (*_COLUMNS, "created_at")
    return w.insert(
        f"INSERT INTO segments({', '.join(names)}) VALUES({', '.join(f':{name}' for name in names)})",
        {**_params(segment, at_ms), "revision": 1, "created_at": at_ms},
    )


def update(w: Writer, segment: Segment, at_ms: int) -> None:
    """Write every column of a segment, its `revision` as it is given; it was read in this transaction."""
    names = ", ".join(f"{name} = :{name}" for name in _COLUMNS)
    w.run(f"UPDATE segments SET {names} WHERE id = :id", {**_params(segment, at_ms), "id": segment.id})


def _params(segment: Segment, at_ms: int) -> Params:
    found = segment.analysis
    return {
        "started_at": segment.start_ms, "ended_at": segment.end_ms, "time_zone": segment.zone, "day": segment.day,
        "kind": segment.kind, "open": int(segment.open), "active_ms": segment.active_ms, "idle_ms": segment.idle_ms,
        "private_ms": segment.private_ms, "spans": dump_spans(segment.spans), "apps": dump_apps(segment.apps),
        "titles": dump_titles(segment.titles), "keys": segment.keys, "clicks": segment.clicks,
        "frame_count": segment.frame_count, "read_count": segment.read_count, "event_count": segment.event_count,
        "picture_bytes": segment.picture_bytes, "close_reason": segment.close_reason,
        "continues_id": segment.continues_id, "clock_adjusted": int(segment.clock_adjusted),
        "user_locked": int(segment.user_locked), "edited_fields": dump_json(list(segment.edited)),
        "note": segment.note, "hidden": int(segment.hidden), "trivial": int(segment.trivial),
        "rules_version": RULES_VERSION, "status": segment.status, "reason": segment.reason, "title": segment.title,
        "title_by": segment.title_by, "description": found.description, "summary": found.summary,
        "project": segment.project, "topics": dump_json(list(found.topics)),
        "highlights": dump_highlights(found.highlights), "entities": dump_entities(found.entities),
        "worth": int(found.worth), "worth_why": found.worth_why, "is_meeting": int(found.is_meeting),
        "tier": found.tier, "confidence": found.confidence, "model": found.model,
        "prompt_version": found.prompt_version, "input_hash": found.input_hash, "stale": int(segment.stale),
        "tries": segment.tries, "next_try_at": segment.next_try_at_ms, "analysed_at": found.analysed_at_ms,
        "revision": segment.revision, "updated_at": at_ms,
    }  # fmt: skip


def recounted(r: Reader, segment: Segment) -> Segment:
    """The segment with frames, texts, picture bytes and events counted from the rows that point at it."""
    row = r.one(
        "SELECT count(*) AS n, coalesce(sum(read_state = 'done'), 0) AS done, coalesce((SELECT sum(bytes) "
        "FROM pictures WHERE state = 'live' AND id IN (SELECT picture_id FROM frames WHERE segment_id = :id)), 0) "
        "AS bytes, (SELECT count(*) FROM frame_events WHERE segment_id = :id) AS events "
        "FROM frames WHERE segment_id = :id",
        {"id": segment.id},
    )
    assert row is not None
    return replace(
        segment, frame_count=row.int("n"), read_count=row.int("done"), picture_bytes=row.int("bytes"),
        event_count=row.int("events"),
    )  # fmt: skip


def seen(r: Reader, segment_id: int, start_ms: int = -(2**62), end_ms: int = 2**62) -> Seen:
    """What the rows of a segment in [start, end) show, by their wall time."""
    apps: Counter[str] = Counter()
    titles: Counter[tuple[str, str]] = Counter()
    params = {"id": segment_id, "start": start_ms, "end": end_ms}
    for table, at in (("frames", "captured_at"), ("frame_events", "at")):
        rows = r.query(
            f"SELECT app_id, coalesce(title, '') AS title, count(*) AS n FROM {table} WHERE segment_id = :id "
            f"AND {at} >= :start AND {at} < :end AND app_id IS NOT NULL GROUP BY app_id, title",
            params,
        )
        for row in rows:
            apps[row.text("app_id")] += row.int("n")
            titles[row.text("title"), row.text("app_id")] += row.int("n")
    typed = r.one(
        "SELECT coalesce(sum(json_extract(detail, '$.keys')), 0) AS keys, "
        "coalesce(sum(json_extract(detail, '$.clicks')), 0) AS clicks FROM frame_events WHERE segment_id = :id "
        "AND kind = 'input' AND at >= :start AND at < :end AND json_valid(detail)",
        params,
    )
    assert typed is not None
    return Seen(apps, titles, int(typed.float("keys")), int(typed.float("clicks")))


def has_rows(r: Reader, segment_id: int) -> bool:
    """Whether any frame or event points at a segment."""
    row = r.one(
        "SELECT EXISTS(SELECT 1 FROM frames WHERE segment_id = :id) OR "
        "EXISTS(SELECT 1 FROM frame_events WHERE segment_id = :id) AS there",
        {"id": segment_id},
    )
    return row is not None and row.flag("there")


def pass_rows(w: Writer, segment_id: int, to_id: int, from_ms: int = -(2**62)) -> None:
    """Give the rows of a segment from a time on (wall, UTC ms) to another one; what continued it continues that."""
    params = {"id": segment_id, "to": to_id, "from": from_ms}
    w.run("UPDATE frames SET segment_id = :to WHERE segment_id = :id AND captured_at >= :from", params)
    w.run("UPDATE frame_events SET segment_id = :to WHERE segment_id = :id AND at >= :from", params)
    w.run("UPDATE segments SET continues_id = :to WHERE continues_id = :id AND id <> :to", params)


def adopt(w: Writer, segment: Segment) -> None:
    """Rows of its time that belong to no segment belong to this one."""
    params = {"id": segment.id, "start": segment.start_ms, "end": segment.end_ms}
    for table, at in (("frames", "captured_at"), ("frame_events", "at")):
        w.run(
            f"UPDATE {table} SET segment_id = :id WHERE {at} >= :start AND {at} < :end AND segment_id IS NULL", params
        )


def pass_edits(w: Writer, segment_id: int, to_id: int) -> None:
    """Give the history of a segment to the one it is merged into."""
    w.run("UPDATE segment_edits SET segment_id = :to WHERE segment_id = :id", {"id": segment_id, "to": to_id})


def drop_vectors(w: Writer, segment_id: int) -> None:
    """Its text changed so that what was embedded must not be found any more."""
    w.run("DELETE FROM segment_vectors WHERE row_id = :id", {"id": segment_id})


@dataclass(frozen=True, slots=True)
class NewEdit:
    """A change to note; `before`, `after` plain values, redacted."""

    segment_id: int
    what: str
    before: Mapping[str, object]
    after: Mapping[str, object]
    who: str = "user"


def note_edit(w: Writer, edit: NewEdit, revisions: tuple[int, int], at_ms: int) -> None:
    """Write the edit, and a row of the audit trail that says who and what without any words of it."""
    w.run(
        "INSERT INTO segment_edits(segment_id, at, what, before, after, who) "
        "VALUES(:id, :at, :what, :before, :after, :who)",
        {
            "id": edit.segment_id, "at": at_ms, "what": edit.what, "before": dump_json(edit.before),
            "after": dump_json(edit.after), "who": edit.who,
        },
    )  # fmt: skip
    w.run(
        "INSERT INTO audit(at, who, what, ref_kind, ref_id, before_revision, after_revision) "
        "VALUES(:at, :who, :what, 'segment', :ref, :before, :after)",
        {
            "at": at_ms, "who": edit.who, "what": edit.what, "ref": str(edit.segment_id), "before": revisions[0],
            "after": revisions[1],
        },
    )  # fmt: skip


def edits_of(r: Reader, segment_id: int) -> list[SegmentEdit]:
    """What was changed of a segment, oldest first."""
    rows = r.query("SELECT * FROM segment_edits WHERE segment_id = :id ORDER BY id", {"id": segment_id})
    out = []
    for row in rows:
        before, after = row.json("before"), row.json("after")
        out.append(
            SegmentEdit(
                row.int("id"), row.int("at"), row.text("what"), before if isinstance(before, dict) else {},
                after if isinstance(after, dict) else {}, row.text("who"),
            )
        )  # fmt: skip
    return out
