"""SQL of the timeline: pages of frames, one frame with everything, times without frames, counts."""

import json
from collections.abc import Iterable
from dataclasses import dataclass

from biny_desktop.activity.frame_store import LIST_COLUMNS, frame_of, tiles_of
from biny_desktop.activity.gaps import StateRow
from biny_desktop.activity.model import Frame, FrameDetail, TextLine
from biny_desktop.core.geometry import Rect
from biny_desktop.storage.database import Reader
from biny_desktop.storage.rows import JsonValue, Row, SqlValue

_FROM = "FROM frames f LEFT JOIN pictures p ON p.id = f.picture_id "


@dataclass(frozen=True, slots=True)
class IdRange:
    """Frame ids [low, high] that hold every frame of some time; both inclusive."""

    low: int
    high: int


def id_range(r: Reader, start_ms: int | None, end_ms: int | None) -> IdRange | None:
    """The lowest and highest id of the frames in [start, end); None when there is none.

    Ids follow the order of writing, so with a clock that was set the range can hold other frames too: check the row.
    """
    row = r.one(
        "SELECT min(id) AS low, max(id) AS high FROM frames WHERE captured_at >= :start AND captured_at < :end",
        {"start": -(2**62) if start_ms is None else start_ms, "end": 2**62 if end_ms is None else end_ms},
    )
    if row is None or row.maybe_int("low") is None:
        return None
    return IdRange(row.int("low"), row.int("high"))


def page(
    r: Reader,
    limit: int,
    before: int | None,
    times: tuple[int | None, int | None],
    app: tuple[str, str] | None,
) -> list[Frame]:
    """Frames newest first (by id), below `before`; `app` is (id, index query of it)."""
    where, params = ["f.id < :before"], dict[str, SqlValue](limit=limit, before=2**62 if before is None else before)
    start, end = times
    if start is not None or end is not None:
        ids = id_range(r, start, end)
        if ids is None:
            return []
        where += ["f.id BETWEEN :low AND :high", "f.captured_at >= :start", "f.captured_at < :end"]
        params |= {"low": ids.low, "high": ids.high}
        params |= {"start": -(2**62) if start is None else start, "end": 2**62 if end is None else end}
    if app is not None:
        # The index gives ids newest first; an index of the table over app and id would be one more to write.
        return _page_of_app(r, limit, where, params, app)
    rows = r.query(f"SELECT {LIST_COLUMNS} {_FROM}WHERE {' AND '.join(where)} ORDER BY f.id DESC LIMIT :limit", params)
    return [frame_of(row) for row in rows]


def _page_of_app(
    r: Reader, limit: int, where: list[str], params: dict[str, SqlValue], app: tuple[str, str]
) -> list[Frame]:
    found = r.query(
        "SELECT x.rowid AS id FROM frame_fts x CROSS JOIN frames f ON f.id = x.rowid WHERE x.frame_fts MATCH :match "
        "AND x.rowid < :before AND f.app_id = :app AND "
        f"{' AND '.join(where).replace('f.id BETWEEN', 'x.rowid BETWEEN')} ORDER BY x.rowid DESC LIMIT :limit",
        {**params, "match": app[1], "app": app[0]},
    )
    ids = [row.int("id") for row in found]
    rows = r.query(
        f"SELECT {LIST_COLUMNS} {_FROM}WHERE f.id IN (SELECT value FROM json_each(:ids)) ORDER BY f.id DESC",
        {"ids": json.dumps(ids)},
    )
    return [frame_of(row) for row in rows]


def detail(r: Reader, frame_id: int) -> FrameDetail | None:
    """Everything known of a frame; None when it is gone."""
    row = r.one(
        f"SELECT {LIST_COLUMNS}, f.url, f.idle_ms, f.keys, f.clicks, f.scale, f.change_reason, f.why, f.picture_id, "
        "f.grab_width, f.grab_height, f.tiles, f.tile_cols, f.tile_rows, f.tile_px, f.revision, p.path, "
        "coalesce(p.bytes, 0) AS bytes, coalesce(p.width, 0) AS width, coalesce(p.height, 0) AS height, "
        "coalesce(p.sealed, 0) AS sealed, p.pin_note, t.text, t.lines, t.engine, "
        "coalesce(t.lines_read, 0) AS lines_read, coalesce(t.lines_reused, 0) AS lines_reused, "
        "coalesce(t.ms, 0) AS read_ms, t.read_at "
        f"{_FROM}LEFT JOIN frame_text t ON t.frame_id = f.id WHERE f.id = :id",
        {"id": frame_id},
    )
    if row is None:
        return None
    why = row.json("why")
    return FrameDetail(
        frame=frame_of(row), url=row.maybe_text("url"), idle_ms=row.maybe_int("idle_ms"), keys=row.int("keys"),
        clicks=row.int("clicks"), scale=row.float("scale"), change_reason=row.text("change_reason"),
        why=why if isinstance(why, dict) else {}, picture_id=row.maybe_int("picture_id"),
        picture_path=row.maybe_text("path"), picture_bytes=row.int("bytes"),
        picture_size=(row.int("width"), row.int("height")), picture_tier=row.text("tier"), sealed=row.flag("sealed"),
        grab_size=(row.int("grab_width"), row.int("grab_height")), tiles=tiles_of(row), text=row.maybe_text("text"),
        lines=text_lines(row.json("lines")), engine=row.maybe_text("engine"), lines_read=row.int("lines_read"),
        lines_reused=row.int("lines_reused"), read_ms=row.int("read_ms"), read_at_ms=row.maybe_int("read_at"),
        redactions_by_type=_hidden_by_type(r, frame_id), revision=row.int("revision"),
        pin_note=row.maybe_text("pin_note"),
    )  # fmt: skip


def _hidden_by_type(r: Reader, frame_id: int) -> dict[str, int]:
    rows = r.query(
        "SELECT type, sum(count) AS n FROM redactions WHERE ref_kind = 'frame' AND ref_id = :id GROUP BY type",
        {"id": frame_id},
    )
    return {row.text("type"): row.int("n") for row in rows}


def text_lines(stored: JsonValue) -> tuple[TextLine, ...]:
    """The `lines` column of a text as values; one written by another version that does not fit is left out."""
    out: list[TextLine] = []
    for item in stored if isinstance(stored, list) else []:
        if isinstance(item, dict):
            box, start, end = item.get("box"), item.get("start"), item.get("end")
            if isinstance(box, list) and len(box) == 4 and isinstance(start, int) and isinstance(end, int):
                x, y, w, h = (int(side) if isinstance(side, int | float) else 0 for side in box)
                out.append(TextLine(Rect(x, y, w, h), start, end))
    return tuple(out)


def thumbs(r: Reader, ids: Iterable[int]) -> dict[int, bytes]:
    """Thumbnails by frame id, where there is one."""
    rows = r.query(
        "SELECT f.id, p.thumb FROM frames f JOIN pictures p ON p.id = f.picture_id "
        "WHERE f.id IN (SELECT value FROM json_each(:ids)) AND p.thumb IS NOT NULL",
        {"ids": json.dumps(list(ids))},
    )
    return {row.int("id"): row.blob("thumb") for row in rows}


def stretches(r: Reader, start_ms: int, end_ms: int, min_ms: int) -> list[tuple[int, int]]:
    """Stretches of [start, end) of at least `min_ms` in which nobody looked at the screen, oldest first.

    A `same_*` skip counts as a look: the screen was as the last frame shows it.
    """
    rows = r.query(
        "WITH seen(at) AS (SELECT captured_at FROM frames WHERE captured_at >= :start AND captured_at < :end "
        "UNION ALL SELECT at FROM frame_events WHERE at >= :start AND at < :end AND kind = 'skip' "
        "AND reason GLOB 'same_*' "
        "UNION ALL SELECT coalesce(until, at) FROM frame_events WHERE at >= :start AND at < :end AND kind = 'skip' "
        "AND reason GLOB 'same_*' AND coalesce(until, at) < :end UNION ALL SELECT :start UNION ALL SELECT :end) "
        "SELECT low, high FROM (SELECT at AS low, lead(at) OVER (ORDER BY at) AS high FROM seen) "
        "WHERE high - low >= :min ORDER BY low",
        {"start": start_ms, "end": end_ms, "min": max(1, min_ms)},
    )
    return [(row.int("low"), row.int("high")) for row in rows]


def states_around(r: Reader, start_ms: int, end_ms: int, limit: int) -> list[StateRow]:
    """Recorder states of [start, end) and the last one before it, oldest first."""
    rows = r.query(
        "SELECT id, at, state, reason FROM (SELECT id, at, state, reason FROM recorder_states WHERE at < :start "
        "ORDER BY at DESC, id DESC LIMIT 1) UNION ALL SELECT id, at, state, reason FROM (SELECT id, at, state, reason "
        "FROM recorder_states WHERE at >= :start AND at < :end AND state IN ('off', 'starting', 'armed', 'blocked', "
        "'backing_off') ORDER BY at, id LIMIT :limit) ORDER BY at, id",
        {"start": start_ms, "end": end_ms, "limit": limit},
    )
    return [StateRow(row.int("at"), row.text("state"), row.text("reason")) for row in rows]


def known_since(r: Reader) -> int | None:
    """The time of the first row of any kind; None in an empty database."""
    row = r.one(
        "SELECT min(at) AS at FROM (SELECT min(captured_at) AS at FROM frames "
        "UNION ALL SELECT min(at) FROM frame_events UNION ALL SELECT min(at) FROM recorder_states)"
    )
    return row.maybe_int("at") if row else None


def neighbours(r: Reader, frame_id: int) -> tuple[int | None, int | None]:
    """The ids before and after."""
    row = r.one(
        "SELECT (SELECT max(id) FROM frames WHERE id < :id) AS low, "
        "(SELECT min(id) FROM frames WHERE id > :id) AS high",
        {"id": frame_id},
    )
    return (row.maybe_int("low"), row.maybe_int("high")) if row else (None, None)


def newest_before(r: Reader, before_ms: int) -> tuple[int, str] | None:
    """(time, zone) of the newest frame before that time."""
    row = r.one(
        "SELECT captured_at, time_zone FROM frames WHERE captured_at < :before ORDER BY captured_at DESC LIMIT 1",
        {"before": before_ms},
    )
    return (row.int("captured_at"), row.text("time_zone")) if row else None


def count_between(r: Reader, start_ms: int, end_ms: int) -> int:
    """Frames of [start, end)."""
    row = r.one(
        "SELECT count(*) AS n FROM frames WHERE captured_at >= :start AND captured_at < :end",
        {"start": start_ms, "end": end_ms},
    )
    return row.int("n") if row else 0


def apps_between(r: Reader, start_ms: int | None, end_ms: int | None) -> list[tuple[str, str, int]]:
    """(app id, newest name, frames) of [start, end), most frames first; one step of an index an app."""
    rows: list[Row] = r.query(
        "WITH RECURSIVE app(id) AS (SELECT min(app_id) FROM frames UNION ALL "
        "SELECT (SELECT min(app_id) FROM frames WHERE app_id > app.id) FROM app WHERE app.id IS NOT NULL) "
        "SELECT id, (SELECT app_name FROM frames WHERE app_id = app.id ORDER BY captured_at DESC LIMIT 1) AS name, "
        "(SELECT count(*) FROM frames WHERE app_id = app.id AND captured_at >= :start AND captured_at < :end) AS n "
        "FROM app WHERE id IS NOT NULL ORDER BY n DESC, id",
        {"start": -(2**62) if start_ms is None else start_ms, "end": 2**62 if end_ms is None else end_ms},
    )
    return [(row.text("id"), row.text("name"), row.int("n")) for row in rows if row.int("n")]


@dataclass(frozen=True, slots=True)
class RowCounts:
    """Counts of the tables that only Doctor asks for."""

    events: int
    texts: int
    pictures_live: int
    picture_bytes: int
    pictures_pending: int


@dataclass(frozen=True, slots=True)
class NewestRows:
    """How many frames there are, and the times of the last rows, UTC ms."""

    frames: int
    frame_ms: int | None
    event_ms: int | None


def newest_rows(r: Reader) -> NewestRows:
    """Count the frames and look at the last rows."""
    row = r.one(
        "SELECT (SELECT count(*) FROM frames) AS frames, "
        "(SELECT captured_at FROM frames ORDER BY id DESC LIMIT 1) AS last_frame, "
        "(SELECT coalesce(until, at) FROM frame_events ORDER BY id DESC LIMIT 1) AS last_event"
    )
    if row is None:
        return NewestRows(0, None, None)
    return NewestRows(row.int("frames"), row.maybe_int("last_frame"), row.maybe_int("last_event"))


def row_counts(r: Reader) -> RowCounts:
    """Count everything else; each from an index."""
    row = r.one(
        "SELECT (SELECT count(*) FROM frame_events) AS events, "
        "(SELECT count(*) FROM frames WHERE read_state = 'done') AS texts, "
        "(SELECT count(*) FROM pictures WHERE state = 'live') AS live, "
        "(SELECT coalesce(sum(bytes), 0) FROM pictures WHERE state IN ('live', 'pending_delete')) AS bytes, "
        "(SELECT count(*) FROM pictures WHERE state = 'pending_delete') AS pending"
    )
    if row is None:
        return RowCounts(0, 0, 0, 0, 0)
    return RowCounts(row.int("events"), row.int("texts"), row.int("live"), row.int("bytes"), row.int("pending"))
