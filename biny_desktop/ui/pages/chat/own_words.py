"""A message of the person taken apart again: what was typed or pasted, and each attachment; pure."""

from dataclasses import dataclass, field

from biny_desktop.conversation.drafts import AttachedFile, Draft
from biny_desktop.conversation.model import Message


@dataclass(frozen=True, slots=True)
class Said:
    """A stretch of the typed text from character `start` on; `pasted`: it is not the person's own."""

    text: str = field(repr=False)
    start: int
    pasted: bool


def typed_and_attached(message: Message) -> tuple[str, tuple[AttachedFile, ...]]:
    """The text above the attachments, and these with their text, as `drafts` put them together."""
    text, found = str(message.content), []
    for each in reversed(message.attachments):
        head = f"[attachment: {each.name}]"
        place = text.rfind(head)
        if place < 0 or (place > 0 and text[place - 2 : place] != "\n\n"):
            return str(message.content), ()
        found.append(AttachedFile(each.name, each.mime, each.path, each.size, text[place + len(head) :].lstrip("\n")))
        text = text[: max(0, place - 2)]
    return text, tuple(reversed(found))


def stretches(message: Message, length: int) -> tuple[Said, ...]:
    """The first `length` characters as one's own and pasted stretches, without the empty ones."""
    out = []
    for span in message.spans or ():
        piece = message.content[span.start : min(span.end, length)]
        if piece.strip():
            out.append(Said(str(piece).strip("\n"), span.start, span.trust == "untrusted"))
    return tuple(out) or (Said(str(message.content[:length]), 0, pasted=False),)


def draft_of(message: Message) -> Draft:
    """A draft that would be stored as this message: what was pasted in it stays known as pasted."""
    text, files = typed_and_attached(message)
    pasted = tuple(
        (span.start, min(span.end, len(text)))
        for span in message.spans
        if span.trust == "untrusted" and span.start < len(text)
    )
    return Draft(text, pasted, files)
