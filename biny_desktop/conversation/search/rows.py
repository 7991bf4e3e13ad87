"""Messages as their vector index sees them: each together with the end of what was said before it (spec 05 §9.2).

Short turns say little without their neighbour. A long message has up to three passages, cut at spaces and as long as
those of screens, the first with the neighbour; what follows the third is found by its words alone.
"""

from collections.abc import Sequence
from typing import Final

from biny_desktop.conversation.search import row_store
from biny_desktop.conversation.search.row_store import MessageText
from biny_desktop.core.text import RedactedText
from biny_desktop.models.embedding_rounds import PickEmbedder
from biny_desktop.models.model import IndexRow
from biny_desktop.models.passage_tokens import PARTS_MAX, TOKENS_MAX, CountTokens, counter, estimate_tokens
from biny_desktop.redaction import cut, joined
from biny_desktop.storage.database import Reader

BEFORE_MAX: Final = 300
"""Characters of the message before (spec 05 §9.2)."""
CHARS_MAX: Final = 4
"""Characters a token at most by the estimate."""
BESIDE_TOKENS: Final = 200
"""Tokens of a message that have room beside its neighbour, whose 300 characters are at most as many tokens; the
embedder reads 512."""
_FILL: Final = 3
"""A passage may end at a space in its last third, so that no word is cut."""


class MessageRows:
    """`IndexedRows` of user and assistant messages of all versions.

    Args:
        embedder: the present one, None for none; it counts the tokens of passages.
    """

    kind = "message"
    present = row_store.PRESENT

    def __init__(self, embedder: PickEmbedder) -> None:
        self._embedder = embedder

    def rows_after(self, r: Reader, row_id: int, limit: int) -> list[IndexRow]:
        return self._made(r, row_store.after(r, row_id, limit))

    def due(self, r: Reader, above: int, below: int, limit: int) -> list[IndexRow]:
        """Rows between these numbers without vectors of their present revision, newest first."""
        return self._made(r, row_store.due(r, above, below, limit))

    def revisions(self, r: Reader, ids: Sequence[int]) -> dict[int, int]:
        return row_store.revisions(r, ids)

    def count(self, r: Reader) -> int:
        return row_store.count(r)

    def _made(self, r: Reader, texts: Sequence[MessageText]) -> list[IndexRow]:
        before, count = row_store.before(r, texts), counter(self._embedder)
        return [IndexRow(each.n, each.revision, passages(each.content, before.get(each.n), count)) for each in texts]


def passages(content: RedactedText, before: RedactedText | None, count: CountTokens) -> tuple[RedactedText, ...]:
    """What of a message is embedded; nothing of a blank one.

    Args:
        before: the message before it on its path, of which the last 300 characters go along with the first passage.
        count: `Embedder.count_tokens`; asked about once a passage where the estimate is right.
    """
    parts: list[RedactedText] = []
    head = None if before is None else cut(before, max(0, len(before) - BEFORE_MAX))
    start = len(content) - len(content.lstrip())
    while start < len(content) and len(parts) < PARTS_MAX:
        room = TOKENS_MAX if parts or head is None else max(BESIDE_TOKENS, TOKENS_MAX - estimate_tokens(head))
        end = _end(content, start, room, count)
        parts.append(cut(content, start, end))
        start = end + len(content[end:]) - len(content[end:].lstrip())
    if parts and head:
        parts[0] = joined([head, parts[0]])
    return tuple(parts)


def _end(text: str, start: int, room: int, count: CountTokens) -> int:
    """Where a passage that begins at `start` ends: as far as there is room, at a space if one is near."""
    short, end = start + 1, min(len(text), start + room * CHARS_MAX)
    while short < end:
        middle = (short + end + 1) // 2
        short, end = (middle, end) if estimate_tokens(text[start:middle]) <= room else (short, middle - 1)
    while end - start > 1 and count(text[start:end]) > room:
        end = start + (end - start) * 3 // 4
    if end == len(text):
        return end
    spaces = (place for place in range(end, end - (end - start) // _FILL, -1) if text[place].isspace())
    return next(spaces, end)
