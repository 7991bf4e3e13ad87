"""Short segments join their neighbour (spec 03 §2 rule 12)."""

import bisect
from collections.abc import Callable, Sequence
from dataclasses import replace

from biny_desktop.activity.segments.blocks import Blocks
from biny_desktop.activity.segments.measure import Outline
from biny_desktop.activity.segments.model import Fixed


def merge(
    outlines: Sequence[Outline],
    apps_of: Callable[[Outline], frozenset[str]],
    blocks: Blocks,
    fixed: Sequence[Fixed],
    merge_ms: int,
    cap_ms: int,
) -> list[Outline]:
    """Closed neighbours joined leftwards, in order; what is open waits until it closes.

    Args:
        outlines: in order. apps_of: the apps in front in one. merge_ms: one that is shorter may join a neighbour that
        is no farther away (`segments.merge_min`; 0: none does). cap_ms: longest segment that may come of it.
    """
    joined: list[tuple[Outline, frozenset[str]]] = []
    edges = sorted(each.start_ms for each in fixed)
    for outline in outlines:
        here, apps = outline, apps_of(outline)
        while joined and _fits(joined[-1], (here, apps), merge_ms, cap_ms):
            before, before_apps = joined[-1]
            if blocks.between(before.end, here.start) or _holds_any(edges, before.end, here.start):
                break
            joined.pop()
            here = replace(before, end=here.end, why=here.why)
            apps |= before_apps
        joined.append((here, apps))
    return [outline for outline, _ in joined]


def _fits(
    before: tuple[Outline, frozenset[str]], after: tuple[Outline, frozenset[str]], merge_ms: int, cap_ms: int
) -> bool:
    (one, one_apps), (other, other_apps) = before, after
    return (
        not one.open and not other.open and min(one.length, other.length) < merge_ms
        and one.kind == other.kind and one.day == other.day and one.run == other.run
        and other.start - one.end <= merge_ms and other.end - one.start <= cap_ms
        and (not one_apps or not other_apps or bool(one_apps & other_apps))
    )  # fmt: skip


def _holds_any(edges: Sequence[int], low: int, high: int) -> bool:
    return bisect.bisect_left(edges, low) < bisect.bisect_right(edges, high - 1) if high > low else low in edges
