"""SQL of deleting frames: rows, text, index terms and counts at once, then the files of pictures nobody uses."""

import json
import logging
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from biny_desktop.activity import derived_store, index, picture_store
from biny_desktop.activity.segments.clearing import Cleared, in_step
from biny_desktop.core.clock import Stamp
from biny_desktop.core.errors import BinyError
from biny_desktop.storage.database import Database, Reader, Writer
from biny_desktop.storage.pictures import PictureFiles
from biny_desktop.storage.rows import Params

log = logging.getLogger(__name__)
BATCH: Final = 1_000
"""Rows of one transaction (spec 03 §9.2)."""
_IDS = "(SELECT value FROM json_each(:ids))"
_JOB_KEY = "activity.delete_job"


@dataclass(frozen=True, slots=True)
class Scope:
    """What to delete as SQL conditions over `frames f` and `frame_events e` (None: no events), with their values."""

    frames: str
    events: str | None
    params: Params


@dataclass(frozen=True, slots=True)
class ScopeCounts:
    """What a scope holds; pictures are those that no frame outside of it uses. Times UTC ms."""

    frames: int
    events: int
    texts: int
    pictures: int
    picture_bytes: int
    pinned: int
    first_ms: int | None
    last_ms: int | None


@dataclass(frozen=True, slots=True)
class Freed:
    """Files removed and their bytes; `pending` could not be removed yet."""

    files: int
    bytes_freed: int
    pending: int


def stamps_of(r: Reader, ids: Iterable[int]) -> list[Stamp]:
    """When these frames were taken, in the order of their ids."""
    rows = r.query(
        f"SELECT captured_at, time_zone, mono_ms, boot_id FROM frames WHERE id IN {_IDS} ORDER BY id",
        {"ids": json.dumps(list(ids))},
    )
    return [
        Stamp(row.int("captured_at"), row.text("time_zone"), row.int("mono_ms"), row.text("boot_id")) for row in rows
    ]


def scope_counts(r: Reader, scope: Scope) -> ScopeCounts:
    """Count what a scope holds."""
    row = r.one(
        "SELECT count(*) AS frames, min(captured_at) AS first, max(captured_at) AS last, "
        f"count(t.frame_id) AS texts FROM frames f LEFT JOIN frame_text t ON t.frame_id = f.id WHERE {scope.frames}",
        scope.params,
    )
    only = r.one(
        "SELECT count(*) AS n, coalesce(sum(bytes), 0) AS bytes, coalesce(sum(pinned), 0) AS pinned FROM pictures p "
        f"WHERE p.state = 'live' AND p.id IN (SELECT picture_id FROM frames f WHERE {scope.frames}) "
        f"AND NOT EXISTS(SELECT 1 FROM frames f WHERE f.picture_id = p.id AND NOT ({scope.frames}))",
        scope.params,
    )
    assert row is not None
    assert only is not None
    return ScopeCounts(
        row.int("frames"), _count_events(r, scope), row.int("texts"), only.int("n"), only.int("bytes"),
        only.int("pinned"), row.maybe_int("first"), row.maybe_int("last"),
    )  # fmt: skip


def _count_events(r: Reader, scope: Scope) -> int:
    if scope.events is None:
        return 0
    row = r.one(f"SELECT count(*) AS n FROM frame_events e WHERE {scope.events}", scope.params)
    return row.int("n") if row else 0


def frame_batch(r: Reader, scope: Scope, size: int) -> list[int]:
    """The next frames of a scope."""
    rows = r.query(
        f"SELECT f.id FROM frames f WHERE {scope.frames} ORDER BY f.id LIMIT :batch", {**scope.params, "batch": size}
    )
    return [row.int("id") for row in rows]


def event_batch(r: Reader, scope: Scope, size: int) -> list[int]:
    """The next event rows of a scope."""
    if scope.events is None:
        return []
    rows = r.query(
        f"SELECT e.id FROM frame_events e WHERE {scope.events} ORDER BY e.id LIMIT :batch",
        {**scope.params, "batch": size},
    )
    return [row.int("id") for row in rows]


def delete_rows(
    w: Writer,
    frames: Sequence[int],
    events: Sequence[int],
    at_ms: int,
    gone: set[bytes] | None,
    cleared: Cleared,
    *,
    indexed: bool = True,
) -> int:
    """Delete frames and event rows, and bring the segments they belonged to in step; see `delete_frames`."""
    with in_step(w, frames, events, at_ms, cleared):
        texts = delete_frames(w, frames, at_ms, gone, indexed=indexed)
        delete_events(w, events)
    return texts


def delete_frames(w: Writer, ids: Sequence[int], at_ms: int, gone: set[bytes] | None, *, indexed: bool = True) -> int:
    """Delete frames with all that hangs on them; returns how many texts went.

    Pictures that no frame uses any more go to the delete list; other frames of a picture get its next owner; the next
    frame of each monitor loses its tile list, which compared it with a deleted one. `gone` collects their words;
    `indexed` is false when the index was emptied before.
    """
    params: Params = {"ids": json.dumps(list(ids)), "at": at_ms}
    _break_chains(w, params)
    with index.reindexed(w, ids if indexed else (), gone):
        pictures = json.dumps(
            [
                row.int("picture_id")
                for row in w.query(
                    f"SELECT DISTINCT picture_id FROM frames WHERE id IN {_IDS} AND picture_id IS NOT NULL", params
                )
            ]
        )
        texts = w.run(f"DELETE FROM frame_text WHERE frame_id IN {_IDS}", params)
        derived_store.drop_vectors(w, ids)
        w.run(f"DELETE FROM redactions WHERE ref_kind = 'frame' AND ref_id IN {_IDS}", params)
        w.run(f"DELETE FROM frames WHERE id IN {_IDS}", params)
    _pass_on(w, {"ids": pictures, "at": at_ms})
    return texts


def _break_chains(w: Writer, params: Params) -> None:
    w.run(
        "UPDATE frames SET tiles = NULL, tile_cols = NULL, tile_rows = NULL, tile_px = NULL, revision = revision + 1 "
        "WHERE id IN (SELECT (SELECT min(n.id) FROM frames n WHERE n.monitor_key = f.monitor_key AND n.id > f.id) "
        f"FROM frames f WHERE f.id IN {_IDS})",
        params,
    )


def _pass_on(w: Writer, params: Params) -> None:
    """Give the pictures with these ids their next owner, or put them on the delete list, at once without thumbnail."""
    w.run(
        "UPDATE frames AS f SET seen_again_of = nullif((SELECT min(o.id) FROM frames o "
        "WHERE o.picture_id = f.picture_id), f.id), revision = revision + 1 "
        f"WHERE f.picture_id IN {_IDS} "
        "AND (f.seen_again_of IS NULL OR NOT EXISTS(SELECT 1 FROM frames o WHERE o.id = f.seen_again_of))",
        params,
    )
    w.run(
        "UPDATE pictures SET state = 'pending_delete', thumb = NULL, pin_note = NULL, phash = '', pixel_hash = '', "
        f"updated_at = :at, revision = revision + 1 WHERE id IN {_IDS} "
        "AND NOT EXISTS(SELECT 1 FROM frames WHERE picture_id = pictures.id)",
        params,
    )


def delete_events(w: Writer, ids: Sequence[int]) -> None:
    """Delete event rows and what was counted as hidden in them."""
    params: Params = {"ids": json.dumps(list(ids))}
    w.run(f"DELETE FROM redactions WHERE ref_kind = 'event' AND ref_id IN {_IDS}", params)
    w.run(f"DELETE FROM frame_events WHERE id IN {_IDS}", params)


def event_stamps(r: Reader, ids: Sequence[int]) -> list[tuple[int, str]]:
    """(time, zone) of event rows."""
    rows = r.query(f"SELECT at, time_zone FROM frame_events WHERE id IN {_IDS}", {"ids": json.dumps(list(ids))})
    return [(row.int("at"), row.text("time_zone")) for row in rows]


def newest_ids(r: Reader) -> tuple[int, int]:
    """(frame id, event id) of the newest rows; later ones are not part of a delete that begins now."""
    row = r.one(
        "SELECT (SELECT coalesce(max(id), 0) FROM frames) AS f, (SELECT coalesce(max(id), 0) FROM frame_events) AS e"
    )
    return (row.int("f"), row.int("e")) if row else (0, 0)


def left_of(r: Reader, ids: Sequence[int]) -> int:
    """How many rows of any kind still belong to these frames; 0 after a good delete."""
    left = 0
    for start in range(0, len(ids), BATCH):
        row = r.one(
            f"SELECT (SELECT count(*) FROM frames WHERE id IN {_IDS}) + "
            f"(SELECT count(*) FROM frame_text WHERE frame_id IN {_IDS}) + "
            f"(SELECT count(*) FROM frame_vectors WHERE row_id IN {_IDS}) + "
            f"(SELECT count(*) FROM frame_passages WHERE frame_id IN {_IDS}) + "
            f"(SELECT count(*) FROM redactions WHERE ref_kind = 'frame' AND ref_id IN {_IDS}) + "
            f"(SELECT count(*) FROM frame_fts_docsize WHERE id IN {_IDS}) AS n",
            {"ids": json.dumps(list(ids[start : start + BATCH]))},
        )
        left += row.int("n") if row else 0
    return left


def touched_segments(r: Reader, scope: Scope) -> int:
    """How many segments hold rows of a scope."""
    events = "" if scope.events is None else f" UNION SELECT e.segment_id FROM frame_events e WHERE {scope.events}"
    row = r.one(
        f"SELECT count(segment_id) AS n FROM (SELECT f.segment_id FROM frames f WHERE {scope.frames}{events})",
        scope.params,
    )
    return row.int("n") if row else 0


def save_job(w: Writer, job: str | None) -> None:
    """Note the delete that is under way, so that the next start ends it; None when it is done."""
    w.run("DELETE FROM meta WHERE key = :key", {"key": _JOB_KEY})
    if job is not None:
        w.run("INSERT INTO meta(key, value) VALUES(:key, :value)", {"key": _JOB_KEY, "value": job})


def saved_job(r: Reader) -> str | None:
    """The delete that was under way when the process ended."""
    row = r.one("SELECT value FROM meta WHERE key = :key", {"key": _JOB_KEY})
    return row.text("value") if row else None


def finish_files(db: Database, files: PictureFiles, at_ms: int) -> Freed:
    """Remove the files on the delete list; what cannot be removed stays on it. With the folder gone all of it stays.

    A picture that frames still use (deleted by age) keeps its row; `at_ms` is when it went, UTC ms.

    Raises:
        StorageError: the database cannot be used.
    """
    gone = freed = stuck = 0
    after = 0
    there = files.available()
    while True:
        with db.read() as r:
            batch = picture_store.pending_files(r, after, BATCH)
        if not batch:
            return Freed(gone, freed, stuck)
        if not there:
            after, stuck = batch[-1][0], stuck + len(batch)
            continue
        removed: list[int] = []
        for picture_id, path in batch:
            after = picture_id
            try:
                freed += files.delete(path)
                removed.append(picture_id)
            except BinyError as error:
                stuck += 1
                log.warning("picture %d cannot be removed yet (%s)", picture_id, error.kind)
        with db.write() as w:
            for picture_id in removed:
                picture_store.remove_picture(w, picture_id)
                picture_store.mark_gone(w, picture_id, at_ms)
        gone += len(removed)


def delete_states(w: Writer) -> None:
    """Forget what states the recorder was in."""
    w.run("DELETE FROM recorder_states")
