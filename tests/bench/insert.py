"""Writing the text of a read frame into a home of many frames, as the reader does it: text, index, order of a vector.

The newest frames are taken back to where they wait to be read, found by title alone; then each is read in one
transaction. Between them the pieces of the index are joined as often as the schedule does it for frames of this pace.
"""

import itertools
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import replace

from biny_desktop.activity import index, read_store
from biny_desktop.activity.texts import TextWriter
from biny_desktop.core import settings as settings_module
from biny_desktop.redaction import RedactionOptions, Redactor
from biny_desktop.service.jobs import INDEX_EVERY_S
from biny_desktop.storage.database import Database, Writer
from tests.bench.make_home import STEP_MS
from tests.fakes.activity import reading
from tests.fakes.clock import FakeClock

FRAMES = 60
EACH = max(1, INDEX_EVERY_S * 1000 // STEP_MS)
"""Frames between two runs of the job that joins the pieces of the index."""


def measure(db: Database, now_ms: int, p95: Callable[[list[float]], float]) -> dict[str, object]:
    """`insert_p95_ms` and the median (wall), the same of the CPU, and `join_p95_ms` of one step of the job."""
    settings = settings_module.build({})
    writer, redactor = TextWriter(lambda: settings, FakeClock(now_ms)), Redactor(RedactionOptions())
    wall, cpu, joins = [], [], []
    for number, (frame_id, text) in enumerate(_taken_back(db)):
        lines = text.split("\n")
        read, redaction = replace(reading(*lines), size=(640, 360)), redactor.redact(lines)
        began, began_cpu = time.perf_counter(), time.thread_time()
        with db.write() as w:
            assert writer.write(w, frame_id, read, redaction)
        cpu.append((time.thread_time() - began_cpu) * 1000)
        wall.append((time.perf_counter() - began) * 1000)
        if number % EACH == 0:
            joins += _joined(db)
    return {
        "insert_p95_ms": round(p95(wall), 1), "insert_median_ms": round(statistics.median(wall), 1),
        "insert_cpu_p95_ms": round(p95(cpu), 1), "join_step_p95_ms": round(p95(joins), 1),
    }  # fmt: skip


def _joined(db: Database) -> list[float]:
    """Milliseconds of each step."""
    steps = [time.perf_counter()]
    index.merge_pieces(db, lambda: True, lambda: steps.append(time.perf_counter()))
    steps.append(time.perf_counter())
    return [(end - start) * 1000 for start, end in itertools.pairwise(steps)]


def _taken_back(db: Database) -> Sequence[tuple[int, str]]:
    """(id, text) of the newest frames with a text, which now wait to be read again."""
    with db.read() as r:
        rows = r.query("SELECT frame_id, text FROM frame_text ORDER BY frame_id DESC LIMIT :n", {"n": FRAMES})
    found = [(row.int("frame_id"), row.text("text")) for row in rows]
    for frame_id, _ in found:
        with db.write() as w, index.reindexed(w, [frame_id]):
            _take_back(w, frame_id)
    _joined(db)
    return found


def _take_back(w: Writer, frame_id: int) -> None:
    read_store.drop_text(w, frame_id)
    read_store.set_state(w, frame_id, "reading")
    w.run(
        "UPDATE pictures SET state = 'live' WHERE id = (SELECT picture_id FROM frames WHERE id = :id)", {"id": frame_id}
    )
