"""SQL behind the text index of frames: the rows it is computed from, and how far a rebuild came."""

import json
from collections.abc import Iterable
from dataclasses import dataclass

from biny_desktop.storage.database import Reader, Writer

_REBUILD_KEY = "frame_fts.rebuilt_to"


@dataclass(frozen=True, slots=True)
class IndexedRow:
    """What a frame is found by: `live` its picture is there, `redacted` something in it was hidden."""

    frame_id: int
    app_id: str
    app_name: str
    title: str
    trigger: str
    monitor_key: str
    flags: tuple[str, ...]
    text: str
    live: bool
    pinned: bool
    redacted: bool


def indexed_rows(r: Reader, ids: Iterable[int]) -> list[IndexedRow]:
    """The rows of these frames, in the order of their ids."""
    rows = r.query(
        "SELECT f.id, f.app_id, f.app_name, f.title, f.trigger, f.monitor_key, f.flags, coalesce(t.text, '') AS text, "
        "coalesce(p.state = 'live', 0) AS live, coalesce(p.pinned, 0) AS pinned, "
        "EXISTS(SELECT 1 FROM redactions WHERE ref_kind = 'frame' AND ref_id = f.id) AS redacted "
        "FROM frames f LEFT JOIN frame_text t ON t.frame_id = f.id LEFT JOIN pictures p ON p.id = f.picture_id "
        "WHERE f.id IN (SELECT value FROM json_each(:ids)) ORDER BY f.id",
        {"ids": json.dumps(list(ids))},
    )
    return [
        IndexedRow(
            row.int("id"), row.text("app_id"), row.text("app_name"), row.text("title"), row.text("trigger"),
            row.text("monitor_key"), tuple(row.text("flags").split()), row.text("text"), row.flag("live"),
            row.flag("pinned"), row.flag("redacted"),
        )
        for row in rows
    ]  # fmt: skip


def frames_after(r: Reader, frame_id: int, limit: int) -> list[int]:
    """Ids above that one, lowest first."""
    rows = r.query("SELECT id FROM frames WHERE id > :id ORDER BY id LIMIT :limit", {"id": frame_id, "limit": limit})
    return [row.int("id") for row in rows]


def rebuilt_to(r: Reader) -> int | None:
    """The last frame id of a rebuild under way; None when none is."""
    row = r.one("SELECT value FROM meta WHERE key = :key", {"key": _REBUILD_KEY})
    return int(row.text("value")) if row else None


def set_rebuilt_to(w: Writer, frame_id: int | None) -> None:
    """Note how far a rebuild came; None ends it."""
    w.run("DELETE FROM meta WHERE key = :key", {"key": _REBUILD_KEY})
    if frame_id is not None:
        w.run("INSERT INTO meta(key, value) VALUES(:key, :value)", {"key": _REBUILD_KEY, "value": str(frame_id)})


def stop_reading(w: Writer, last_frame: int) -> None:
    """Have no reading end for frames up to that id."""
    w.run("UPDATE frames SET read_state = 'not_read' WHERE id <= :id", {"id": last_frame})
