"""SQL of what was made from rows and goes, or has to be made anew, when they go: vectors, reports, offers."""

import json
from collections.abc import Iterable, Sequence
from datetime import date
from typing import Final

from biny_desktop.storage.database import Reader, Writer
from biny_desktop.storage.rows import Params

_IDS: Final = "(SELECT value FROM json_each(:ids))"


def drop_vectors(w: Writer, ids: Sequence[int]) -> None:
    """Nothing of these frames is found by meaning any more; texts that were like theirs get vectors of their own."""
    params: Params = {"ids": json.dumps(list(ids))}
    w.run(f"DELETE FROM frame_vectors WHERE row_id IN {_IDS}", params)
    w.run(f"DELETE FROM frame_passages WHERE frame_id IN {_IDS}", params)
    w.run(f"UPDATE frame_passages SET state = 'pending', same_as = NULL WHERE same_as IN {_IDS}", params)


def outdate_reports(w: Writer, days: Iterable[str]) -> None:
    """The reports of these days and of their weeks have to be made anew."""
    weeks = {"{}-W{:02d}".format(*date.fromisoformat(day).isocalendar()[:2]) for day in days}
    for kind, keys in (("day", set(days)), ("week", weeks)):
        w.run(
            f"UPDATE reports SET stale = 1 WHERE kind = :kind AND key IN {_IDS}",
            {"kind": kind, "ids": json.dumps(sorted(keys))},
        )


def days_of_outdated_reports(r: Reader) -> set[str]:
    """The days whose reports have to be made anew; of a week its first."""
    rows = r.query("SELECT kind, key FROM reports WHERE stale = 1")
    return {
        row.text("key")
        if row.text("kind") == "day"
        else date.fromisocalendar(int(row.text("key")[:4]), int(row.text("key")[6:]), 1).isoformat()
        for row in rows
    }


def forget_questions(w: Writer) -> None:
    """With everything recorded goes what was asked about it; these are vectors, their words were never kept."""
    w.run("DELETE FROM question_vectors")
