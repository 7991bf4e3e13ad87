"""Bench of change detection: what is kept and dropped on labelled pictures, and its cost beside a perceptual hash.

    python -m tests.bench.detector --data FOLDER [--json]

Pairs are compared alone; frames of a sequence in order, each with the last kept one. One JSON object on stdout.
"""

import argparse
import json
import statistics
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import imagehash

from biny_desktop.capture.change import Detector
from biny_desktop.capture.ports import Pixels
from tests.bench.frames import Frame, rows_of
from tests.bench.peers import PEERS, picture_of

REPEATS = 3
"""Times each comparison is timed; the median counts."""


@dataclass(slots=True)
class Score:
    """How one detector did."""

    wanted: int = 0
    kept: int = 0
    noise: int = 0
    dropped: int = 0
    misses: list[dict[str, str]] = field(default_factory=list)

    def add(self, frame: Frame, changed: bool, reason: str = "") -> None:
        """Count one answer."""
        self.wanted += frame.wanted
        self.noise += not frame.wanted
        self.kept += frame.wanted and changed
        self.dropped += not frame.wanted and not changed
        if frame.wanted != changed:
            self.misses.append({"id": frame.id, "what": frame.what, "label": frame.label, "reason": reason})

    def rates(self) -> dict[str, float]:
        """Wanted changes kept and noise dropped, 0..1."""
        kept = self.kept / self.wanted if self.wanted else 1.0
        return {
            "kept_rate": round(kept, 4),
            "dropped_rate": round(self.dropped / self.noise if self.noise else 1.0, 4),
        }


@dataclass(slots=True)
class Bench:
    """All figures of a run."""

    score: Score = field(default_factory=Score)
    peers: dict[str, Score] = field(default_factory=lambda: {name: Score() for name in PEERS})
    own_ms: list[float] = field(default_factory=list)
    phash_ms: list[float] = field(default_factory=list)
    timed: Detector = field(default_factory=Detector)

    def run(self, frames: list[Frame]) -> None:
        """Go through frames in order; the first of a pair only opens it, the first of a sequence counts."""
        detector = Detector()
        known: dict[str, tuple[Any, Pixels]] = {}
        baseline: Frame | None = None
        for place, frame in enumerate(frames):
            if baseline is not None:
                self._time(baseline, frame)
            change = detector.compare(frame.shot, frame.look)
            if place or len(frames) > 2:
                self.score.add(frame, change.changed, change.reason)
            if change.changed:
                detector.accept(frame.shot, frame.look)
                baseline = frame
            self._ask_peers(frame, known, counts=bool(place) or len(frames) > 2)

    def result(self) -> dict[str, Any]:
        """The keys of the bench."""
        own = statistics.median(self.own_ms) if self.own_ms else 0.0
        phash = statistics.median(self.phash_ms) if self.phash_ms else 0.0
        return {
            **self.score.rates(),
            "misses": self.score.misses,
            "ms_median": round(own, 3),
            "phash_ms_median": round(phash, 3),
            "ratio": round(own / phash, 4) if phash else 0.0,
            "peers": {name: score.rates() for name, score in self.peers.items()},
        }

    def _time(self, baseline: Frame, frame: Frame) -> None:
        """Time the comparison of the two pictures and the hash of the second, each some times in a row."""
        own: list[float] = []
        phash: list[float] = []
        picture = picture_of(frame.shot.pixels)
        for _ in range(REPEATS):
            self.timed.forget()
            self.timed.accept(baseline.shot, baseline.look)
            own.append(_milliseconds(lambda: self.timed.compare(frame.shot, frame.look)))
        for _ in range(REPEATS):
            phash.append(_milliseconds(lambda: imagehash.phash(picture)))
        self.own_ms.append(statistics.median(own))
        self.phash_ms.append(statistics.median(phash))

    def _ask_peers(self, frame: Frame, known: dict[str, tuple[Any, Pixels]], *, counts: bool) -> None:
        for name, (prepare, differ) in PEERS.items():
            prepared = prepare(frame.shot.pixels)
            before = known.get(name)
            changed = before is None or before[1].shape != frame.shot.pixels.shape or bool(differ(before[0], prepared))
            if counts:
                self.peers[name].add(frame, changed)
            if changed:
                known[name] = (prepared, frame.shot.pixels)


def _milliseconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return (time.perf_counter() - start) * 1000


def table(result: dict[str, Any]) -> Iterable[str]:
    """The result as lines for people."""
    yield f"{'':<12}{'kept':>8}{'dropped':>10}"
    for name, rates in [("ours", result), *result["peers"].items()]:
        yield f"{name:<12}{rates['kept_rate']:>8.1%}{rates['dropped_rate']:>10.1%}"
    yield f"{result['ms_median']} ms, phash {result['phash_ms_median']} ms, ratio {result['ratio']}"
    for miss in result["misses"]:
        yield f"miss {miss['id']} ({miss['label']}, {miss['reason']}): {miss['what']}"


def main(arguments: list[str] | None = None) -> int:
    """Run the bench; exit status 2 when the folder holds nothing to measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--data", type=Path, required=True, help="folder with labels.json, session.json or sequence.json"
    )
    parser.add_argument("--json", action="store_true", help="one JSON object instead of a table")
    options = parser.parse_args(arguments)
    bench = Bench()
    try:
        for number, frames in enumerate(rows_of(options.data), 1):
            print(f"{number}: {frames[-1].what}", file=sys.stderr)
            bench.run(frames)
    except FileNotFoundError as error:
        print(error, file=sys.stderr)
        return 2
    result = bench.result()
    print(json.dumps(result, ensure_ascii=False) if options.json else "\n".join(table(result)))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
