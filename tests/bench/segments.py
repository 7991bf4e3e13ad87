"""Segments on an encrypted home of many frames: `python -m tests.bench.segments --home DIR [--days N] [--json]`.

`--home` as `make_home` filled it. Keys: `cut_day_ms` (median of a day cut anew), `catch_up_ms` (a run with something
new today), `nothing_new_ms`, `rows_ms` and `rows` (a day's rows read), and the readers'
`p95_ms` (target 50 ms, spec 03 §11.22).
"""

import argparse
import gc
import json
import statistics
from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path

from biny_desktop.activity import event_store
from biny_desktop.activity.segments.index import prepare_segment_index
from biny_desktop.activity.segments.keeper import SegmentKeeper
from biny_desktop.activity.segments.reader import Segments
from biny_desktop.activity.segments.rows_store import read_rows
from biny_desktop.activity.segments.search import SegmentSearch
from biny_desktop.core import settings as settings_module
from biny_desktop.core.events import EventBus
from biny_desktop.storage.database import Database, open_database
from biny_desktop.storage.folders import resolve
from biny_desktop.storage.keys import obtain
from biny_desktop.storage.migrate import migrate
from tests.bench.make_home import END_MS, NoKeyring
from tests.bench.search import DAY_MS, p95, timed
from tests.fakes.clock import FakeClock

ROUNDS = 40


def measure(db: Database, days: int) -> dict[str, object]:
    """All figures of one open home; it is cut first, and its last `days` are read."""
    clock, settings = FakeClock(END_MS), settings_module.build({})
    keeper = SegmentKeeper(db, lambda: settings, clock, EventBus())
    segments, search = Segments(db, lambda: settings, clock), SegmentSearch(db, lambda: settings, clock)
    first = timed(keeper.catch_up)
    today = date.fromisoformat(segments.today())
    again = [timed(lambda n=n: keeper.rebuild((today - timedelta(days=n)).isoformat())) for n in range(1, 6)]  # type: ignore[misc]
    known = [(today - timedelta(days=n)).isoformat() for n in range(1, days)]
    start, row_times, rows = END_MS - 2 * DAY_MS, [], 0
    for _ in range(5):
        with db.read() as r:
            row_times.append(timed(lambda r=r: read_rows(r, start, start + DAY_MS)))  # type: ignore[misc]
            rows = len(read_rows(r, start, start + DAY_MS).rows)
    last = segments.list(0, END_MS, limit=500)
    calls: dict[str, Callable[[int], object]] = {
        "day": lambda n: segments.day(known[n % len(known)]),
        "range_day": lambda n: segments.range(END_MS - (n + 2) * DAY_MS, END_MS - (n + 1) * DAY_MS),
        "range_month": lambda _n: segments.range(END_MS - 31 * DAY_MS, END_MS),
        "list": lambda _n: segments.list(END_MS - 31 * DAY_MS, END_MS),
        "detail": lambda n: segments.detail(last[n % len(last)].id),
        "heat_month": lambda _n: segments.heat((today - timedelta(days=31)).isoformat(), today.isoformat()),
        "heat_year": lambda _n: segments.heat((today - timedelta(days=365)).isoformat(), today.isoformat()),
        "digest": lambda _n: segments.digest(),
        "search": lambda _n: search.search("the kind:active"),
    }
    times = {name: [timed(lambda n=n, call=call: call(n)) for n in range(ROUNDS)] for name, call in calls.items()}  # type: ignore[misc]
    with db.write() as w:
        event_store.bump_day(w, today.isoformat())
    return {
        "days": days, "segments": len(segments.list(0, END_MS, limit=500, hidden=True)),
        "first_run_s": round(first / 1000, 1), "cut_day_ms": round(statistics.median(again), 1), "rows": rows,
        "rows_ms": round(statistics.median(row_times), 1), "catch_up_ms": round(timed(keeper.catch_up), 1),
        "nothing_new_ms": round(statistics.median(timed(keeper.catch_up) for _ in range(5)), 2),
        "p95_ms": {name: round(p95(each), 1) for name, each in times.items()},
        "median_ms": {name: round(statistics.median(each), 1) for name, each in times.items()},
    }  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--home", type=Path, required=True)
    parser.add_argument("--days", type=int, default=40)
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    folders = resolve(asked.home)
    db = open_database(folders.database_file, obtain(folders, NoKeyring(), encrypt_new=True).secret)
    migrate(db)
    prepare_segment_index(db)
    gc.freeze()  # as the app does before it records
    found = measure(db, asked.days)
    db.close()
    print(json.dumps(found, indent=None if asked.json else 2))


if __name__ == "__main__":
    main()
