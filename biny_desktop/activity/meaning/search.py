"""Search by meaning: the words of a query are the question, everything else in it says what may be found (spec 03 §7).

The question is redacted before it is embedded, and remembered only as a vector; it never fills the index.
"""

import contextlib
from collections.abc import Callable, Iterable, Sequence
from typing import Final

from biny_desktop.activity import frame_store
from biny_desktop.activity.meaning import allowed_store, passage_store
from biny_desktop.activity.meaning.allowed_store import Ids
from biny_desktop.activity.meaning.model import MeaningHit, MeaningPage, SegmentMeaningHit
from biny_desktop.activity.meaning.passage_store import HitRow
from biny_desktop.activity.meaning.passages import frame_passages
from biny_desktop.activity.search_query import Query, parse
from biny_desktop.activity.segments import store as segment_store
from biny_desktop.core.clock import Clock
from biny_desktop.core.errors import StorageError, UnavailableError
from biny_desktop.core.i18n import mark
from biny_desktop.core.marks import SNIPPET_MAX
from biny_desktop.core.settings import Settings
from biny_desktop.core.text import RedactedText, normalise, words
from biny_desktop.models.model import VectorFound, VectorHit
from biny_desktop.models.passage_tokens import estimate_tokens
from biny_desktop.models.vector_index import VectorIndex
from biny_desktop.redaction import Redactor, cut
from biny_desktop.storage.database import Database, Reader

CANDIDATES: Final = 300
"""Passages asked of the index for one answer: several are of one frame, and many frames of one segment. Less than the
400 that it scores anew (spec 03 §7), so that some of those may be of rows that changed without another round."""
_LOOK: Final = 60
"""Frames whose segments are looked up at once."""
LIMIT_MAX: Final = 100
"""Hits of one answer at most; there are no pages."""
SAY_SOMETHING: Final = mark("say in words what you look for")


class MeaningSearch:
    """Finds frames and segments by what they are about. Thread-safe; writes nothing but the vector of a question.

    Args:
        frames, segments: the indexes over `FrameRows` and `SegmentRows`. redactor: the present one.
    """

    def __init__(
        self,
        db: Database,
        frames: VectorIndex,
        segments: VectorIndex,
        redactor: Callable[[], Redactor],
        settings: Callable[[], Settings],
        clock: Clock,
    ) -> None:
        self._db, self._frames, self._segments = db, frames, segments
        self._redactor, self._settings, self._clock = redactor, settings, clock

    def search(self, text: str, limit: int = 20, *, every_frame: bool = False) -> MeaningPage:
        """Frames near what a person typed, best first; no text raises.

        Args:
            text: words and the filters of spec 03 §6.2. limit: 1 to 100.
            every_frame: also several frames of one segment.

        Raises:
            StorageError: the database cannot be read.
        """
        query, question = self._parsed(text)
        if question is None:
            return MeaningPage((), notice=SAY_SOMETHING)
        with self._db.read() as r:
            allowed = allowed_store.frames(r, query)
        found = self._found(self._frames, question, allowed)
        self._note(question)
        with self._db.read() as r:
            best = _best(r, found.hits, max(1, min(limit, LIMIT_MAX)), every_frame=every_frame)
            hits = _hits(r, best, question)
        return MeaningPage(hits, None if hits else found.reason)

    def segments(self, text: str, limit: int = 20) -> tuple[SegmentMeaningHit, ...]:
        """Segments near what a person typed, best first; none for the reasons that `search` gives. No text raises.

        Raises:
            StorageError: the database cannot be read.
        """
        query, question = self._parsed(text)
        if question is None:
            return ()
        with self._db.read() as r:
            allowed = allowed_store.segments(r, query)
        found = self._found(self._segments, question, allowed)
        best = list(_first_of_each(found.hits))[: max(1, min(limit, LIMIT_MAX))]
        with self._db.read() as r:
            there = segment_store.by_id(r, [hit.id for hit in best])
        return tuple(SegmentMeaningHit(there[hit.id], hit.centred, hit.raw) for hit in best if hit.id in there)

    def _parsed(self, text: str) -> tuple[Query, RedactedText | None]:
        query = parse(text, self._clock.stamp(), self._settings().day.start)
        question = self._redactor().plain(query.question)
        return query, question if words(question) else None

    def _found(self, index: VectorIndex, question: RedactedText, allowed: Ids | None) -> VectorFound:
        if allowed is not None and not len(allowed):
            return VectorFound(())
        floor = self._settings().search.meaning_floor
        try:
            return index.search(question, CANDIDATES, allowed=allowed, floor=floor)
        except UnavailableError:  # there is one, but it fails
            return VectorFound((), "no_embedder")

    def _note(self, question: RedactedText) -> None:
        with contextlib.suppress(
            StorageError, UnavailableError
        ):  # a full disk must not keep anybody from finding something
            self._frames.note_question(question)


def _first_of_each(hits: Iterable[VectorHit]) -> Iterable[VectorHit]:
    """The best passage of each row."""
    seen: set[int] = set()
    for hit in hits:
        if hit.id not in seen:
            seen.add(hit.id)
            yield hit


def _best(r: Reader, hits: Sequence[VectorHit], limit: int, *, every_frame: bool) -> list[VectorHit]:
    """The best frames that are still there, one a segment unless every frame is wanted."""
    frames = list(_first_of_each(hits))
    out: list[VectorHit] = []
    shown: set[int] = set()
    for start in range(0, len(frames), _LOOK):
        segment_of = passage_store.segments_of(r, [hit.id for hit in frames[start : start + _LOOK]])
        for hit in frames[start : start + _LOOK]:
            segment = segment_of.get(hit.id)
            if hit.id not in segment_of or (segment in shown and not every_frame):
                continue
            out.append(hit)
            if segment is not None:
                shown.add(segment)
            if len(out) == limit:
                return out
    return out


def _hits(r: Reader, best: Sequence[VectorHit], question: RedactedText) -> tuple[MeaningHit, ...]:
    ids = [hit.id for hit in best]
    frames, rows = frame_store.frames_by_id(r, ids), passage_store.hit_rows(r, ids)
    out: list[MeaningHit] = []
    for hit in best:
        if hit.id in frames and hit.id in rows:
            frame, tier = frames[hit.id]
            row = rows[hit.id]
            shown = excerpt(_passage(row, hit.part), question)
            out.append(MeaningHit(frame, shown, hit.centred, hit.raw, tier, row.segment_id))
    return tuple(out)


def _passage(row: HitRow, part: int) -> RedactedText:
    """The lines of a passage. Which they are is found again by estimate: counting tokens takes longer than the search,
    and a line more or less does not matter here."""
    if row.parts <= 1:
        return row.text
    parts = frame_passages(row.title, row.text, estimate_tokens)
    if not parts:
        return row.text
    passage = parts[min(part, len(parts) - 1)]
    return cut(passage, passage.find("\n") + 1) if row.title.strip() else passage


def excerpt(passage: RedactedText, question: RedactedText) -> RedactedText:
    """At most 200 characters of a passage, from the line that has most of the question's words on.

    Long words count more than short ones, which are in every line.
    """
    wanted = words(question)
    lines, plain = passage.split("\n"), normalise(passage).split("\n")
    start = place = most = 0
    for line, compared in zip(lines, plain, strict=False):
        common = sum(len(word) for word in wanted if word in compared)
        if common > most:
            most, start = common, place
        place += len(line) + 1
    return cut(passage, start, start + SNIPPET_MAX)
