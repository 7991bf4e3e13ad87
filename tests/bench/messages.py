"""Search of messages on an encrypted database of many: `python -m tests.bench.messages [--rows N] [--json]`.

`message_keyword_p95_ms` over queries of rare and of everyday words, one to nine terms, with and without filters, also
such that leave few old messages of a word that is everywhere (target 50 ms, spec 05 §12); `message_slowest` by query
and filter. `message_both_p95_ms` over the same and over questions, by words and meaning, the question's embedding in it
(target 150 ms); null with a reason where no embedder is installed. `message_due_ms`: how long the sweep looks for
messages without vectors, first and then.

Chats have 100 messages; those of the user have 4 to 40 words, answers 20 to 400. More than half of the words are
everyday ones, so that a term may be in most rows.
"""

import argparse
import json
import random
import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from biny_desktop.conversation.search import row_store
from biny_desktop.conversation.search.index import MESSAGE_INDEX
from biny_desktop.conversation.search.model import MessageFilters, Mode
from biny_desktop.conversation.search.rows import MessageRows
from biny_desktop.conversation.search.search import MessageSearch
from biny_desktop.core import settings as settings_module
from biny_desktop.core.events import EventBus
from biny_desktop.models import vector_store
from biny_desktop.models.embedder_choice import EmbedderChoice
from biny_desktop.models.model import Embedder
from biny_desktop.models.reference import reference_means, reference_texts
from biny_desktop.models.vector_index import VectorIndex
from biny_desktop.redaction import RedactionOptions, Redactor
from biny_desktop.storage.database import Database, open_database
from biny_desktop.storage.migrate import migrate
from tests.bench import meaning
from tests.fakes.clock import FakeClock

TARGET_MS = 50
BOTH_TARGET_MS = 150
ROUNDS = 3
BATCH = 2_000
CHAT = 100
SPECIAL = 7
"""The number of the chat that has a project and another source."""
_EVERYDAY = (
    "the a of to and in is it you that we i can do how what please error file python test build report ferry harbour "
    "meeting budget 止损 飞书插件配置 今天中午 我们 讨论 预算 项目 计划 代码 测试 zoom.us C++"
)
EVERYDAY = _EVERYDAY.split()
QUERIES = (
    "the", "error file", "止损", "飞书插件配置", "zoom.us", "C++", "please test the build",
    "how do we build the report for the meeting", "word17", "word5 word900 ferry", "我们讨论预算", "今天中午 计划",
    "python test error build report", "word12000 the", "我", "what is the error in the python file you wrote",
)  # fmt: skip


def filters_of(rows: int) -> dict[str, MessageFilters]:
    """Filters by name; a message is sent at as many ms as its number."""
    return {
        "none": MessageFilters(),
        "role": MessageFilters(role="user"),
        "newest, all versions": MessageFilters(from_ms=rows * 3 // 4, all_versions=True),
        "old chat": MessageFilters(session_id="s3"),
        "project": MessageFilters(project_id="p"),
        "source": MessageFilters(source="import"),
        "no such source": MessageFilters(source="fork"),
        "oldest": MessageFilters(to_ms=rows // 100),
        "middle, answers": MessageFilters(role="assistant", from_ms=rows // 2, to_ms=rows // 2 + rows // 100),
    }


def fill(db: Database, rows: int) -> None:
    """Sessions and messages from a seed, indexed."""
    rnd = random.Random(5)
    with db.write() as w:
        MESSAGE_INDEX.ensure(w)
        w.run("INSERT INTO projects(id, name, created_at, updated_at) VALUES('p', 'p', 0, 0)")
    for start in range(1, rows + 1, BATCH):
        with db.write() as w:
            for n in range(start, min(start + BATCH, rows + 1)):
                chat = n // CHAT
                w.run(
                    "INSERT OR IGNORE INTO sessions(id, source, project_id, created_at, updated_at, time_zone) "
                    "VALUES(:id, :source, :project, 0, 0, 'UTC')",
                    {"id": f"s{chat}", "source": "import:chatgpt" if chat == SPECIAL else "chat",
                     "project": "p" if chat == SPECIAL else None},
                )  # fmt: skip
                length = rnd.randint(4, 40) if n % 2 else int(20 * 20 ** rnd.random())
                content = " ".join(
                    rnd.choice(EVERYDAY) if rnd.random() < 0.55 else f"word{int(rnd.paretovariate(0.7)) % 20_000}"
                    for _ in range(length)
                )
                w.run(
                    "INSERT INTO messages(n, id, session_id, slot_id, role, seq, content, sent_at, time_zone) "
                    "VALUES(:n, :id, :session, :id, :role, :n, :content, :n, 'UTC')",
                    {"n": n, "id": f"m{n}", "session": f"s{chat}", "role": "user" if n % 2 else "assistant",
                     "content": content},
                )  # fmt: skip
                MESSAGE_INDEX.add(w, n, {"content": content})


def fill_vectors(db: Database, embedder: Embedder, rows: int) -> None:
    """A vector for each message, around those of real texts (see `tests.bench.meaning`)."""
    calibration, texts = reference_means(db, embedder), reference_texts().texts
    centres = embedder.passages([*texts["passage", "other"], *texts["question", "other"]])
    chance = np.random.default_rng(5)
    with db.write() as w:
        vector_store.put_record(w, "message", 1, embedder.fingerprint.id, calibration, 0)
    for start in range(1, rows + 1, meaning.BATCH):
        ids = list(range(start, min(start + meaning.BATCH, rows + 1)))
        raw = meaning.made_vectors(centres, calibration.means["passage", "other"], len(ids), chance)
        meaning.write(db, "message", calibration, embedder.fingerprint.id, ids, raw, "other")


class Timed:
    """A search of messages, and how long it took by question and filter."""

    def __init__(self, db: Database, rows: int, embedder: Embedder | None) -> None:
        settings = settings_module.build({"search": {"meaning_floor": meaning.FLOOR}})
        redactor = Redactor(RedactionOptions())
        index = VectorIndex(MessageRows(lambda: embedder), db, lambda: embedder, FakeClock(), EventBus())
        self._search = MessageSearch(db, index, lambda: redactor, lambda: settings)
        self._filters = filters_of(rows)

    def times(self, questions: Sequence[str], mode: Mode, rounds: int) -> dict[str, list[float]]:
        """Milliseconds of each question under each filter."""
        out: dict[str, list[float]] = {}
        for _ in range(rounds):
            for name, filters in self._filters.items():
                for question in questions:
                    began = time.perf_counter()
                    page = self._search.search(question, mode, filters)
                    out.setdefault(f"{question} [{name}]", []).append((time.perf_counter() - began) * 1000)
                    assert page.mode == mode
        return out


def measure(db: Database, rows: int, p95: Callable[[list[float]], float]) -> dict[str, object]:
    """The figures of one filled database."""
    found = Timed(db, rows, None).times(QUERIES, "keyword", ROUNDS)
    slowest = sorted(((statistics.median(each), query) for query, each in found.items()), reverse=True)[:4]
    result: dict[str, object] = {
        "message_keyword_p95_ms": round(p95([ms for each in found.values() for ms in each]), 1),
        "message_slowest": {query: round(ms, 1) for ms, query in slowest},
    }
    chosen = EmbedderChoice(lambda: settings_module.build({}))
    embedder = chosen.current()
    if embedder is None:
        return result | {"message_both_p95_ms": None, "message_both_reason": chosen.why()}
    fill_vectors(db, embedder, rows)
    texts = reference_texts().texts
    questions = [*texts["question", "other"][:8], *texts["question", "cjk"][:8], *QUERIES]
    timed = Timed(db, rows, embedder)
    timed.times(questions[:1], "both", 1)
    both = timed.times(questions, "both", 1)
    return result | {
        "message_both_p95_ms": round(p95([ms for each in both.values() for ms in each]), 1),
        "message_due_ms": [round(due_ms(db, above), 1) for above in (0, rows)],
    }


def due_ms(db: Database, above: int) -> float:
    """How long the sweep takes to see that no message above this number waits."""
    began = time.perf_counter()
    with db.read() as r:
        row_store.due(r, above, 1 << 62, 64)
    return (time.perf_counter() - began) * 1000


def run(rows: int, p95: Callable[[list[float]], float]) -> dict[str, object]:
    """Make a database of so many messages, and measure it."""
    with tempfile.TemporaryDirectory() as folder:
        db = open_database(Path(folder) / "biny.db", b"k" * 32)
        migrate(db)
        fill(db, rows)
        targets = {"message_target_ms": TARGET_MS, "message_both_target_ms": BOTH_TARGET_MS}
        result = {"messages": rows, "messages_encrypted": db.encrypted, **targets, **measure(db, rows, p95)}
        db.close()
    return result


def main() -> None:
    from tests.bench.search import p95

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=200_000)
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    print(json.dumps(run(asked.rows, p95), ensure_ascii=False, indent=None if asked.json else 1))


if __name__ == "__main__":
    main()
