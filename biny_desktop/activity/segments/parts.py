"""A segment in two, a part of one, two as one; pure. Whatever is cut adds up to what it was."""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final, TypeVar

from biny_desktop.activity.segments.model import Analysis, AppTime, Segment, Span, TitleTime
from biny_desktop.activity.segments.titles import rule_title

TimeT = TypeVar("TimeT", AppTime, TitleTime)
TITLES_MAX: Final = 40
"""Titles of one segment, by time (spec 03 §2)."""


@dataclass(frozen=True, slots=True)
class Seen:
    """How many rows of a part of a segment show an app (by id) and a title (by title and app id)."""

    apps: Mapping[str, int] = field(default_factory=dict)
    titles: Mapping[tuple[str, str], int] = field(default_factory=dict)
    keys: int = 0
    clicks: int = 0


def halves(segment: Segment, at_ms: int, first: Seen, second: Seen) -> tuple[Segment, Segment]:
    """The parts before and from a time inside it; what a model said of the whole is said of neither.

    `first`, `second`: the rows of each part; times of an app are shared out by them, where there are none by length.
    """
    before = _part(segment, segment.start_ms, at_ms)
    after = _part(segment, at_ms, segment.end_ms)
    share = before.active_ms / segment.active_ms if segment.active_ms else 0.5
    apps, more_apps = _shared(
        segment.apps, lambda app: (first.apps.get(app.app_id, 0), second.apps.get(app.app_id, 0)), share
    )
    titles, more_titles = _shared(segment.titles, lambda each: _rows_with(each, first, second), share)
    keys = min(segment.keys, first.keys)
    clicks = min(segment.clicks, first.clicks)
    before = replace(before, apps=apps, titles=titles, keys=keys, clicks=clicks, open=False, close_reason="split")
    after = replace(
        after, apps=more_apps, titles=more_titles, keys=segment.keys - keys, clicks=segment.clicks - clicks
    )  # fmt: skip
    return _unsaid(before), _unsaid(replace(after, title_by="rule", note=None))


def _rows_with(each: TitleTime, first: Seen, second: Seen) -> tuple[int, int]:
    key = (each.title, each.app_id)
    return first.titles.get(key, 0), second.titles.get(key, 0)


def part(segment: Segment, start_ms: int, end_ms: int) -> Segment:
    """What is left of a segment when the rest of its time is deleted; times by length."""
    left = _part(segment, start_ms, end_ms)
    share = left.active_ms / segment.active_ms if segment.active_ms else 0.0
    apps, _ = _shared(segment.apps, lambda _app: (0, 0), share)
    titles, _ = _shared(segment.titles, lambda _title: (0, 0), share)
    shown = (end_ms - start_ms) / (segment.end_ms - segment.start_ms)
    return _unsaid(
        replace(
            left, apps=apps, titles=titles, keys=int(segment.keys * shown), clicks=int(segment.clicks * shown),
            close_reason="deleted" if end_ms < segment.end_ms else segment.close_reason,
            open=segment.open and end_ms == segment.end_ms,
        )
    )  # fmt: skip


def _part(segment: Segment, start_ms: int, end_ms: int) -> Segment:
    """Times and spans of [start, end); each kind of time lies where the spans say, evenly."""

    def upto(at_ms: int, kind: str) -> float:
        """How much of that kind of time lies before `at_ms`, as a share of all of it."""
        done, whole = (_measure(segment, kind, until) for until in (at_ms, segment.end_ms))
        if whole <= 0:
            done, whole = at_ms - segment.start_ms, segment.end_ms - segment.start_ms
        return done / whole

    def between(total: int, kind: str) -> int:
        return round(total * upto(end_ms, kind)) - round(total * upto(start_ms, kind))

    spans = tuple(
        Span(span.kind, max(span.start_ms, start_ms), min(span.end_ms, end_ms))
        for span in segment.spans
        if span.start_ms < end_ms and span.end_ms > start_ms
    )
    return replace(
        segment, start_ms=start_ms, end_ms=end_ms, spans=spans, active_ms=between(segment.active_ms, "active"),
        idle_ms=between(segment.idle_ms, "idle"), private_ms=between(segment.private_ms, "private"),
        event_count=between(segment.event_count, "active"),
    )  # fmt: skip


def _measure(segment: Segment, kind: str, until_ms: int) -> int:
    """Wall time of that kind before a time, ms; `active` is what no span covers."""
    spans = dict.fromkeys(("idle", "private"), 0)
    for span in segment.spans:
        spans[span.kind] += max(0, min(span.end_ms, until_ms) - span.start_ms)
    return spans[kind] if kind in spans else until_ms - segment.start_ms - sum(spans.values())


def _shared(
    times: tuple[TimeT, ...], rows: Callable[[TimeT], tuple[int, int]], share: float
) -> tuple[tuple[TimeT, ...], tuple[TimeT, ...]]:
    """Times in two parts, by the rows of each part or else by a share; most first, without empty ones."""
    first: list[TimeT] = []
    second: list[TimeT] = []
    for each in times:
        early, late = rows(each)
        ms = round(each.ms * (early / (early + late) if early + late else share))
        first.append(replace(each, ms=ms))
        second.append(replace(each, ms=each.ms - ms))
    return _most(first), _most(second)


def _most(times: list[TimeT]) -> tuple[TimeT, ...]:
    return tuple(sorted((each for each in times if each.ms > 0), key=lambda each: -each.ms))


def joined(first: Segment, second: Segment) -> Segment:
    """Two neighbours as one, the time between them idle; id and revision of the first.

    What the person wrote of either is kept; what a model said of each is not said of both.
    """
    between = max(0, second.start_ms - first.end_ms)
    idle = (Span("idle", first.end_ms, second.start_ms),) if between else ()
    apps: Counter[tuple[str, str]] = Counter()
    titles: Counter[tuple[str, str]] = Counter()
    for segment in (first, second):
        apps.update({(app.app_id, app.app_name): app.ms for app in segment.apps})
        titles.update({(each.title, each.app_id): each.ms for each in segment.titles})
    named = next((each for each in (first, second) if each.title_by == "user"), first)
    notes = [each.note for each in (first, second) if each.note]
    return _unsaid(
        replace(
            first, end_ms=second.end_ms, kind=first.kind if first.kind == second.kind else "active", open=second.open,
            active_ms=first.active_ms + second.active_ms, idle_ms=first.idle_ms + second.idle_ms + between,
            private_ms=first.private_ms + second.private_ms, spans=(*first.spans, *idle, *second.spans),
            apps=_most([AppTime(*key, ms) for key, ms in apps.items()]),
            titles=_most([TitleTime(*key, ms) for key, ms in titles.items()])[:TITLES_MAX],
            keys=first.keys + second.keys, clicks=first.clicks + second.clicks,
            event_count=first.event_count + second.event_count, close_reason=second.close_reason,
            clock_adjusted=first.clock_adjusted or second.clock_adjusted, note="\n".join(notes) or None,
            hidden=first.hidden and second.hidden, trivial=first.trivial and second.trivial,
            title=named.title, title_by=named.title_by, edited=tuple(dict.fromkeys((*first.edited, *second.edited))),
            project=next((each.project for each in (first, second) if "project" in each.edited), None),
        )
    )  # fmt: skip


def _unsaid(segment: Segment) -> Segment:
    """Without what a model said; it is to be looked at anew."""
    by_user = segment.title_by == "user"
    kept = "project" in segment.edited
    return replace(
        segment, analysis=Analysis(), stale=False, tries=0, next_try_at_ms=None, reason="",
        status="skipped_private" if segment.kind == "private" else "pending",
        title=segment.title if by_user else rule_title(segment.kind, segment.apps, segment.titles),
        title_by="user" if by_user else "rule", project=segment.project if kept else None,
    )  # fmt: skip
