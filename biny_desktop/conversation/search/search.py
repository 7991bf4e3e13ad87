"""`MessageSearch`: messages by words, by meaning, or by both ranks; never mixed with facts or screens (spec 05 §9).

A question is redacted before it is embedded and remembered only as a vector. Without an embedder words alone answer,
and the page says so.
"""

import contextlib
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from biny_desktop.conversation.search import keyword, row_store, store
from biny_desktop.conversation.search.keyword import CANDIDATES, WordHit
from biny_desktop.conversation.search.model import (
    IndexCounts,
    MessageFilters,
    MessageHit,
    MessageIndexed,
    MessagePage,
    Mode,
)
from biny_desktop.conversation.search.query import MessageQuery, Term, parse, term_of
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
from biny_desktop.storage.database import Database

LIMIT_MAX: Final = 100
"""Hits of one page."""
NEAR: Final = 200
"""Passages asked of the index: several may be of one message, and some of versions that are not shown."""
LEAD: Final = 80
"""Characters of a snippet on both sides of its first mark (spec 05 §9.2)."""
QUESTION_MAX: Final = 4_000
"""Characters of a question that are looked at; a model reads half of them."""
TRIM_MAX: Final = 16
"""Characters by which a side of a snippet may be shorter so that it ends between words."""
MEANT_TERMS_MAX: Final = 64
"""Terms of a question that are looked up beside its meaning. With 24, recall at 10 on MADial zh falls from 0.733 to
0.722; with more than 64 it does not rise."""
WINDOW: Final = 1_200
WINDOW_OVERLAP: Final = 200
"""Characters that are searched for marks at once, and that the next window has in common with it."""
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
        question = self._redactor().plain(" ".join(text.split())[:QUESTION_MAX])
        near, notice = (None, None) if mode == "keyword" else self._near(question, wanted)
        if near is None:
            used: Mode = "keyword"
            order = [_Found(hit.n, hit.terms) for hit in self._by_words(query.terms, wanted)]
            notice = notice or (None if query.terms else TYPE_SOMETHING)
        else:
            used = mode
            order = self._ordered(question, near, wanted, mode)
        page = order[offset : offset + limit]
        more = offset + limit if len(order) > offset + limit else None
        return MessagePage(self._hits(page, query), used, notice, more)

    def indexed(self, message_id: str) -> MessageIndexed:
        """How a stored message can be found. Raises StorageError."""
        with self._db.read() as r:
            by_words, belongs, present, vectors = row_store.indexed(r, message_id)
        if not belongs:
            return MessageIndexed(by_words, "none")
        if present:
            return MessageIndexed(by_words, "stale" if self._vectors.state() == "mismatch" else "indexed")
        return MessageIndexed(by_words, "stale" if vectors else "pending")

    def counts(self) -> IndexCounts:
        """Messages against their text index; reads every row. Raises StorageError."""
        with self._db.read() as r:
            return IndexCounts(store.count(r), *store.unindexed(r))

    def _by_words(self, terms: Sequence[Term], filters: MessageFilters) -> list[WordHit]:
        with self._db.read() as r:
            return keyword.find(r, terms, filters, CANDIDATES)

    def _near(self, question: RedactedText, filters: MessageFilters) -> tuple[VectorFound | None, str | None]:
        """Passages near the question; None, and why, where words have to do."""
        if not words(question):
            return None, None
        with self._db.read() as r:
            allowed = store.Scope(r, filters).numbers  # role and versions are left out afterwards
        if allowed is not None and not len(allowed):
            return VectorFound(()), None
        floor = self._settings().search.meaning_floor
        try:
            found = self._vectors.search(question, NEAR, allowed=allowed, floor=floor)
        except UnavailableError:
            return None, NO_EMBEDDER
        if found.reason in ("no_embedder", "no_vectors", "index_mismatch") and not (
            found.reason == "no_vectors" and allowed is not None and self._vectors.state() == "ready"
        ):
            why = {"no_embedder": NO_EMBEDDER, "index_mismatch": OTHER_EMBEDDER}.get(found.reason, ONLY_WORDS)
            return None, why
        with contextlib.suppress(StorageError, UnavailableError):  # a full disk must not take the answer away
            self._vectors.note_question(question)
        return found, None

    def _ordered(
        self, question: RedactedText, near: VectorFound, filters: MessageFilters, mode: Mode
    ) -> list["_Found"]:
        """Rows by both ranks (or by meaning alone), best first."""
        terms = ranking.question_terms(question)
        with self._db.read() as r:
            passing = frozenset(store.Scope(r, filters).passing([hit.id for hit in near.hits]))
        hits = [hit for hit in near.hits if hit.id in passing]
        by_word: dict[int, WordHit] = {}
        if mode == "both":
            by_word = {
                hit.n: hit for hit in self._by_words([term_of(each) for each in terms[:MEANT_TERMS_MAX]], filters)
            }
        lexical = [Scored(n, hit.score) for n, hit in by_word.items()]
        likeness: dict[int, tuple[float, float]] = {}
        for hit in hits:
            likeness[hit.id] = max((hit.centred, hit.raw), likeness.get(hit.id, (hit.centred, hit.raw)))
        order = ranking.ranked("default" if mode == "both" else "vector", terms, hits, lexical)
        return [
            _Found(each.id, by_word[each.id].terms if each.id in by_word else 0, *likeness.get(each.id, (None, None)))
            for each in order
        ]

    def _hits(self, found: Sequence["_Found"], query: MessageQuery) -> tuple[MessageHit, ...]:
        """What is shown; a message that was deleted meanwhile is left out."""
        find = marks.pattern(query.wanted)
        with self._db.read() as r:
            rows = store.by_numbers(r, [each.n for each in found])
        return tuple(_hit(rows[each.n], find, each) for each in found if each.n in rows)


@dataclass(frozen=True, slots=True)
class _Found:
    """A row, how many terms it holds, and how near it is (None: found by words alone)."""

    n: int
    terms: int
    centred: float | None = None
    raw: float | None = None


def _hit(row: FoundMessage, find: re.Pattern[str] | None, found: _Found) -> MessageHit:
    piece, inside = snippet(row.content, find)
    return MessageHit(
        row.message_id, row.session_id, row.title, row.role, row.sent_at_ms, row.time_zone, piece, inside,  # type: ignore[arg-type]
        row.active, found.terms, found.centred, found.raw,
    )  # fmt: skip


def snippet(text: str, find: re.Pattern[str] | None) -> tuple[str, marks.Marks]:
    """80 characters on both sides of the first mark, or the beginning, and the marks inside.

    Marks are looked for in one window of the text after the other, so that a long text costs no more than a short one.
    """
    for start in range(0, max(1, len(text) - WINDOW_OVERLAP), WINDOW - WINDOW_OVERLAP):
        found = marks.marks(text[start : start + WINDOW], find)
        # What begins where a window does may be the end of a word; the window before it has it whole.
        found = tuple((low + start, high + start) for low, high in found if low or not start)
        if found:
            first, last = found[0]
            low, high = _whole_words(text, first, last)
            return text[low:high], tuple((one - low, end - low) for one, end in found if one >= low and end <= high)
    return text[: _whole_words(text, 0, LEAD)[1]], ()


def _whole_words(text: str, first: int, last: int) -> tuple[int, int]:
    """80 characters before and after these places, less a word that would be cut in two if a space is near."""
    low, high = max(0, first - LEAD), min(len(text), last + LEAD)
    if low and not text[low - 1].isspace():
        low = next((n + 1 for n in range(low, min(low + TRIM_MAX, first)) if text[n].isspace()), low)
    if high < len(text) and not text[high].isspace():
        high = next((n for n in range(high - 1, max(high - TRIM_MAX, last) - 1, -1) if text[n].isspace()), high)
    return low, high
