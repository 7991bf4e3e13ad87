"""Which frame texts get vectors: not the short ones, and none that says what its window said before (spec 03 §7).

A window is an app with a title: pages and documents are told apart, a changed counter in a title is another window.
Since the newest texts are decided first, "before" is the nearest embedded text of the window in time, on either side.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from biny_desktop.activity.meaning import passage_store
from biny_desktop.activity.meaning.passage_store import FrameText
from biny_desktop.activity.meaning.passages import is_short
from biny_desktop.activity.meaning.rows import frame_row
from biny_desktop.core.text import jaccard, words
from biny_desktop.models.model import IndexRow
from biny_desktop.models.passage_tokens import CountTokens
from biny_desktop.storage.database import Reader

SAME_JACCARD: Final = 0.9
"""Share of common words from which on two texts say the same (spec 03 §7)."""
SAME_MS: Final = 30 * 60_000
"""How far apart in time they may be (spec 03 §7)."""


@dataclass(frozen=True, slots=True)
class Decisions:
    """What is to become of some texts: embed as `rows`, leave out as short, leave out as the same as another."""

    rows: tuple[IndexRow, ...]
    short: tuple[FrameText, ...]
    same: tuple[tuple[FrameText, int], ...]


def decide(r: Reader, texts: Sequence[FrameText], count_tokens: CountTokens) -> Decisions:
    """Decide about texts in that order; one of them may be the same as an earlier one."""
    chosen: list[tuple[FrameText, IndexRow]] = []
    short: list[FrameText] = []
    same: list[tuple[FrameText, int]] = []
    for text in texts:
        row = frame_row(text, count_tokens)
        if is_short(text.text) or not row.passages:
            short.append(text)
            continue
        near = _nearest(r, text, [other for other, _ in chosen])
        if near is not None and jaccard(words(text.text), words(near.text)) >= SAME_JACCARD:
            same.append((text, near.frame_id))
        else:
            chosen.append((text, row))
    return Decisions(tuple(row for _, row in chosen), tuple(short), tuple(same))


def _nearest(r: Reader, text: FrameText, chosen: Sequence[FrameText]) -> FrameText | None:
    stored = passage_store.nearest_embedded(r, text, SAME_MS)
    near = [
        other
        for other in (*chosen, *([stored] if stored else []))
        if (other.app_id, other.title) == (text.app_id, text.title) and abs(other.at_ms - text.at_ms) <= SAME_MS
    ]
    return min(near, key=lambda other: abs(other.at_ms - text.at_ms), default=None)
