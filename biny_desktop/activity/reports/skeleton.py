"""The facts a narrative may tell: the lines of a report with ids, as they are sent to a model and checked against."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from biny_desktop.activity.reports.document import MORE, Document, Line, Link
from biny_desktop.core.i18n import language

LINES_MAX: Final = 160
CHARS_MAX: Final = 14_000
"""Of all lines together; a busy day of 60 segments has some 8,000."""


@dataclass(frozen=True, slots=True)
class Fact:
    """A line of the skeleton: `id` "L7", its words, and where they lead."""

    id: str
    text: str
    links: tuple[Link, ...]


@dataclass(frozen=True, slots=True)
class Skeleton:
    """The facts of a report, in its order."""

    facts: tuple[Fact, ...]

    @property
    def hash(self) -> str:
        """Changes when a fact or the language changes: an older narrative is then of no use."""
        told = "\n".join(f"{fact.text}\x1f{[link.ref for link in fact.links]}" for fact in self.facts)
        return hashlib.blake2b(f"{language()}\x1e{told}".encode(), digest_size=16).hexdigest()

    @property
    def text(self) -> str:
        """What a model reads."""
        return "\n".join(f"{fact.id}: {fact.text}" for fact in self.facts)


def skeleton_of(document: Document) -> Skeleton:
    """The lines of a document that state something and lead somewhere, as far as they fit."""
    facts: list[Fact] = []
    left = CHARS_MAX
    for line, text in _lines(document):
        left -= len(text) + 8
        if left < 0 or len(facts) >= LINES_MAX:
            break
        if line.links:
            facts.append(Fact(f"L{len(facts) + 1}", text.replace(f" {MORE}", ""), line.links))
    return Skeleton(tuple(facts))


def _lines(document: Document) -> Iterator[tuple[Line, str]]:
    yield document.sums, f"{document.title}. {document.sums.plain}"
    for section in document.sections:
        if not section.told:
            continue
        if section.heading.links:
            yield section.heading, section.heading.plain
        for item in section.items:
            yield item.line, item.line.plain
            yield from ((under, f"{item.line.plain} — {under.plain}") for under in item.under)
        yield from ((name, f"{name.plain}: {value}") for name, value in section.rows)
