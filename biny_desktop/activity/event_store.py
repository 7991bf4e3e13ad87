"""SQL of event rows, recorder states, redaction counts, and the revisions that tell readers of a change."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from biny_desktop.activity.model import NonFrame, ReasonCount
from biny_desktop.core.clock import Stamp
from biny_desktop.core.text import RedactedText
from biny_desktop.storage.database import Reader, Writer
from biny_desktop.storage.rows import Row

_LONGEST_ROW_MS: Final = 86_400_000
"""How far before a stretch a row can begin that lasts into it (those of deletes are looked up), ms."""


@dataclass(frozen=True, slots=True)
class NewEvent:
    """An event row to write; all text redacted. `detail` is JSON."""

    stamp: Stamp
    kind: str
    reason: str
    count: int
    until_ms: int | None
    app_id: RedactedText | None
    app_name: RedactedText | None
    title: RedactedText | None
    detail: str


def insert_event(w: Writer, event: NewEvent) -> int:
    """Write an event row; returns its id."""
    return w.insert(
        "INSERT INTO frame_events(at, until, time_zone, mono_ms, boot_id, kind, reason, count, app_id, app_name, "
        "title, detail) VALUES(:at, :until, :zone, :mono, :boot, :kind, :reason, :count, "
        ":app_id, :app_name, :title, :detail)",
        {
            "at": event.stamp.at_ms, "until": event.until_ms, "zone": event.stamp.zone, "mono": event.stamp.mono_ms,
            "boot": event.stamp.boot_id, "kind": event.kind, "reason": event.reason, "count": event.count,
            "app_id": event.app_id, "app_name": event.app_name, "title": event.title, "detail": event.detail,
        },
    )  # fmt: skip


def extend_event(w: Writer, event_id: int, count: int, until_ms: int) -> bool:
    """Add to a row that stands for several; False when it is gone (the user deleted it)."""
    changed = w.run(
        "UPDATE frame_events SET count = count + :count, until = max(coalesce(until, at), :until) WHERE id = :id",
        {"id": event_id, "count": count, "until": until_ms},
    )
    return changed == 1


def insert_state(w: Writer, at_ms: int, state: str, reason: str, detail: str) -> None:
    """Write a `recorder_states` row."""
    w.run(
        "INSERT INTO recorder_states(at, state, reason, detail) VALUES(:at, :state, :reason, :detail)",
        {"at": at_ms, "state": state, "reason": reason, "detail": detail},
    )


def insert_redactions(
    w: Writer, ref_kind: str, ref_id: int, counts: Mapping[str, Mapping[str, int]], version: int, at_ms: int
) -> None:
    """Write how much was hidden: field → type → count."""
    for field, by_type in counts.items():
        for kind, count in by_type.items():
            w.run(
                "INSERT INTO redactions(ref_kind, ref_id, field, type, count, rule_version, at) "
                "VALUES(:kind, :ref, :field, :type, :count, :version, :at)",
                {
                    "kind": ref_kind, "ref": ref_id, "field": field, "type": kind, "count": count, "version": version,
                    "at": at_ms,
                },
            )  # fmt: skip


def bump_day(w: Writer, day: str) -> None:
    """Tell readers that something of that activity day changed."""
    w.run("INSERT INTO day_revisions(day, n) VALUES(:day, 1) ON CONFLICT(day) DO UPDATE SET n = n + 1", {"day": day})


def set_generation(w: Writer, revision: str) -> None:
    """Tell work under way that rows were deleted."""
    w.run("UPDATE activity_generation SET revision = :revision", {"revision": revision})


def generation(r: Reader) -> str:
    """The revision that `set_generation` wrote last."""
    row = r.one("SELECT revision FROM activity_generation")
    return row.text("revision") if row else ""


def events_between(r: Reader, start_ms: int, end_ms: int, limit: int) -> list[NonFrame]:
    """Event rows that begin in [start, end), oldest first."""
    rows = r.query(
        "SELECT * FROM frame_events WHERE at >= :start AND at < :end ORDER BY at, id LIMIT :limit",
        {"start": start_ms, "end": end_ms, "limit": limit},
    )
    return [_non_frame(row) for row in rows]


def _non_frame(row: Row) -> NonFrame:
    detail = row.json("detail")
    return NonFrame(
        row.int("id"), row.int("at"), row.maybe_int("until"), row.text("time_zone"), row.text("kind"),
        row.text("reason"), row.int("count"), row.maybe_text("app_id"), row.maybe_text("app_name"),
        row.maybe_text("title"), detail if isinstance(detail, dict) else {},
    )  # fmt: skip


def reasons_between(r: Reader, start_ms: int, end_ms: int) -> list[ReasonCount]:
    """Skips and private rows of [start, end) by reason, most frequent first."""
    rows = r.query(
        "SELECT kind, reason, sum(count) AS n, max(coalesce(until, at)) AS last FROM frame_events "
        "WHERE at >= :start AND at < :end AND kind IN ('skip', 'private', 'drop') GROUP BY kind, reason "
        "ORDER BY n DESC, kind, reason",
        {"start": start_ms, "end": end_ms},
    )
    return [ReasonCount(row.text("kind"), row.text("reason"), row.int("n"), row.int("last")) for row in rows]


def newest_of(r: Reader, kind: str, reason: str) -> int | None:
    """When the newest event row of that kind and reason began (UTC ms)."""
    row = r.one("SELECT max(at) AS at FROM frame_events WHERE kind = :kind AND reason = :reason",
                {"kind": kind, "reason": reason})  # fmt: skip
    return row.maybe_int("at") if row else None


def events_touching(r: Reader, start_ms: int, end_ms: int, limit: int) -> list[NonFrame]:
    """Event rows that may say why nothing was kept in [start, end): those in it, those that last into it, and the last
    lock and sleep rows before it; oldest first."""
    rows = r.query(
        "SELECT * FROM (SELECT * FROM frame_events WHERE at >= :start AND at < :end "
        "AND NOT (kind IN ('focus', 'title', 'input') OR reason GLOB 'same_*') ORDER BY at LIMIT :limit) "
        "UNION SELECT * FROM frame_events WHERE at >= :since AND at < :start AND until > :start "
        "UNION SELECT * FROM frame_events WHERE reason = 'deleted' AND at < :start AND until > :start "
        "UNION SELECT * FROM (SELECT * FROM frame_events WHERE kind IN ('lock', 'unlock', 'sleep', 'wake') "
        "AND at < :start ORDER BY at DESC LIMIT 4) ORDER BY at, id",
        {"start": start_ms, "end": end_ms, "limit": limit, "since": start_ms - _LONGEST_ROW_MS},
    )
    return [_non_frame(row) for row in rows]


@dataclass(frozen=True, slots=True)
class StateRow:
    """A row of `recorder_states`; `at_ms` UTC ms."""

    at_ms: int
    state: str
    reason: str


def newest_state(r: Reader) -> StateRow | None:
    """The recorder's last state, or None when it never ran."""
    row = r.one("SELECT at, state, reason FROM recorder_states ORDER BY id DESC LIMIT 1")
    return StateRow(row.int("at"), row.text("state"), row.text("reason")) if row else None
