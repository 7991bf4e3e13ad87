"""What the model reads of the part that is summed up: every piece under an id that its items can name (spec 05 §3.1).

`m<i>` are messages, `m<i>.call<j>` and `m<i>.result<j>` the calls of a step and what came of them, `p.<field>.<n>`
items of the summary before. The same ids are turned back into the messages they stand for. Only lines of the program
begin without a space, so that no text can pretend to be another source.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from biny_desktop.conversation.agent.fencing import first, shortened
from biny_desktop.conversation.compaction.cut import Block, blocks_of
from biny_desktop.conversation.model import Checkpoint, FieldName, Message
from biny_desktop.conversation.tokens import estimate
from biny_desktop.core.text import RedactedText
from biny_desktop.redaction import from_row, joined, replaced, safe_constant

MESSAGE_TOKENS: Final = 700
ARGUMENT_TOKENS: Final = 180
"""Spec 05 §3.1.3."""
_PROVING: Final[tuple[FieldName, ...]] = ("done", "user_messages")
"""Old items that can show something done: it was shown then, or the user said it."""
_NAME: Final = re.compile(r"[^\w.-]+")
"""What a name of a tool does not hold; a model may have written anything."""
_LINE: Final = re.compile(r"\n")
_OPENED: Final = re.compile("<")
_CLOSED: Final = re.compile(">")
_GAP: Final = safe_constant("[program] Some of the material between is left out here: there is no room for it.")


@dataclass(frozen=True, slots=True)
class Source:
    """What an id stands for: `evidence` message ids as they are kept; `proves` whether it can show something done."""

    evidence: tuple[str, ...]
    proves: bool


@dataclass(frozen=True, slots=True)
class Material:
    """Text for the model, and what its ids stand for; every id that is shown is in `sources`, none besides."""

    text: RedactedText
    previous: RedactedText
    sources: Mapping[str, Source]


def gather(covered: Sequence[Message], before: Checkpoint | None, room: int) -> Material | None:
    """The material of a summary.

    Args:
        covered: messages that are summed up, in order. before: the summary they follow. room: tokens for all of it.

    Returns:
        None: not even the first and the last block fit.
    """
    sources: dict[str, Source] = {}
    previous = _previous(before, sources)
    left = room - (estimate(previous) if previous else 0)
    shown: dict[int, tuple[RedactedText, dict[str, Source]]] = {}
    blocks = blocks_of(covered)
    for place in (0, *range(len(blocks) - 1, 0, -1)):
        text, known = _block(blocks[place], place + 1)
        if estimate(text) > left:
            if place == 0 or (len(shown) == 1 and len(blocks) > 1):
                return None
            break
        left -= estimate(text)
        shown[place] = (text, known)
    return _put_together(shown, previous, sources)


def _put_together(
    shown: Mapping[int, tuple[RedactedText, dict[str, Source]]], previous: RedactedText, sources: dict[str, Source]
) -> Material:  # fmt: skip
    lines: list[RedactedText] = []
    for place in sorted(shown):
        if place and place - 1 not in shown:
            lines.append(_GAP)
        lines.append(shown[place][0])
        sources.update(shown[place][1])
    return Material(joined(lines), previous, sources)


def _previous(before: Checkpoint | None, sources: dict[str, Source]) -> RedactedText:
    lines: list[RedactedText] = []
    for name, items in before.state.items() if before else ():
        for n, item in enumerate(items, 1):
            source_id = f"p.{name}.{n}"
            sources[source_id] = Source(item.evidence, name in _PROVING)
            lines.append(escaped(from_row(f"[{source_id}] {item.text}")))
    return joined(lines)


def _block(block: Block, number: int) -> tuple[RedactedText, dict[str, Source]]:
    """A block as the model reads it, and its ids."""
    known: dict[str, Source] = {}
    lines: list[RedactedText] = []
    for source_id, head, text, source in _pieces(block, number):
        known[source_id] = source
        lines.append(joined([safe_constant("["), from_row(f"{source_id}] {head}: "), escaped(text)], ""))
    return joined(lines), known


def _pieces(block: Block, number: int) -> Iterator[tuple[str, str, RedactedText, Source]]:
    lead, name = block[0], f"m{number}"
    if lead.role != "tool":
        finished = lead.role == "user" or (lead.state == "complete" and not lead.tool_calls)
        yield name, lead.role, shortened(lead.content, MESSAGE_TOKENS), Source((lead.id,), finished)
    names: dict[str, int] = {}
    for j, call in enumerate(lead.tool_calls, 1):
        names[call.id] = j
        said = first(from_row(call.arguments), ARGUMENT_TOKENS)
        yield (
            f"{name}.call{j}",
            f"call of {_NAME.sub('_', call.name)}",
            said,
            Source((f"{lead.id}.call{j}",), proves=False),
        )
    results = [each for each in block if each.role == "tool"]
    for n, result in enumerate(results, 1):
        j = names.get(result.call_id or "", n)
        proves = result.tool_status == "succeeded"
        head = f"result, {result.tool_status}"
        yield f"{name}.result{j}", head, shortened(result.content, MESSAGE_TOKENS), Source((result.id,), proves)


def escaped(text: RedactedText) -> RedactedText:
    """Angle brackets as entities and further lines moved in, so that nothing in it looks like a mark of the prompt."""
    return replaced(replaced(replaced(text, _OPENED, "&lt;"), _CLOSED, "&gt;"), _LINE, "\n  ")
