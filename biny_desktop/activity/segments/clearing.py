"""Segments in step with deletes, in the transaction of the delete itself (spec 03 §9)."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Final

from biny_desktop.activity.segments import clear_store, index, keep_store, removal, store
from biny_desktop.activity.segments.forgetting import Lost, all_of_app, without, words_of
from biny_desktop.activity.segments.model import Segment
from biny_desktop.activity.segments.parts import part
from biny_desktop.storage.database import Writer

BATCH: Final = 100
"""Segments that one transaction takes out."""


@dataclass
class Cleared:
    """What a delete did to segments so far: which it removed, shortened or rewrote, their days, and words that left
    their index (None: not known)."""

    ids: set[int] = field(default_factory=set)
    days: set[str] = field(default_factory=set)
    words: set[bytes] | None = field(default_factory=set)

    def note(self, segments: Iterable[Segment]) -> None:
        """These were touched."""
        for each in segments:
            self.ids.add(each.id)
            self.days.add(each.day)


@contextmanager
def in_step(w: Writer, frames: Sequence[int], events: Sequence[int], at_ms: int, cleared: Cleared) -> Iterator[None]:
    """Deletes these rows in the block; the segments they belonged to then show what is left, or are gone with them."""
    touched = clear_store.segments_of(w, frames, events)
    went = {each: clear_store.rows_shown(w, each, frames, events) for each in touched}
    yield
    cleared.note(store.by_id(w, touched).values())
    for segment_id, rows in went.items():
        segment = store.get(w, segment_id)
        if segment is None:
            continue
        if not segment.user_locked and not store.has_rows(w, segment_id):
            removal.take_out(w, [segment_id], cleared.words)
            continue
        _rewrite(w, segment, _lost(w, segment, rows), at_ms, cleared)


def _lost(w: Writer, segment: Segment, rows: clear_store.Shown) -> Lost:
    """What went with rows; words are those that no remaining row of the segment holds, looked for only where something
    may quote them."""
    words: set[str] = set()
    if segment.analysis.analysed_at_ms is not None or segment.title_by != "rule" or segment.edited:
        words = {word for text in rows.texts for word in words_of(text)}
    if words:
        for text in clear_store.texts_left(w, segment.id):
            words -= words_of(text)
    return Lost(rows.frames, rows.apps, rows.titles, words)


def _rewrite(w: Writer, segment: Segment, lost: Lost, at_ms: int, cleared: Cleared) -> None:
    """Write what is left of a segment, its offers, terms and history."""
    left = store.recounted(w, without(segment, lost, store.seen(w, segment.id)))
    with index.reindexed(w, [segment.id], cleared.words):
        store.update(w, replace(left, revision=segment.revision + 1), at_ms)
    if left.title != segment.title or left.analysis != segment.analysis:
        store.drop_vectors(w, segment.id)
    clear_store.cut_offers(w, segment.id, lost)
    clear_store.cut_terms(w, segment.id, lost)
    clear_store.cut_edits(w, segment.id, lost)


def clear_inside(w: Writer, start_ms: int, end_ms: int, cleared: Cleared) -> bool:
    """Take out the next segments that lie wholly in [start, end); False when there was none."""
    found = clear_store.inside(w, start_ms, end_ms, BATCH)
    cleared.note(found)
    removal.take_out(w, [each.id for each in found], cleared.words)
    return bool(found)


def shorten_across(w: Writer, start_ms: int, end_ms: int, at_ms: int, cleared: Cleared) -> None:
    """Take [start, end) out of the segments that reach into it; what is left of each is to be analysed anew.

    Rows of the deleted time belong to no segment from here on; they are deleted by the caller.
    """
    for segment in store.touching(w, start_ms, end_ms):
        cleared.note([segment])
        frames, events = clear_store.rows_between(w, segment.id, start_ms, end_ms)
        rows = clear_store.rows_shown(w, segment.id, frames, events)
        keep_store.own_rows(w, None, frames, events)
        lost = _lost(w, segment, rows)
        ends = [
            (low, high)
            for low, high in ((segment.start_ms, start_ms), (end_ms, segment.end_ms))
            if high > max(low, segment.start_ms) and low < segment.end_ms
        ]
        if not ends:
            removal.take_out(w, [segment.id], cleared.words)
            continue
        first, *more = (part(segment, low, high) for low, high in ends)
        for other in more:
            own = store.insert(w, replace(other, note=None, continues_id=None), at_ms)
            store.pass_rows(w, segment.id, own, end_ms)
            index.add(w, own)
            _rewrite(w, _of(w, own), lost, at_ms, cleared)
        with index.reindexed(w, [segment.id], cleared.words):
            store.update(w, first, at_ms)
        store.drop_vectors(w, segment.id)
        _rewrite(w, first, lost, at_ms, cleared)


def _of(w: Writer, segment_id: int) -> Segment:
    found = store.get(w, segment_id)
    assert found is not None
    return found


def forget_app(w: Writer, segment_ids: Sequence[int], app_id: str, at_ms: int, cleared: Cleared) -> None:
    """Take an app out of segments whose own rows never named it: it was in front when they began."""
    lost = all_of_app(app_id)
    for segment in store.by_id(w, segment_ids).values():
        cleared.note([segment])
        _rewrite(w, segment, lost(segment), at_ms, cleared)
