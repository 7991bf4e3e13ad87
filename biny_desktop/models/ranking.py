"""How rows are ordered for a question: by vector, by words, or both fused; messages, facts and event cards use it.

The default route is reciprocal rank fusion of centred cosine (weight 1) and bm25, with two measures against words that
meet by chance. A question of many content words meets most rows somewhere, so words weigh 1.5 up to six content words
and 0.1 from twelve on; and a hit by words counts as much as its bm25 is of the best hit's, so rows that share only a
common name count little. Measured, recall at 5 / 10 on MADial zh, MADial en and own English chat turns: weight 1.0
0.555 / 0.660, 0.560 / 0.690, 0.787 / 0.912; weight 0.3 0.604 / 0.731, 0.615 / 0.726, 0.863 / 0.938; by the number of
words but not by strength 0.605 / 0.740, 0.616 / 0.745, 0.662 / 0.838; as it is 0.605 / 0.741, 0.612 / 0.741,
0.838 / 0.963. Rejected: the part of a question's rare words that the best hit holds as the weight (no better, and needs
the frequency of every word); the square of the strength (the same within 0.005).
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final, Literal

from biny_desktop.core.resources import resource
from biny_desktop.core.text import index_text, is_cjk
from biny_desktop.models.model import VectorHit

Route = Literal["default", "vector", "vector_raw", "lexical", "fused"]
RANK_CONSTANT: Final = 10
"""Added to each rank before it is turned over (specs 04 §6, 05 §9, 08 §4)."""
DEPTH: Final = 100
"""Rows of each list that are fused; more change nothing on the measured sets."""
SHORT_WORDS: Final = 6
"""Content words up to which a question is a short, factual one."""
LONG_WORDS: Final = 12
"""Content words from which it is a piece of conversation."""
SHORT_WEIGHT: Final = 1.5
"""Weight of words for a short question (spec 08 §4: 1.0 to 1.5)."""
LONG_WEIGHT: Final = 0.1
"""Weight of words for a piece of conversation."""
PAIRS_A_WORD: Final = 4
"""Pairs of CJK characters that count as one content word: words have about two, and half of them are function words."""

_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Scored:
    """A row and its score in one list; greater is better. Words: minus FTS5's `bm25()`."""

    id: int
    score: float


def question_terms(question: str) -> tuple[str, ...]:
    """The terms to look a question up by in a text index, each once, in order.

    English function words, frequent pairs of Chinese ones and single CJK characters are left out, unless nothing would
    remain. The terms are prepared as `core.text.index_text` does it.
    """
    terms = tuple(dict.fromkeys(_WORD.findall(index_text(question))))
    content = tuple(each for each in terms if each not in function_words() and not (len(each) == 1 and is_cjk(each)))
    return content or terms


def any_of(terms: Iterable[str]) -> str:
    """An FTS5 query that finds rows with at least one of the terms; empty for none."""
    return " OR ".join('"' + each.replace('"', '""') + '"' for each in terms)


def lexical_weight(terms: Sequence[str]) -> float:
    """The weight of words beside vectors (1) for a question of these terms: `LONG_WEIGHT` to `SHORT_WEIGHT`."""
    pairs = sum(is_cjk(each[0]) for each in terms)
    words = len(terms) - pairs + pairs / PAIRS_A_WORD
    short = min(1.0, max(0.0, (LONG_WORDS - words) / (LONG_WORDS - SHORT_WORDS)))
    return LONG_WEIGHT + short * (SHORT_WEIGHT - LONG_WEIGHT)


def fuse(
    vector: Sequence[Scored], lexical: Sequence[Scored], weight: float, *, by_strength: bool = True
) -> list[Scored]:
    """Two lists as one by reciprocal ranks, best first; rows of the same score by id.

    Args:
        vector, lexical: best first, each row at most once; the first `DEPTH` are read.
        weight: of the words; that of the vectors is 1.
        by_strength: a hit by words counts as much as its score is of the best one's; else all alike.
    """
    total: dict[int, float] = {}
    for rank, hit in enumerate(vector[:DEPTH], 1):
        total[hit.id] = 1 / (RANK_CONSTANT + rank)
    best = lexical[0].score if lexical else 0.0
    for rank, hit in enumerate(lexical[:DEPTH], 1):
        strength = max(0.0, hit.score / best) if by_strength and best > 0 else 1.0
        total[hit.id] = total.get(hit.id, 0.0) + weight * strength / (RANK_CONSTANT + rank)
    return in_order(Scored(row, score) for row, score in total.items())


def best_parts(hits: Iterable[VectorHit], *, raw: bool = False) -> list[Scored]:
    """The rows of vector hits by the similarity of their nearest part, best first; `raw`: by the plain cosine."""
    best: dict[int, float] = {}
    for hit in hits:
        score = hit.raw if raw else hit.centred
        best[hit.id] = max(score, best.get(hit.id, score))
    return in_order(Scored(row, score) for row, score in best.items())


def ranked(route: Route, terms: Sequence[str], hits: Sequence[VectorHit], lexical: Iterable[Scored]) -> list[Scored]:
    """The rows that a route finds, best first.

    Args:
        terms: `question_terms` of the question.
        hits: near vectors, any order; none when there is no vector index, then the words alone decide.
        lexical: rows found by words, any order.
    """
    words = in_order(lexical)
    if route == "lexical":
        return words
    if route in ("vector", "vector_raw"):
        return best_parts(hits, raw=route == "vector_raw")
    if route == "fused":
        return fuse(best_parts(hits), words, 1.0, by_strength=False)
    return fuse(best_parts(hits), words, lexical_weight(terms))


def in_order(scored: Iterable[Scored]) -> list[Scored]:
    """Greatest score first, then smallest id."""
    return sorted(scored, key=lambda each: (-each.score, each.id))


@cache
def function_words() -> frozenset[str]:
    """The shipped function words, one a line; `#` begins a comment."""
    lines = resource("ranking", "function_words.txt").read_text(encoding="utf-8").splitlines()
    return frozenset(line for line in lines if line and line[0] != "#")
