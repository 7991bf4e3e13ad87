"""Material in a prompt: put between marks that it cannot know, so that nobody takes it for a request."""

import re
from dataclasses import dataclass
from typing import Final

from biny_desktop.conversation.model import Message, Span
from biny_desktop.conversation.tokens import BYTES_A_TOKEN
from biny_desktop.core.text import RedactedText
from biny_desktop.models.prompts import harmless
from biny_desktop.redaction import cut, joined, safe_constant

_NAME: Final = re.compile(r"^[a-z][a-z0-9_-]{0,40}$")
_GAP: Final = safe_constant("\n[program] The middle of this message is left out here: it is too long for the model.\n")
_HEAD_SHARE: Final = 0.6


@dataclass(frozen=True, slots=True)
class Fence:
    """The marks of one prompt; `word` is random and the same for as long as the process runs, so that what was sent
    before stays the same text to a server that remembers it."""

    word: str

    @property
    def mark(self) -> str:
        """The name of the marks, as the rules say it."""
        return f"data-{self.word}"

    def plain(self, text: RedactedText) -> RedactedText:
        """Text outside of marks: without control tokens of chat templates, and without the marks."""
        return harmless(text, self.word)

    def around(self, name: str, text: RedactedText) -> RedactedText:
        """Material between marks; `name` says what it is, in a-z, digits, `_` and `-`."""
        said = name if _NAME.match(name) else "other"
        opened, closed = safe_constant(f'<{self.mark} name="{said}">'), safe_constant(f"</{self.mark}>")
        return joined((opened, self.plain(text), closed))

    def message(self, message: Message, tokens: int | None = None) -> RedactedText:
        """What the person wrote, pasted parts between marks; the middle left out if it is over `tokens`."""
        text = message.content
        ends = None if tokens is None else _ends(text, tokens)
        if ends is None:
            return self._range(message, 0, len(text))
        return joined((self._range(message, 0, ends[0]), _GAP, self._range(message, ends[1], len(text))), "")

    def _range(self, message: Message, start: int, end: int) -> RedactedText:
        parts: list[RedactedText] = []
        done = start
        for span in sorted(message.spans, key=lambda span: span.start):
            low, high = max(done, span.start), min(end, span.end)
            if low >= high:
                continue
            parts += [self.plain(cut(message.content, done, low))] if done < low else []
            parts.append(self._span(message.content, Span(low, high, span.trust)))
            done = high
        if done < end:
            parts.append(self.plain(cut(message.content, done, end)))
        return joined(parts, "")

    def _span(self, content: RedactedText, span: Span) -> RedactedText:
        text = cut(content, span.start, span.end)
        if span.trust != "untrusted":
            return self.plain(text)
        line = safe_constant("\n")
        return joined((line, self.around("pasted", text), line), "") if text.strip() else text


def first(text: RedactedText, tokens: int) -> RedactedText:
    """The beginning of a text that takes at most so many tokens."""
    return cut(text, 0, _fitting(text, tokens * BYTES_A_TOKEN))


def shortened(text: RedactedText, tokens: int) -> RedactedText:
    """A text with its middle left out if it takes more than so many tokens."""
    ends = _ends(text, tokens)
    return text if ends is None else joined((cut(text, 0, ends[0]), _GAP, cut(text, ends[1])), "")


def _ends(text: str, tokens: int) -> tuple[int, int] | None:
    """Where the head ends and the tail begins (characters), so that both fit; None if all of it fits."""
    size = tokens * BYTES_A_TOKEN
    if len(text.encode("utf-8", "replace")) <= size:
        return None
    head_bytes = int(max(0, size - len(_GAP)) * _HEAD_SHARE)
    head = _fitting(text, head_bytes)
    tail = _fitting(text[::-1], max(0, size - len(_GAP) - head_bytes))
    return head, max(head, len(text) - tail)


def _fitting(text: str, size: int) -> int:
    """How many characters from the front take at most so many bytes."""
    raw = text[: max(0, size)].encode("utf-8", "replace")
    return len(raw[: max(0, size)].decode("utf-8", "ignore"))
