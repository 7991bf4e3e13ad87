"""Times as other programs write them: seconds, milliseconds, ISO with or without a zone."""

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from biny_desktop.storage.rows import JsonValue

UNKNOWN_ZONE: Final = "unknown"
"""Spec 05 §10: the source does not say where the person was."""
RAW_MAX: Final = 64
"""Characters kept of a time as it was written."""
_FIRST_MS, _LAST_MS = 631_152_000_000, 7_258_118_400_000  # 1990 to 2200: others are no times of chats
_MILLISECONDS_FROM, _MICROSECONDS_FROM = 1e11, 1e14
_NUMBER: Final = re.compile(r"-?\d{1,20}(?:\.\d{1,20})?")
_LOOSE: Final = re.compile(r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[T ,]+(\d{1,2}):(\d{2})(?::(\d{2}))?)?")
_HOUR_S: Final = 3_600


@dataclass(frozen=True, slots=True)
class Instant:
    """UTC milliseconds and the zone of the writer, `unknown` where it is not said."""

    at_ms: int
    zone: str = UNKNOWN_ZONE


def missing(value: JsonValue) -> bool:
    """Whether there is no time at all."""
    return value is None or (isinstance(value, str) and not value.strip())


def read_time(value: JsonValue) -> Instant | None:
    """The moment that a value stands for; None if it is none. A time without a zone is read as UTC."""
    if isinstance(value, bool) or missing(value):
        return None
    if isinstance(value, int | float):
        return _of_number(float(value))
    if not isinstance(value, str):
        return None
    raw = value.strip()
    return _of_number(float(raw)) if _NUMBER.fullmatch(raw) else _of_words(raw)


def raw_time(value: JsonValue) -> str:
    """A time as it was written."""
    return "" if value is None else str(value)[:RAW_MAX]


def _of_number(seconds: float) -> Instant | None:
    if abs(seconds) >= _MICROSECONDS_FROM:
        seconds /= 1e6
    elif abs(seconds) >= _MILLISECONDS_FROM:
        seconds /= 1e3
    return _checked(seconds, UNKNOWN_ZONE)


def _of_words(raw: str) -> Instant | None:
    try:
        moment = datetime.fromisoformat(raw)
    except ValueError:
        found = _LOOSE.fullmatch(raw)
        if found is None:
            return None
        try:
            year, month, day, hour, minute, second = (int(part or 0) for part in found.groups())
            moment = datetime(year, month, day, hour, minute, second, tzinfo=UTC)
        except ValueError:
            return None
    if moment.tzinfo is None:
        return _checked(moment.replace(tzinfo=UTC).timestamp(), UNKNOWN_ZONE)
    offset = moment.utcoffset()
    try:
        return _checked(moment.timestamp(), _zone(0 if offset is None else round(offset.total_seconds())))
    except (OverflowError, ValueError):
        return None


def _zone(offset_s: int) -> str:
    """A zone with that distance from UTC. UTC itself is what programs write wherever the person is."""
    hours, rest = divmod(offset_s, _HOUR_S)
    if not hours or rest or not -12 <= hours <= 14:
        return UNKNOWN_ZONE
    return f"Etc/GMT{-hours:+d}"  # the sign of these names is turned round


def _checked(seconds: float, zone: str) -> Instant | None:
    if seconds != seconds or abs(seconds) > _LAST_MS:
        return None
    at_ms = round(seconds * 1000)
    return Instant(at_ms, zone) if _FIRST_MS <= at_ms < _LAST_MS else None
