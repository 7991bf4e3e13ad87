"""What other tools remembered about the person: kept apart, open until a person accepts each (spec 05 §10, 10)."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, Literal

from biny_desktop.conversation.importers import memory_store as store
from biny_desktop.conversation.importers.memory_store import (
    Cursor,
    ImportedMemory,
    MemoryStatus,
    MemoryWhich,
    NewMemory,
)
from biny_desktop.conversation.importers.source import FoundMemory
from biny_desktop.conversation.importers.times import read_time
from biny_desktop.core.clock import Clock
from biny_desktop.core.errors import InvalidInputError, NotFoundError, StaleRevisionError
from biny_desktop.core.events import ApprovalsChanged, EventBus
from biny_desktop.core.i18n import mark
from biny_desktop.core.text import RedactedText, normalise
from biny_desktop.redaction import Redactor, cut, joined
from biny_desktop.storage.database import Database, Writer

__all__ = ["Cursor", "ImportedMemories", "ImportedMemory", "MemoryAnswer", "MemoryStatus", "MemoryWhich"]

TEXT_MAX: Final = 2_000
"""Characters, as of a fact (spec 05 §8)."""
MemoryAnswer = Literal["accepted", "refused", "never"]


def statements(lines: Iterable[RedactedText]) -> list[RedactedText]:
    """A text of memories as single ones: paragraphs and list items, headings left out."""
    out: list[list[RedactedText]] = []
    going_on = False
    for line in lines:
        bare = line.strip()
        item = bare[:2] in ("- ", "* ", "• ")
        if not bare or bare.startswith("#") or (bare.startswith("**") and bare.endswith("**")):
            going_on = False
            continue
        start = len(line) - len(line.lstrip()) + 2 * item
        words = cut(line, start, len(line.rstrip()))
        if item or not going_on:
            out.append([words])
        else:
            out[-1].append(words)
        going_on = True
    return [joined(parts, " ") for parts in out]


class ImportedMemories:
    """Memories of other tools. Thread-safe. Nothing here makes a fact: a memory store takes what was accepted."""

    def __init__(self, db: Database, redactor: Callable[[], Redactor], clock: Clock, events: EventBus) -> None:
        self._db, self._redactor, self._clock, self._events = db, redactor, clock, events

    def ready(self, found: Iterable[FoundMemory]) -> dict[str, NewMemory]:
        """Redacted, by the name that tells equal ones; the slow part, outside of any transaction."""
        redactor = self._redactor()
        out: dict[str, NewMemory] = {}
        for each in found:
            when, place = read_time(each.time), redactor.plain(each.place)
            made = redactor.redact(each.text.strip().split("\n"))
            parts: Sequence[RedactedText] = made.lines if each.holds == "lines" else [made.text]
            for text in statements(made.lines) if each.holds == "statements" else parts:
                short = cut(text, 0, TEXT_MAX)
                if short.strip():
                    new = NewMemory(each.kind, short, place, when.at_ms if when else None)
                    out.setdefault(store.name_of(normalise(short.strip())), new)
        return out

    def unknown(self, names: Iterable[str]) -> set[str]:
        """Those of these names that were never imported."""
        wanted = set(names)
        with self._db.read() as r:
            return wanted - store.known(r, wanted)

    def add_in(self, w: Writer, batch_id: int, format_: str, made: Mapping[str, NewMemory]) -> int:
        """Put those that were never imported into the inbox, in a transaction of the caller; returns how many."""
        now = self._clock.now_ms()
        return sum(
            store.insert(w, batch_id, format_, name, each, now) for name, each in made.items()
        )  # fmt: skip

    def page(
        self, which: MemoryWhich = "open", limit: int = 100, before: Cursor | None = None
    ) -> tuple[ImportedMemory, ...]:  # fmt: skip
        """Memories, newest first, below that cursor (UTC ms, id)."""
        with self._db.read() as r:
            return tuple(store.page(r, which, limit, before))

    def open(self) -> tuple[ImportedMemory, ...]:
        """Those that wait for an answer, newest first, at most 1,000."""
        return self.page("open", 1_000)

    def count_open(self) -> int:
        """How many wait for an answer."""
        with self._db.read() as r:
            return store.count_open(r)

    def one(self, memory_id: int) -> ImportedMemory:
        """One of them. Raises NotFoundError."""
        with self._db.read() as r:
            found = store.one(r, memory_id)
        if found is None:
            raise NotFoundError(mark("There is no such memory"), mark("Its import may have been undone."))
        return found

    def answer(self, memory_id: int, status: MemoryAnswer, revision: int, text: str | None = None) -> ImportedMemory:
        """Accept one (in other words if `text` is given), refuse it, or refuse it for ever.

        Raises:
            NotFoundError. StaleRevisionError: it was changed since. InvalidInputError: it was answered, or is empty.
        """
        found = self.one(memory_id)
        words = found.text
        if text is not None:
            words = cut(self._redactor().redact(text.strip().split("\n")).text, 0, TEXT_MAX)
            if not words.strip():
                raise InvalidInputError(mark("There is nothing to remember"), mark("The text is empty."))
        if found.status != "open":
            raise InvalidInputError(mark("It was answered already"), mark("Nothing was changed."))
        with self._db.write() as w:
            done = store.answer(w, memory_id, status, revision, words, self._clock.now_ms())
        if not done:
            raise StaleRevisionError(mark("It was not answered"), mark("It was changed meanwhile."))
        self._events.publish(ApprovalsChanged())
        return self.one(memory_id)
