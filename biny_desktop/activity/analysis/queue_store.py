"""SQL of which segments a model is asked about, and of their statuses."""

from typing import Final

from biny_desktop.activity.segments.model import Segment, Status
from biny_desktop.activity.segments.store import by_id
from biny_desktop.storage.database import Reader, Writer

RETURNS_MS: Final = 7 * 86_400_000
"""Segments that were skipped for want of a model come back this long (spec 03 §3)."""
_READY: Final = "open = 0 AND kind <> 'private' AND trivial = 0"


def settle_statuses(w: Writer, now_ms: int, *, model: bool) -> int:
    """Say of closed segments why they wait: no model now, or one again; returns how many changed.

    The failures of the model that is gone are no tries of the next one.
    """
    if model:
        return w.run(
            "UPDATE segments SET status = 'pending', reason = '' WHERE status = 'skipped_no_model' "
            f"AND {_READY} AND ended_at >= :since",
            {"since": now_ms - RETURNS_MS},
        )
    return w.run(
        "UPDATE segments SET status = 'skipped_no_model', reason = '', tries = 0, next_try_at = NULL "
        f"WHERE status = 'pending' AND {_READY}"
    )


def due(r: Reader, now_ms: int, limit: int) -> list[Segment]:
    """Segments to ask about now, newest first: never asked, due for another try, or changed since."""
    rows = r.query(
        f"SELECT id FROM segments WHERE {_READY} AND ((status = 'pending' AND coalesce(next_try_at, 0) <= :now) "
        "OR (status IN ('analysed', 'not_worth', 'failed') AND stale = 1 AND coalesce(next_try_at, 0) <= :now)) "
        "ORDER BY started_at DESC LIMIT :limit",
        {"now": now_ms, "limit": limit},
    )
    ids = [row.int("id") for row in rows]
    found = by_id(r, ids)
    return [found[each] for each in ids if each in found]


def failed(r: Reader, limit: int) -> list[Segment]:
    """Segments whose analysis was given up, newest first."""
    rows = r.query("SELECT id FROM segments WHERE status = 'failed' ORDER BY started_at DESC LIMIT :limit",
                   {"limit": limit})  # fmt: skip
    ids = [row.int("id") for row in rows]
    found = by_id(r, ids)
    return [found[each] for each in ids if each in found]


def counts(r: Reader) -> dict[Status, int]:
    """Closed segments by status."""
    rows = r.query(f"SELECT status, count(*) AS n FROM segments WHERE {_READY} GROUP BY status")
    out: dict[Status, int] = {}
    for row in rows:
        out[row.text("status")] = row.int("n")  # type: ignore[index]  # the table's CHECK holds the words
    return out


def ask_again(w: Writer, segment_id: int) -> int:
    """Have a segment asked about anew, with all its tries."""
    return w.run(
        "UPDATE segments SET status = 'pending', reason = '', tries = 0, next_try_at = NULL "
        f"WHERE id = :id AND {_READY}",
        {"id": segment_id},
    )
