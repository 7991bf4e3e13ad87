"""The zoom of the page Activity: its level, the stretch in sight, and what the bands, bars, week and month show of it.

It knows nothing of film strip and viewer: the page tells it which frame is shown, it tells the page which instant or
segment is wanted.
"""

from datetime import date

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QStackedWidget

from biny_desktop.activity.model import Frame
from biny_desktop.activity.segments.model import DayView as SegmentsDay
from biny_desktop.activity.segments.model import HourBar, Segment
from biny_desktop.core.days import DayRange
from biny_desktop.service.product import Product
from biny_desktop.ui.calls import Calls
from biny_desktop.ui.pages.activity.day_bar import DayBar
from biny_desktop.ui.pages.activity.looking import WeekView, look_at_month, look_at_week, ticks
from biny_desktop.ui.pages.activity.month_pane import MonthPane
from biny_desktop.ui.pages.activity.spans import Level, monday_of, moved, nearer, span_after, span_title, window_at
from biny_desktop.ui.pages.activity.week_pane import WeekPane
from biny_desktop.ui.widgets.hour_bars import HourBars
from biny_desktop.ui.widgets.segment_bands import SegmentBands

CHANGES_MS = 400
"""Changes that come together are looked at once."""
NEAR, WEEK, MONTH = 0, 1, 2
"""Pages of the stack: picture and strip, week, month."""


class Zoom(QObject):
    """Signals: `day_wanted(ISO day, at_ms or None)`, `time_wanted(at_ms, Segment or None)`, `segment_chosen(Segment)`
    where no frame follows it, `filled` when bars and bands of a day are there."""

    day_wanted = Signal(str, object)
    time_wanted = Signal(object, object)
    segment_chosen = Signal(object)
    filled = Signal()

    def __init__(self, product: Product, calls: Calls, bar: DayBar, stack: QStackedWidget, parent: QObject) -> None:
        super().__init__(parent)
        self._product, self._calls, self._bar, self._stack = product, calls, bar, stack
        self.level: Level = "day"
        self.bars, self.bands = HourBars(low=True), SegmentBands()
        self.week, self.month = WeekPane(), MonthPane()
        self._bounds: DayRange | None = None
        self._zone = "UTC"
        self._today = date.min
        self._far_day = date.min
        self._at: int | None = None
        self.day: SegmentsDay | None = None
        self._rows = QTimer(self, singleShot=True, interval=CHANGES_MS)
        self._rows.timeout.connect(self.reload)
        self._connect()

    def _connect(self) -> None:
        self._bar.zoom.stepped.connect(self.step)
        self._bar.zoom.level_chosen.connect(self.set_level)
        self._bar.span_stepped.connect(self._step_span)
        self.bars.hour_opened.connect(self._on_hour_opened)
        self.bands.zoom_asked.connect(self.step)
        self.bands.pan_asked.connect(self.pan)
        self.bands.segment_chosen.connect(lambda segment, at: self.time_wanted.emit(at, segment))
        self.bands.segment_opened.connect(lambda _segment, at: self.step(1, at))
        self.bands.time_chosen.connect(lambda at: self.time_wanted.emit(at, None))
        self.week.segment_chosen.connect(self.segment_chosen)
        self.week.segment_opened.connect(self._open_from_week)
        self.week.zoom_asked.connect(self.step)
        self.week.day_opened.connect(self.open_day)
        self.month.day_opened.connect(self.open_day)
        self.month.month_asked.connect(lambda year, month: self._show_far(date(year, month, 1)))
        self.month.stepped.connect(self._step_span)
        self.month.zoom_asked.connect(self._zoom_into_month)

    # -- what the page tells -------------------------------------------------------------------------------------------

    def show_day(self, bounds: DayRange, zone: str, today: date) -> None:
        """Another day is shown (or the same one anew): read its segments."""
        other = self._bounds is None or self._bounds.day != bounds.day
        self._bounds, self._zone, self._today = bounds, zone, today
        if other:
            self._at = None
            self._set_window(window_at(self.level, (bounds.start_ms + bounds.end_ms) // 2, bounds))
        self.reload()
        if self._stack.currentIndex() != NEAR and (other or self._far_day == date.min):
            self._show_far(date.fromisoformat(bounds.day))

    def reload(self) -> None:
        """Read the segments of the day shown, and of the week or month in sight, again."""
        if self._bounds is None:
            return
        day, segments = self._bounds.day, self._product.segments
        self._calls.run(lambda: segments.day(day), self._on_day, None, self, latest="segments")
        if self._stack.currentIndex() != NEAR:
            self._show_far(self._far_day)

    def on_rows(self, _what: object) -> None:
        """Segments changed: read them again, together with what comes right after."""
        if not self._rows.isActive():
            self._rows.start()

    def show_frame(self, frame: Frame) -> None:
        """That frame is shown: the cursor goes there, its segment is chosen, and the stretch in sight follows."""
        self._at = frame.at_ms
        self.bands.set_cursor(frame.at_ms)
        self._choose_at(frame.at_ms)
        self.bring_into_sight(frame.at_ms)

    def _choose_at(self, at_ms: int) -> None:
        chosen = self.bands.selected()
        if chosen is not None and chosen.start_ms <= at_ms <= chosen.end_ms:
            return
        segment = self.bands.segment_at(at_ms)
        self.bands.select(segment.id if segment is not None else None)

    def chosen(self) -> Segment | None:
        """The segment chosen on the bands."""
        return self.bands.selected()

    def following(self, segment: Segment) -> Segment | None:
        """The segment after that one, the same day."""
        return next((each for each in self.bands.segments() if each.start_ms >= segment.end_ms), None)

    # -- levels --------------------------------------------------------------------------------------------------------

    def step(self, by: int, at_ms: int | None = None) -> None:
        """Nearer (+1) or farther (−1), around an instant when one is given."""
        self.set_level(nearer(self.level, by), at_ms)

    def set_level(self, level: Level, at_ms: int | None = None) -> None:
        """Look from that near."""
        before, self.level = self.level, level
        self._bar.zoom.show_level(level)
        if level in ("week", "month"):
            self._stack.setCurrentIndex(WEEK if level == "week" else MONTH)
            near = self._bounds is not None and before not in ("week", "month")
            if self._bounds is not None:
                self._show_far(date.fromisoformat(self._bounds.day) if near else self._far_day)
            return
        self._bar.show_span(None)
        self._stack.setCurrentIndex(NEAR)
        self.bars.setVisible(level == "day")
        if self._bounds is None:
            return
        if before in ("week", "month"):
            self._come_near(at_ms)
            return
        at = at_ms if at_ms is not None else self._at
        middle = (self._bounds.start_ms + self._bounds.end_ms) // 2
        self._set_window(window_at(level, at if at is not None else middle, self._bounds))

    def _come_near(self, at_ms: int | None) -> None:
        """From a week or month back to a day: the one of the instant, else the one that was shown there."""
        bounds = self._bounds
        if at_ms is not None and bounds is not None and bounds.start_ms <= at_ms < bounds.end_ms:
            self.time_wanted.emit(at_ms, None)
            self._set_window(window_at(self.level, at_ms, bounds))
        elif at_ms is not None and self.week.view is not None:
            day = next((each.day for each in self.week.view.days if each.start_ms <= at_ms < each.end_ms), None)
            if day is not None:
                self.day_wanted.emit(day, at_ms)
        elif bounds is not None and not _same_span("week", self._far_day, date.fromisoformat(bounds.day)):
            self.day_wanted.emit(min(self._far_day, self._today).isoformat(), None)
        elif bounds is not None:
            self._set_window(window_at(self.level, self._at or bounds.start_ms, bounds))

    def open_day(self, day: str) -> None:
        """Show a day from near."""
        self._far_day = date.fromisoformat(day)
        self.open_near()
        self.day_wanted.emit(day, None)

    def open_near(self) -> None:
        """From a week or month back to picture and strip; the day is told next."""
        self.level = "day"
        self._bar.zoom.show_level("day")
        self._bar.show_span(None)
        self._stack.setCurrentIndex(NEAR)
        self.bars.setVisible(True)

    def bring_into_sight(self, at_ms: int) -> None:
        """Move the stretch in sight so that it holds an instant."""
        start, end = self.bands.window_ms
        if self._bounds is not None and not start <= at_ms < end:
            self._set_window(window_at(self.level, at_ms, self._bounds))

    def pan(self, by_ms: int) -> None:
        """Move the stretch in sight along the day."""
        if self._bounds is not None:
            self._set_window(moved(self.bands.window_ms, by_ms, self._bounds))

    def _set_window(self, window: tuple[int, int]) -> None:
        self.bands.set_window(*window)
        near = self.level in ("hour", "minute")
        self.bars.set_window(window if near else None)
        self.bands.set_ticks(())
        if near:
            product = self._product
            self._calls.run(lambda: ticks(product, *window), self.bands.set_ticks, None, self, latest="ticks")

    # -- what comes in -------------------------------------------------------------------------------------------------

    def _on_day(self, day: SegmentsDay) -> None:
        if self._bounds is None or day.day != self._bounds.day:
            return
        self.day = day
        self.bars.show_hours(day.hours, day.zone)
        self.bands.show_items(day.items, day.zone)
        if self._at is not None:
            self._choose_at(self._at)
        self.filled.emit()

    def _show_far(self, day: date) -> None:
        """The week or month of that day."""
        self._far_day = day
        product, today = self._product, self._today
        last = _same_span(self.level, day, today) or day > today
        self._bar.show_span(span_title(self.level, day, today), last=last)
        if self.level == "month":
            self.month.show_month(day, today)
            self._calls.run(lambda: look_at_month(product, day), self.month.show_days, None, self, latest="far")
        else:
            monday = monday_of(day)
            self._calls.run(lambda: look_at_week(product, monday), self._on_week, None, self, latest="far")

    def _on_week(self, view: WeekView) -> None:
        self.week.show_week(view, self._today, self._zone)

    def _step_span(self, by: int) -> None:
        wanted = span_after(self.level, self._far_day, by)
        if wanted <= self._today or _same_span(self.level, wanted, self._today):
            self._show_far(min(wanted, self._today))

    # -- clicks --------------------------------------------------------------------------------------------------------

    def _on_hour_opened(self, bar: HourBar) -> None:
        self.set_level("hour", (bar.start_ms + bar.end_ms) // 2)
        self.time_wanted.emit(bar.end_ms - 1, None)

    def _open_from_week(self, segment: Segment, at_ms: int) -> None:
        self.set_level("day", at_ms)

    def _zoom_into_month(self, day: date | None) -> None:
        if day is not None:
            self._far_day = day
        self.set_level("week")


def _same_span(level: Level, one: date, other: date) -> bool:
    if level == "week":
        return monday_of(one) == monday_of(other)
    return (one.year, one.month) == (other.year, other.month)
