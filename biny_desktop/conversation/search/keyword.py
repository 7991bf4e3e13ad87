"""Messages by words: most different terms first, then bm25, then the newest (spec 05 §9.1), quick at any size.

FTS5 ranks an OR of common words by reading all their rows, 0.3 s at 200,000 messages. Instead each term gives its
newest `TERM_ROWS` rows that the filters let through, all terms together (and all but one) give theirs, and the best
`CANDIDATES` of those are scored from their texts. Where no term is in more rows than that, the order is exact. Of a
word that is everywhere the newest messages are found, and those that hold several of the terms whatever their age; of
one that is everywhere in answers, what was asked with it only as far as `store.SCAN_ROWS` rows reach. A term with signs
(`C++`) that is common by its letters is looked for as it was typed in the newest `TYPED_ROWS` of them, and comes before
the others of as many terms.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from biny_desktop.conversation.search import scoring, store
from biny_desktop.conversation.search.model import MessageFilters
from biny_desktop.conversation.search.query import Term
from biny_desktop.conversation.search.store import FoundMessage, Scope
from biny_desktop.core.text import normalise
from biny_desktop.storage.database import Reader

TERM_ROWS: Final = 400
"""Rows of one term that are looked at."""
TYPED_ROWS: Final = 2_000
"""Rows of a common term with signs whose texts are looked into for the signs."""
CANDIDATES: Final = 200
"""Rows whose texts are read and scored."""
GROUP_ROWS: Final = 1_600
"""Rows that hold several terms, of which those of a role, or on the path, are looked for."""
COUNTED_TERMS: Final = 24
"""Terms that count; of more, which only a long question has, the rarest."""
DROP_ONE_MAX: Final = 5
"""With more terms than this, no row is looked for that holds all but one of them."""
SCORED_CHARS: Final = 20_000
"""Characters of a message that are scored."""


@dataclass(frozen=True, slots=True)
class WordHit:
    """A row (`n`) with how many different terms it holds, how many of them as they were typed, and its bm25 (greater
    is better)."""

    n: int
    terms: int
    literal: int
    score: float
    sent_at_ms: int


@dataclass(frozen=True, slots=True)
class _Looked:
    """What the index told: the newest rows of each term, which are all of them but for `common` terms; how many terms
    each row holds at least, and rows with signs as they were typed."""

    found: Mapping[Term, Collection[int]]
    common: Collection[Term]
    counts: Mapping[int, int]
    typed: Collection[int]

    def rows_of(self, term: Term, total: int) -> int:
        """How many of all rows hold a term; of a common one by how close together its newest rows lie."""
        rows = self.found[term]
        if term not in self.common:
            return len(rows)
        return max(len(rows), len(rows) * total // (max(self.counts) - min(rows) + 1))

    def best(self, limit: int) -> list[int]:
        """The rows that are worth scoring."""
        return sorted(self.counts, key=lambda n: (self.counts[n], n in self.typed, n), reverse=True)[:limit]


def find(r: Reader, terms: Sequence[Term], filters: MessageFilters, limit: int) -> list[WordHit]:
    """The best rows that hold at least one of the terms, best first; at most `CANDIDATES`."""
    if not terms:
        return []
    looked = _look(Scope(r, filters), terms)
    terms = tuple(looked.found)
    rows = store.by_numbers(r, looked.best(CANDIDATES), SCORED_CHARS)
    return _scored(rows.values(), terms, looked, store.count(r))[:limit]


def _look(scope: Scope, terms: Sequence[Term]) -> _Looked:
    found = {term: frozenset(scope.holding(term.match, TERM_ROWS)) for term in terms}
    if len(terms) > COUNTED_TERMS:
        terms = sorted(terms, key=lambda term: len(found[term]))[:COUNTED_TERMS]
        found = {term: found[term] for term in terms}
    common = [term for term in terms if len(found[term]) == TERM_ROWS]
    counts: Counter[int] = Counter()
    for rows in found.values():
        counts.update(rows)
    if common and len(terms) > 1:
        for group in _groups(terms):
            for n in scope.holding(" AND ".join(term.match for term in group), TERM_ROWS, GROUP_ROWS):
                counts[n] = max(counts[n], len(group))
    typed: set[int] = set()
    for term in common:
        if term.literal:
            typed.update(scope.typed(term.match, term.literal, TYPED_ROWS))
    for n in typed:
        counts[n] = max(counts[n], 1)
    return _Looked(found, common, counts, typed)


def _groups(terms: Sequence[Term]) -> list[Sequence[Term]]:
    """All terms, and all but each one of them."""
    groups: list[Sequence[Term]] = [terms]
    if 2 < len(terms) <= DROP_ONE_MAX:
        groups += [[each for each in terms if each is not left_out] for left_out in terms]
    return groups


def _scored(rows: Iterable[FoundMessage], terms: Sequence[Term], looked: _Looked, total: int) -> list[WordHit]:
    """Rows scored by their texts, best first."""
    counters = [scoring.counter(term) for term in terms]
    rarities = [scoring.rarity(looked.rows_of(term, total), total) for term in terms]
    texts = [(row, normalise(row.content[:SCORED_CHARS])) for row in rows]
    lengths = [scoring.length(plain) for _row, plain in texts]
    mean = sum(lengths) / len(lengths) if lengths else 1.0
    hits = []
    for (row, plain), words in zip(texts, lengths, strict=True):
        folded = scoring.folded(plain)
        counts = [
            max(count(folded), int(row.n in looked.found[term])) for term, count in zip(terms, counters, strict=True)
        ]
        literal = sum(bool(term.literal) and term.literal in plain for term in terms)
        score = scoring.bm25(counts, rarities, words, mean)
        hits.append(WordHit(row.n, sum(n > 0 for n in counts), literal, score, row.sent_at_ms))
    return sorted(hits, key=lambda hit: (hit.terms, hit.literal, hit.score, hit.sent_at_ms, hit.n), reverse=True)
