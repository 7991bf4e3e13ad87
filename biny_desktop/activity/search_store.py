"""SQL of keyword search: ids from the text index, newest first or ranked, and the texts that hits are shown with."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from biny_desktop.activity.model import TextLine
from biny_desktop.activity.timeline_store import id_range, text_lines
from biny_desktop.storage.database import Reader
from biny_desktop.storage.rows import SqlValue

MAX_ID: Final = 2**62


@dataclass(frozen=True, slots=True)
class Window:
    """Which frames a search looks at: ids [low, high], and the times to check on each row (None: no need)."""

    low: int
    high: int
    times: tuple[int, int] | None


@dataclass(frozen=True, slots=True)
class HitText:
    """What a hit is shown with."""

    text: str
    lines: tuple[TextLine, ...]


def window(r: Reader, after_ms: int | None, before_ms: int | None) -> Window | None:
    """The ids of a time range; None when no frame is in it."""
    if after_ms is None and before_ms is None:
        return Window(0, MAX_ID, None)
    ids = id_range(r, after_ms, before_ms)
    if ids is None:
        return None
    times = (-MAX_ID if after_ms is None else after_ms, MAX_ID if before_ms is None else before_ms)
    return Window(ids.low, ids.high, times)


def newest(r: Reader, match: str, where: Window, below: int, limit: int) -> list[int]:
    """Ids of matching frames below an id, newest first."""
    params: dict[str, SqlValue] = {
        "match": match, "low": where.low, "high": min(where.high, below - 1), "limit": limit
    }  # fmt: skip
    if where.times is None:
        sql = (
            "SELECT rowid AS id FROM frame_fts WHERE frame_fts MATCH :match AND rowid BETWEEN :low AND :high "
            "ORDER BY rowid DESC LIMIT :limit"
        )
    else:
        params |= {"after": where.times[0], "before": where.times[1]}
        sql = (
            "SELECT x.rowid AS id FROM frame_fts x CROSS JOIN frames f ON f.id = x.rowid "
            "WHERE x.frame_fts MATCH :match AND x.rowid BETWEEN :low AND :high "
            "AND f.captured_at >= :after AND f.captured_at < :before "
            "ORDER BY x.rowid DESC LIMIT :limit"
        )
    return [row.int("id") for row in r.query(sql, params)]


def ranked(r: Reader, match: str, ids: Sequence[int]) -> list[int]:
    """These matching frames, best first by bm25 (title counts three times, filter tokens do not), then newest."""
    if not ids:
        return []
    # Filtering by `rowid IN (…)` would make FTS5 run the query once for each id.
    rows = r.query(
        "SELECT rowid AS id FROM frame_fts WHERE frame_fts MATCH :match AND rowid BETWEEN :low AND :high "
        "ORDER BY bm25(frame_fts, 1.0, 3.0, 0.0), rowid DESC",
        {"match": match, "low": min(ids), "high": max(ids)},
    )
    wanted = set(ids)
    return [each for row in rows if (each := row.int("id")) in wanted]


def hit_texts(r: Reader, ids: Iterable[int]) -> dict[int, HitText]:
    """Texts and lines by frame id, where there is a text."""
    rows = r.query(
        "SELECT frame_id, text, lines FROM frame_text WHERE frame_id IN (SELECT value FROM json_each(:ids))",
        {"ids": json.dumps(list(ids))},
    )
    return {row.int("frame_id"): HitText(row.text("text"), text_lines(row.json("lines"))) for row in rows}
