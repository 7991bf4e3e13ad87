"""SQL of `frame_passages`: which texts are to be embedded, which were, and which are left out and why (spec 03 §7).

`revision` counts changes of a text's words (`read_store` raises it); the vectors of a frame carry it.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from biny_desktop.core.text import RedactedText
from biny_desktop.redaction import from_row
from biny_desktop.storage.database import Reader, Writer
from biny_desktop.storage.rows import Row

# `+` keeps SQLite from reading every row of a state to find a few.
PRESENT: Final = "SELECT frame_id AS id, revision FROM frame_passages WHERE +state IN ('pending', 'embedded')"
_IDS: Final = "(SELECT value FROM json_each(:ids))"
_FRAME: Final = "p.frame_id, p.revision, p.tries, f.app_id, f.title, f.captured_at, t.text "
_JOINS: Final = "LEFT JOIN frames f ON f.id = p.frame_id LEFT JOIN frame_text t ON t.frame_id = p.frame_id "


@dataclass(frozen=True, slots=True)
class FrameText:
    """A frame's words at a revision; `tries` that failed to embed it. A frame or text that was lost is empty."""

    frame_id: int
    revision: int
    tries: int
    app_id: str
    title: RedactedText
    at_ms: int
    text: RedactedText


def due(r: Reader, limit: int) -> list[FrameText]:
    """Undecided texts: those that never failed first, then newest first."""
    rows = r.query(
        f"SELECT {_FRAME}FROM (SELECT frame_id, revision, tries FROM frame_passages WHERE state = 'pending' "
        f"ORDER BY tries, frame_id DESC LIMIT :limit) p {_JOINS}ORDER BY p.tries, p.frame_id DESC",
        {"limit": limit},
    )
    return [_frame_text(row) for row in rows]


def embedded_after(r: Reader, frame_id: int, limit: int) -> list[FrameText]:
    """Texts that belong in the index, by ascending id above that one."""
    rows = r.query(
        f"SELECT {_FRAME}FROM frame_passages p {_JOINS}WHERE p.frame_id > :id AND +p.state = 'embedded' "
        "AND t.frame_id IS NOT NULL ORDER BY p.frame_id LIMIT :limit",
        {"id": frame_id, "limit": limit},
    )
    return [_frame_text(row) for row in rows]


def nearest_embedded(r: Reader, text: FrameText, within_ms: int) -> FrameText | None:
    """The embedded text of the same window (app and title) nearest in time; before or after, since the newest come
    first."""
    row = r.one(
        f"SELECT {_FRAME}FROM frames f JOIN frame_passages p ON p.frame_id = f.id AND p.state = 'embedded' "
        "JOIN frame_text t ON t.frame_id = f.id WHERE f.app_id = :app AND f.captured_at BETWEEN :low AND :high "
        "AND f.title = :title AND f.id != :id ORDER BY abs(f.captured_at - :at), f.id DESC LIMIT 1",
        {
            "app": text.app_id, "title": text.title, "id": text.frame_id, "at": text.at_ms,
            "low": text.at_ms - within_ms, "high": text.at_ms + within_ms,
        },
    )  # fmt: skip
    return _frame_text(row) if row else None


def _frame_text(row: Row) -> FrameText:
    return FrameText(
        row.int("frame_id"), row.int("revision"), row.int("tries"), row.maybe_text("app_id") or "",
        from_row(row.maybe_text("title") or ""), row.maybe_int("captured_at") or 0,
        from_row(row.maybe_text("text") or ""),
    )  # fmt: skip


def revisions(r: Reader, ids: Sequence[int]) -> dict[int, int]:
    """Revisions of the texts that have vectors or may get some now."""
    rows = r.query(f"{PRESENT} AND frame_id IN {_IDS}", {"ids": json.dumps(list(ids))})
    return {row.int("id"): row.int("revision") for row in rows}


def count(r: Reader, state: str) -> int:
    """Texts in that state."""
    row = r.one("SELECT count(*) AS n FROM frame_passages WHERE state = :state", {"state": state})
    return row.int("n") if row else 0


def set_short(w: Writer, frame_id: int, revision: int, at_ms: int) -> bool:
    """A text says too little; False when it is another one by now."""
    return _decide(w, "state = 'short', parts = 0", frame_id, revision, at_ms, None)


def set_same(w: Writer, frame_id: int, revision: int, same_as: int, at_ms: int) -> bool:
    """A text says what that embedded one says; False when either is another one by now."""
    row = w.one("SELECT 1 AS x FROM frame_passages WHERE frame_id = :id AND state = 'embedded'", {"id": same_as})
    return row is not None and _decide(w, "state = 'same', parts = 0", frame_id, revision, at_ms, same_as)


def _decide(w: Writer, what: str, frame_id: int, revision: int, at_ms: int, same_as: int | None) -> bool:
    changed = w.run(
        f"UPDATE frame_passages SET {what}, same_as = :same, tries = 0, at = :at "
        "WHERE frame_id = :id AND revision = :revision AND state = 'pending'",
        {"id": frame_id, "revision": revision, "at": at_ms, "same": same_as},
    )
    return changed > 0


def set_embedded(w: Writer, parts: Mapping[int, int], at_ms: int) -> None:
    """Texts whose vectors are written in this transaction, with how many."""
    for frame_id, number in parts.items():
        w.run(
            "UPDATE frame_passages SET state = 'embedded', parts = :parts, same_as = NULL, tries = 0, at = :at "
            "WHERE frame_id = :id",
            {"id": frame_id, "parts": number, "at": at_ms},
        )


def count_try(w: Writer, frame_id: int, revision: int, tries_max: int, at_ms: int) -> None:
    """One more failed try of a text; parked after the last one, until it is read again."""
    w.run(
        "UPDATE frame_passages SET tries = tries + 1, at = :at, "
        "state = CASE WHEN tries + 1 >= :max THEN 'parked' ELSE 'pending' END "
        "WHERE frame_id = :id AND revision = :revision AND state = 'pending'",
        {"id": frame_id, "revision": revision, "max": tries_max, "at": at_ms},
    )


def release_orphans(w: Writer) -> int:
    """Texts that were the same as one that has no vectors any more are undecided again; returns how many."""
    return w.run(
        "UPDATE frame_passages SET state = 'pending', same_as = NULL WHERE state = 'same' AND NOT EXISTS("
        "SELECT 1 FROM frame_passages o WHERE o.frame_id = frame_passages.same_as AND o.state = 'embedded')"
    )


def generation(r: Reader) -> str:
    """The id that every delete of activity changes (spec 03 §9.3)."""
    row = r.one("SELECT revision FROM activity_generation WHERE id = 1")
    return row.text("revision") if row else ""


def segments_of(r: Reader, ids: Iterable[int]) -> dict[int, int | None]:
    """The segment of each of these frames that is still there."""
    rows = r.query(f"SELECT id, segment_id FROM frames WHERE id IN {_IDS}", {"ids": json.dumps(list(ids))})
    return {row.int("id"): row.maybe_int("segment_id") for row in rows}


@dataclass(frozen=True, slots=True)
class HitRow:
    """What a hit is shown with; `parts` how many passages its text was embedded as."""

    title: RedactedText
    text: RedactedText
    parts: int
    segment_id: int | None


def hit_rows(r: Reader, ids: Iterable[int]) -> dict[int, HitRow]:
    """Titles, texts and segments of frames that have a text, by id."""
    rows = r.query(
        "SELECT f.id, f.title, f.segment_id, t.text, p.parts FROM frames f JOIN frame_text t ON t.frame_id = f.id "
        f"JOIN frame_passages p ON p.frame_id = f.id WHERE f.id IN {_IDS}",
        {"ids": json.dumps(list(ids))},
    )
    return {
        row.int("id"): HitRow(
            from_row(row.text("title")), from_row(row.text("text")), row.int("parts"), row.maybe_int("segment_id")
        )
        for row in rows
    }
