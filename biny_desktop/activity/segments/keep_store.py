"""SQL of the keeper: which days have to be cut (again), how far each was cut, and which rows belong to what."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from biny_desktop.activity.event_store import generation
from biny_desktop.activity.model import Gap
from biny_desktop.activity.segments.columns import dump_gaps, read_gaps
from biny_desktop.core.days import activity_day, activity_range
from biny_desktop.storage.database import Reader, Writer

_STATE_KEY: Final = "segments.last_state"
_IDS: Final = "(SELECT value FROM json_each(:ids))"


@dataclass(frozen=True, slots=True)
class Cutting:
    """How far a day was cut: at which revision of it, up to when (UTC ms), and what lay between its segments."""

    n: int
    until_ms: int
    gaps: tuple[Gap, ...]


@dataclass(frozen=True, slots=True)
class Basis:
    """What must not have changed between reading and writing: deletes, and the stored segments of the time."""

    generation: str
    segments: tuple[int, int, int, int]


def basis(r: Reader, start_ms: int, end_ms: int) -> Basis:
    """The state of things of [start, end)."""
    row = r.one(
        "SELECT count(*) AS n, coalesce(sum(id), 0) AS ids, coalesce(sum(revision), 0) AS revisions, "
        "coalesce(max(updated_at), 0) AS at FROM segments WHERE started_at >= :start AND started_at < :end",
        {"start": start_ms, "end": end_ms},
    )
    assert row is not None
    return Basis(generation(r), (row.int("n"), row.int("ids"), row.int("revisions"), row.int("at")))


def due_days(r: Reader) -> list[str]:
    """Days whose rows changed since they were cut, newest first."""
    rows = r.query(
        "SELECT d.day FROM day_revisions d LEFT JOIN segment_days s ON s.day = d.day "
        "WHERE s.n IS NULL OR s.n <> d.n ORDER BY d.day DESC"
    )
    return [row.text("day") for row in rows]


def open_days(r: Reader, before_ms: int) -> list[str]:
    """Days with an open segment whose last event lies before that time."""
    rows = r.query(
        "SELECT DISTINCT day FROM segments WHERE open = 1 AND ended_at < :before ORDER BY day DESC",
        {"before": before_ms},
    )
    return [row.text("day") for row in rows]


def new_states(r: Reader) -> tuple[int, list[int]]:
    """(id of the newest recorder state, times of those that were not looked at yet); none before the first look."""
    last = r.one("SELECT coalesce(max(id), 0) AS id FROM recorder_states")
    seen = r.one("SELECT value FROM meta WHERE key = :key", {"key": _STATE_KEY})
    newest = last.int("id") if last else 0
    if seen is None or int(seen.text("value")) == newest:
        return newest, []
    rows = r.query("SELECT at FROM recorder_states WHERE id > :id", {"id": int(seen.text("value"))})
    return newest, [row.int("at") for row in rows]


def states_seen(r: Reader) -> int | None:
    """The newest recorder state that was looked at; None before the first look."""
    row = r.one("SELECT value FROM meta WHERE key = :key", {"key": _STATE_KEY})
    return int(row.text("value")) if row else None


def set_states_seen(w: Writer, state_id: int) -> None:
    """Recorder states up to that one were looked at."""
    w.run(
        "INSERT INTO meta(key, value) VALUES(:key, :value) ON CONFLICT(key) DO UPDATE SET value = excluded.value",
        {"key": _STATE_KEY, "value": str(state_id)},
    )


def days_with_rows(r: Reader, day_start: str) -> list[str]:
    """Every day that holds frames or events, newest first; two steps of an index a day."""
    found: set[str] = set()
    for table, at in (("frames", "captured_at"), ("frame_events", "at")):
        before = 2**62
        sql = f"SELECT {at} AS at, time_zone FROM {table} WHERE {at} < :before ORDER BY {at} DESC LIMIT 1"
        while row := r.one(sql, {"before": before}):
            day = activity_day(row.int("at"), row.text("time_zone"), day_start)
            found.add(day)
            before = min(row.int("at"), activity_range(day, row.text("time_zone"), day_start).start_ms)
    return sorted(found, reverse=True)


def mark_unknown(w: Writer, days: Iterable[str]) -> None:
    """Give days that have no revision one, so that they are due."""
    for day in days:
        w.run("INSERT OR IGNORE INTO day_revisions(day, n) VALUES(:day, 1)", {"day": day})


def day_revision(r: Reader, day: str) -> int:
    """The present revision of a day; 0 when nothing ever happened on it."""
    row = r.one("SELECT n FROM day_revisions WHERE day = :day", {"day": day})
    return row.int("n") if row else 0


def cutting(r: Reader, day: str) -> Cutting | None:
    """How far a day was cut; None when it never was, or rows of it were deleted since."""
    row = r.one("SELECT n, until_ms, gaps FROM segment_days WHERE day = :day", {"day": day})
    return Cutting(row.int("n"), row.int("until_ms"), read_gaps(row.json("gaps"))) if row else None


def known_gaps(r: Reader, first_day: str, last_day: str) -> list[Gap]:
    """The known gaps of these days, both included, in order of time."""
    rows = r.query(
        "SELECT gaps FROM segment_days WHERE day BETWEEN :first AND :last ORDER BY day",
        {"first": first_day, "last": last_day},
    )
    return [gap for row in rows for gap in read_gaps(row.json("gaps"))]


def set_cutting(w: Writer, day: str, cut: Cutting) -> None:
    """Note how far a day was cut."""
    w.run(
        "INSERT INTO segment_days(day, n, until_ms, gaps) VALUES(:day, :n, :until, :gaps) "
        "ON CONFLICT(day) DO UPDATE SET n = excluded.n, until_ms = excluded.until_ms, gaps = excluded.gaps",
        {"day": day, "n": cut.n, "until": cut.until_ms, "gaps": dump_gaps(cut.gaps)},
    )


def forget_cutting(w: Writer, days: Iterable[str]) -> None:
    """What lay between the segments of these days is not known any more: rows of them were deleted."""
    w.run(f"DELETE FROM segment_days WHERE day IN {_IDS}", {"ids": json.dumps(list(days))})


def own_rows(w: Writer, segment_id: int | None, frames: Sequence[int], events: Sequence[int]) -> None:
    """Have these rows point at a segment, or at none."""
    if frames:
        w.run(
            f"UPDATE frames SET segment_id = :segment WHERE id IN {_IDS}",
            {"segment": segment_id, "ids": json.dumps(frames)},
        )
    if events:
        w.run(
            f"UPDATE frame_events SET segment_id = :segment WHERE id IN {_IDS}",
            {"segment": segment_id, "ids": json.dumps(events)},
        )


def segment_before(r: Reader, start_ms: int) -> int | None:
    """The id of the last segment that began before a time."""
    row = r.one("SELECT id FROM segments WHERE started_at < :at ORDER BY started_at DESC LIMIT 1", {"at": start_ms})
    return row.int("id") if row else None


def continue_at(w: Writer, start_ms: int, segment_id: int) -> None:
    """The segment that begins at a day's border goes on from that one; days are cut newest first."""
    w.run(
        "UPDATE segments SET continues_id = :id WHERE started_at = :at AND continues_id IS NOT :id AND id <> :id",
        {"at": start_ms, "id": segment_id},
    )
