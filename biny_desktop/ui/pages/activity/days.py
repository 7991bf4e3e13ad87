"""What the page asks when a day is shown: days with frames, the bounds of one, its apps; in one call."""

from dataclasses import dataclass
from datetime import date

from biny_desktop.core.days import DayRange, activity_day
from biny_desktop.core.i18n import _, sentences
from biny_desktop.service.product import Product
from biny_desktop.ui.recording_words import recording_hint

DAYS_MAX = 400


@dataclass(frozen=True, slots=True)
class DayView:
    """A day and what there is to choose from. `days` (day, frames) newest first, `apps` (id, name, frames)."""

    bounds: DayRange
    days: tuple[tuple[str, int], ...]
    apps: tuple[tuple[str, str, int], ...]
    today: date
    zone: str
    hint: str
    """Without any day: what the recording needs for frames to appear."""


def look_at_day(product: Product, day: str | None) -> DayView:
    """That day, or the newest one with frames (today when there is none)."""
    stamp, timeline = product.clock.stamp(), product.timeline
    today = activity_day(stamp.at_ms, stamp.zone, product.settings.current().day.start)
    days = tuple(timeline.days(DAYS_MAX))
    bounds = timeline.day_bounds(day or (days[0][0] if days else today))
    apps = tuple(timeline.apps(bounds.start_ms, bounds.end_ms))
    hint = "" if days else recording_hint(product.status())
    return DayView(bounds, days, apps, date.fromisoformat(today), stamp.zone, hint)


def nothing_here(view: DayView | None, *, one_app: bool) -> str:
    """The words for a range without frames: what will appear and how."""
    if one_app:
        return _("No frames of this app on this day.")
    if view is not None and view.days:
        return _("Nothing was recorded on this day.")
    words = _(
        "Frames appear here as the screen is recorded: pictures of what changed, with the reason for each,\n"
        "and the reasons for what was left out."
    )
    return sentences(words, view.hint) if view is not None else words
