"""What the zoom levels ask of the product; each in one call, on a pool thread."""

import calendar
from dataclasses import dataclass
from datetime import date, timedelta

from biny_desktop.activity.model import Gap
from biny_desktop.activity.segments.model import HeatDay, Segment
from biny_desktop.core.days import DayRange
from biny_desktop.service.product import Product

TICKS_MAX = 500


@dataclass(frozen=True, slots=True)
class WeekView:
    """Seven days with everything in them; `active_ms` of each day."""

    days: tuple[DayRange, ...]
    items: tuple[Segment | Gap, ...]
    active_ms: tuple[int, ...]


def look_at_week(product: Product, monday: date) -> WeekView:
    """The week that begins on that Monday."""
    days = tuple(product.timeline.day_bounds((monday + timedelta(n)).isoformat()) for n in range(7))
    items = product.segments.range(days[0].start_ms, days[-1].end_ms, 0).items
    heat = {day.day: day.active_ms for day in product.segments.heat(days[0].day, days[-1].day)}
    return WeekView(days, items, tuple(heat.get(day.day, 0) for day in days))


def look_at_month(product: Product, day: date) -> tuple[HeatDay, ...]:
    """The days of the month of a day."""
    last = calendar.monthrange(day.year, day.month)[1]
    return product.segments.heat(day.replace(day=1).isoformat(), day.replace(day=last).isoformat())


def frame_near(product: Product, at_ms: int, stretch: tuple[int, int], app: str | None) -> int | None:
    """The id of the last frame of a stretch [start, end] up to an instant, else of the first one after it."""
    frames = product.timeline.frames
    found = frames(limit=1, start_ms=stretch[0], end_ms=min(at_ms, stretch[1]) + 1, app=app).frames
    if not found:
        found = frames(limit=TICKS_MAX, start_ms=at_ms, end_ms=stretch[1] + 1, app=app).frames[-1:]
    return found[0].id if found else None


def ticks(product: Product, start_ms: int, end_ms: int) -> tuple[tuple[int, str], ...]:
    """(UTC ms, app id) of the frames of a stretch, oldest first."""
    found = product.timeline.frames(limit=TICKS_MAX, start_ms=start_ms, end_ms=end_ms).frames
    return tuple((frame.at_ms, frame.app_id) for frame in reversed(found))
