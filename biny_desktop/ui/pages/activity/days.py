"""What the page asks when a day is shown: days with frames, the bounds of one, its apps; in one call."""

from dataclasses import dataclass
from datetime import date

from biny_desktop.activity.timeline import Timeline
from biny_desktop.core.clock import Clock
from biny_desktop.core.days import DayRange, activity_day
from biny_desktop.core.i18n import _
from biny_desktop.core.settings import Settings

DAYS_MAX = 400


@dataclass(frozen=True, slots=True)
class DayView:
    """A day and what there is to choose from. `days` (day, frames) newest first, `apps` (id, name, frames)."""

    bounds: DayRange
    days: tuple[tuple[str, int], ...]
    apps: tuple[tuple[str, str, int], ...]
    today: date
    zone: str


def look_at_day(timeline: Timeline, clock: Clock, settings: Settings, day: str | None) -> DayView:
    """That day, or the newest one with frames (today when there is none)."""
    stamp = clock.stamp()
    today = activity_day(stamp.at_ms, stamp.zone, settings.day.start)
    days = tuple(timeline.days(DAYS_MAX))
    bounds = timeline.day_bounds(day or (days[0][0] if days else today))
    apps = tuple(timeline.apps(bounds.start_ms, bounds.end_ms))
    return DayView(bounds, days, apps, date.fromisoformat(today), stamp.zone)


def nothing_here(*, any_day: bool, one_app: bool) -> str:
    """The words for a range without frames: what will appear and how."""
    if one_app:
        return _("No frames of this app on this day.")
    if any_day:
        return _("Nothing was recorded on this day.")
    return _(
        "Frames appear here as the screen is recorded: pictures of what changed, with the reason for each,\n"
        "and the reasons for what was left out. Start recording with the button at the top right."
    )
