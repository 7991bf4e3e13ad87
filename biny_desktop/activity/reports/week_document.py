"""A week as a document: its days, what took the time, and the longest stretches (spec 03 §5.4)."""

from collections.abc import Iterator, Sequence
from typing import Final

from biny_desktop.activity.reports import words
from biny_desktop.activity.reports.day_document import app_section, recording, segment_line, to_segment
from biny_desktop.activity.reports.document import Document, Item, Line, Link, Piece, Section, between, line
from biny_desktop.activity.reports.groups import Group, grouped, length_of, shown
from biny_desktop.activity.reports.model import Statistics
from biny_desktop.activity.reports.statistics import RowFigures, segments_of
from biny_desktop.activity.segments.model import DayView, Segment
from biny_desktop.core.i18n import _, ngettext

SUBJECTS: Final = 10
"""Projects and other groups that are told."""
MOMENTS: Final = 5
_DAYS_OF_SUBJECT: Final = 7


def week_document(week: str, views: Sequence[DayView], statistics: Statistics, rows: RowFigures) -> Document:
    """The document of a week of which at least one day holds segments.

    Args:
        views: its seven days in order.
    """
    segments = shown([segment for view in views for segment in segments_of(view)])
    title = _("{week} ({first} to {last})").format(week=week, first=views[0].day, last=views[-1].day)
    sections = [
        *_days(views),
        *_subjects(segments),
        *app_section(statistics, segments),
        *_moments(statistics, segments),
    ]
    return Document(title, _sums(views, statistics), (*sections, *recording(statistics, rows)))


def _sums(views: Sequence[DayView], statistics: Statistics) -> Line:
    days = [view for view in views if segments_of(view)]
    worked = ngettext("{n} day", "{n} days", len(days)).format(n=len(days))
    first, last = segments_of(days[0])[0], segments_of(days[-1])[-1]
    rest = [
        words.activities(statistics.segments) if statistics.segments else "",
        words.apps(statistics.app_count) if statistics.app_count else "",
        _("{time} watching").format(time=words.duration(statistics.watching_ms)) if statistics.watching_ms else "",
        words.gap_words("private", statistics.private_ms) if statistics.private_ms else "",
    ]
    active = _("Active {time} on {days}, ").format(time=words.duration(statistics.active_ms), days=worked)
    pieces: list[Piece] = [active, to_segment(first, days[0].day)]
    pieces += ["–", to_segment(last, days[-1].day)] if len(days) > 1 else []
    return line(*pieces, "".join(f" · {each}" for each in rest if each))


def _days(views: Sequence[DayView]) -> Iterator[Section]:
    """Each day with its report, how long it was, and what took most of it."""
    items = []
    for view in views:
        told = segments_of(view)
        if not told:
            continue
        day = Link(f"{words.weekday(view.day)} {view.day}", "report", view.day, view.day)
        figures = [words.duration(view.totals.active_ms), words.activities(view.totals.segments)]
        pieces: list[Piece] = [day, "".join(f" · {each}" for each in figures)]
        main = [group for group in grouped(shown(told)) if group.name]
        if main:
            most = max(main, key=lambda group: (group.ms, -group.segments[0].start_ms))
            pieces += [_(", most of it "), to_segment(most.longest, most.name)]
        items.append(Item(line(*pieces)))
    yield Section(line(_("Days")), tuple(items))


def _subjects(segments: Sequence[Segment]) -> Iterator[Section]:
    groups = [group for group in grouped(segments) if group.name]
    if not groups:
        return
    told = sorted(groups, key=lambda group: (-group.ms, group.segments[0].start_ms))
    items = [Item(_subject(group)) for group in told[:SUBJECTS]]
    if rest := told[SUBJECTS:]:
        tail = _("and {n} shorter ones ({time}), ").format(
            n=len(rest), time=words.duration(sum(group.ms for group in rest))
        )
        items.append(Item(line(tail, to_segment(rest[0].longest, rest[0].name), " …" if len(rest) > 1 else "")))
    yield Section(line(_("What took the time")), tuple(items))


def _subject(group: Group) -> Line:
    """ "Storage module · 9 h 12 min · 2026-03-10, 2026-03-11": each day leads to its longest stretch of it."""
    days: dict[str, Segment] = {}
    for segment in group.segments:
        if segment.day not in days or length_of(segment) > length_of(days[segment.day]):
            days[segment.day] = segment
    links: list[Piece] = [to_segment(segment, day) for day, segment in list(days.items())[:_DAYS_OF_SUBJECT]]
    return line(f"{group.name} · {words.duration(group.ms)} · ", *between(links))


def _moments(statistics: Statistics, segments: Sequence[Segment]) -> Iterator[Section]:
    by_id = {segment.id: segment for segment in segments}
    longest = [by_id[moment.segment_id] for moment in statistics.key_moments[:MOMENTS]]
    if longest:
        items = [Item(Line((f"{each.day} ", *segment_line(each).pieces))) for each in longest]
        yield Section(line(_("Longest activities")), tuple(items))
