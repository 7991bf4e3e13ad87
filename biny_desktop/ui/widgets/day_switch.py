"""Which day: the day before, the day after, today, and a small calendar shaded by active time."""

import calendar
from datetime import date, timedelta

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QToolButton, QVBoxLayout, QWidget

from biny_desktop.activity.segments.model import HeatDay
from biny_desktop.core.i18n import _
from biny_desktop.ui.formats import day_title, month_title
from biny_desktop.ui.icons import icon
from biny_desktop.ui.theme import theme_signals, tokens
from biny_desktop.ui.widgets.heat_map import HeatMap, month_after
from biny_desktop.ui.widgets.labels import label


class DayPopup(QFrame):
    """A month to pick a day from. `day_chosen(ISO day)`; `days_wanted(first, last)` for the shades of a month."""

    day_chosen = Signal(str)
    days_wanted = Signal(str, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setProperty("role", "boxed")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._today = date.min
        self.older, self.newer = QToolButton(), QToolButton()
        for button, name, by in ((self.older, _("The month before"), -1), (self.newer, _("The month after"), 1)):
            button.setAccessibleName(name)
            button.setToolTip(f"{name} (Page {'Up' if by < 0 else 'Down'})")
            button.clicked.connect(lambda _checked=False, by=by: self._step(by))
        self.name = label("", "heading")
        self.name.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.map = HeatMap(compact=True)
        self.map.setFixedSize(self.map.sizeHint())
        self.map.day_opened.connect(self._on_picked)
        self.map.month_asked.connect(self.show_month)
        head = QHBoxLayout()
        head.addWidget(self.older)
        head.addWidget(self.name, 1)
        head.addWidget(self.newer)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 8, 12, 12)
        column.setSpacing(8)
        column.addLayout(head)
        column.addWidget(self.map)

    def open_at(self, place: QPoint, shown: date, today: date) -> None:
        """Show the month of a day below a place of the screen."""
        self._today, self._shown = today, shown
        self.older.setIcon(icon("chevron-left"))
        self.newer.setIcon(icon("chevron-right"))
        self.show_month(shown.year, shown.month)
        self.move(place)
        self.show()
        self.map.setFocus()

    def show_month(self, year: int, month: int) -> None:
        """Show another month and ask for its shades."""
        self.map.show_month(year, month, self._today, self._shown)
        self.name.setText(month_title(year, month))
        self.newer.setEnabled((year, month) < (self._today.year, self._today.month))
        last = calendar.monthrange(year, month)[1]
        self.days_wanted.emit(date(year, month, 1).isoformat(), date(year, month, last).isoformat())

    def _step(self, by: int) -> None:
        self.show_month(*month_after(*self.map.month, by))

    def _on_picked(self, day: str) -> None:
        self.hide()
        self.day_chosen.emit(day)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.hide()
        else:
            super().keyPressEvent(event)


class DaySwitch(QWidget):
    """`day_chosen(ISO day)`; `days_wanted(first, last)` when the calendar wants its shades (`show_heat` gives them)."""

    day_chosen = Signal(str)
    days_wanted = Signal(str, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shown = self._today_ = date.min
        self.popup: DayPopup | None = None
        self.older = self._button(_("The day before (Alt+Left)"), -1)
        self.newer = self._button(_("The day after (Alt+Right)"), 1)
        self.day = QPushButton()
        self.day.setToolTip(_("Choose a day (Ctrl+F)"))
        self.day.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
        self.day.clicked.connect(self.open_calendar)
        self.today = QPushButton(_("Today"))
        self.today.setToolTip(_("Show today (Alt+Home)"))
        self.today.setAccessibleName(_("Today"))
        self.today.clicked.connect(lambda: self.day_chosen.emit(self._today_.isoformat()))
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(4)
        for widget in (self.older, self.day, self.newer):
            row.addWidget(widget)
        row.addSpacing(4)
        row.addWidget(self.today)
        theme_signals().changed.connect(self._paint_icons)
        self._paint_icons()

    def show_day(self, day: date, today: date) -> None:
        """The day that is shown; tells nobody."""
        self._shown, self._today_ = day, today
        self.day.setText(day_title(day, today))
        self.day.setAccessibleName(_("Day: {day}").format(day=day_title(day, today)))
        self.newer.setEnabled(day < today)
        self.today.setVisible(day != today)

    def show_heat(self, days: tuple[HeatDay, ...]) -> None:
        """The shades of the month that was asked for."""
        if self.popup is not None:
            self.popup.map.show_days(days)

    def step(self, by: int) -> None:
        """That many days on or back, never beyond today."""
        wanted = self._shown + timedelta(by)
        if self._shown != date.min and wanted <= self._today_:
            self.day_chosen.emit(wanted.isoformat())

    def open_calendar(self) -> None:
        """Show the calendar under the button."""
        if self.popup is None:
            self.popup = DayPopup(self)
            self.popup.day_chosen.connect(self.day_chosen)
            self.popup.days_wanted.connect(self.days_wanted)
        self.popup.open_at(self.day.mapToGlobal(QPoint(0, self.day.height() + 4)), self._shown, self._today_)

    def _button(self, tip: str, by: int) -> QToolButton:
        button = QToolButton()
        button.setToolTip(tip)
        button.setAccessibleName(tip)
        button.clicked.connect(lambda: self.step(by))
        return button

    def _paint_icons(self, *_theme: object) -> None:
        self.older.setIcon(icon("chevron-left"))
        self.newer.setIcon(icon("chevron-right"))
        self.day.setIcon(icon("chevron-down", "muted"))
        size = tokens().px(12)
        self.day.setIconSize(QSize(size, size))
        for button in (self.older, self.newer):
            button.setFixedSize(tokens().px(28), tokens().px(28))
