"""Who stands behind which characters of a message: typed words are the owner's, what was pasted or quoted is not."""

import re
from collections.abc import Iterable
from typing import Final

from biny_desktop.conversation.model import Span

PASTED_MIN: Final = 120
"""Pasted pieces of so many characters, or with a line break, are untrusted (spec 05 §1)."""
_FENCE: Final = re.compile(r"^[ \t]*(```+|~~~+)[^\n]*$", re.MULTILINE)
_QUOTE: Final = re.compile(r"^[ \t]*>[^\n]*(?:\n|$)", re.MULTILINE)

Range = tuple[int, int]


def is_foreign(piece: str) -> bool:
    """Whether a pasted piece is long enough to be somebody else's words."""
    return len(piece) >= PASTED_MIN or "\n" in piece


def quoted(content: str) -> list[Range]:
    """Fenced code and block quotes; a fence that is not closed reaches to the end."""
    out: list[Range] = []
    opening: re.Match[str] | None = None
    for fence in _FENCE.finditer(content):
        if opening is None:
            opening = fence
        elif fence[1][0] == opening[1][0] and len(fence[1]) >= len(opening[1]):
            out.append((opening.start(), fence.end()))
            opening = None
    if opening is not None:
        out.append((opening.start(), len(content)))
    return out + [found.span() for found in _QUOTE.finditer(content)]


def spans_of(content: str, untrusted: Iterable[Range], *, own: bool = True) -> tuple[Span, ...]:
    """Spans that cover a content without gaps.

    Args:
        untrusted: ranges of characters, in any order, that are not the owner's whatever they hold.
        own: whether the rest is the owner's; else nothing is.
    """
    if not content:
        return ()
    if not own:
        return (Span(0, len(content), "untrusted"),)
    out: list[Span] = []
    place = 0
    for start, end in _joined((*untrusted, *quoted(content)), len(content)):
        if start > place:
            out.append(Span(place, start, "owner"))
        out.append(Span(start, end, "untrusted"))
        place = end
    if place < len(content):
        out.append(Span(place, len(content), "owner"))
    return tuple(out)


def _joined(ranges: Iterable[Range], length: int) -> list[Range]:
    """Ranges within [0, length) in order, those that touch joined."""
    out: list[Range] = []
    for start, end in sorted((max(0, low), min(length, high)) for low, high in ranges):
        if start >= end:
            continue
        if out and start <= out[-1][1]:
            out[-1] = (out[-1][0], max(out[-1][1], end))
        else:
            out.append((start, end))
    return out
