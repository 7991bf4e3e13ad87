"""SQL of letting texts go by age."""

import json
from collections.abc import Sequence

from biny_desktop.storage.database import Reader, Writer


def newest_before(r: Reader, before_ms: int) -> int:
    """The highest id of the frames taken before a time; 0 without any."""
    row = r.one("SELECT coalesce(max(id), 0) AS id FROM frames WHERE captured_at < :before", {"before": before_ms})
    return row.int("id") if row else 0


def due(r: Reader, before_ms: int, last_id: int, limit: int) -> list[int]:
    """Frames up to an id, taken before a time, that have a text, oldest first by id."""
    rows = r.query(
        "SELECT t.frame_id AS id FROM frame_text t CROSS JOIN frames f ON f.id = t.frame_id "
        "WHERE t.frame_id <= :last AND f.captured_at < :before ORDER BY t.frame_id LIMIT :limit",
        {"last": last_id, "before": before_ms, "limit": limit},
    )
    return [row.int("id") for row in rows]


def remove(w: Writer, ids: Sequence[int]) -> int:
    """Delete the texts of these frames; returns how many there were."""
    return w.run(
        "DELETE FROM frame_text WHERE frame_id IN (SELECT value FROM json_each(:ids))", {"ids": json.dumps(list(ids))}
    )
