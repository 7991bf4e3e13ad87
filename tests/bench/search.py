"""Search on an encrypted home of many frames: `python -m tests.bench.search [--rows N] [--home DIR] [--json]`.

Keys: `keyword_p95_ms` over all queries of the default order (target 50 ms, spec 03 §11.22), `slowest` by query,
`best_p95_ms`, `timeline_p95_ms`, `insert_p95_ms` (a read frame, target 20 ms, see `tests.bench.insert`);
`semantic_p95_ms` over questions with and without filters (target 150 ms), the question's embedding in it, and what
`tests.bench.meaning` says besides; null with a reason where no embedder is installed. Then the keys of
`tests.bench.messages` (`message_keyword_p95_ms`, `message_both_p95_ms`), over as many messages.
"""

import argparse
import gc
import json
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from biny_desktop.activity.index import prepare_index
from biny_desktop.activity.search import KeywordSearch
from biny_desktop.activity.timeline import Timeline
from biny_desktop.core import settings as settings_module
from biny_desktop.models.embedder_choice import EmbedderChoice
from biny_desktop.storage.database import Database, open_database
from biny_desktop.storage.folders import resolve
from biny_desktop.storage.keys import obtain
from biny_desktop.storage.migrate import migrate
from biny_desktop.storage.pictures import PictureFiles
from tests.bench import insert, meaning, messages
from tests.bench.make_home import END_MS, STEP_MS, NoKeyring, make_home
from tests.fakes.clock import FakeClock

DAY_MS = 86_400_000
TARGET_MS = 50
ROUNDS = 7
WORDS = (
    "the",
    "ba*",
    "the of and",
    '"of and to"',
    "rareword997",
    "罕见词",
    "一是",
    "不了人",
    "罕",
    "国",
    "的",
    "the 国家",
    "-the",
    "zu* 的",
)
FILTERS = (
    "",
    " app:firefox",
    " app:wechat trigger:click",
    " after:7d",
    " before:7d app:code",
    " after:20d before:10d",
    " has:text",
)


def p95(values: list[float]) -> float:
    """The 95th percentile, in the unit of the values."""
    return statistics.quantiles(values, n=20)[-1] if len(values) > 1 else values[0]


def timed(action: Callable[[], object]) -> float:
    """Milliseconds of one call."""
    began = time.perf_counter()
    action()
    return (time.perf_counter() - began) * 1000


def measure(db: Database, files: PictureFiles) -> dict[str, object]:
    """All figures of one open home."""
    clock, settings = FakeClock(END_MS), settings_module.build({})
    search, timeline = KeywordSearch(db, lambda: settings, clock), Timeline(db, files, lambda: settings, clock)
    by_query: dict[str, list[float]] = {}
    best: list[float] = []
    for _ in range(ROUNDS):
        for word in WORDS:
            for filters in FILTERS:
                query = word + filters
                by_query.setdefault(query, []).append(timed(lambda query=query: search.search(query)))  # type: ignore[misc]
            best.append(timed(lambda word=word: search.search(word, order="best")))  # type: ignore[misc]
    plain = [each for query, times in by_query.items() if query in WORDS for each in times]
    filtered = [each for query, times in by_query.items() if query not in WORDS for each in times]
    slowest = sorted(((statistics.median(times), query) for query, times in by_query.items()), reverse=True)[:6]
    return {
        "keyword_p95_ms": round(p95(plain + filtered), 1),
        "keyword_plain_p95_ms": round(p95(plain), 1),
        "keyword_filtered_p95_ms": round(p95(filtered), 1),
        "best_p95_ms": round(p95(best), 1),
        "slowest": {query: round(ms, 1) for ms, query in slowest},
        "timeline_p95_ms": round(p95(timeline_times(timeline)), 1),
        **insert.measure(db, END_MS, p95),
    }


def timeline_times(timeline: Timeline) -> list[float]:
    """Pages, filters, one frame, neighbours and days, from the newest and the middle of the table."""
    newest = timeline.frames(limit=1).frames[0].id
    day = END_MS - 3 * DAY_MS
    calls: list[Callable[[], object]] = [
        timeline.frames,
        lambda: timeline.frames(before=newest // 2),
        lambda: timeline.frames(start_ms=day, end_ms=day + DAY_MS),
        lambda: timeline.frames(app="zoom"),
        lambda: timeline.frames(app="code", start_ms=day, end_ms=day + DAY_MS),
        lambda: timeline.frame(newest // 2),
        lambda: timeline.thumbs(range(newest - 100, newest)),
        lambda: timeline.neighbours(newest // 2),
        lambda: timeline.events(day, day + DAY_MS),
        lambda: timeline.why(day, day + DAY_MS),
        lambda: timeline.gaps(day, day + DAY_MS),
        lambda: timeline.apps(day, day + DAY_MS),
        lambda: timeline.days(14),
        timeline.counts,
        timeline.totals,
    ]
    times = [[timed(call) for call in calls] for _ in range(ROUNDS)]
    for place, name in enumerate(
        ("frames", "middle", "day", "app", "app day", "frame", "thumbs", "neighbours", "events", "why", "gaps", "apps",
         "days", "counts", "totals")
    ):  # fmt: skip
        SHOWN[name] = round(statistics.median(row[place] for row in times), 1)
    return [each for row in times for each in row]


SHOWN: dict[str, float] = {}


def semantic(db: Database) -> dict[str, object]:
    """The figures of search by meaning."""
    chosen = EmbedderChoice(lambda: settings_module.build({}))
    embedder = chosen.current()
    if embedder is None:
        return {"semantic_p95_ms": None, "semantic_reason": chosen.why()}
    meaning.fill(db, embedder)
    return {**meaning.measure(db, embedder, END_MS, p95), "semantic_target_ms": meaning.TARGET_MS}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=200_000)
    parser.add_argument("--home", type=Path, help="use (or make) the home there instead of a temporary one")
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        home = asked.home or Path(folder) / "home"
        if not resolve(home).database_file.exists():
            make_home(home, asked.rows)
        folders = resolve(home)
        key = obtain(folders, NoKeyring(), encrypt_new=True)
        db = open_database(folders.database_file, key.secret)
        migrate(db)
        prepare_index(db)
        gc.freeze()  # as the app does before it records
        result = {
            "rows": asked.rows,
            "encrypted": db.encrypted,
            **measure(db, PictureFiles(folders.pictures, key.secret)),
        }
        result |= {"timeline_ms": SHOWN, "target_ms": TARGET_MS, "span_days": round(asked.rows * STEP_MS / DAY_MS)}
        result |= semantic(db)
        db.close()
    result |= messages.run(asked.rows, p95)
    print(json.dumps(result, ensure_ascii=False) if asked.json else json.dumps(result, ensure_ascii=False, indent=1))


if __name__ == "__main__":
    main()
