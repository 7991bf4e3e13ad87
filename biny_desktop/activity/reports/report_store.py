"""SQL of reports: the figures that rows give, the rows of `reports`, and whether their days changed since."""

import functools
import json
from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, cast

from biny_desktop.activity.reports.model import NOTHING, Report, ReportKind, ReportMark, ReportState, Statistics
from biny_desktop.activity.reports.statistics import RowFigures
from biny_desktop.activity.reports.weeks import days_of
from biny_desktop.core.text import RedactedText
from biny_desktop.redaction import from_row
from biny_desktop.storage.database import Reader, Writer
from biny_desktop.storage.rows import Row

if TYPE_CHECKING:
    from pydantic import TypeAdapter


@dataclass(frozen=True, slots=True)
class Kept:
    """A row of `reports` with what only its makers need. `narrative` is Markdown that was checked."""

    report: Report
    markdown: RedactedText
    narrative: RedactedText | None
    narrative_hash: str | None
    data_revision: str
    tries_day: str


@dataclass(frozen=True, slots=True)
class NewReport:
    """What is written of a report; texts redacted. Fields as the columns."""

    kind: ReportKind
    key: str
    state: ReportState
    reason: str
    statistics: Statistics
    markdown: RedactedText
    narrative: RedactedText | None
    narrative_hash: str | None
    model: str | None
    data_revision: str
    tries: int
    tries_day: str
    next_try_at_ms: int | None
    made_at_ms: int
    file_error: str = ""


def row_figures(r: Reader, start_ms: int, end_ms: int) -> RowFigures:
    """What the rows of [start, end) say; each from an index over that time."""
    span = {"start": start_ms, "end": end_ms}
    inside = "captured_at >= :start AND captured_at < :end"
    counts = r.one(
        f"SELECT count(*) AS kept, coalesce(sum(read_state = 'done'), 0) AS read, min(id) AS first FROM frames "
        f"WHERE {inside}", span
    )  # fmt: skip
    pictures = r.one(
        "SELECT count(*) AS n, coalesce(sum(bytes), 0) AS bytes FROM pictures WHERE state = 'live' AND id IN "
        f"(SELECT picture_id FROM frames WHERE {inside} AND picture_id IS NOT NULL)", span
    )  # fmt: skip
    dropped = r.query(
        "SELECT reason, sum(count) AS n FROM frame_events WHERE at >= :start AND at < :end "
        "AND kind IN ('skip', 'private', 'drop') GROUP BY reason", span
    )  # fmt: skip
    hidden = r.query(
        "SELECT type, sum(count) AS n FROM redactions WHERE ref_kind = 'frame' AND ref_id IN "
        f"(SELECT id FROM frames WHERE {inside}) GROUP BY type", span
    )  # fmt: skip
    assert counts is not None
    assert pictures is not None
    return RowFigures(
        counts.int("kept"), counts.int("read"), {row.text("reason"): row.int("n") for row in dropped},
        {row.text("type"): row.int("n") for row in hidden}, pictures.int("n"), pictures.int("bytes"),
        counts.maybe_int("first"),
    )  # fmt: skip


def data_revision(r: Reader, kind: ReportKind, key: str) -> str:
    """What changes whenever something of the day, or of a day of the week, changes."""
    days = [key] if kind == "day" else list(days_of(key))
    rows = r.query(
        "SELECT day, n FROM day_revisions WHERE day IN (SELECT value FROM json_each(:days))", {"days": json.dumps(days)}
    )
    numbers = {row.text("day"): row.int("n") for row in rows}
    return ".".join(str(numbers.get(day, 0)) for day in days)


def existing(r: Reader, kind: Literal["segment", "frame"], ids: Collection[int]) -> frozenset[int]:
    """Those of the ids that are there."""
    table = {"segment": "segments", "frame": "frames"}[kind]
    rows = r.query(
        f"SELECT id FROM {table} WHERE id IN (SELECT value FROM json_each(:ids))", {"ids": json.dumps(sorted(ids))}
    )
    return frozenset(row.int("id") for row in rows)


def days_with_segments(r: Reader, first_day: str, last_day: str) -> list[str]:
    """Activity days of that range, both ends included, that hold segments; oldest first."""
    rows = r.query(
        "SELECT DISTINCT day FROM segments WHERE day >= :first AND day <= :last ORDER BY day",
        {"first": first_day, "last": last_day},
    )
    return [row.text("day") for row in rows]


def first_segment_day(r: Reader) -> str | None:
    """The oldest activity day that holds a segment."""
    row = r.one("SELECT min(day) AS day FROM segments")
    return row.maybe_text("day") if row else None


def find(r: Reader, kind: ReportKind, key: str) -> Kept | None:
    """A report, or None."""
    row = r.one("SELECT * FROM reports WHERE kind = :kind AND key = :key", {"kind": kind, "key": key})
    return None if row is None else _kept(r, row)


def between(r: Reader, first_day: str, last_day: str) -> list[Kept]:
    """Reports of the days of a range, both ends included, and of the weeks that begin in it; by kind and key."""
    rows = r.query("SELECT * FROM reports ORDER BY kind, key")
    return [_kept(r, row) for row in rows if first_day <= _first_day(row) <= last_day]


def marks(r: Reader, first_day: str, last_day: str) -> list[ReportMark]:
    """As `between`, in short."""
    rows = r.query(
        "SELECT kind, key, state, stale, data_revision, made_at, "
        "CASE WHEN json_valid(statistics) THEN CAST(coalesce(json_extract(statistics, '$.active_ms'), 0) AS INTEGER) "
        "ELSE 0 END AS active FROM reports ORDER BY kind, key"
    )
    return [
        ReportMark(
            _kind(row), row.text("key"), cast("ReportState", row.text("state")), _stale(r, row), row.int("active"),
            row.int("made_at"),
        )
        for row in rows if first_day <= _first_day(row) <= last_day
    ]  # fmt: skip


def keys(r: Reader) -> list[tuple[ReportKind, str]]:
    """(kind, key) of all reports, newest key first."""
    return [(_kind(row), row.text("key")) for row in r.query("SELECT kind, key FROM reports ORDER BY key DESC")]


def blank(w: Writer, kind: ReportKind, key: str, title: str) -> bool:
    """Take every captured word out of a report and have it made anew; False when there is none.

    Args:
        title: what is left as its heading.
    """
    kept = find(w, kind, key)
    if kept is None:
        return False
    bare = replace(kept.report.statistics, hours=(), apps=(), projects=(), titles=(), key_moments=())
    w.run(
        "UPDATE reports SET markdown = :text, narrative = NULL, narrative_hash = NULL, statistics = :statistics, "
        "stale = 1, revision = revision + 1 WHERE kind = :kind AND key = :key",
        {"text": f"# {title}\n", "statistics": _codec().dump_json(bare).decode(), "kind": kind, "key": key},
    )
    return True


def save(w: Writer, new: NewReport) -> None:
    """Write a report over the one of that day or week, if there is one; it is fresh then."""
    w.run(
        "INSERT INTO reports(kind, key, state, reason, statistics, markdown, narrative, narrative_hash, model, "
        "data_revision, tries, tries_day, next_try_at, made_at, file_error) VALUES(:kind, :key, :state, :reason, "
        ":statistics, :markdown, :narrative, :hash, :model, :data_revision, :tries, :tries_day, :next_try, :made_at, "
        ":file_error) "
        "ON CONFLICT(kind, key) DO UPDATE SET state = excluded.state, reason = excluded.reason, "
        "statistics = excluded.statistics, markdown = excluded.markdown, narrative = excluded.narrative, "
        "narrative_hash = excluded.narrative_hash, model = excluded.model, data_revision = excluded.data_revision, "
        "tries = excluded.tries, tries_day = excluded.tries_day, next_try_at = excluded.next_try_at, "
        "made_at = excluded.made_at, file_error = excluded.file_error, stale = 0, "
        "revision = revision + (excluded.markdown <> reports.markdown OR excluded.state <> reports.state)",
        {
            "kind": new.kind, "key": new.key, "state": new.state, "reason": new.reason,
            "statistics": _codec().dump_json(new.statistics).decode(), "markdown": new.markdown,
            "narrative": new.narrative, "hash": new.narrative_hash, "model": new.model,
            "data_revision": new.data_revision, "tries": new.tries, "tries_day": new.tries_day,
            "next_try": new.next_try_at_ms, "made_at": new.made_at_ms, "file_error": new.file_error,
        },
    )  # fmt: skip


def set_file_error(w: Writer, kind: ReportKind, key: str, error: str) -> None:
    """Note how writing its file went; empty: well."""
    w.run(
        "UPDATE reports SET file_error = :error WHERE kind = :kind AND key = :key",
        {"error": error, "kind": kind, "key": key},
    )


def _kept(r: Reader, row: Row) -> Kept:
    statistics = _statistics(row.text("statistics"))
    report = Report(
        id=row.int("id"), kind=_kind(row), key=row.text("key"), state=cast("ReportState", row.text("state")),
        reason=row.text("reason"), statistics=statistics or NOTHING,
        markdown=row.text("markdown"), narrative=row.maybe_text("narrative"), model=row.maybe_text("model"),
        stale=statistics is None or _stale(r, row), tries=row.int("tries"), next_try_at_ms=row.maybe_int("next_try_at"),
        made_at_ms=row.int("made_at"), revision=row.int("revision"), file_error=row.text("file_error"),
    )  # fmt: skip
    narrative = row.maybe_text("narrative")
    return Kept(
        report, from_row(row.text("markdown")), None if narrative is None else from_row(narrative),
        row.maybe_text("narrative_hash"), row.text("data_revision"), row.text("tries_day"),
    )  # fmt: skip


def _statistics(text: str) -> Statistics | None:
    """The figures as they are kept; None when they are damaged or of another version, so that they are made anew."""
    from pydantic import ValidationError

    try:
        return _codec().validate_json(text)
    except ValidationError:
        return None


def _stale(r: Reader, row: Row) -> bool:
    return row.flag("stale") or row.text("data_revision") != data_revision(r, _kind(row), row.text("key"))


def _kind(row: Row) -> ReportKind:
    return "week" if row.text("kind") == "week" else "day"


def _first_day(row: Row) -> str:
    return days_of(row.text("key"))[0] if row.text("kind") == "week" else row.text("key")


@functools.cache
def _codec() -> "TypeAdapter[Statistics]":
    from pydantic import TypeAdapter

    return TypeAdapter(Statistics)
