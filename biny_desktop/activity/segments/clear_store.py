"""SQL of deletes as far as segments go: which segments rows belong to, what rows showed, what quotes them."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from biny_desktop.activity.segments.columns import segment_of
from biny_desktop.activity.segments.forgetting import Lost
from biny_desktop.activity.segments.model import Segment
from biny_desktop.storage.database import Reader, Writer
from biny_desktop.storage.rows import Params, Row, dump_json

_IDS: Final = "(SELECT value FROM json_each(:ids))"
_NUMBER: Final = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class Shown:
    """What rows of one segment show: frame ids, apps, (title, app), and all their texts."""

    frames: frozenset[int]
    apps: frozenset[str]
    titles: frozenset[tuple[str, str]]
    texts: tuple[str, ...]


def segments_of(r: Reader, frames: Sequence[int], events: Sequence[int]) -> list[int]:
    """The segments these rows belong to."""
    found: set[int] = set()
    for table, ids in (("frames", frames), ("frame_events", events)):
        rows = r.query(
            f"SELECT DISTINCT segment_id AS id FROM {table} WHERE id IN {_IDS} AND segment_id IS NOT NULL",
            {"ids": json.dumps(list(ids))},
        )
        found |= {row.int("id") for row in rows}
    return sorted(found)


def rows_shown(r: Reader, segment_id: int, frames: Sequence[int], events: Sequence[int]) -> Shown:
    """What those of these rows show that belong to a segment."""
    frame_rows = r.query(
        "SELECT f.id, f.app_id, f.app_name, f.title, coalesce(f.url, '') AS url, coalesce(t.text, '') AS text "
        f"FROM frames f LEFT JOIN frame_text t ON t.frame_id = f.id WHERE f.id IN {_IDS} AND f.segment_id = :segment",
        {"ids": json.dumps(list(frames)), "segment": segment_id},
    )
    event_rows = r.query(
        "SELECT id, app_id, app_name, coalesce(title, '') AS title, '' AS url, '' AS text FROM frame_events "
        f"WHERE id IN {_IDS} AND segment_id = :segment AND app_id IS NOT NULL",
        {"ids": json.dumps(list(events)), "segment": segment_id},
    )
    both = [*frame_rows, *event_rows]
    return Shown(
        frozenset(row.int("id") for row in frame_rows), frozenset(row.text("app_id") for row in both),
        frozenset((row.text("title"), row.text("app_id")) for row in both), tuple(_text(row) for row in both),
    )  # fmt: skip


def _text(row: Row) -> str:
    parts = (row.text("title"), row.maybe_text("app_name"), row.text("url"), row.text("text"))
    return "\n".join(part for part in parts if part)


def texts_left(r: Reader, segment_id: int) -> list[str]:
    """Titles, names, addresses and texts of all rows of a segment."""
    rows = r.query(
        "SELECT f.title, f.app_name, coalesce(f.url, '') AS url, coalesce(t.text, '') AS text FROM frames f "
        "LEFT JOIN frame_text t ON t.frame_id = f.id WHERE f.segment_id = :id UNION ALL "
        "SELECT DISTINCT coalesce(title, ''), app_name, '', '' FROM frame_events WHERE segment_id = :id",
        {"id": segment_id},
    )
    return [_text(row) for row in rows]


def inside(r: Reader, start_ms: int, end_ms: int, limit: int) -> list[Segment]:
    """Segments that lie wholly in [start, end)."""
    rows = r.query(
        "SELECT * FROM segments WHERE started_at >= :start AND started_at < :end AND ended_at <= :end "
        "ORDER BY started_at LIMIT :limit",
        {"start": start_ms, "end": end_ms, "limit": limit},
    )
    return [segment_of(row) for row in rows]


def rows_between(r: Reader, segment_id: int, start_ms: int, end_ms: int) -> tuple[list[int], list[int]]:
    """(frames, events) of a segment in [start, end), by their wall time."""
    params = {"id": segment_id, "start": start_ms, "end": end_ms}
    frames = r.query(
        "SELECT id FROM frames WHERE segment_id = :id AND captured_at >= :start AND captured_at < :end", params
    )
    events = r.query("SELECT id FROM frame_events WHERE segment_id = :id AND at >= :start AND at < :end", params)
    return [row.int("id") for row in frames], [row.int("id") for row in events]


def count_touching(r: Reader, start_ms: int, end_ms: int) -> int:
    """Segments with a part in [start, end)."""
    row = r.one(
        "SELECT count(*) AS n FROM segments WHERE started_at < :end AND ended_at > :start",
        {"start": start_ms, "end": end_ms},
    )
    return row.int("n") if row else 0


def with_app(r: Reader, app_id: str, start_ms: int | None, end_ms: int | None) -> list[int]:
    """Segments that name an app of which they hold no row, wholly inside a range when one is given."""
    rows = r.query(
        "SELECT s.id FROM segments s WHERE s.started_at >= :start AND s.ended_at <= :end "
        "AND EXISTS(SELECT 1 FROM json_each(CASE WHEN json_valid(s.apps) THEN s.apps ELSE '[]' END) a "
        "WHERE a.type = 'object' AND json_extract(a.value, '$.app_id') = :app) "
        "AND NOT EXISTS(SELECT 1 FROM frames f WHERE f.segment_id = s.id AND f.app_id = :app) "
        "AND NOT EXISTS(SELECT 1 FROM frame_events e WHERE e.segment_id = s.id AND e.app_id = :app)",
        {
            "app": app_id, "start": -(2**62) if start_ms is None else start_ms,
            "end": 2**62 if end_ms is None else end_ms,
        },
    )  # fmt: skip
    return [row.int("id") for row in rows]


def cut_offers(w: Writer, segment_id: int, lost: Lost) -> None:
    """Take deleted frames out of the sources of offers; an offer without any, or that quotes lost words, goes."""
    for row in w.query("SELECT n, content, why, sources FROM fact_offers WHERE segment_id = :id", {"id": segment_id}):
        stored = row.json("sources")
        sources = stored if isinstance(stored, list) else []
        left = [each for each in sources if _frame_id(each) not in lost.frames]
        which: Params = {"id": segment_id, "n": row.int("n")}
        if not left or lost.quoted(row.text("content")) or lost.quoted(row.text("why")):
            w.run("DELETE FROM fact_offers WHERE segment_id = :id AND n = :n", which)
        elif left != sources:
            w.run(
                "UPDATE fact_offers SET sources = :sources WHERE segment_id = :id AND n = :n",
                {**which, "sources": dump_json(left)},
            )


def _frame_id(source: object) -> int | None:
    """The frame a source names, as a number or as `f<id>`."""
    if isinstance(source, int):
        return source
    found = _NUMBER.search(source) if isinstance(source, str) else None
    return int(found.group()) if found else None


def cut_terms(w: Writer, segment_id: int, lost: Lost) -> None:
    """Terms that no row of the segment holds any more go."""
    for row in w.query("SELECT term FROM crystal_terms WHERE segment_id = :id", {"id": segment_id}):
        if lost.quoted(row.text("term")):
            w.run(
                "DELETE FROM crystal_terms WHERE segment_id = :id AND term = :term",
                {"id": segment_id, "term": row.text("term")},
            )


def cut_edits(w: Writer, segment_id: int, lost: Lost) -> None:
    """What a field held before an edit goes from its history where it quotes lost words."""
    for row in w.query("SELECT id, before FROM segment_edits WHERE segment_id = :id", {"id": segment_id}):
        if lost.quoted(row.text("before")):
            w.run("UPDATE segment_edits SET before = '{}' WHERE id = :id", {"id": row.int("id")})
