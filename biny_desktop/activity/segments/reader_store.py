"""SQL of reading days and stretches: short rows for heat maps, thumbnails spread over time, newest texts."""

from typing import Final

from biny_desktop.activity.frame_store import LIST_COLUMNS, frame_of
from biny_desktop.activity.model import Frame
from biny_desktop.activity.segments.model import DigestText, Thumb
from biny_desktop.activity.segments.store import LONGEST_MS
from biny_desktop.activity.segments.sums import Brief
from biny_desktop.storage.database import Reader

TEXT_MAX: Final = 200
"""Longest text of a digest, characters (spec 03 §8)."""
_TEXTS_LOOKED_AT: Final = 400
"""Newest texts among which those of different windows are looked for: two busy hours."""


def briefs(r: Reader, first_day: str, last_day: str) -> list[Brief]:
    """The segments of these days, both included; from an index alone."""
    rows = r.query(
        "SELECT day, started_at, ended_at, time_zone, kind, hidden, trivial, active_ms FROM segments "
        "WHERE day BETWEEN :first AND :last ORDER BY day, started_at",
        {"first": first_day, "last": last_day},
    )
    return [
        Brief(
            row.text("day"), row.int("started_at"), row.int("ended_at"), row.text("time_zone"),
            row.text("kind"),  # type: ignore[arg-type]  # held by a CHECK of the table
            row.int("active_ms"), not row.flag("hidden") and not row.flag("trivial"),
        )
        for row in rows
    ]  # fmt: skip


def times(r: Reader, start_ms: int, end_ms: int) -> list[tuple[int, int]]:
    """(start, end) of every segment with a part in [start, end), in order."""
    rows = r.query(
        "SELECT started_at, ended_at FROM segments WHERE started_at > :since AND started_at < :end "
        "AND ended_at > :start ORDER BY started_at",
        {"since": start_ms - LONGEST_MS, "start": start_ms, "end": end_ms},
    )
    return [(row.int("started_at"), row.int("ended_at")) for row in rows]


def days_with_segments(r: Reader, limit: int) -> list[str]:
    """The newest days that hold segments, newest first; one step of an index a day."""
    rows = r.query(
        "WITH RECURSIVE d(day, n) AS (SELECT max(day), 1 FROM segments UNION ALL "
        "SELECT (SELECT max(day) FROM segments WHERE day < d.day), n + 1 FROM d "
        "WHERE d.day IS NOT NULL AND n < :limit) SELECT day FROM d WHERE day IS NOT NULL",
        {"limit": limit},
    )
    return [row.text("day") for row in rows]


def thumbs(r: Reader, start_ms: int, end_ms: int, limit: int) -> list[Thumb]:
    """At most `limit` frames of [start, end), one in each of as many equal parts of it that hold one, oldest first."""
    step = max(1, -(-(end_ms - start_ms) // limit))
    rows = r.query(
        "WITH RECURSIVE pick(at) AS (SELECT min(captured_at) FROM frames WHERE captured_at >= :start "
        "AND captured_at < :end UNION ALL SELECT (SELECT min(captured_at) FROM frames "
        "WHERE captured_at >= :start + ((pick.at - :start) / :step + 1) * :step AND captured_at < :end) "
        "FROM pick WHERE pick.at IS NOT NULL) "
        "SELECT f.id, f.captured_at, f.app_id, coalesce(p.state, 'gone') AS state, p.thumb FROM pick "
        "JOIN frames f ON f.id = (SELECT min(id) FROM frames WHERE captured_at = pick.at) "
        "LEFT JOIN pictures p ON p.id = f.picture_id ORDER BY f.captured_at",
        {"start": start_ms, "end": end_ms, "step": step},
    )
    return [
        Thumb(
            row.int("id"), row.int("captured_at"), row.text("app_id"),
            row.text("state"),  # type: ignore[arg-type]  # held by a CHECK of the table
            row.maybe_blob("thumb") or None,
        )
        for row in rows
    ]  # fmt: skip


def frames_of(r: Reader, segment_id: int, limit: int) -> list[Frame]:
    """Frames of a segment, newest first."""
    rows = r.query(
        f"SELECT {LIST_COLUMNS} FROM frames f LEFT JOIN pictures p ON p.id = f.picture_id "
        "WHERE f.segment_id = :id ORDER BY f.id DESC LIMIT :limit",
        {"id": segment_id, "limit": limit},
    )
    return [frame_of(row) for row in rows]


def count_events(r: Reader, segment_id: int) -> int:
    """Event rows of a segment."""
    row = r.one("SELECT count(*) AS n FROM frame_events WHERE segment_id = :id", {"id": segment_id})
    return row.int("n") if row else 0


def newest_texts(r: Reader, start_ms: int, limit: int) -> list[DigestText]:
    """The newest texts since a time, one of each title, newest first."""
    rows = r.query(
        "SELECT f.id, f.captured_at, f.app_id || char(10) || f.title AS window, substr(t.text, 1, :most) AS text "
        "FROM frames f JOIN frame_text t ON t.frame_id = f.id "
        "WHERE f.captured_at >= :start AND t.char_count > 0 ORDER BY f.captured_at DESC LIMIT :rows",
        {"start": start_ms, "most": TEXT_MAX, "rows": _TEXTS_LOOKED_AT},
    )
    seen: set[str] = set()
    out: list[DigestText] = []
    for row in rows:
        if row.text("window") not in seen and len(out) < limit:
            seen.add(row.text("window"))
            out.append(DigestText(row.int("id"), row.int("captured_at"), row.text("text")))
    return out
