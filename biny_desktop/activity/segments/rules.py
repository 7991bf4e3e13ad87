"""Rows in, segments and gaps out: the rules of spec 03 §2, pure, so the same rows give the same day."""

from collections.abc import Iterable, Sequence

from biny_desktop.activity.segments.axis import lay_out
from biny_desktop.activity.segments.blocks import find_blocks
from biny_desktop.activity.segments.borders import Borders, Piece, cut_at_borders, known_zone, without_private
from biny_desktop.activity.segments.fronts import Alternations, find_fronts, find_visits
from biny_desktop.activity.segments.measure import Measure, Outline
from biny_desktop.activity.segments.merging import merge
from biny_desktop.activity.segments.model import ActivityRow, Cut, Draft, Fixed
from biny_desktop.activity.segments.quiet import Quiet
from biny_desktop.activity.segments.sessions import Limits, Stretch, find_items, find_sessions, find_watched
from biny_desktop.activity.segments.soft_cuts import Grounds, SoftCut, cap_cuts, soft_cuts
from biny_desktop.activity.segments.untold import tell_gaps
from biny_desktop.core.days import activity_day, activity_range
from biny_desktop.core.settings import SegmentsSettings

MINUTE_MS = 60_000
PRIVATE_MS = 180_000
"""Private time from this length on is a segment of its own, ms (spec 03 §2 rule 10)."""


def cut(
    rows: Sequence[ActivityRow],
    settings: SegmentsSettings,
    *,
    day_start: str,
    span: tuple[int, int],
    watching: bool,
    fixed: Sequence[Fixed] = (),
    ended: bool = False,
) -> Cut:
    """Cut a time into segments and gaps (spec 03 §1, §2).

    A closed draft does not change any more when later rows come, except that it merges with a neighbour to its right
    (rule 12), that a clock which was set ahead comes back, or that a stall which had just begun when it closed turns
    out to last: then it ends where the stall began.

    Args:
        rows: all frames, events and states of the span, in any order, with some hours before it (for what alternated
            today and what goes on), and after it where there are some.
        settings: lengths of the rules.
        day_start: `day.start`, local `HH:MM`.
        span: [from, to) UTC ms; drafts, gaps and fixed stretches cover it exactly. `to` is now for the open day; where
            the clock went back, the last draft may end after it (but not after the day), and so does what is covered.
        watching: whether watching mode is on: then a silent time is `away`, else nothing is claimed (`no_input`).
        fixed: stretches that are left out; no draft touches them, and none merges across one.
        ended: no more rows will come for this span, so nothing stays open.
    """
    if span[1] <= span[0]:
        return Cut((), ())
    hard_ms = settings.hard_gap_min * MINUTE_MS
    axis = lay_out(rows, hard_ms)
    now = axis.shown(span[1])
    blocks = find_blocks(axis, now)
    limits = Limits(hard_ms, now, ended)
    items = find_items(axis, blocks)
    sessions = find_sessions(items, blocks, limits)
    watched = find_watched(axis, sessions, blocks, limits)
    end = max([now, *(each.end for each in (*sessions, *watched))])
    quiet = Quiet(items, settings.idle_s * 1_000, end)
    fronts = find_fronts(axis.rows, blocks, end)
    visits = find_visits(fronts)
    grounds = Grounds(
        visits, fronts, Alternations(visits, settings.alternate_min * MINUTE_MS), quiet,
        settings.soft_min * MINUTE_MS, settings.cap_min * MINUTE_MS, settings.idle_s * 1_000,
        [each.start for each in visits], [each.start for each in fronts],
    )  # fmt: skip
    stretches = [part for session in sessions for part in without_private(session, PRIVATE_MS)]
    last_zone = axis.runs[-1].zone if axis.runs else "UTC"
    reach = _reach(span, (*stretches, *watched), fixed, known_zone(last_zone), day_start)
    kept = _apart(fixed, reach)
    pieces = cut_at_borders([*stretches, *watched], axis, Borders(reach, kept, day_start))
    outlines = sorted((out for piece in pieces for out in _outlines(piece, day_start, grounds)), key=lambda o: o.start)
    measure = Measure(axis, fronts, quiet)
    merged = merge(outlines, measure.apps_in, blocks, kept, settings.merge_min * MINUTE_MS, grounds.cap_ms)
    drafts = _drafts(merged, kept, measure)
    return Cut(drafts, tell_gaps(_holes(drafts, kept, reach), axis, blocks, watching=watching))


def _reach(
    span: tuple[int, int], stretches: Iterable[Stretch], fixed: Sequence[Fixed], zone: str, day_start: str
) -> tuple[int, int]:
    """The span, as long as what is shown in it: after a clock went back that is later than now."""
    last = max([span[1], *(each.end for each in stretches), *(each.end_ms for each in fixed)])
    if last == span[1]:
        return span
    day_end = activity_range(activity_day(span[1] - 1, zone, day_start), zone, day_start).end_ms
    return span[0], max(span[1], min(last, day_end))


def _apart(fixed: Sequence[Fixed], reach: tuple[int, int]) -> list[Fixed]:
    """Fixed stretches in order, inside of what is covered, none overlapping another."""
    out: list[Fixed] = []
    for each in sorted(fixed, key=lambda one: (one.start_ms, one.end_ms)):
        start = max(each.start_ms, reach[0], out[-1].end_ms if out else reach[0])
        end = min(each.end_ms, reach[1])
        if end > start:
            out.append(Fixed(start, end, each.closed))
    return out


def _outlines(piece: Piece, day_start: str, grounds: Grounds) -> list[Outline]:
    """A piece cut by what was in front and by its length."""
    stretch = piece.stretch
    cuts: list[SoftCut] = []
    if stretch.kind == "watching":
        cuts = cap_cuts(stretch, grounds.cap_ms)
    elif stretch.kind == "active":
        since = activity_range(piece.day, piece.zone, day_start).start_ms
        cuts = soft_cuts(stretch, since, grounds)
    out: list[Outline] = []
    start, continues = stretch.start, piece.continues
    for each in [*cuts, SoftCut(stretch.end, stretch.why)]:
        last = each.at == stretch.end
        if each.at > start:
            out.append(
                Outline(stretch.kind, stretch.run, start, each.at, piece.zone, piece.day, each.why,
                        stretch.open and last, continues)
            )  # fmt: skip
        start, continues = each.at, each.why == "cap"
    return out


def _drafts(outlines: Sequence[Outline], fixed: Sequence[Fixed], measure: Measure) -> tuple[Draft, ...]:
    begins = {each.start for each in outlines} | {each.start_ms for each in fixed}
    return tuple(measure.draft(each, last_row=each.end not in begins) for each in outlines)


def _holes(drafts: Sequence[Draft], fixed: Sequence[Fixed], reach: tuple[int, int]) -> list[tuple[int, int]]:
    """What neither drafts nor fixed stretches cover."""
    taken = sorted([*((each.start_ms, each.end_ms) for each in drafts), *((f.start_ms, f.end_ms) for f in fixed)])
    out: list[tuple[int, int]] = []
    at = reach[0]
    for start, end in taken:
        if start > at:
            out.append((at, start))
        at = max(at, end)
    if reach[1] > at:
        out.append((at, reach[1]))
    return out
