"""SQL of what segments are embedded by: their own columns, at their own revision (spec 03 §7).

In the index belong closed segments that are neither private nor hidden nor trivial; an open one changes by the minute.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from biny_desktop.core.text import RedactedText
from biny_desktop.redaction import from_row
from biny_desktop.storage.database import Reader
from biny_desktop.storage.rows import Row

_BELONGS: Final = "s.open = 0 AND s.hidden = 0 AND s.trivial = 0 AND s.kind != 'private' AND s.title != ''"
PRESENT: Final = f"SELECT s.id, s.revision FROM segments s WHERE {_BELONGS}"
_COLUMNS: Final = "s.id, s.revision, s.title, s.summary, s.description"


@dataclass(frozen=True, slots=True)
class SegmentText:
    """A segment's words at a revision."""

    segment_id: int
    revision: int
    title: RedactedText
    summary: RedactedText
    description: RedactedText


def after(r: Reader, segment_id: int, limit: int) -> list[SegmentText]:
    """Segments that belong in the index, by ascending id above that one."""
    rows = r.query(
        f"SELECT {_COLUMNS} FROM segments s WHERE s.id > :id AND {_BELONGS} ORDER BY s.id LIMIT :limit",
        {"id": segment_id, "limit": limit},
    )
    return [_segment_text(row) for row in rows]


def due(r: Reader, limit: int) -> list[SegmentText]:
    """Segments without vectors of their present revision, newest first."""
    rows = r.query(
        f"SELECT {_COLUMNS} FROM segments s WHERE {_BELONGS} AND NOT EXISTS(SELECT 1 FROM segment_vectors v "
        "WHERE v.row_id = s.id AND v.part = 0 AND v.revision = s.revision "
        "AND v.generation = (SELECT generation FROM vector_indexes WHERE kind = 'segment')) "
        "ORDER BY s.id DESC LIMIT :limit",
        {"limit": limit},
    )
    return [_segment_text(row) for row in rows]


def _segment_text(row: Row) -> SegmentText:
    return SegmentText(
        row.int("id"), row.int("revision"), from_row(row.text("title")), from_row(row.text("summary")),
        from_row(row.text("description")),
    )  # fmt: skip


def revisions(r: Reader, ids: Sequence[int]) -> dict[int, int]:
    """Present revisions of those that belong in the index."""
    rows = r.query(f"{PRESENT} AND s.id IN (SELECT value FROM json_each(:ids))", {"ids": json.dumps(list(ids))})
    return {row.int("id"): row.int("revision") for row in rows}


def count(r: Reader) -> int:
    """How many belong in the index."""
    row = r.one(f"SELECT count(*) AS n FROM segments s WHERE {_BELONGS}")
    return row.int("n") if row else 0
