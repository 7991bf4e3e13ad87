"""What a person changes of segments: words, project, hidden or not, borders. An edited one is theirs (spec 03 §2.5)."""

import itertools
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from biny_desktop.activity.event_store import bump_day
from biny_desktop.activity.segments import index, parts, removal, store
from biny_desktop.activity.segments.model import EditField, Segment, SegmentEdit
from biny_desktop.activity.segments.titles import rule_title
from biny_desktop.core.clock import Clock
from biny_desktop.core.errors import InvalidInputError, NotFoundError, StaleRevisionError
from biny_desktop.core.events import EventBus, SegmentsChanged
from biny_desktop.core.text import RedactedText, clean, clean_title
from biny_desktop.redaction import Redactor, cut
from biny_desktop.storage.database import Database, Reader, Writer

TITLE_MAX: Final = 120
"""Longest title and project a person writes, characters (spec 03 §3 gives projects as much)."""
NOTE_MAX: Final = 2_000
"""Longest note, characters (own)."""
PART_MIN_MS: Final = 1_000
"""Shortest part of a split, ms (own)."""
BETWEEN_MAX_MS: Final = 30 * 60_000
"""Longest gap that a merge closes, ms (own): what lay between becomes idle time of the activity."""


@dataclass(frozen=True, slots=True)
class _Change:
    """A segment as it was and as it shall be; `what` is kept in its history with the values of both."""

    old: Segment
    new: Segment
    what: str
    field: EditField
    before: Mapping[str, object]
    after: Mapping[str, object]


class SegmentEdits:
    """Each edit is one transaction and states the revision it was made on. Thread-safe.

    Args: the database, the redactor of the present settings (what a person writes is text that is kept), time, events.

    Every edit raises NotFoundError (no such segment), StaleRevisionError (it changed since it was read), StorageError;
    in all cases nothing changed. It returns the segment as it is now.
    """

    def __init__(self, db: Database, redactor: Callable[[], Redactor], clock: Clock, events: EventBus) -> None:
        self._db, self._redactor, self._clock, self._events = db, redactor, clock, events

    def rename(self, segment_id: int, title: str, revision: int) -> Segment:
        """Give it a title of at most 120 characters; an empty one brings the title by rule back."""
        text = self._line(title)

        def change(old: Segment) -> _Change:
            if text:
                new = replace(old, title=text, title_by="user")
            else:
                by_rule = rule_title(old.kind, old.apps, old.titles)
                new = replace(old, title=by_rule, title_by="rule")
            return _Change(old, new, "rename", "title", {"title": old.title}, {"title": new.title})

        return self._edit(segment_id, revision, change, keep=bool(text))

    def annotate(self, segment_id: int, note: str, revision: int) -> Segment:
        """Give it a note of at most 2,000 characters; an empty one removes it."""
        redacted = self._redactor().redact(clean(note).strip().split("\n")).text
        text = cut(redacted, 0, NOTE_MAX) or None

        def change(old: Segment) -> _Change:
            new = replace(old, note=text)
            return _Change(old, new, "annotate", "note", {"note": old.note}, {"note": text})

        return self._edit(segment_id, revision, change)

    def set_project(self, segment_id: int, project: str | None, revision: int) -> Segment:
        """Say which project it belongs to (at most 120 characters); empty or None: to none."""
        text = self._line(project or "") or None

        def change(old: Segment) -> _Change:
            new = replace(old, project=text)
            return _Change(old, new, "set_project", "project", {"project": old.project}, {"project": text})

        return self._edit(segment_id, revision, change)

    def hide(self, segment_id: int, hidden: bool, revision: int) -> Segment:
        """Leave it out of lists, or show it again; its time still counts."""

        def change(old: Segment) -> _Change:
            new = replace(old, hidden=hidden)
            return _Change(old, new, "hide", "hidden", {"hidden": old.hidden}, {"hidden": hidden})

        return self._edit(segment_id, revision, change)

    def split(self, segment_id: int, at_ms: int, revision: int) -> Segment:
        """Cut it at a time inside it (UTC ms); returns the first part, which keeps id, title and note.

        Raises: also InvalidInputError: the time is not inside it.
        """
        with self._db.write() as w:
            old = _read(w, segment_id, revision)
            if not old.start_ms + PART_MIN_MS <= at_ms <= old.end_ms - PART_MIN_MS:
                raise InvalidInputError("Not inside the activity", "Nothing was split.", "Choose a time inside it.")
            early = store.seen(w, segment_id, end_ms=at_ms)
            late = store.seen(w, segment_id, start_ms=at_ms)
            first, second = parts.halves(old, at_ms, early, late)
            second = replace(second, continues_id=old.id, user_locked=True, edited=("borders",))
            at = self._clock.now_ms()
            new_id = store.insert(w, second, at)
            store.pass_rows(w, segment_id, new_id, at_ms)
            store.adopt(w, replace(second, id=new_id))
            second = store.recounted(w, replace(second, id=new_id, revision=1))
            store.update(w, second, at)
            index.add(w, new_id)
            change = _Change(old, first, "split", "borders", _borders(old), {**_borders(first), "other": new_id})
            new = self._apply(w, change, at)
        self._events.publish(SegmentsChanged((new.day,)))
        return new

    def merge(self, segment_id: int, other_id: int, revision: int) -> Segment:
        """Join it with the one before or after it; the earlier one's id stays. `revision` is that of `segment_id`.

        Raises: also InvalidInputError: they are not neighbours of one day, one of them is private and the other is
        not, or more than half an hour lies between.
        """
        with self._db.write() as w:
            chosen = _read(w, segment_id, revision)
            other = _read(w, other_id, None)
            first, *others = _chain(w, *sorted((chosen, other), key=lambda each: each.start_ms))
            at = self._clock.now_ms()
            whole = first
            for each in others:
                store.pass_rows(w, each.id, first.id)
                store.pass_edits(w, each.id, first.id)
                whole = parts.joined(whole, each)
            removal.take_out(w, [each.id for each in others])
            after = {**_borders(whole), "other": others[-1].id}
            change = _Change(first, whole, "merge", "borders", _borders(first), after)
            new = self._apply(w, change, at)
        self._events.publish(SegmentsChanged((new.day,)))
        return new

    def history(self, segment_id: int) -> tuple[SegmentEdit, ...]:
        """What was changed of it, oldest first; nothing for an unknown id."""
        with self._db.read() as r:
            return tuple(store.edits_of(r, segment_id))

    def _line(self, raw: str) -> RedactedText:
        redactor = self._redactor()
        return redactor.redact_line(clean_title(redactor.redact_line(raw).text, TITLE_MAX)).text

    def _edit(
        self, segment_id: int, revision: int, change: Callable[[Segment], _Change], *, keep: bool = True
    ) -> Segment:
        """One edit of a field; `keep` false: the field is the rules' again. The same value changes nothing."""
        with self._db.write() as w:
            made = change(_read(w, segment_id, revision))
            if made.old == made.new:
                return made.old
            new = self._apply(w, made, self._clock.now_ms(), keep=keep)
        self._events.publish(SegmentsChanged((new.day,)))
        return new

    def _apply(self, w: Writer, change: _Change, at_ms: int, *, keep: bool = True) -> Segment:
        """Write the segment, its index, history and audit row, and that its day changed."""
        old = change.old
        others = [each for each in change.new.edited if each != change.field]
        edited = tuple([*others, change.field] if keep else others)
        new = replace(change.new, user_locked=True, edited=edited, revision=old.revision + 1)
        if change.field == "borders":
            store.adopt(w, new)
            new = store.recounted(w, new)
        with index.reindexed(w, [old.id]):
            store.update(w, new, at_ms)
        if change.field == "borders":
            store.drop_vectors(w, old.id)
        edit = store.NewEdit(old.id, change.what, change.before, change.after)
        store.note_edit(w, edit, (old.revision, new.revision), at_ms)
        bump_day(w, new.day)
        return _read(w, old.id, None)


def _read(r: Reader, segment_id: int, revision: int | None) -> Segment:
    found = store.get(r, segment_id)
    if found is None:
        raise NotFoundError("No such activity", f"Activity {segment_id} does not exist or was deleted.")
    if revision is not None and found.revision != revision:
        raise StaleRevisionError(
            "The activity was changed meanwhile", "Nothing was saved.", "Look at it again and repeat the change."
        )
    return found


def _borders(segment: Segment) -> Mapping[str, object]:
    return {"start_ms": segment.start_ms, "end_ms": segment.end_ms}


def _chain(r: Reader, first: Segment, second: Segment) -> list[Segment]:
    """The two, and the trivial ones between them that lists do not show."""
    found = [each for each in store.touching(r, first.start_ms, second.end_ms) if each.start_ms >= first.start_ms]
    if first.id == second.id or first.day != second.day or not all(each.trivial for each in found[1:-1]):
        raise InvalidInputError("Not neighbours", "Only activities of one day that follow each other can be joined.")
    if len({each.kind == "private" for each in found}) > 1:
        raise InvalidInputError("Not joined", "Private time is kept apart.")
    if any(late.start_ms - early.end_ms > BETWEEN_MAX_MS for early, late in itertools.pairwise(found)):
        raise InvalidInputError("Too far apart", "More than half an hour lies between them.")
    return found
