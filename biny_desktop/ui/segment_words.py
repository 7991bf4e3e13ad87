"""Segments in words: what a person reads instead of `skipped_no_model` or `app_change`."""

from collections.abc import Mapping

from biny_desktop.activity.reports.words import why
from biny_desktop.activity.segments.model import Segment, SegmentEdit
from biny_desktop.core.i18n import _, listed, mark
from biny_desktop.ui.formats import clock_time, duration, time_range

_STATUS: Mapping[str, str] = {
    "pending": mark("Waiting for a model to look at it"),
    "analysed": mark("Summarised by a model"),
    "not_worth": mark("A model looked at it and found nothing to remember"),
    "skipped_trivial": mark("Too short for a summary"),
    "skipped_no_model": mark("No summary: no model is set"),
    "skipped_private": mark("Private: no model ever sees it"),
    "failed": mark("The summary failed"),
}
_STATUS_ICONS: Mapping[str, tuple[str, str]] = {
    "pending": ("clock", "muted"),
    "analysed": ("check", "ok"),
    "not_worth": ("check", "muted"),
    "failed": ("warning", "warn"),
}
_FAILURES: Mapping[str, str] = {
    "timeout": mark("the model took too long"),
    "invalid_json": mark("the answer could not be read"),
    "refused": mark("the model refused"),
}
_CLOSES: Mapping[str, str] = {
    "lock": mark("the screen was locked"),
    "sleep": mark("the computer went to sleep"),
    "session": mark("another user's session came to front"),
    "pause": mark("recording was paused"),
    "off": mark("recording was switched off"),
    "shutdown": mark("the app was closed"),
    "crash": mark("the app ended by itself"),
    "stalled": mark("recording stalled"),
    "no_input": mark("nothing more was typed or clicked"),
    "app_change": mark("another app stayed in front"),
    "cap": mark("it had become long"),
    "day_end": mark("the day ended"),
    "private": mark("something private came to front"),
    "kind_change": mark("working became watching, or the reverse"),
    "clock_step": mark("the clock was set"),
    "zone": mark("the time zone changed"),
    "deleted": mark("what followed was deleted"),
    "split": mark("you split it here"),
    "edited": mark("you changed its end"),
}
_EDITS: Mapping[str, str] = {
    "title": mark("Renamed"),
    "note": mark("Note changed"),
    "project": mark("Project changed"),
    "borders": mark("Borders changed"),
    "hidden": mark("Hidden or shown"),
    "rename": mark("Renamed"),
    "annotate": mark("Note changed"),
    "set_project": mark("Project changed"),
    "split": mark("Split"),
    "merge": mark("Merged"),
    "hide": mark("Hidden or shown"),
}
_WHO: Mapping[str, str] = {"user": mark("you"), "rules": mark("the rules"), "model": mark("a model")}


def segment_title(segment: Segment) -> str:
    """Its title; private time without a title of the user's has only a word for itself."""
    if segment.kind == "private" and segment.title_by != "user":
        return _("Private time")
    return segment.title or _("(no title)")


def segment_times(segment: Segment) -> str:
    """ "09:10–10:02"; an open one has no end yet."""
    if segment.open:
        return _("{start}–now").format(start=clock_time(segment.start_ms, segment.zone))
    return time_range(segment.start_ms, segment.end_ms, segment.zone)


def segment_line(segment: Segment) -> str:
    """Everything of a row in one line, for screen readers."""
    parts = (
        segment_times(segment), segment_title(segment), duration(segment.length_ms),
        listed(app.app_name or app.app_id for app in segment.apps), segment.project or "", status_words(segment),
    )  # fmt: skip
    return listed(parts)


def status_words(segment: Segment) -> str:
    """What a model made of it, or why none did."""
    known = _STATUS.get(segment.status)
    words = _(known) if known else segment.status.replace("_", " ")
    if segment.status == "failed" and segment.reason:
        known_why = _FAILURES.get(segment.reason)
        return _("{what}: {why}").format(what=words, why=_(known_why) if known_why else why(segment.reason))
    return words


def status_icon(segment: Segment) -> tuple[str, str] | None:
    """(icon, colour token) of the state of its analysis; None where there is nothing to tell."""
    return _STATUS_ICONS.get(segment.status)


def close_words(segment: Segment) -> str:
    """Why it ended."""
    if segment.open:
        return _("it goes on")
    known = _CLOSES.get(segment.close_reason)
    return _(known) if known else segment.close_reason.replace("_", " ")


def kind_words(segment: Segment) -> str:
    """What kind of time it is."""
    return {"active": _("Active"), "watching": _("Watching"), "private": _("Private")}[segment.kind]


def title_by_words(segment: Segment) -> str:
    """Who gave it its title."""
    return {"rule": _("made by rule"), "model": _("by a model"), "user": _("by you")}[segment.title_by]


def edit_words(edit: SegmentEdit) -> str:
    """What an edit did, with before and after where they are short texts."""
    known = _EDITS.get(edit.what)
    words = _(known) if known else edit.what.replace("_", " ").capitalize()
    who = _WHO.get(edit.who)
    said = _("{what} by {who}").format(what=words, who=_(who) if who else edit.who)
    for key, after in edit.after.items():
        before = edit.before.get(key)
        if isinstance(after, str) or isinstance(before, str):
            return f"{said}: {before or '–'} → {after or '–'}"
    return said
