"""Where a path may be cut, so that its end stays raw: before a user message or a whole assistant step (spec 05 §3)."""

from collections.abc import Sequence
from dataclasses import dataclass

from biny_desktop.conversation.agent import measure
from biny_desktop.conversation.model import Message
from biny_desktop.models.model import ChatMessage

Block = tuple[Message, ...]


@dataclass(frozen=True, slots=True)
class Keep:
    """What may stay raw: tokens, and at most so many messages (None: any number)."""

    tokens: int
    messages: int | None = None

    def fits(self, blocks: Sequence[Block]) -> bool:
        """Whether all of these may stay."""
        count = sum(map(len, blocks))
        return (self.messages is None or count <= self.messages) and sum(map(tokens_of, blocks)) <= self.tokens


@dataclass(frozen=True, slots=True)
class Division:
    """A part of a path that is summarised, and the one behind it that stays raw; both in order."""

    covered: Block
    kept: Block


def blocks_of(messages: Sequence[Message]) -> tuple[Block, ...]:
    """A path in pieces that are never parted: a user message, or an answer with the results of its calls."""
    blocks: list[list[Message]] = []
    for each in messages:
        if each.role != "tool" or not blocks:
            blocks.append([])
        blocks[-1].append(each)
    return tuple(map(tuple, blocks))


def tokens_of(messages: Sequence[Message]) -> int:
    """Estimated tokens of messages as they are sent raw."""
    return sum(measure.of_message(ChatMessage(each.role, each.content, each.tool_calls)) for each in messages)


def divide(history: Sequence[Message], keep: Keep, *, automatic: bool, overflow: bool = False) -> Division | None:
    """Cut at the earliest place whose rest fits; if it fits nowhere, before the last block.

    By hand, a history that fits, or that cannot be cut, is summarised wholly. Of itself that never happens, since the
    last block is what the next answer is about; but a server can count more than the estimate, so what would fit is
    cut in half then.

    Args:
        history: the messages of a path behind the last summary.
        overflow: the server said that it was too long, whatever the estimate says.

    Returns:
        None: there is nothing to summarise.
    """
    blocks = blocks_of(history)
    whole = keep.fits(blocks)
    if not automatic and (whole or len(blocks) == 1):
        return Division(tuple(history), ()) if blocks else None
    if automatic and (whole or overflow):
        keep = Keep(min(keep.tokens, tokens_of(history) // 2), keep.messages)
    if len(blocks) < 2:
        return None
    place = next((n for n in range(1, len(blocks)) if keep.fits(blocks[n:])), len(blocks) - 1)
    return Division(sum(blocks[:place], ()), sum(blocks[place:], ()))
