"""Search by meaning on the home of `tests.bench.search`: vectors from a seed around real ones, questions embedded for
real.

Each frame gets one vector: that of a reference text (one of some 800, statements and questions, embedded as stored
texts), moved towards another one's, with noise that spreads as those texts do (noise that spreads evenly in all 384
directions would tell less than any real text). So a question finds near, less near and far ones, as it does among real
texts. They are written by the product's own functions. Recall is against the exact order of all vectors by centred
cosine.
"""

import sys
import time
from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from biny_desktop.activity.meaning import allowed_store
from biny_desktop.activity.meaning.rows import FrameRows, SegmentRows
from biny_desktop.activity.meaning.search import MeaningSearch
from biny_desktop.activity.search_query import parse
from biny_desktop.core import settings as settings_module
from biny_desktop.core.events import EventBus
from biny_desktop.core.text import RedactedText
from biny_desktop.models import vector_store
from biny_desktop.models.centring import Calibration, script_of
from biny_desktop.models.model import Embedder, Script, Vectors
from biny_desktop.models.quantise import quantise, restore, signs, unit
from biny_desktop.models.reference import reference_means, reference_texts
from biny_desktop.models.vector_index import VectorIndex
from biny_desktop.redaction import RedactionOptions, Redactor
from biny_desktop.storage.database import Database
from tests.fakes.clock import FakeClock

BATCH = 10_000
QUESTIONS = 24
FILTERS = ("", " app:firefox", " after:7d", " before:7d app:code", " app:wechat trigger:click", " -the")
MOVED = 0.6
"""How far a vector lies from its reference text at most, as a part of the way to another one."""
NOISE = 1.0
"""Length of the noise at most, as a part of the spread of the reference texts."""
FLOOR = -1.0
"""Below every similarity: each search has hits to show, as when there is something to find."""
RECALL_AT = 20
TARGET_MS = 150
"""Spec 03 §11.22."""


def made_vectors(centres: Vectors, mean: npt.NDArray[np.float32], count: int, chance: np.random.Generator) -> Vectors:
    """`count` raw unit vectors around centres (n × dims)."""
    own = centres - mean
    one, other = chance.integers(0, len(own), count), chance.integers(0, len(own), count)
    noise = chance.standard_normal((count, len(own)), np.float32) @ own / np.float32(np.sqrt(len(own)))
    share = chance.random((count, 1), np.float32)
    return unit(mean + own[one] + MOVED * share * (own[other] - own[one]) + NOISE * share * noise)


def fill(db: Database, embedder: Embedder, seed: int = 11) -> int:
    """Give every frame a vector, if they have none of this embedder yet; returns how many there are."""
    with db.read() as r:
        record = vector_store.record(r, "frame")
        there = vector_store.count(r, "frame", record.generation) if record else 0
    if record is not None and record.fingerprint == embedder.fingerprint.id and there:
        return there
    calibration = reference_means(db, embedder)
    texts = reference_texts()
    scripts: tuple[Script, ...] = ("cjk", "other")
    centres = {
        script: embedder.passages([*texts.texts["passage", script], *texts.texts["question", script]])
        for script in scripts
    }
    chance = np.random.default_rng(seed)
    fingerprint = embedder.fingerprint.id
    with db.write() as w:
        w.run("DELETE FROM frame_vectors")
        vector_store.put_record(w, "frame", 1, fingerprint, calibration, 0)
        w.run("UPDATE frame_passages SET state = 'embedded', parts = 1, revision = 1")
        ids = [row.int("id") for row in w.query("SELECT id FROM frames ORDER BY id")]
    for start in range(0, len(ids), BATCH):
        part = ids[start : start + BATCH]
        script = scripts[start // BATCH % 2]
        raw = made_vectors(centres[script], calibration.means["passage", script], len(part), chance)
        write(db, "frame", calibration, fingerprint, part, raw, script)
        print(f"vectors {start + len(part)} of {len(ids)}", file=sys.stderr)
    return len(ids)


def write(
    db: Database,
    kind: str,
    calibration: Calibration,
    fingerprint: str,
    ids: Sequence[int],
    raw: Vectors,
    script: Script,
) -> None:
    """Keep raw vectors of rows of a kind at revision 1, in generation 1."""
    kept, scales = quantise(raw)
    bits = signs(calibration.passages(raw, [script] * len(ids)))
    with db.write() as w:
        change = vector_store.next_change(w, kind)
        vectors = [
            vector_store.Vector(row_id, 0, 1, script, kept[n].tobytes(), float(scales[n]), bits[n].tobytes())
            for n, row_id in enumerate(ids)
        ]
        vector_store.put(w, kind, 1, fingerprint, change, vectors)


def measure(db: Database, embedder: Embedder, now_ms: int, p95: Callable[[list[float]], float]) -> dict[str, object]:
    """All figures; `p95` as the keyword bench takes it."""
    clock, settings = FakeClock(now_ms), settings_module.build({"search": {"meaning_floor": FLOOR}})
    redactor = Redactor(RedactionOptions())

    def pick() -> Embedder:
        return embedder

    frames = VectorIndex(FrameRows(pick), db, pick, clock, EventBus())
    segments = VectorIndex(SegmentRows(pick), db, pick, clock, EventBus())
    search = MeaningSearch(db, frames, segments, lambda: redactor, lambda: settings, clock)
    texts = reference_texts().texts
    questions = [*texts["question", "other"][: QUESTIONS // 2], *texts["question", "cjk"][: QUESTIONS // 2]]
    began = time.perf_counter()
    search.search(questions[0])
    first = (time.perf_counter() - began) * 1000
    times: dict[str, list[float]] = {filters: [] for filters in FILTERS}
    embed: list[float] = []
    for question in questions:
        began = time.perf_counter()
        embedder.questions([question])
        embed.append((time.perf_counter() - began) * 1000)
    for filters in FILTERS:  # so that no question comes twice in a row: the index remembers the last one's vector
        for question in questions:
            began = time.perf_counter()
            page = search.search(question + filters)
            times[filters].append((time.perf_counter() - began) * 1000)
            assert page.hits or filters, "every question of the bench has something to find"
    every = [each for found in times.values() for each in found]
    return {
        "semantic_p95_ms": round(p95(every), 1),
        "semantic_plain_p95_ms": round(p95(times[""]), 1),
        "semantic_filtered_p95_ms": round(p95([ms for name, found in times.items() if name for ms in found]), 1),
        "semantic_first_ms": round(first, 1),
        "question_embed_p95_ms": round(p95(embed), 1),
        "semantic_by_filter_ms": {name.strip() or "none": round(p95(found), 1) for name, found in times.items()},
        f"semantic_recall_at_{RECALL_AT}": recall(db, frames, embedder, questions, clock),
    }


def recall(
    db: Database, index: VectorIndex, embedder: Embedder, questions: Sequence[RedactedText], clock: FakeClock
) -> dict[str, float]:
    """Which part of the exactly nearest 20 the index gives, by filter."""
    ids, near = exact(db, embedder, questions)
    out: dict[str, float] = {}
    for filters in FILTERS:
        with db.read() as r:
            allowed = allowed_store.frames(r, parse(f"x{filters}", clock.stamp()))
        place = np.arange(len(ids)) if allowed is None else np.flatnonzero(np.isin(ids, allowed))
        shares = []
        for number, question in enumerate(questions):
            best = ids[place[np.argsort(-near[place, number])[:RECALL_AT]]]
            found = index.search(question, RECALL_AT, allowed=allowed).hits
            shares.append(len({hit.id for hit in found} & set(best.tolist())) / len(best) if len(best) else 1.0)
        out[filters.strip() or "none"] = round(float(np.mean(shares)), 3)
    return out


def exact(
    db: Database, embedder: Embedder, questions: Sequence[RedactedText]
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float32]]:
    """The ids of all vectors and their centred cosines with each question (n × questions)."""
    with db.read() as r:
        record = vector_store.record(r, "frame")
        assert record is not None
        means = record.calibration
        asked = np.stack([means.questions(embedder.questions([each]), script_of(each))[0] for each in questions])
        ids: list[int] = []
        near = []
        while page := vector_store.after(r, "frame", record.generation, (ids[-1] if ids else 0, 0), BATCH):
            raw = restore([each.q for each in page], means.dims)
            near.append(means.passages(raw, [each.script for each in page]) @ asked.T)
            ids += [each.row_id for each in page]
    return np.array(ids, np.int64), np.concatenate(near)
