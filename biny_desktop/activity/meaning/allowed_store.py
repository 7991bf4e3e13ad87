"""SQL of filters: the ids that may be found, before the candidates of a search by meaning are taken (spec 03 §7).

Ids come as one string a query: a hundred thousand rows, each as an object, would take longer than the search.
"""

from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from biny_desktop.activity.search_query import Query
from biny_desktop.storage.database import Reader
from biny_desktop.storage.rows import Params

Ids: TypeAlias = npt.NDArray[np.int64]
_ALWAYS: Final = 2**62


def frames(r: Reader, query: Query) -> Ids | None:
    """Sorted ids of the frames that a query's filters and times allow; None when it allows all."""
    return _allowed(
        r, query, "frame_fts", "SELECT id FROM frames WHERE captured_at >= :after AND captured_at < :before"
    )


def segments(r: Reader, query: Query) -> Ids | None:
    """Sorted ids of the segments that a query's filters allow and that have a part in its times; None for all."""
    by_time = "SELECT id FROM segments WHERE ended_at > :after AND started_at < :before"
    return _allowed(r, query, "segment_fts", by_time)


def _allowed(r: Reader, query: Query, table: str, by_time: str) -> Ids | None:
    out: Ids | None = None
    if query.after_ms is not None or query.before_ms is not None:
        after = -_ALWAYS if query.after_ms is None else query.after_ms
        before = _ALWAYS if query.before_ms is None else query.before_ms
        # Ids follow time but where a clock was set: a stable sort of what is sorted already takes no time.
        out = np.sort(_ids(r, by_time, {"after": after, "before": before}), kind="stable")
    if query.filters is None or (out is not None and not len(out)):
        return out
    low, high = (int(out[0]), int(out[-1])) if out is not None else (0, _ALWAYS)
    found = _ids(
        r,
        f"SELECT rowid AS id FROM {table} WHERE {table} MATCH :match AND rowid BETWEEN :low AND :high ORDER BY rowid",
        {"match": query.filters, "low": low, "high": high},
    )
    return found if out is None else found[np.isin(found, out, assume_unique=True)]


def _ids(r: Reader, sql: str, params: Params) -> Ids:
    row = r.one(f"SELECT group_concat(id) AS ids FROM ({sql})", params)
    text = row.maybe_text("ids") if row else None
    return np.fromstring(text, dtype=np.int64, sep=",") if text else np.empty(0, np.int64)
