"""SQL of what a model may see of a segment: its frames with texts and addresses, its events, projects of late."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from biny_desktop.activity.frame_store import tiles_of
from biny_desktop.core.text import RedactedText
from biny_desktop.redaction import from_row
from biny_desktop.storage.database import Reader

_FRAMES_MAX: Final = 5_000
"""Frames of a segment that are looked at; two hours at one every 3 s are 2,400."""
_EVENTS_MAX: Final = 2_000


@dataclass(frozen=True, slots=True)
class SeenFrame:
    """A frame as the choice of texts needs it: `changed` tiles; `has_text` whether its text was read."""

    id: int
    at_ms: int
    app_name: RedactedText
    title: RedactedText
    url: RedactedText | None
    changed: int
    has_text: bool


@dataclass(frozen=True, slots=True)
class SeenEvent:
    """Something that happened in a segment: a window that came to the front, a title that changed."""

    at_ms: int
    kind: str
    app_name: RedactedText
    title: RedactedText


def frames_of(r: Reader, segment_id: int) -> list[SeenFrame]:
    """The frames of a segment in order."""
    rows = r.query(
        "SELECT f.id, f.captured_at, f.app_name, f.title, f.url, f.tiles, f.tile_cols, f.tile_rows, f.tile_px, "
        "f.grab_width, f.grab_height, t.frame_id AS read FROM frames f LEFT JOIN frame_text t ON t.frame_id = f.id "
        "WHERE f.segment_id = :id ORDER BY f.id LIMIT :limit",
        {"id": segment_id, "limit": _FRAMES_MAX},
    )
    out = []
    for row in rows:
        tiles, url = tiles_of(row), row.maybe_text("url")
        out.append(
            SeenFrame(
                row.int("id"), row.int("captured_at"), from_row(row.text("app_name")), from_row(row.text("title")),
                None if url is None else from_row(url), tiles.count() if tiles else 0,
                row.maybe_int("read") is not None,
            )
        )  # fmt: skip
    return out


def texts_of(r: Reader, frame_ids: Iterable[int]) -> dict[int, RedactedText]:
    """The texts of these frames, where there is one."""
    rows = r.query(
        "SELECT frame_id, text FROM frame_text WHERE frame_id IN (SELECT value FROM json_each(:ids))",
        {"ids": json.dumps(list(frame_ids))},
    )
    return {row.int("frame_id"): from_row(row.text("text")) for row in rows}


def events_of(r: Reader, segment_id: int) -> list[SeenEvent]:
    """Windows that came to the front and titles that changed, in order; nothing of private time."""
    rows = r.query(
        "SELECT at, kind, coalesce(app_name, '') AS app_name, coalesce(title, '') AS title FROM frame_events "
        "WHERE segment_id = :id AND kind IN ('focus', 'title') ORDER BY at, id LIMIT :limit",
        {"id": segment_id, "limit": _EVENTS_MAX},
    )
    return [
        SeenEvent(row.int("at"), row.text("kind"), from_row(row.text("app_name")), from_row(row.text("title")))
        for row in rows
    ]


def projects_since(r: Reader, since_ms: int, limit: int) -> list[RedactedText]:
    """Names of projects of the segments since that time, most used first."""
    rows = r.query(
        "SELECT project, sum(active_ms) AS ms FROM segments WHERE project IS NOT NULL AND started_at >= :since "
        "GROUP BY project ORDER BY ms DESC, project LIMIT :limit",
        {"since": since_ms, "limit": limit},
    )
    return [from_row(row.text("project")) for row in rows]
