"""A week: one line of bands for each day, all on the same hours."""

from datetime import date

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtWidgets import QGridLayout, QPushButton, QWidget

from biny_desktop.activity.segments.model import Segment
from biny_desktop.core.i18n import _
from biny_desktop.ui.formats import day_title, duration
from biny_desktop.ui.pages.activity.looking import WeekView
from biny_desktop.ui.theme import tokens
from biny_desktop.ui.widgets.heat_map import WEEKDAYS
from biny_desktop.ui.widgets.segment_bands import SegmentBands
from biny_desktop.ui.widgets.time_axis import AxisLine

DAYS, LABEL_PX, LABEL_HIGH_PX = 7, 104, 44


class WeekPane(QWidget):
    """Signals: `day_opened(ISO day)`, `segment_chosen(Segment)`, `segment_opened(Segment, at_ms)`, `menu_asked(Segment,
    QPoint)`, `zoom_asked(by, at_ms)`."""

    day_opened = Signal(str)
    segment_chosen = Signal(object)
    segment_opened = Signal(object, object)
    menu_asked = Signal(object, QPoint)
    zoom_asked = Signal(int, object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.view: WeekView | None = None
        self.rows = [SegmentBands(axis=False, margin=8, grows=True) for _n in range(DAYS)]
        self.labels = [QPushButton() for _n in range(DAYS)]
        grid = QGridLayout(self)
        grid.setContentsMargins(16, 12, 8, 12)
        grid.setHorizontalSpacing(4)
        grid.setVerticalSpacing(6)
        grid.setColumnStretch(1, 1)
        for number, (name, bands) in enumerate(zip(self.labels, self.rows, strict=True)):
            name.setProperty("role", "week")
            name.setFixedSize(tokens().px(LABEL_PX), tokens().px(LABEL_HIGH_PX))
            name.clicked.connect(lambda _checked=False, number=number: self._open(number))
            bands.segment_chosen.connect(lambda segment, _at, bands=bands: self._on_chosen(bands, segment))
            bands.segment_opened.connect(self.segment_opened)
            bands.menu_asked.connect(self.menu_asked)
            bands.zoom_asked.connect(self.zoom_asked)
            grid.addWidget(name, number, 0, Qt.AlignmentFlag.AlignVCenter)
            grid.addWidget(bands, number, 1)
            grid.setRowStretch(number, 1)
        self.axis = AxisLine(margin=8)
        grid.addWidget(self.axis, DAYS, 1)
        grid.setRowStretch(DAYS + 1, 1)

    def show_week(self, view: WeekView, today: date, zone: str) -> None:
        """Fill all seven lines; days to come are empty."""
        self.view = view
        for bounds, active, name, bands in zip(view.days, view.active_ms, self.labels, self.rows, strict=True):
            day = date.fromisoformat(bounds.day)
            title = _("{weekday} {day}").format(weekday=_(WEEKDAYS[day.weekday()]), day=day.day)
            name.setText(f"{title}\n{duration(active) if active else '–'}")
            name.setAccessibleName(day_title(day, today))
            name.setToolTip(_("Show this day"))
            name.setEnabled(day <= today)
            inside = [item for item in view.items if item.start_ms < bounds.end_ms and item.end_ms > bounds.start_ms]
            bands.show_items(inside, zone)
            bands.set_window(bounds.start_ms, bounds.end_ms)
        self.axis.show_stretch(view.days[0].start_ms, view.days[0].end_ms, zone)

    def select(self, segment_id: int | None) -> None:
        """Mark a segment wherever it stands."""
        for bands in self.rows:
            bands.select(segment_id)

    def _on_chosen(self, bands: SegmentBands, segment: Segment) -> None:
        for other in self.rows:
            if other is not bands:
                other.select(None)
        self.segment_chosen.emit(segment)

    def _open(self, number: int) -> None:
        if self.view is not None:
            self.day_opened.emit(self.view.days[number].day)
