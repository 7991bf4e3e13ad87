"""SQL of frame rows: written once, listed newest first, read one by one."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from biny_desktop.activity.model import Frame
from biny_desktop.activity.safe_fields import SafeWindow
from biny_desktop.core.clock import Stamp
from biny_desktop.core.tiles import TileMask
from biny_desktop.storage.database import Reader, Writer
from biny_desktop.storage.rows import Params, Row

LIST_COLUMNS: Final = (
    "f.id, f.captured_at, f.time_zone, f.trigger, f.app_id, f.app_name, f.title, f.monitor_key, f.read_state, "
    "f.seen_again_of, f.flags, coalesce(p.state, 'gone') AS picture_state, coalesce(p.pinned, 0) AS pinned, "
    "coalesce(p.tier, 'gone') AS tier, (SELECT coalesce(sum(count), 0) FROM redactions "
    "WHERE ref_kind = 'frame' AND ref_id = f.id) AS hidden"
)
"""Columns of `frame_of`; to be used with `frames f LEFT JOIN pictures p ON p.id = f.picture_id`."""


@dataclass(frozen=True, slots=True)
class NewRow:
    """A frame row to write. `why` is JSON, `grab_size` (width, height) px of the unscaled picture, `hidden`
    field → type → how many secrets, `id` a reserved one or None."""

    stamp: Stamp
    trigger: str
    monitor_key: str
    scale: float
    window: SafeWindow
    idle_ms: int | None
    keys: int
    clicks: int
    picture_id: int
    seen_again_of: int | None
    grab_size: tuple[int, int]
    tiles: TileMask | None
    change_reason: str
    flags: tuple[str, ...]
    read_state: str
    read_urgent: bool
    why: str
    hidden: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    id: int | None = None


@dataclass(frozen=True, slots=True)
class Original:
    """The earlier frame that a seen-again frame points at, as the owner of its picture."""

    frame_id: int
    picture_id: int
    grab_size: tuple[int, int]


def insert_frame(w: Writer, row: NewRow) -> int:
    """Write a frame row; returns its id, which is never used again."""
    return w.insert(
        "INSERT INTO frames(id, captured_at, time_zone, mono_ms, boot_id, trigger, monitor_key, scale, app_id, "
        "app_name, title, url, idle_ms, keys, clicks, picture_id, seen_again_of, grab_width, grab_height, tiles, "
        "tile_cols, tile_rows, tile_px, change_reason, flags, read_state, read_urgent, why, created_at, updated_at) "
        "VALUES(:id, :at, :zone, :mono, :boot, :trigger, :monitor_key, :scale, :app_id, :app_name, :title, :url, "
        ":idle_ms, :keys, :clicks, :picture_id, :seen_again_of, :grab_width, :grab_height, :tiles, :tile_cols, "
        ":tile_rows, :tile_px, :change_reason, :flags, :read_state, :read_urgent, :why, :at, :at)",
        _params(row),
    )


def reserve_id(w: Writer) -> int:
    """An id for a frame that may be written later; like every id it is never given again."""
    if not w.run("UPDATE sqlite_sequence SET seq = seq + 1 WHERE name = 'frames'"):
        w.run("INSERT INTO sqlite_sequence(name, seq) VALUES('frames', 1)")
    row = w.one("SELECT seq FROM sqlite_sequence WHERE name = 'frames'")
    assert row is not None
    return row.int("seq")


def _params(row: NewRow) -> Params:
    tiles = row.tiles
    return {
        "id": row.id, "at": row.stamp.at_ms, "zone": row.stamp.zone, "mono": row.stamp.mono_ms,
        "boot": row.stamp.boot_id,
        "trigger": row.trigger, "monitor_key": row.monitor_key, "scale": row.scale, "app_id": row.window.app_id,
        "app_name": row.window.app_name, "title": row.window.title, "url": row.window.url, "idle_ms": row.idle_ms,
        "keys": row.keys, "clicks": row.clicks, "picture_id": row.picture_id, "seen_again_of": row.seen_again_of,
        "grab_width": row.grab_size[0], "grab_height": row.grab_size[1], "tiles": tiles.bits if tiles else None,
        "tile_cols": tiles.cols if tiles else None, "tile_rows": tiles.rows if tiles else None,
        "tile_px": tiles.tile_px if tiles else None, "change_reason": row.change_reason,
        "flags": " ".join(row.flags), "read_state": row.read_state, "read_urgent": int(row.read_urgent),
        "why": row.why,
    }  # fmt: skip


def original_of(r: Reader, frame_id: int) -> Original | None:
    """The owner of that frame's picture; None when frame or picture are gone."""
    row = r.one(
        "SELECT coalesce(f.seen_again_of, f.id) AS owner, f.picture_id, f.grab_width, f.grab_height FROM frames f "
        "JOIN pictures p ON p.id = f.picture_id AND p.state = 'live' WHERE f.id = :id",
        {"id": frame_id},
    )
    if row is None:
        return None
    return Original(row.int("owner"), row.int("picture_id"), (row.int("grab_width"), row.int("grab_height")))


def frame_of(row: Row) -> Frame:
    """A listed frame from `LIST_COLUMNS`."""
    return Frame(
        id=row.int("id"),
        at_ms=row.int("captured_at"),
        zone=row.text("time_zone"),
        trigger=row.text("trigger"),
        app_id=row.text("app_id"),
        app_name=row.text("app_name"),
        title=row.text("title"),
        monitor_key=row.text("monitor_key"),
        picture_state=row.text("picture_state"),  # type: ignore[arg-type]  # held by a CHECK of the table
        read_state=row.text("read_state"),  # type: ignore[arg-type]  # held by a CHECK of the table
        seen_again_of=row.maybe_int("seen_again_of"),
        redactions=row.int("hidden"),
        pinned=row.flag("pinned"),
        flags=tuple(row.text("flags").split()),
    )


def frames_by_id(r: Reader, ids: Iterable[int]) -> dict[int, tuple[Frame, str]]:
    """Frames with the tier of their picture, by id; missing ones are left out."""
    rows = r.query(
        f"SELECT {LIST_COLUMNS} FROM frames f LEFT JOIN pictures p ON p.id = f.picture_id "
        "WHERE f.id IN (SELECT value FROM json_each(:ids))",
        {"ids": json.dumps(list(ids))},
    )
    return {row.int("id"): (frame_of(row), row.text("tier")) for row in rows}


def tiles_of(row: Row) -> TileMask | None:
    """The tile mask of a row with the four tile columns."""
    bits, cols, rows, px = (
        row.maybe_blob("tiles"), row.maybe_int("tile_cols"), row.maybe_int("tile_rows"), row.maybe_int("tile_px")
    )  # fmt: skip
    if bits is None or cols is None or rows is None or px is None:
        return None
    return TileMask(cols, rows, px, bits)


def ids_there(r: Reader, ids: Iterable[int]) -> set[int]:
    """Those of the ids that still are frames."""
    rows = r.query(
        "SELECT id FROM frames WHERE id IN (SELECT value FROM json_each(:ids))", {"ids": json.dumps(list(ids))}
    )
    return {row.int("id") for row in rows}
