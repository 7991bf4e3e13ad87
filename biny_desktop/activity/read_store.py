"""SQL of the read queue and of the texts that come out of it."""

import json
from collections.abc import Iterable
from dataclasses import dataclass

from biny_desktop.activity.frame_store import tiles_of
from biny_desktop.core.text import RedactedText
from biny_desktop.core.tiles import TileMask
from biny_desktop.storage.database import Reader, Writer
from biny_desktop.storage.rows import JsonValue

_NEXT = "SELECT f.id, f.monitor_key, f.read_urgent FROM frames f "
# One index range each, newest first: what somebody waits for, what is due, what failed before.
_DUE = (
    _NEXT + "WHERE f.read_state = 'queued' AND f.read_urgent = 1 ORDER BY f.id DESC LIMIT 1",
    _NEXT + "WHERE f.read_state = 'queued' AND f.read_urgent = 0 ORDER BY f.id DESC LIMIT 1",
    _NEXT + "WHERE f.read_state = 'failed' AND f.read_urgent = 1 ORDER BY f.id DESC LIMIT 1",
    _NEXT + "WHERE f.read_state = 'failed' AND f.read_urgent = 0 ORDER BY f.id DESC LIMIT 1",
)
_NOT_DUE = _NEXT + "WHERE f.read_state = 'not_due' AND f.read_urgent = 0 ORDER BY f.id DESC LIMIT 1"


@dataclass(frozen=True, slots=True)
class DueFrame:
    """The next frame to read."""

    frame_id: int
    monitor_key: str
    urgent: bool


@dataclass(frozen=True, slots=True)
class NewText:
    """The text of a frame: `lines` JSON [{box, start, end}], offsets into `text`."""

    frame_id: int
    text: RedactedText
    lines: str
    engine: str
    lines_read: int
    lines_reused: int
    ms: int
    read_at_ms: int


@dataclass(frozen=True, slots=True)
class ReadFrame:
    """What a finished reading needs to know of its frame."""

    read_state: str
    picture_id: int | None
    picture_state: str
    picture_size: tuple[int, int]
    time: tuple[int, str]
    why: JsonValue


def next_due(r: Reader, *, catch_up: bool) -> DueFrame | None:
    """Urgent ones first, then newest first, then those that failed; with `catch_up` also frames that were not due."""
    for sql in (*_DUE, _NOT_DUE) if catch_up else _DUE:
        row = r.one(sql)
        if row is not None:
            return DueFrame(row.int("id"), row.text("monitor_key"), row.flag("read_urgent"))
    return None


def set_state(w: Writer, frame_id: int, state: str, *, was: str | None = None) -> bool:
    """Change a frame's read state, if it is still `was`; False when nothing changed."""
    changed = w.run(
        "UPDATE frames SET read_state = :state, revision = revision + 1 "
        "WHERE id = :id AND (:was IS NULL OR read_state = :was)",
        {"id": frame_id, "state": state, "was": was},
    )
    return changed == 1


def mark_urgent(w: Writer, frame_id: int, state: str) -> None:
    """Have a frame read before all others, with fresh tries."""
    w.run(
        "UPDATE frames SET read_state = :state, read_urgent = 1, read_tries = 0, revision = revision + 1 "
        "WHERE id = :id",
        {"id": frame_id, "state": state},
    )


def count_try(w: Writer, frame_id: int, max_tries: int) -> None:
    """One more failed try of a frame that is being read; parked after the last one."""
    w.run(
        "UPDATE frames SET read_tries = read_tries + 1, revision = revision + 1, "
        "read_state = CASE WHEN read_tries + 1 >= :max THEN 'parked' ELSE 'failed' END "
        "WHERE id = :id AND read_state = 'reading'",
        {"id": frame_id, "max": max_tries},
    )


def requeue_reading(w: Writer) -> int:
    """Frames whose reading was cut off by the end of the process are due again; returns how many."""
    return w.run("UPDATE frames SET read_state = 'queued' WHERE read_state = 'reading'")


def trim_queue(w: Writer, limit: int) -> int:
    """Let the oldest of the frames that wait go unread when there are too many; returns how many went."""
    row = w.one("SELECT count(*) AS n FROM frames WHERE read_state IN ('queued', 'failed')")
    over = (row.int("n") if row else 0) - limit
    if over <= 0:
        return 0
    return w.run(
        "UPDATE frames SET read_state = 'not_read' WHERE id IN (SELECT id FROM frames "
        "WHERE read_state IN ('queued', 'failed') ORDER BY read_urgent, id LIMIT :over)",
        {"over": over},
    )


def read_frame(r: Reader, frame_id: int) -> ReadFrame | None:
    """The frame of a finished reading; None when it was deleted."""
    row = r.one(
        "SELECT f.read_state, f.captured_at, f.time_zone, f.why, p.id AS picture_id, "
        "coalesce(p.state, 'gone') AS state, coalesce(p.width, 0) AS width, coalesce(p.height, 0) AS height "
        "FROM frames f LEFT JOIN pictures p ON p.id = f.picture_id WHERE f.id = :id",
        {"id": frame_id},
    )
    if row is None:
        return None
    return ReadFrame(
        row.text("read_state"), row.maybe_int("picture_id"), row.text("state"), (row.int("width"), row.int("height")),
        (row.int("captured_at"), row.text("time_zone")), row.json("why"),
    )  # fmt: skip


def put_text(w: Writer, text: NewText) -> None:
    """Write a frame's text, in place of an earlier one; whether it gets vectors has to be decided (anew)."""
    w.run(
        "INSERT INTO frame_text(frame_id, text, lines, char_count, engine, lines_read, lines_reused, ms, read_at) "
        "VALUES(:id, :text, :lines, :chars, :engine, :read, :reused, :ms, :at) ON CONFLICT(frame_id) DO UPDATE SET "
        "text = excluded.text, lines = excluded.lines, char_count = excluded.char_count, engine = excluded.engine, "
        "lines_read = excluded.lines_read, lines_reused = excluded.lines_reused, ms = excluded.ms, "
        "read_at = excluded.read_at, revision = revision + 1",
        {
            "id": text.frame_id, "text": text.text, "lines": text.lines, "chars": len(text.text),
            "engine": text.engine, "read": text.lines_read, "reused": text.lines_reused, "ms": text.ms,
            "at": text.read_at_ms,
        },
    )  # fmt: skip
    w.run(
        "INSERT INTO frame_passages(frame_id, revision, state, at) VALUES(:id, 1, 'pending', :at) "
        "ON CONFLICT(frame_id) DO UPDATE SET revision = revision + 1, state = 'pending', same_as = NULL, parts = 0, "
        "tries = 0, at = excluded.at",
        {"id": text.frame_id, "at": text.read_at_ms},
    )
    _undecide_copies(w, text.frame_id)


def drop_text(w: Writer, frame_id: int) -> None:
    """Remove a frame's text, and what it was found by."""
    w.run("DELETE FROM frame_text WHERE frame_id = :id", {"id": frame_id})
    w.run("DELETE FROM frame_vectors WHERE row_id = :id", {"id": frame_id})
    w.run(
        # The row stays: a revision that was given once is not given to other words.
        "UPDATE frame_passages SET revision = revision + 1, state = 'short', same_as = NULL, parts = 0, tries = 0 "
        "WHERE frame_id = :id",
        {"id": frame_id},
    )
    _undecide_copies(w, frame_id)


def _undecide_copies(w: Writer, frame_id: int) -> None:
    """Texts that had no vectors because that frame's text said the same are to be looked at again."""
    w.run(
        "UPDATE frame_passages SET state = 'pending', same_as = NULL WHERE same_as = :id",
        {"id": frame_id},
    )


def drop_text_counts(w: Writer, frame_id: int) -> None:
    """Forget what was counted as hidden in a frame's earlier text."""
    w.run("DELETE FROM redactions WHERE ref_kind = 'frame' AND ref_id = :id AND field = 'text'", {"id": frame_id})


def finish(w: Writer, frame_id: int, state: str, why: str, at_ms: int) -> None:
    """End a reading: its state and the `why` that now tells of it."""
    w.run(
        "UPDATE frames SET read_state = :state, read_urgent = 0, why = :why, updated_at = :at, revision = revision + 1 "
        "WHERE id = :id",
        {"id": frame_id, "state": state, "why": why, "at": at_ms},
    )


def add_flag(w: Writer, frame_id: int, flag: str) -> None:
    """Add a word to a frame's flags, once."""
    w.run(
        "UPDATE frames SET flags = trim(flags || ' ' || :flag) "
        "WHERE id = :id AND instr(' ' || flags || ' ', ' ' || :flag || ' ') = 0",
        {"id": frame_id, "flag": flag},
    )


def unread_counts(r: Reader) -> dict[str, int]:
    """How many frames wait or were given up, by read state; nearly all others are read or have nothing to read."""
    rows = r.query(
        "SELECT read_state, count(*) AS n FROM frames "
        "WHERE read_state IN ('queued', 'reading', 'failed', 'parked', 'not_read') GROUP BY read_state"
    )
    return {row.text("read_state"): row.int("n") for row in rows}


def state_counts(r: Reader) -> dict[str, int]:
    """How many frames are in each read state."""
    rows = r.query("SELECT read_state, count(*) AS n FROM frames GROUP BY read_state")
    return {row.text("read_state"): row.int("n") for row in rows}


def tiles_in_chain(r: Reader, low_id: int, high_id: int, limit: int) -> list[TileMask | None] | None:
    """The tile masks of the frames of one monitor after `low_id` up to `high_id`; None when one of the two is gone,
    they are of different monitors, or there are more than `limit`."""
    ends = r.query("SELECT id, monitor_key FROM frames WHERE id IN (:low, :high)", {"low": low_id, "high": high_id})
    if len(ends) != 2 or ends[0].text("monitor_key") != ends[1].text("monitor_key"):
        return None
    rows = r.query(
        "SELECT tiles, tile_cols, tile_rows, tile_px FROM frames WHERE monitor_key = :key "
        "AND id > :low AND id <= :high ORDER BY id LIMIT :limit",
        {"key": ends[0].text("monitor_key"), "low": low_id, "high": high_id, "limit": limit + 1},
    )
    return [tiles_of(row) for row in rows] if len(rows) <= limit else None


def give_up(w: Writer, ids: Iterable[int]) -> None:
    """Frames whose picture is gone are not read any more."""
    w.run(
        "UPDATE frames SET read_state = 'picture_gone' WHERE id IN (SELECT value FROM json_each(:ids)) "
        "AND read_state IN ('not_due', 'queued', 'reading', 'failed', 'not_read', 'parked')",
        {"ids": json.dumps(list(ids))},
    )
