"""The recording state in a shape and words: what pill, tray and tooltips show of a `Status`."""

from dataclasses import dataclass

from biny_desktop.capture.ports import FOREVER_MS
from biny_desktop.core.i18n import _
from biny_desktop.service.status import Status
from biny_desktop.ui.formats import clock_time, moment, number
from biny_desktop.ui.words import reason_words

PRIVATE_REASONS = frozenset({"private_app", "private_window", "private_url", "private_text", "password_prompt"})
"""Reasons of spec 02 that the recorder may give for a pause for privacy, besides plain "privacy"."""


@dataclass(frozen=True, slots=True)
class StateLook:
    """`icon_name` of `resources/icons`, `colour` a token, `words` a few, `why` a sentence or ""."""

    icon_name: str
    colour: str
    words: str
    why: str = ""


def look_of(status: Status, zone: str, now_ms: int) -> StateLook:
    """Shape, colour and words of a state; each state differs in all three."""
    if status.state == "locked":
        return StateLook("state-locked", "muted", _("Screen locked"), _("Nothing is recorded while it is locked."))
    if status.state == "stalled":
        return StateLook("state-stalled", "warn", _("Stalled"), reason_words("skip", status.reason))
    if status.state == "idle":
        return StateLook("state-idle", "ok", _("Idle"), _("Recording goes on with your next key or click."))
    if status.state == "capturing":
        return StateLook("state-capturing", "ok", _("Recording"))
    return _paused(status, zone, now_ms)


def tooltip(status: Status, zone: str, now_ms: int) -> str:
    """State and since when, reason, frames today, last frame; one line each."""
    look = look_of(status, zone, now_ms)
    first = look.words
    if status.since_ms is not None:
        first = _("{state} since {time}").format(state=look.words, time=moment(status.since_ms, zone, now_ms))
    lines = [first, look.why]
    lines.append(_("{n} frames today").format(n=number(status.frames_today)))
    if status.last_frame_ms is not None:
        lines.append(_("Last frame {time}").format(time=moment(status.last_frame_ms, zone, now_ms)))
    if status.queued_to_read:
        lines.append(_("{n} waiting to be read").format(n=number(status.queued_to_read)))
    if status.advice:
        lines.append(status.advice)
    return "\n".join(line for line in lines if line)


def can_pause(status: Status) -> bool:
    """Whether "pause" makes sense: recording is on and no pause of the person runs."""
    return status.enabled and status.paused_until_ms is None


def _paused(status: Status, zone: str, now_ms: int) -> StateLook:
    until = status.paused_until_ms
    if status.reason in {"off", "not_enabled"} or not status.enabled:
        return StateLook("state-paused", "muted", _("Recording off"), _("Nothing is recorded until you start it."))
    if status.reason == "not_running":
        return StateLook("state-paused", "muted", _("Not running"), _("No recorder runs for this folder."))
    if until is not None:
        if until >= FOREVER_MS:
            return StateLook("state-paused", "muted", _("Paused"), _("Until you resume."))
        when = clock_time(until, zone) if until - now_ms < 86_400_000 else moment(until, zone, now_ms)
        return StateLook("state-paused", "muted", _("Paused until {time}").format(time=when), _("Paused by you."))
    if status.reason == "privacy" or status.reason in PRIVATE_REASONS:
        return StateLook("state-private", "private", _("Private"), _("A private window is in front."))
    return StateLook("state-paused", "muted", _("Paused"), reason_words("skip", status.reason))
