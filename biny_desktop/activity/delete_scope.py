"""What a person may choose to delete, and what that means in rows and in time (spec 03 §9)."""

import json
from dataclasses import dataclass
from typing import Final, Literal

from biny_desktop.activity.delete_store import Scope
from biny_desktop.core.days import DayRange
from biny_desktop.core.errors import InvalidInputError
from biny_desktop.storage.rows import SqlValue

What = Literal["frames", "range", "app", "day", "everything"]
MAX_MS: Final = 2**62
"""Later than any time a row can have, ms."""


@dataclass(frozen=True, slots=True)
class Selection:
    """What to delete (spec 03 §9); build it with one of the functions below. Times UTC ms, [start, end)."""

    what: What
    frame_ids: tuple[int, ...] = ()
    start_ms: int | None = None
    end_ms: int | None = None
    app_id: str | None = None
    day: str | None = None

    @staticmethod
    def of_frames(*frame_ids: int) -> "Selection":
        """Single frames."""
        return Selection("frames", frame_ids=frame_ids)

    @staticmethod
    def of_range(start_ms: int, end_ms: int) -> "Selection":
        """All frames and events of a time."""
        return Selection("range", start_ms=start_ms, end_ms=end_ms)

    @staticmethod
    def of_app(app_id: str, start_ms: int | None = None, end_ms: int | None = None) -> "Selection":
        """An app's frames and events, of all time or of a range."""
        return Selection("app", app_id=app_id, start_ms=start_ms, end_ms=end_ms)

    @staticmethod
    def of_day(bounds: DayRange) -> "Selection":
        """A whole activity day (`Timeline.day_bounds`)."""
        return Selection("day", start_ms=bounds.start_ms, end_ms=bounds.end_ms, day=bounds.day)

    @staticmethod
    def of_everything() -> "Selection":
        """All rows and pictures. Recording has to be stopped by the caller first."""
        return Selection("everything")


def stretch_of(selection: Selection) -> tuple[int, int] | None:
    """The time all of which goes, UTC ms; None when only some rows of a time go."""
    if selection.what == "everything":
        return -MAX_MS, MAX_MS
    if selection.what in ("range", "day") and selection.start_ms is not None and selection.end_ms is not None:
        return selection.start_ms, selection.end_ms
    return None


def check(selection: Selection) -> None:
    """Raises InvalidInputError when a selection is empty or its range ends before it begins."""
    start, end = selection.start_ms, selection.end_ms
    if selection.what == "frames" and not selection.frame_ids:
        raise InvalidInputError("Nothing chosen", "No frame was named.")
    if selection.what in ("range", "day") and (start is None or end is None):
        raise InvalidInputError("Not a time range", "A start and an end are needed.")
    if selection.what == "app" and not selection.app_id:
        raise InvalidInputError("Nothing chosen", "No app was named.")
    if start is not None and end is not None and start >= end:
        raise InvalidInputError("Not a time range", "It ends before it begins; nothing was deleted.")


def scope_of(chosen: Selection, last_frame: int, last_event: int) -> Scope:
    """A selection as SQL conditions, up to these ids."""
    params: dict[str, SqlValue] = {"last_frame": last_frame, "last_event": last_event}
    frames, events = ["f.id <= :last_frame"], ["e.id <= :last_event"]
    if chosen.what == "frames":
        params["chosen"] = json.dumps(chosen.frame_ids)
        return Scope("f.id IN (SELECT value FROM json_each(:chosen)) AND f.id <= :last_frame", None, params)
    if chosen.app_id is not None:
        params["app"] = chosen.app_id
        frames.append("f.app_id = :app")
        events.append("e.app_id = :app")
    if chosen.start_ms is not None:
        params["start"] = chosen.start_ms
        frames.append("f.captured_at >= :start")
        events.append("e.at >= :start")
    if chosen.end_ms is not None:
        params["end"] = chosen.end_ms
        frames.append("f.captured_at < :end")
        events.append("e.at < :end")
    return Scope(" AND ".join(frames), " AND ".join(events), params)
