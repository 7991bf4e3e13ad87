"""Shorthand for tests of the rules: cut a script, and write down what came out in minutes."""

from collections.abc import Sequence

from biny_desktop.activity.segments.model import ActivityRow, Cut, Fixed
from biny_desktop.activity.segments.rules import cut
from biny_desktop.core.settings import SegmentsSettings
from tests.fakes.rows import MINUTE, Script

DAY = "2026-03-12"
SETTINGS = SegmentsSettings()


def day_of(script: Script) -> Cut:
    """The script cut from its first row until now."""
    return made(script)


def made(
    script: Script,
    *,
    start: int | None = None,
    end: int | None = None,
    rows: Sequence[ActivityRow] | None = None,
    watching: bool = False,
    fixed: Sequence[Fixed] = (),
    ended: bool = False,
    day_start: str = "04:00",
    settings: SegmentsSettings = SETTINGS,
) -> Cut:
    """A script cut; `start` is its first row, `end` its now unless told."""
    rows = script.rows if rows is None else rows
    since = min(row.stamp.at_ms for row in script.rows) if start is None else start
    until = script.wall if end is None else end
    return cut(
        rows, settings, day_start=day_start, span=(since, until), watching=watching, fixed=fixed, ended=ended
    )  # fmt: skip


def told(result: Cut, since: int) -> list[tuple[int, int, str]]:
    """Drafts by kind and gaps by cause in order, as minutes after `since`, rounded."""
    items = [(draft.start_ms, draft.end_ms, draft.kind) for draft in result.drafts]
    items += [(gap.start_ms, gap.end_ms, gap.cause) for gap in result.gaps]
    return [
        (round((start - since) / MINUTE), round((end - since) / MINUTE), what) for start, end, what in sorted(items)
    ]


def check_cover(result: Cut, span: tuple[int, int], fixed: Sequence[Fixed] = ()) -> None:
    """Drafts, gaps and fixed stretches cover the span exactly; nothing overlaps, nothing is empty."""
    parts = [(draft.start_ms, draft.end_ms) for draft in result.drafts]
    parts += [(gap.start_ms, gap.end_ms) for gap in result.gaps]
    parts += [(each.start_ms, each.end_ms) for each in fixed]
    at = span[0]
    for start, end in sorted(parts):
        assert start == at
        assert end > start
        at = end
    assert at >= span[1]
    for draft in result.drafts:
        assert draft.active_ms >= 0
        assert draft.idle_ms >= 0
        assert draft.private_ms >= 0
        assert draft.active_ms + draft.idle_ms + draft.private_ms == draft.end_ms - draft.start_ms
        spans = [(span.start_ms, span.end_ms) for span in draft.spans]
        assert spans == sorted(spans)
        assert all(draft.start_ms <= low < high <= draft.end_ms for low, high in spans)
        assert sum(each.ms for each in draft.apps) <= draft.end_ms - draft.start_ms
