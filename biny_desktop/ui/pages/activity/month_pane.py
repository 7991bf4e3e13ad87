"""A month: the heat map, its legend and what it sums up to."""

from collections.abc import Sequence
from datetime import date

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from biny_desktop.activity.segments.model import HeatDay
from biny_desktop.core.i18n import _, ngettext
from biny_desktop.ui.formats import duration, number
from biny_desktop.ui.widgets.heat_map import HOUR_MS, HeatLegend, HeatMap
from biny_desktop.ui.widgets.labels import label


class MonthPane(QWidget):
    """Signals: `day_opened(ISO day)`, `month_asked(year, month)`, `zoom_asked(day)` by Ctrl+wheel, `stepped(±1)` by
    the wheel."""

    day_opened = Signal(str)
    month_asked = Signal(int, int)
    zoom_asked = Signal(object)
    stepped = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.map, self.legend, self.sum = HeatMap(), HeatLegend(), label("", "muted")
        self.map.setAccessibleName(_("Days of the month"))
        self.map.day_opened.connect(self.day_opened)
        self.map.month_asked.connect(self.month_asked)
        foot = QHBoxLayout()
        foot.setSpacing(16)
        foot.addWidget(self.legend, 1)
        foot.addWidget(self.sum)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 8, 14, 12)
        column.setSpacing(8)
        column.addWidget(self.map, 1)
        column.addLayout(foot)

    def show_month(self, day: date, today: date) -> None:
        """The month of a day, its shades to come."""
        self.map.show_month(day.year, day.month, today, day)

    def show_days(self, days: Sequence[HeatDay]) -> None:
        """The shades."""
        self.map.show_days(days)
        total = sum(day.active_ms for day in days)
        used = sum(day.segments > 0 for day in days)
        count = ngettext("{n} day", "{n} days", used).format(n=used)
        length = _("{n} h").format(n=number(round(total / HOUR_MS))) if total >= HOUR_MS else duration(total)
        words = _("{time} active on {days}").format(time=length, days=count) if total else ""
        self.sum.setText(words)

    def wheelEvent(self, event: QWheelEvent) -> None:
        turn = 1 if (event.angleDelta().y() or event.angleDelta().x()) > 0 else -1
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            place = self.map.mapFrom(self, QPoint(int(event.position().x()), int(event.position().y())))
            if turn > 0:
                self.zoom_asked.emit(self.map.day_at(place))
        else:
            self.stepped.emit(-turn)
        event.accept()
