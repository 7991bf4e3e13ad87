"""What a person is about to say, made ready to be stored: secrets hidden, every character with who stands behind it.

Ranges of the draft (what was pasted) are carried over to the redacted text, so that spans are exact where something was
hidden. The window shows `Prepared.hidden` before anything is sent.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from biny_desktop.conversation.model import Attachment, Span
from biny_desktop.conversation.trust import Range, is_foreign, spans_of
from biny_desktop.core.errors import InvalidInputError
from biny_desktop.core.i18n import mark
from biny_desktop.core.text import RedactedText, clean
from biny_desktop.redaction import Redaction, Redactor, joined, safe_constant
from biny_desktop.redaction import Span as Hidden
from biny_desktop.redaction.result import placeholder

TEXT_MAX: Final = 1_000_000
"""Characters of a message with its attachments: a long book, and far from the 16 MiB of an event."""


@dataclass(frozen=True, slots=True)
class AttachedFile:
    """A file given along; `text` is empty for one that is only named. `size` in bytes."""

    name: str
    mime: str = ""
    path: str = ""
    size: int = 0
    text: str = field(repr=False, default="")


@dataclass(frozen=True, slots=True)
class Draft:
    """What was typed; `pasted` are the ranges of characters [start, end) that came by the clipboard."""

    text: str = field(repr=False)
    pasted: tuple[Range, ...] = ()
    attachments: tuple[AttachedFile, ...] = ()


@dataclass(frozen=True, slots=True)
class Prepared:
    """A draft as it will be stored; `hidden`: how many secrets of each kind are replaced."""

    content: RedactedText = field(repr=False)
    spans: tuple[Span, ...]
    attachments: tuple[Attachment, ...]
    hidden: Mapping[str, int]


def prepare_draft(draft: Draft, redactor: Redactor) -> Prepared:
    """Hide secrets and tell typed words from others.

    Raises:
        InvalidInputError: it says nothing, or is longer than 1,000,000 characters.
    """
    text = clean(draft.text).rstrip()
    if not text.strip() and not draft.attachments:
        raise InvalidInputError(mark("There is nothing to send"), "", mark("Type something."))
    if len(text) + sum(len(each.text) for each in draft.attachments) > TEXT_MAX:
        raise InvalidInputError(
            mark("That is too long"), mark("A message may have 1,000,000 characters with its attachments."),
            mark("Give it as a file in an opened folder, or in pieces."),
        )  # fmt: skip
    lines = text.split("\n")
    made = redactor.redact(lines)
    hidden = Counter(made.counts)
    places = _carried(lines, made)
    foreign: list[Range] = []
    for start, end in draft.pasted:
        low, high = (min(len(clean(draft.text[:edge])), len(text)) for edge in (max(0, start), max(0, end)))
        if is_foreign(text[low:high]):
            foreign.append((places[low], places[high]))
    parts, kept = [made.text] if text else [], []
    length = len(made.text) if text else 0
    for file in draft.attachments:
        name = redactor.plain(file.name)
        kept.append(Attachment(name, file.mime, redactor.plain(file.path), file.size))
        body = redactor.redact(clean(file.text).rstrip().split("\n")) if file.text.strip() else None
        hidden.update(body.counts if body else {})
        block = _block(name, body)
        start = length + (2 if parts else 0)
        parts.append(block)
        length = start + len(block)
        foreign.append((start, length))
    content = joined(parts, "\n\n")
    return Prepared(content, spans_of(content, foreign), tuple(kept), dict(hidden))


def _block(name: RedactedText, body: Redaction | None) -> RedactedText:
    """How the text of an attachment stands in the content."""
    head = joined([safe_constant("[attachment: "), name, safe_constant("]")], "")
    return joined([head, body.text], "\n") if body else head


def _carried(lines: Sequence[str], made: Redaction) -> list[int]:
    """For each place of the text its place in the redacted one; a place inside a secret goes to its end."""
    by_line: dict[int, list[Hidden]] = {}
    for span in made.spans:
        by_line.setdefault(span.line, []).append(span)
    out: list[int] = []
    base = 0
    for n, (line, new) in enumerate(zip(lines, made.lines, strict=True)):
        out += [base + place for place in _line_places(line, new, sorted(by_line.get(n, []), key=_start))]
        base += len(new) + 1
    return out


def _start(span: Hidden) -> int:
    return span.start


def _line_places(line: str, new: str, spans: Sequence[Hidden]) -> list[int]:
    """The new place of each of the places 0 to len(line) of a line."""
    out: list[int] = []
    shift = 0
    for span in spans:
        out += [place + shift for place in range(len(out), span.start + 1)]
        begin = span.start + shift
        word = placeholder(span.type)
        after = begin + (len(word) if new.startswith(word, begin) else 0)  # the second line of a secret has no word
        out += [after] * (span.end - span.start)
        shift = after - span.end
    out += [place + shift for place in range(len(out), len(line) + 1)]
    return [min(place, len(new)) for place in out]
