"""A day as a document: what was worked on, with which apps, and where nothing was seen (spec 03 §5, Markdown)."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from biny_desktop.activity.model import Gap, GapCause
from biny_desktop.activity.reports import words
from biny_desktop.activity.reports.document import MORE, Document, Item, Line, Link, Piece, Section, between, line
from biny_desktop.activity.reports.groups import Group, grouped, length_of, numbers_of, plain_title, shown
from biny_desktop.activity.reports.model import Statistics
from biny_desktop.activity.reports.statistics import RowFigures, segments_of
from biny_desktop.activity.segments.model import AppTime, DayView, Segment
from biny_desktop.core.i18n import _, listed, ngettext

HEADINGS: Final = 10
"""Groups with a heading of their own; further ones are lines of "Other"."""
LINES: Final = 8
"""Activities told one by one in a group; shorter ones are one line."""
OTHER_LINES: Final = 14
LONG_MS: Final = 3_600_000
"""A single activity of this length has a heading of its own."""
FOLDED_LINKS: Final = 12
"""Links in that line."""
GAPS: Final = 12
MIN_GAP_MS: Final = 300_000
"""Shorter gaps are in the sums only (spec 03 §1.3)."""
_APP_SHARE: Final = 0.1
_TITLE_MAX: Final = 90
_SENTENCE_MAX: Final = 180
_WORTH_SAYING_MS: Final = 60_000
_TOLD_CAUSES: Final[tuple[GapCause, ...]] = ("away", "no_input")
"""Gaps between the first and the last activity that are in the line of sums; the others are in "Gaps"."""


def day_document(view: DayView, statistics: Statistics, rows: RowFigures, *, analysing: bool = True) -> Document:
    """The document of a day that holds segments.

    Args:
        rows: as for `statistics`. analysing: a model is going to look at the pending ones.
    """
    segments = shown(segments_of(view))
    sections = [
        *_groups(segments),
        *app_section(statistics, segments),
        *_gaps(view),
        *_not_analysed(segments, analysing),
    ]
    return Document(
        f"{view.day} {words.weekday(view.day)}", _sums(view, statistics), (*sections, *recording(statistics, rows))
    )


def _sums(view: DayView, statistics: Statistics) -> Line:
    told = [each for each in segments_of(view) if not each.hidden and not each.trivial] or segments_of(view)
    pieces: list[Piece] = []
    if statistics.active_ms:
        pieces += [_("Active {time}, ").format(time=words.duration(statistics.active_ms))]
    start, end = told[0], told[-1]
    pieces += [to_segment(start, words.clock_time(start.start_ms, start.zone)), "–", to_segment(end, _end(end))]
    inside = (start.start_ms, end.end_ms)
    away = [(cause, _gap_ms(view, cause, inside)) for cause in _TOLD_CAUSES]
    rest = [
        words.activities(statistics.segments) if statistics.segments else "",
        words.apps(statistics.app_count) if statistics.app_count else "",
        _("{time} watching").format(time=words.duration(statistics.watching_ms)) if statistics.watching_ms else "",
        *(words.gap_words(cause, ms) if ms >= _WORTH_SAYING_MS else "" for cause, ms in away),
        words.gap_words("private", statistics.private_ms) if statistics.private_ms else "",
    ]
    return line(*pieces, "".join(f" · {each}" for each in rest if each))


def _gap_ms(view: DayView, cause: GapCause, inside: tuple[int, int]) -> int:
    return sum(
        item.end_ms - item.start_ms
        for item in view.items
        if isinstance(item, Gap) and item.cause == cause and inside[0] <= item.start_ms and item.end_ms <= inside[1]
    )


def _groups(segments: Sequence[Segment]) -> Iterator[Section]:
    """Groups with more to tell than one line have a heading; what fits in a line is listed below them."""
    groups = grouped(segments)
    headed = [group for group in groups if group.name and _has_more(group)][:HEADINGS]
    for group in headed:
        yield _section(group)
    rest = [group for group in groups if group not in headed]
    single = [group.segments[0] for group in rest if group.name and len(group.segments) == 1]
    single += [each for group in rest if not group.name for each in group.segments]
    many = [group for group in rest if group.name and len(group.segments) > 1]
    if not single and not many:
        return
    spent = sum(length_of(each) for each in single) + sum(group.ms for group in many)
    heading = _("Other") if headed else _("Activities")
    first = to_segment(many[0].longest if many else single[0])
    yield Section(
        line(heading, words.length_behind(spent), about=[first]),
        (*(_whole_group(group) for group in many), *_items(single, "", OTHER_LINES)),
    )


def _has_more(group: Group) -> bool:
    one = group.segments[0]
    return (
        len(group.segments) > 1 or bool(group.numbers) or group.ms >= LONG_MS or any(True for _under_it in _under(one))
    )


def _section(group: Group) -> Section:
    title = _cut(group.name, _TITLE_MAX)
    heading = line(title, words.length_behind(group.ms), about=[to_segment(group.longest)])
    items = list(_items(group.segments, group.name))
    if numbers := list(_numbers(group)):
        items.append(Item(line(_("Mentioned: "), *between(numbers))))
    return Section(heading, tuple(items))


def _numbers(group: Group) -> Iterator[Link]:
    """Its numbers that stand in no title."""
    titles = [plain_title(segment) for segment in group.segments]
    unseen = [number for number in group.numbers if not any(number in title for title in titles)]
    for number in unseen[:FOLDED_LINKS]:
        source = next(each for each in group.segments if number in numbers_of(each))
        yield to_segment(source, number)


def _items(segments: Sequence[Segment], group_name: str, limit: int = LINES) -> Iterator[Item]:
    """The longest ones in the order of their time, then the others in one line."""
    longest = sorted(segments, key=lambda each: (-length_of(each), each.start_ms, each.id))
    told = longest if len(longest) <= limit + 1 else longest[:limit]
    ids = {each.id for each in told}
    for segment in sorted(told, key=lambda each: (each.start_ms, each.id)):
        yield Item(segment_line(segment, group_name), tuple(_under(segment)))
    folded = [each for each in segments if each.id not in ids]
    if folded:
        count = _("and {n} shorter ones ({time}): ").format(
            n=len(folded), time=words.duration(sum(length_of(each) for each in folded))
        )
        yield Item(line(count, *_starts(folded), " …" if len(folded) > FOLDED_LINKS else ""))


def segment_line(segment: Segment, group_name: str = "") -> Line:
    """ "09:10–10:02 storage.py · 52 min · Editor, Terminal"; under a heading that says its title only its times."""
    times, title = _times(segment), _cut(plain_title(segment), _TITLE_MAX)
    tags = [words.duration(length_of(segment)), _app_names(segment.apps)]
    tags += [_("watching")] if segment.kind == "watching" else []
    tags += [_("meeting")] if segment.analysis.is_meeting else []
    tags += [_("clock was set")] if segment.clock_adjusted else []
    tail = "".join(f" · {tag}" for tag in tags if tag)
    if title in ("", _cut(group_name, _TITLE_MAX)):
        return line(to_segment(segment, times), tail)
    return line(f"{times} ", to_segment(segment, title), tail)


def _under(segment: Segment) -> Iterator[Line]:
    if segment.note:
        yield line(_("Note: "), to_segment(segment, _cut(segment.note, _SENTENCE_MAX)))
    said = segment.analysis
    for highlight in said.highlights:
        frames: list[Piece] = [
            Link(f"f{frame}", "frame", str(frame), f"f{frame}") for frame in highlight.frame_ids
        ] or [to_segment(segment, _("source deleted"))]
        yield line(f"{highlight.text.strip()} ", *between(frames))
    if not said.highlights and said.description.strip():
        yield line(f"{_first_sentence(said.description)} ", to_segment(segment, MORE))


def app_section(statistics: Statistics, segments: Sequence[Segment]) -> Iterator[Section]:
    """The table of apps."""
    if statistics.apps:
        rows = tuple((line(_to_app(app, segments)), words.duration(app.ms)) for app in statistics.apps)
        yield Section(line(_("Apps")), columns=(_("App"), _("Time")), rows=rows)


def _to_app(app: AppTime, segments: Sequence[Segment]) -> Piece:
    """The app's name, leading to the activity in which it was in front longest."""
    spent = [(use.ms, -each.start_ms, each) for each in segments for use in each.apps if use.app_id == app.app_id]
    return to_segment(max(spent, key=lambda item: item[:2])[2], app.app_name) if spent else app.app_name


def _gaps(view: DayView) -> Iterator[Section]:
    found = [item for item in view.items if isinstance(item, Gap) and item.end_ms - item.start_ms >= MIN_GAP_MS]
    if not found:
        return
    told = sorted(sorted(found, key=lambda gap: gap.start_ms - gap.end_ms)[:GAPS], key=lambda gap: gap.start_ms)
    items = [Item(_gap_line(view, gap)) for gap in told]
    if len(found) > len(told):
        spent = sum(gap.end_ms - gap.start_ms for gap in found) - sum(gap.end_ms - gap.start_ms for gap in told)
        tail = _("and {n} shorter ones ({time})").format(n=len(found) - len(told), time=words.duration(spent))
        items.append(Item(line(tail)))
    yield Section(line(_("Gaps")), tuple(items))


def _gap_line(view: DayView, gap: Gap) -> Line:
    """Its times lead to what was before and after it."""
    segments = segments_of(view)
    before = next((each for each in reversed(segments) if each.end_ms <= gap.start_ms), None)
    after = next((each for each in segments if each.start_ms >= gap.end_ms), None)
    zone = before.zone if before else view.zone
    start, end = words.clock_time(gap.start_ms, zone), words.clock_time(gap.end_ms, after.zone if after else zone)
    return line(
        to_segment(before, start) if before else start, "–", to_segment(after, end) if after else end,
        f" · {words.gap_words(gap.cause, gap.end_ms - gap.start_ms)}",
    )  # fmt: skip


def _not_analysed(segments: Sequence[Segment], analysing: bool) -> Iterator[Section]:
    """Activities a model has still to look at, or could not."""
    waiting = [each for each in segments if each.status == "pending" and analysing]
    failed = [each for each in segments if each.status == "failed"]
    if not waiting and not failed:
        return
    kinds: list[tuple[str, list[Segment]]] = [(_("pending {n}").format(n=len(waiting)), waiting)] if waiting else []
    for reason in sorted({each.reason for each in failed}):
        members = [each for each in failed if each.reason == reason]
        kinds.append((_("failed {n}: {reason}").format(n=len(members), reason=words.why(reason) or "?"), members))
    told = listed(kind for kind, _members in kinds)
    heading = line(_("Not analysed: {n} ({kinds})").format(n=len(waiting) + len(failed), kinds=told))
    items = tuple(
        Item(line(words.before_list(kind), *_starts(members), " …" if len(members) > FOLDED_LINKS else ""))
        for kind, members in kinds
    )
    yield Section(heading, items, told=False)


def recording(statistics: Statistics, rows: RowFigures) -> Iterator[Section]:
    """What the recorder did in that time: frames, why others were not kept, secrets, space; in one line."""
    if rows.first_frame is None:
        return
    kept = ngettext("{n} frame kept", "{n} frames kept", statistics.frames_kept).format(n=f"{statistics.frames_kept:,}")
    told = [_("{n} read").format(n=f"{statistics.frames_read:,}")]
    if dropped := sum(statistics.dropped.values()):
        same = sum(n for reason, n in statistics.dropped.items() if reason.startswith("same_"))
        text = _("{n} not kept ({same} unchanged)") if same else _("{n} not kept")
        told.append(text.format(n=f"{dropped:,}", same=f"{same:,}"))
    if hidden := sum(statistics.redactions.values()):
        text = ngettext("{n} secret hidden ({kinds})", "{n} secrets hidden ({kinds})", hidden)
        told.append(text.format(n=f"{hidden:,}", kinds=words.hidden_words(statistics.redactions)))
    told.append(
        ngettext("{n} picture, {size}", "{n} pictures, {size}", statistics.pictures).format(
            n=f"{statistics.pictures:,}", size=words.size(statistics.picture_bytes)
        )
    )
    text = "".join(f" · {each}" for each in told)
    yield Section(
        line(_("What was recorded")), (Item(line(Link(kept, "frame", str(rows.first_frame)), text)),), told=False
    )  # fmt: skip


def to_segment(segment: Segment, text: str = "") -> Link:
    """A link to it; cited by the time it began."""
    return Link(text or _start(segment), "segment", str(segment.id), _start(segment))


def _whole_group(group: Group) -> Item:
    count = words.activities(len(group.segments))
    name = to_segment(group.longest, _cut(group.name, _TITLE_MAX))
    return Item(line(name, f" · {count} · {words.duration(group.ms)}"))


def _start(segment: Segment) -> str:
    return words.clock_time(segment.start_ms, segment.zone)


def _starts(segments: Sequence[Segment]) -> list[Piece]:
    return between([to_segment(each) for each in segments[:FOLDED_LINKS]])


def _end(segment: Segment) -> str:
    return _("now") if segment.open else words.clock_time(segment.end_ms, segment.zone)


def _times(segment: Segment) -> str:
    return f"{_start(segment)}–{_end(segment)}"


def _app_names(apps: Iterable[AppTime]) -> str:
    """At most three names, those with a share worth naming."""
    used = list(apps)
    least = _APP_SHARE * sum(app.ms for app in used)
    return listed(app.app_name or app.app_id for app in used[:3] if app.ms >= least)


def _cut(text: str, limit: int) -> str:
    one = " ".join(text.split())
    return one if len(one) <= limit else one[: limit - 1].rstrip() + "…"


def _first_sentence(text: str) -> str:
    one = " ".join(text.split())
    ends = [place + 1 for mark in (". ", "。", "! ", "！", "? ", "？") if (place := one.find(mark)) >= 0]
    return _cut(one[: min(ends)] if ends else one, _SENTENCE_MAX)
