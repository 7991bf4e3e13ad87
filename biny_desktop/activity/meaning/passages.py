"""What of a frame or a segment is embedded: up to three passages of whole lines, each under its title (spec 03 §7).

Pure, and a function of the row's own words alone, so that a rebuild makes the same passages and a hit can be shown
without keeping them. A screen with more than three passages hold loses lines: first what says nothing (fewer than three
letters), then repeats, then the lines with the fewest different words; menus, buttons and numbers go that way, while
sentences stay. Lines are in reading order again afterwards. What is new on a screen was rejected as a criterion: it
depends on other rows, and a text much like the last one of its window is not embedded at all.
"""

from collections.abc import Sequence
from typing import Final

from biny_desktop.core.text import RedactedText, normalise, words
from biny_desktop.models.passage_tokens import PARTS_MAX, TOKENS_MAX, CountTokens, estimate_tokens
from biny_desktop.redaction import cut, joined

SHORT_CHARS: Final = 20
"""Texts with fewer characters than this are not embedded (spec 03 §7)."""
_TITLE_CHARS: Final = 120
_LETTERS_MIN: Final = 3
_LINE_CHARS: Final = 250
"""A longer line is taken in pieces of this length, each at most 250 tokens."""


def is_short(text: str) -> bool:
    """Whether a text says too little to be embedded; runs of space count as one character."""
    return len(" ".join(text.split())) < SHORT_CHARS


def frame_passages(title: RedactedText, text: RedactedText, count_tokens: CountTokens) -> tuple[RedactedText, ...]:
    """The passages of a frame: its title and the lines of its text.

    Args:
        count_tokens: `Embedder.count_tokens`; asked about once a passage where the estimate is right.
    """
    return _packed(cut(title, 0, _TITLE_CHARS), _lines(text), count_tokens)


def segment_passages(
    title: RedactedText, summary: RedactedText, description: RedactedText, count_tokens: CountTokens
) -> tuple[RedactedText, ...]:
    """The passages of a segment: its title, then summary and description; the title alone where there are none."""
    if not title.strip():
        return ()
    lines = [*_lines(summary), *_lines(description)]
    return _packed(cut(title, 0, _TITLE_CHARS), lines, count_tokens) if lines else (title,)


def _lines(text: RedactedText) -> list[RedactedText]:
    """The lines that say something, each once, long ones in pieces."""
    out: list[RedactedText] = []
    seen: set[str] = set()
    place = 0
    for line in text.split("\n"):
        for start in range(place, place + len(line), _LINE_CHARS):
            piece = cut(text, start, min(start + _LINE_CHARS, place + len(line)))
            plain = normalise(piece).strip()
            if sum(map(str.isalnum, plain)) >= _LETTERS_MIN and plain not in seen:
                seen.add(plain)
                out.append(piece)
        place += len(line) + 1
    return out


def _packed(title: RedactedText, lines: Sequence[RedactedText], count_tokens: CountTokens) -> tuple[RedactedText, ...]:
    """The chosen lines as passages; where they do not fit after all, fewer are chosen, so that none is cut off last."""
    head = [title] if title.strip() else []
    room = TOKENS_MAX - sum(map(estimate_tokens, head))
    budget = room * PARTS_MAX
    parts: list[RedactedText] = []
    while chosen := _chosen(lines, budget):
        parts, left = _parts(head, chosen, room, count_tokens)
        if not left:
            break
        budget -= sum(map(estimate_tokens, left))
    return tuple(parts)


def _parts(
    head: Sequence[RedactedText], lines: Sequence[RedactedText], room: int, count_tokens: CountTokens
) -> tuple[list[RedactedText], Sequence[RedactedText]]:
    """Passages in order and the lines that found no place."""
    parts: list[RedactedText] = []
    while lines and len(parts) < PARTS_MAX:
        take = _fitting(lines, room)
        part = joined([*head, *lines[:take]])
        while take > 1 and count_tokens(part) > TOKENS_MAX:
            take = max(1, take * 3 // 4)
            part = joined([*head, *lines[:take]])
        parts.append(part)
        lines = lines[take:]
    return parts, lines


def _chosen(lines: Sequence[RedactedText], budget: int) -> list[RedactedText]:
    """The lines with the most different words that fit into a budget of tokens, in reading order."""
    costs = [estimate_tokens(line) for line in lines]
    if sum(costs) <= budget:
        return list(lines)
    order = sorted(range(len(lines)), key=lambda n: (-len(words(lines[n])), n))
    kept: set[int] = set()
    for number in order:
        if costs[number] <= budget:
            kept.add(number)
            budget -= costs[number]
    return [line for number, line in enumerate(lines) if number in kept]


def _fitting(lines: Sequence[RedactedText], room: int) -> int:
    """How many of the first lines fit by estimate; at least one."""
    for number, line in enumerate(lines):
        room -= estimate_tokens(line)
        if room < 0:
            return max(1, number)
    return len(lines)
