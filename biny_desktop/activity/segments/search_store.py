"""SQL of searching segments: ids from their text index, newest first by time."""

from biny_desktop.storage.database import Reader


def newest(r: Reader, match: str, times: tuple[int | None, int | None], before_ms: int | None, limit: int) -> list[int]:
    """Ids of matching segments that began in [after, before) and before the page before, newest first.

    Segments are few (some thousand a year), so all matches are joined with their rows.
    """
    after, until = times
    rows = r.query(
        "SELECT s.id FROM segment_fts x CROSS JOIN segments s ON s.id = x.rowid WHERE x.segment_fts MATCH :match "
        "AND s.started_at >= :after AND s.started_at < :until ORDER BY s.started_at DESC, s.id DESC LIMIT :limit",
        {
            "match": match, "after": -(2**62) if after is None else after, "limit": limit,
            "until": min(2**62 if until is None else until, 2**62 if before_ms is None else before_ms),
        },
    )  # fmt: skip
    return [row.int("id") for row in rows]
