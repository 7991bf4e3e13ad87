"""Durations, times, causes and failures of a report in words, in the language spoken now."""

from collections.abc import Mapping
from datetime import date
from typing import Final

from biny_desktop.activity.model import GapCause
from biny_desktop.core.clock import to_local
from biny_desktop.core.i18n import _, listed, mark, ngettext

_MINUTE_MS: Final = 60_000
_WEEKDAYS: Final = (
    mark("Monday"), mark("Tuesday"), mark("Wednesday"), mark("Thursday"), mark("Friday"), mark("Saturday"),
    mark("Sunday"),
)  # fmt: skip
_CAUSES: Final[Mapping[GapCause, str]] = {
    "away": mark("{time} away"),
    "no_input": mark("{time} without input"),
    "locked": mark("{time} locked"),
    "asleep": mark("{time} asleep"),
    "paused": mark("{time} paused"),
    "private": mark("{time} private"),
    "off": mark("{time} not recording"),
    "stalled": mark("{time} recording stalled"),
    "not_recorded": mark("{time} not recorded"),
    "deleted": mark("{time} deleted"),
}
_WHY: Final[Mapping[str, str]] = {
    "no_model": mark("no model is set"),
    "no_prompt": mark("a file of the program is missing"),
    "timeout": mark("it took too long"),
    "http": mark("its server could not be reached or answered with an error"),
    "refused": mark("it refused"),
    "empty": mark("its answer was empty"),
    "truncated": mark("its answer was cut off"),
    "invalid_json": mark("its answer could not be read"),
    "invalid_shape": mark("its answer had another form than asked for"),
    "unsupported": mark("it said too much that is not in the records"),
    "too_short": mark("too little of it could be used"),
    "too_long": mark("it was too long"),
    "stopped": mark("it was interrupted"),
}
_HIDDEN: Final[Mapping[str, str]] = {
    "private_key": mark("private key"), "token": mark("token"), "jwt": mark("web token"),
    "url_secret": mark("secret in an address"), "password": mark("password"), "otp": mark("one-time code"),
    "card": mark("card number"), "iban": mark("bank account"), "id_number": mark("identity number"),
    "email": mark("mail address"), "phone": mark("telephone number"), "high_entropy": mark("random-looking text"),
    "custom": mark("own pattern"),
}  # fmt: skip


def minutes_of(ms: int) -> int:
    """Whole minutes, halves up."""
    return (ms + _MINUTE_MS // 2) // _MINUTE_MS


def duration(ms: int) -> str:
    """ "2 h 41 min", "3 h 05 min", "52 min"; anything shorter than half a minute is "under 1 min"."""
    minutes = minutes_of(ms)
    if minutes == 0:
        return _("under 1 min")
    if minutes < 60:
        return _("{m} min").format(m=minutes)
    return _("{h} h {m:02d} min").format(h=minutes // 60, m=minutes % 60)


def clock_time(at_ms: int, zone: str) -> str:
    """ "09:10" in that zone, under any locale."""
    return f"{to_local(at_ms, zone):%H:%M}"


def weekday(day: str) -> str:
    """The weekday of an ISO date."""
    return _(_WEEKDAYS[date.fromisoformat(day).weekday()])


def length_behind(ms: int) -> str:
    """ " (2 h 41 min)": what stands behind a name, with the space before it."""
    return _(" ({length})").format(length=duration(ms))


def before_list(words: str) -> str:
    """ "pending 2: ": what stands before a list, with the space behind it."""
    return _("{words}: ").format(words=words)


def gap_words(cause: GapCause, ms: int) -> str:
    """ "43 min away"."""
    return _(_CAUSES[cause]).format(time=duration(ms))


def why(reason: str) -> str:
    """What a typed reason of a failed narrative means, as the end of a sentence; an unknown one is said as it is."""
    known = _WHY.get(reason)
    return _(known) if known else reason.replace("_", " ")


def hidden_words(counts: Mapping[str, int]) -> str:
    """ "mail address 9, token 5", most first."""
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return listed(f"{_(_HIDDEN[kind]) if kind in _HIDDEN else kind} {n}" for kind, n in ordered)


def activities(n: int) -> str:
    """ "14 activities"."""
    return ngettext("{n} activity", "{n} activities", n).format(n=n)


def apps(n: int) -> str:
    """ "5 apps"."""
    return ngettext("{n} app", "{n} apps", n).format(n=n)


def size(n_bytes: int) -> str:
    """ "48.2 MB", "910 KB"."""
    if n_bytes < 1_000_000:
        return _("{n} KB").format(n=f"{n_bytes / 1e3:.0f}")
    return _("{n} MB").format(n=f"{n_bytes / 1e6:,.1f}")
