"""Messages by words: most different terms first, then bm25, then the newest (spec 05 §9.1), quick at any size.

FTS5 ranks an OR of common words by reading all their rows, 0.3 s at 200,000 messages. Instead each term gives its
newest `TERM_ROWS` rows, all terms together (and all but one) give theirs, and the best `CANDIDATES` of those are scored
exactly from their texts. Where no term is in more rows than that, nothing is left out; of a word that is everywhere the
newest messages are found, and those that hold several of the terms whatever their age.
"""

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from biny_desktop.conversation.search import store
from biny_desktop.conversation.search.model import MessageFilters
from biny_desktop.conversation.search.query import Term
from biny_desktop.conversation.search.store import FoundMessage
from biny_desktop.core.text import index_text, normalise
from biny_desktop.storage.database import Reader

TERM_ROWS: Final = 400
"""Rows of one term that are looked at."""
CANDIDATES: Final = 200
"""Rows whose texts are read and scored."""
DROP_ONE_MAX: Final = 5
"""With more terms than this, no row is looked for that holds all but one of them."""
SCORED_CHARS: Final = 20_000
"""Characters of a message that are scored."""
K1: Final = 1.2
B: Final = 0.75
"""The usual constants of bm25, those of FTS5."""
_WORD: Final = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class WordHit:
    """A row with how many different terms it holds, how many of them as they were typed, and its bm25 (greater is
    better)."""

    row: FoundMessage
    terms: int
    literal: int
    score: float


def find(r: Reader, terms: Sequence[Term], filters: MessageFilters, limit: int) -> list[WordHit]:
    """The best rows that hold at least one of the terms, best first."""
    if not terms:
        return []
    found = {term: store.holding(r, term.match, filters, TERM_ROWS) for term in terms}
    counts: Counter[int] = Counter()
    for rows in found.values():
        counts.update(rows)
    common = [term for term in terms if len(found[term]) == TERM_ROWS]
    if common and len(terms) > 1:
        for group in _groups(terms):
            rows = store.holding(r, " AND ".join(term.match for term in group), filters, TERM_ROWS)
            for n in rows:
                counts[n] = max(counts[n], len(group))
    best = sorted(counts, key=lambda n: (counts[n], n), reverse=True)[: max(CANDIDATES, limit)]
    rare = {term: len(rows) for term, rows in found.items()}
    return _scored(store.by_numbers(r, best).values(), terms, rare, store.count(r))[:limit]


def _groups(terms: Sequence[Term]) -> list[Sequence[Term]]:
    """All terms, and all but each one of them."""
    groups: list[Sequence[Term]] = [terms]
    if 2 < len(terms) <= DROP_ONE_MAX:
        groups += [[each for each in terms if each is not left_out] for left_out in terms]
    return groups


def _scored(rows: Iterable[FoundMessage], terms: Sequence[Term], rows_of: dict[Term, int], total: int) -> list[WordHit]:
    """Rows scored by their texts, best first; those in which no term stands are left out."""
    texts = [(row, tokens_of(row.content[:SCORED_CHARS])) for row in rows]
    mean = sum(len(tokens) for _row, tokens in texts) / len(texts) if texts else 1.0
    weights = {term: math.log(1 + (total - n + 0.5) / (n + 0.5)) for term, n in rows_of.items()}
    hits = []
    for row, tokens in texts:
        joined = "\x00" + "\x00".join(tokens) + "\x00"
        counts = {term: _count(joined, tokens, term) for term in terms}
        held = [term for term in terms if counts[term]]
        if not held:
            continue
        long = K1 * (1 - B + B * len(tokens) / max(mean, 1.0))
        score = sum(weights[term] * counts[term] * (K1 + 1) / (counts[term] + long) for term in held)
        typed = [term for term in held if term.literal]
        plain = normalise(row.content[:SCORED_CHARS]) if typed else ""
        literal = sum(term.literal in plain for term in typed)
        hits.append(WordHit(row, len(held), literal, score))
    return sorted(
        hits, key=lambda hit: (hit.terms, hit.literal, hit.score, hit.row.sent_at_ms, hit.row.n), reverse=True
    )


def tokens_of(text: str) -> list[str]:
    """The tokens of a text as its index has them: folded, pairs of CJK characters, without accents."""
    prepared = index_text(text)
    if not prepared.isascii():
        apart = unicodedata.normalize("NFD", prepared)
        prepared = unicodedata.normalize("NFC", "".join(c for c in apart if not _is_accent(c)))
    return _WORD.findall(prepared)


def _is_accent(char: str) -> bool:
    return "\u0300" <= char <= "\u036f"


def _count(joined: str, tokens: Sequence[str], term: Term) -> int:
    """How often a term stands in a text."""
    wanted = [_plain(each) for each in term.tokens]
    if term.prefix and len(wanted) == 1:
        return sum(token.startswith(wanted[0]) for token in tokens)
    phrase = "\x00" + "\x00".join(wanted) + ("" if term.prefix else "\x00")
    return joined.count(phrase)


def _plain(token: str) -> str:
    if token.isascii():
        return token
    apart = unicodedata.normalize("NFD", token)
    return unicodedata.normalize("NFC", "".join(char for char in apart if not _is_accent(char)))
