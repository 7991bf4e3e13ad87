"""A report as lines of text and links: its Markdown and the skeleton of a narrative are made of the same lines."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from biny_desktop.activity.reports.markdown import LinkKind, escaped, inline, link
from biny_desktop.core.i18n import comma

MORE: Final = "↗"
"""Words of a link that has none of its own: it stands behind a text and leads to where more of it is."""


@dataclass(frozen=True, slots=True)
class Link:
    """Words that lead somewhere; `short` names the place where it is cited (a time, `f20311`)."""

    text: str
    kind: LinkKind
    ref: str
    short: str = ""


Piece: TypeAlias = str | Link


@dataclass(frozen=True, slots=True)
class Line:
    """One statement. `about`: what it is about where no link stands in it (a heading)."""

    pieces: tuple[Piece, ...]
    about: tuple[Link, ...] = ()

    @property
    def plain(self) -> str:
        """Its words without links."""
        return "".join(piece if isinstance(piece, str) else piece.text for piece in self.pieces)

    @property
    def links(self) -> tuple[Link, ...]:
        """Where it leads."""
        return tuple(piece for piece in self.pieces if isinstance(piece, Link)) or self.about

    @property
    def markdown(self) -> str:
        """It as one line of Markdown. Pieces are escaped one by one; the first of a line also as a line's beginning."""
        return "".join(
            _kept_spaces(piece, first=place == 0) if isinstance(piece, str) else link(piece.text, piece.kind, piece.ref)
            for place, piece in enumerate(self.pieces)
        )


@dataclass(frozen=True, slots=True)
class Item:
    """A line of a list; `under` are lines below it."""

    line: Line
    under: tuple[Line, ...] = ()


@dataclass(frozen=True, slots=True)
class Section:
    """A heading with a list, or with a table of two columns. `told`: its lines are facts a narrative may tell."""

    heading: Line
    items: tuple[Item, ...] = ()
    columns: tuple[str, str] | None = None
    rows: tuple[tuple[Line, str], ...] = ()
    told: bool = True


@dataclass(frozen=True, slots=True)
class Document:
    """A whole report: `title` (the day or week), `sums`, and sections; empty sections are left out by who makes it."""

    title: str
    sums: Line
    sections: tuple[Section, ...]


def line(*pieces: Piece, about: Iterable[Link] = ()) -> Line:
    """A line of these pieces."""
    return Line(tuple(pieces), tuple(about))


def between(pieces: Sequence[Piece]) -> list[Piece]:
    """The pieces as a list, with the comma of the language between them."""
    out: list[Piece] = []
    for piece in pieces:
        out += [comma(), piece] if out else [piece]
    return out


def render(document: Document, *, made: str, narrative: str | None = None, failure: str | None = None) -> str:
    """The Markdown of a report.

    Args:
        made: who made it, the end of the line of sums. narrative: checked Markdown paragraphs. failure: one line that
            says what is missing and why.
    """
    sums = Line((*document.sums.pieces, " · ", made))
    blocks = [f"# {escaped(document.title)}", sums.markdown]
    blocks += [narrative] if narrative else []
    blocks += [f"*{escaped(failure)}*"] if failure else []
    for section in document.sections:
        blocks.append(f"## {section.heading.markdown}")
        if section.items:
            blocks.append("\n".join(_list(section.items)))
        if section.columns:
            blocks.append("\n".join(_table(section)))
    return "\n\n".join(blocks) + "\n"


def _list(items: Iterable[Item]) -> Iterable[str]:
    for item in items:
        yield f"- {item.line.markdown}"
        yield from (f"  - {under.markdown}" for under in item.under)


def _table(section: Section) -> Iterable[str]:
    assert section.columns is not None
    yield f"| {escaped(section.columns[0])} | {escaped(section.columns[1])} |"
    yield "| --- | ---: |"
    for name, value in section.rows:
        yield f"| {name.markdown} | {escaped(value)} |"


def _kept_spaces(piece: str, *, first: bool) -> str:
    """The escaped piece with the spaces at its ends, which stand between words of neighbours."""
    left = " " if piece[:1].isspace() else ""
    right = " " if piece[-1:].isspace() and piece.strip() else ""
    return f"{left}{escaped(piece) if first else inline(piece)}{right}"
