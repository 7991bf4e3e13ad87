"""What the source panel says of a segment, section by section; pure."""

from collections.abc import Mapping
from dataclasses import dataclass

from biny_desktop.activity.model import Frame
from biny_desktop.activity.segments.model import Segment, SegmentDetail
from biny_desktop.core.clock import to_local
from biny_desktop.core.i18n import _, listed, mark, ngettext
from biny_desktop.ui.facts import Fact
from biny_desktop.ui.formats import bytes_size, duration, full_moment, moment, number
from biny_desktop.ui.segment_words import close_words, edit_words, kind_words, status_words, title_by_words

FORM = "%Y-%m-%d %H:%M:%S"
TITLES = 5
"""Window titles that are named, those longest in front."""
CHIPS = 12
"""Frames that are named as chips, spread evenly over the segment."""
_ENTITIES: Mapping[str, str] = {
    "prs": mark("Pull requests"),
    "issues": mark("Issues"),
    "commits": mark("Commits"),
    "people": mark("People"),
    "identifiers": mark("Names in code"),
    "repos": mark("Repositories"),
    "versions": mark("Versions"),
    "events": mark("Events"),
    "decisions": mark("Decisions"),
    "urls": mark("Addresses"),
}


@dataclass(frozen=True, slots=True)
class SegmentFacts:
    """The lines of each section; `frames` are those that are named as chips, oldest first."""

    fields: tuple[Fact, ...]
    entities: tuple[Fact, ...]
    origin: tuple[Fact, ...]
    frames: tuple[Frame, ...]
    when: tuple[Fact, ...]
    kept: tuple[Fact, ...]
    history: tuple[Fact, ...]


def segment_facts(detail: SegmentDetail, now_ms: int) -> SegmentFacts:
    """All sections of a segment (spec 09, The source panel)."""
    segment = detail.segment
    return SegmentFacts(
        _fields(segment), _entities(segment), _origin(detail), spread(detail.frames[::-1], CHIPS), _when(segment),
        _kept(segment, now_ms), _history(detail, now_ms),
    )  # fmt: skip


def spread(frames: tuple[Frame, ...], most: int) -> tuple[Frame, ...]:
    """At most so many of them, the first and the last among them."""
    if len(frames) <= most:
        return frames
    return tuple(frames[round(n * (len(frames) - 1) / (most - 1))] for n in range(most))


def _fields(segment: Segment) -> tuple[Fact, ...]:
    facts = [Fact(_("Kind"), kind_words(segment)), Fact(_("Title is"), title_by_words(segment))]
    apps = [f"{app.app_name or app.app_id} {duration(app.ms)}" for app in segment.apps if app.ms >= 1_000]
    facts += [Fact(_("Apps"), listed(apps))] if apps else []
    if segment.analysis.is_meeting:
        facts.append(Fact(_("Meeting"), _("yes")))
    return tuple(facts)


def _entities(segment: Segment) -> tuple[Fact, ...]:
    facts = [Fact(_("Topics"), listed(segment.analysis.topics))] if segment.analysis.topics else []
    for kind, names in (segment.analysis.entities or {}).items():
        known = _ENTITIES.get(kind)
        if names:
            facts.append(Fact(_(known) if known else kind.replace("_", " "), listed(names)))
    return tuple(facts)


def _origin(detail: SegmentDetail) -> tuple[Fact, ...]:
    segment = detail.segment
    events = ngettext("{n} event", "{n} events", detail.events).format(n=number(detail.events))
    frames = ngettext("{n} frame", "{n} frames", segment.frame_count).format(n=number(segment.frame_count))
    facts = [Fact(_("Rows"), listed((frames, events))), Fact(_("Pictures"), bytes_size(segment.picture_bytes))]
    if segment.keys or segment.clicks:
        keys = ngettext("{n} key", "{n} keys", segment.keys).format(n=number(segment.keys))
        clicks = ngettext("{n} click", "{n} clicks", segment.clicks).format(n=number(segment.clicks))
        facts.append(Fact(_("Input"), listed((keys, clicks))))
    if segment.titles:
        titles = segment.titles[:TITLES]
        tip = "\n".join(f"{title.title} · {duration(title.ms)}" for title in segment.titles)
        facts.append(Fact(_("Windows"), "\n".join(title.title for title in titles), tip))
    return tuple(facts)


def _when(segment: Segment) -> tuple[Fact, ...]:
    zone = segment.zone
    facts = [Fact(_("From"), to_local(segment.start_ms, zone).strftime(FORM), full_moment(segment.start_ms, zone))]
    end = to_local(segment.end_ms, zone).strftime(FORM)
    facts.append(Fact(_("To"), _("now") if segment.open else end, full_moment(segment.end_ms, zone)))
    parts = (
        (segment.active_ms, _("{time} active")), (segment.idle_ms, _("{time} idle")),
        (segment.private_ms, _("{time} private")),
    )  # fmt: skip
    facts.append(
        Fact(_("Length"), listed(words.format(time=duration(ms)) for ms, words in parts if ms >= 1_000) or "–")
    )
    facts += [Fact(_("Zone"), zone), Fact(_("Ended"), close_words(segment))]
    if segment.clock_adjusted:
        facts.append(Fact(_("Clock"), _("set meanwhile: shown later than it was labelled"), role="warn"))
    return tuple(facts)


def _kept(segment: Segment, now_ms: int) -> tuple[Fact, ...]:
    facts = [
        Fact(_("Table"), f"segments, {segment.id}", mono=True),
        Fact(_("Summary"), status_words(segment), role="warn" if segment.status == "failed" else ""),
    ]
    if segment.stale:
        facts.append(Fact(_("State"), _("rows in it changed since the summary"), role="warn"))
    if segment.analysis.model:
        facts.append(Fact(_("Model"), segment.analysis.model, mono=True))
    if segment.next_try_at_ms is not None and segment.status in ("pending", "failed"):
        facts.append(Fact(_("Next try"), moment(segment.next_try_at_ms, segment.zone, now_ms)))
    return (*facts, Fact(_("Revision"), number(segment.revision)))


def _history(detail: SegmentDetail, now_ms: int) -> tuple[Fact, ...]:
    zone = detail.segment.zone
    edits = sorted(detail.edits, key=lambda edit: edit.id, reverse=True)
    facts = [Fact(moment(edit.at_ms, zone, now_ms), edit_words(edit), full_moment(edit.at_ms, zone)) for edit in edits]
    analysed = detail.segment.analysis.analysed_at_ms
    if analysed is not None:
        words = _("Summarised by {model}").format(model=detail.segment.analysis.model or _("a model"))
        facts.append(Fact(moment(analysed, zone, now_ms), words, full_moment(analysed, zone)))
    return tuple(facts)
