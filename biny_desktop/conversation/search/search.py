"""`MessageSearch`: messages by words, by meaning, or by both ranks; never mixed with facts or screens (spec 05 §9).

A question is redacted before it is embedded and remembered only as a vector. Without an embedder words alone answer,
and the page says so.
"""

import contextlib
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from biny_desktop.conversation.search import keyword, store
from biny_desktop.conversation.search.keyword import CANDIDATES, WordHit
from biny_desktop.conversation.search.model import MessageFilters, MessageHit, MessagePage, Mode
from biny_desktop.conversation.search.query import MessageQuery, Term, parse
from biny_desktop.conversation.search.store import FoundMessage
from biny_desktop.core import marks
from biny_desktop.core.errors import StorageError, UnavailableError
from biny_desktop.core.i18n import mark
from biny_desktop.core.settings import Settings
from biny_desktop.core.text import RedactedText, words
from biny_desktop.models import ranking
from biny_desktop.models.model import VectorFound
from biny_desktop.models.ranking import Scored
from biny_desktop.models.vector_index import VectorIndex
from biny_desktop.redaction import Redactor
from biny_desktop.storage.database import Database, Reader

LIMIT_MAX: Final = 100
"""Hits of one page."""
NEAR: Final = 200
"""Passages asked of the index: several may be of one message, and some of versions that are not shown."""
LEAD: Final = 80
"""Characters of a snippet on both sides of its first mark (spec 05 §9.2)."""
TYPE_SOMETHING: Final = mark("type something to find")
ONLY_WORDS: Final = mark("by words only: there are no vectors yet")
NO_EMBEDDER: Final = mark("by words only: there is no embedder")
OTHER_EMBEDDER: Final = mark("by words only: the index is of another embedder")


class MessageSearch:
    """Finds messages. Thread-safe; writes nothing but the vector of a question.

    Args:
        vectors: the index over `MessageRows`. redactor: the present one.
    """

    def __init__(
        self, db: Database, vectors: VectorIndex, redactor: Callable[[], Redactor], settings: Callable[[], Settings]
    ) -> None:
        self._db, self._vectors, self._redactor, self._settings = db, vectors, redactor, settings

    def search(
        self, text: str, mode: Mode = "both", filters: MessageFilters | None = None, limit: int = 20, offset: int = 0
    ) -> MessagePage:
        """One page of hits for any text, best first; no text raises.

        Args:
            mode: `keyword`, `meaning` or `both`. filters: None for active paths of all sessions. limit: 1 to 100.
            offset: `next` of the page before.

        Raises:
            StorageError: the database cannot be read.
        """
        wanted, query = filters or MessageFilters(), parse(text)
        limit, offset = max(1, min(limit, LIMIT_MAX)), max(0, offset)
        question = self._redactor().plain(" ".join(text.split()))
        near, notice = (None, None) if mode == "keyword" else self._near(question, wanted)
        if near is None:
            found = self._by_words(query.terms, wanted, offset + limit + 1)
            hits = [_word_hit(hit, query) for hit in found[offset : offset + limit]]
            notice = notice or (None if query.terms else TYPE_SOMETHING)
            return MessagePage(tuple(hits), "keyword", notice, _next(len(found), offset, limit))
        ordered = self._fused(question, query, near, wanted, mode)
        page = ordered[offset : offset + limit]
        return MessagePage(tuple(page), mode, None, _next(len(ordered), offset, limit))

    def _by_words(self, terms: Sequence[Term], filters: MessageFilters, limit: int) -> list[WordHit]:
        with self._db.read() as r:
            return keyword.find(r, terms, filters, min(limit, CANDIDATES))

    def _near(self, question: RedactedText, filters: MessageFilters) -> tuple[VectorFound | None, str | None]:
        """Passages near the question; None, and why, where words have to do."""
        if not words(question):
            return None, None
        allowed = None
        if replace(filters, all_versions=False) != MessageFilters():  # else those off the path are left out afterwards
            with self._db.read() as r:
                allowed = np.array(store.allowed(r, filters), np.int64)
        if allowed is not None and not len(allowed):
            return VectorFound(()), None
        floor = self._settings().search.meaning_floor
        try:
            found = self._vectors.search(question, NEAR, allowed=allowed, floor=floor)
        except UnavailableError:
            return None, NO_EMBEDDER
        if found.reason in ("no_embedder", "no_vectors", "index_mismatch"):
            why = {"no_embedder": NO_EMBEDDER, "index_mismatch": OTHER_EMBEDDER}.get(found.reason, ONLY_WORDS)
            return None, why
        with contextlib.suppress(StorageError, UnavailableError):  # a full disk must not take the answer away
            self._vectors.note_question(question)
        return found, None

    def _fused(
        self, question: RedactedText, query: MessageQuery, near: VectorFound, filters: MessageFilters, mode: Mode
    ) -> list[MessageHit]:
        """Hits by both ranks (or by meaning alone), best first."""
        terms = ranking.question_terms(question)
        by_word: dict[int, WordHit] = {}
        if mode == "both":
            looked = [Term(f'"{each}"', (each,)) for each in terms]
            by_word = {hit.row.n: hit for hit in self._by_words(looked, filters, LIMIT_MAX)}
        lexical = [Scored(n, hit.score) for n, hit in by_word.items()]
        order = ranking.ranked("default" if by_word else "vector", terms, near.hits, lexical)
        with self._db.read() as r:
            rows = self._shown(r, [each.id for each in order], filters)
        likeness: dict[int, tuple[float, float]] = {}
        for hit in near.hits:
            likeness[hit.id] = max((hit.centred, hit.raw), likeness.get(hit.id, (hit.centred, hit.raw)))
        out = []
        for each in order:
            if each.id in rows:
                held = by_word[each.id].terms if each.id in by_word else 0
                out.append(_hit(rows[each.id], query, held, likeness.get(each.id)))
        return out

    def _shown(self, r: Reader, numbers: Sequence[int], filters: MessageFilters) -> dict[int, FoundMessage]:
        found = store.by_numbers(r, numbers)
        return {n: row for n, row in found.items() if row.active or filters.all_versions}


def _next(found: int, offset: int, limit: int) -> int | None:
    return offset + limit if found > offset + limit else None


def _word_hit(hit: WordHit, query: MessageQuery) -> MessageHit:
    return _hit(hit.row, query, hit.terms, None)


def _hit(row: FoundMessage, query: MessageQuery, terms: int, likeness: tuple[float, float] | None) -> MessageHit:
    piece, inside = snippet(row.content, marks.marks(row.content, marks.pattern(query.wanted)))
    centred, raw = likeness or (None, None)
    return MessageHit(
        row.message_id, row.session_id, row.title, row.role, row.sent_at_ms, row.time_zone, piece, inside,  # type: ignore[arg-type]
        row.active, terms, centred, raw,
    )  # fmt: skip


def snippet(text: str, found: marks.Marks) -> tuple[str, marks.Marks]:
    """80 characters on both sides of the first mark, or the beginning, and the marks inside."""
    first, last = found[0] if found else (0, 0)
    start, end = max(0, first - LEAD), min(len(text), last + LEAD + (LEAD if not found else 0))
    inside = tuple((low - start, min(high, end) - start) for low, high in found if low >= start and low < end)
    return text[start:end], inside
