"""Search of messages on an encrypted database of many: `python -m tests.bench.messages [--rows N] [--json]`.

`message_keyword_p95_ms` over queries of rare and of everyday words, one to nine terms, with and without filters (target
50 ms, spec 05 §12), `message_slowest` by query. Chats have 100 messages of 8 to 60 words; more than half of the words
are everyday ones, so that a term may be in most rows.
"""

import argparse
import json
import random
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from biny_desktop.conversation.search.index import MESSAGE_INDEX
from biny_desktop.conversation.search.model import MessageFilters
from biny_desktop.conversation.search.rows import MessageRows
from biny_desktop.conversation.search.search import MessageSearch
from biny_desktop.core import settings as settings_module
from biny_desktop.core.events import EventBus
from biny_desktop.models.vector_index import VectorIndex
from biny_desktop.redaction import RedactionOptions, Redactor
from biny_desktop.storage.database import Database, open_database
from biny_desktop.storage.migrate import migrate
from tests.fakes.clock import FakeClock

TARGET_MS = 50
ROUNDS = 7
BATCH = 2_000
EVERYDAY = (
    "the a of to and in is it you that we i can do how what please error file python test build report ferry harbour "
    "meeting budget 止损 飞书插件配置 今天中午 我们 讨论 预算 项目 计划 代码 测试 zoom.us C++"
).split()  # noqa: SIM905  (a list of forty lines says no more)
QUERIES = (
    "the", "error file", "止损", "飞书插件配置", "zoom.us", "C++", "please test the build",
    "how do we build the report for the meeting", "word17", "word5 word900 ferry", "我们讨论预算", "今天中午 计划",
    "python test error build report", "word12000 the", "我", "what is the error in the python file you wrote",
)  # fmt: skip
FILTERS = (MessageFilters(), MessageFilters(role="user"), MessageFilters(from_ms=150_000, all_versions=True))


def fill(db: Database, rows: int) -> None:
    """Sessions and messages from a seed, indexed."""
    rnd = random.Random(5)
    with db.write() as w:
        MESSAGE_INDEX.ensure(w)
    for start in range(1, rows + 1, BATCH):
        with db.write() as w:
            for n in range(start, min(start + BATCH, rows + 1)):
                session = f"s{n // 100}"
                w.run(
                    "INSERT OR IGNORE INTO sessions(id, source, created_at, updated_at, time_zone) "
                    "VALUES(:id, 'chat', 0, 0, 'UTC')",
                    {"id": session},
                )
                content = " ".join(
                    rnd.choice(EVERYDAY) if rnd.random() < 0.55 else f"word{int(rnd.paretovariate(0.7)) % 20_000}"
                    for _ in range(rnd.randint(8, 60))
                )
                w.run(
                    "INSERT INTO messages(n, id, session_id, slot_id, role, seq, content, sent_at, time_zone) "
                    "VALUES(:n, :id, :session, :id, :role, :n, :content, :n, 'UTC')",
                    {"n": n, "id": f"m{n}", "session": session, "role": "user" if n % 2 else "assistant",
                     "content": content},
                )  # fmt: skip
                MESSAGE_INDEX.add(w, n, {"content": content})


def measure(db: Database, p95: Callable[[list[float]], float]) -> dict[str, object]:
    """The figures of one filled database."""
    settings, redactor = settings_module.build({}), Redactor(RedactionOptions())
    index = VectorIndex(MessageRows(), db, lambda: None, FakeClock(), EventBus())
    search = MessageSearch(db, index, lambda: redactor, lambda: settings)
    times: dict[str, list[float]] = {}
    for _ in range(ROUNDS):
        for query in QUERIES:
            for filters in FILTERS:
                began = time.perf_counter()
                search.search(query, "keyword", filters)
                times.setdefault(query, []).append((time.perf_counter() - began) * 1000)
    slowest = sorted(((statistics.median(each), query) for query, each in times.items()), reverse=True)[:4]
    return {
        "message_keyword_p95_ms": round(p95([each for found in times.values() for each in found]), 1),
        "message_slowest": {query: round(ms, 1) for ms, query in slowest},
    }


def main() -> None:
    from tests.bench.search import p95

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=200_000)
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        db = open_database(Path(folder) / "biny.db", b"k" * 32)
        migrate(db)
        fill(db, asked.rows)
        result = {"rows": asked.rows, "encrypted": db.encrypted, "target_ms": TARGET_MS, **measure(db, p95)}
        db.close()
    print(json.dumps(result, ensure_ascii=False, indent=None if asked.json else 1))


if __name__ == "__main__":
    main()
