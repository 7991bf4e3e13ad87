"""Taking segments out with all that hangs on them: words, edits, vectors, offers, terms (spec 03 §9)."""

import json
from collections.abc import Sequence
from typing import Final

from biny_desktop.activity.segments import index
from biny_desktop.storage.database import Writer

_IDS: Final = "(SELECT value FROM json_each(:ids))"


def take_out(w: Writer, ids: Sequence[int], gone: set[bytes] | None = None) -> None:
    """Remove these segments; their rows belong to none. `gone` collects the words that left the index."""
    if not ids:
        return
    params = {"ids": json.dumps(list(ids))}
    with index.reindexed(w, ids, gone):
        w.run(f"DELETE FROM segment_edits WHERE segment_id IN {_IDS}", params)
        w.run(f"DELETE FROM segment_vectors WHERE row_id IN {_IDS}", params)
        w.run(f"DELETE FROM fact_offers WHERE segment_id IN {_IDS}", params)
        w.run(f"DELETE FROM crystal_terms WHERE segment_id IN {_IDS}", params)
        w.run(f"UPDATE frames SET segment_id = NULL WHERE segment_id IN {_IDS}", params)
        w.run(f"UPDATE frame_events SET segment_id = NULL WHERE segment_id IN {_IDS}", params)
        w.run(f"UPDATE segments SET continues_id = NULL WHERE continues_id IN {_IDS}", params)
        w.run(f"DELETE FROM segments WHERE id IN {_IDS}", params)
