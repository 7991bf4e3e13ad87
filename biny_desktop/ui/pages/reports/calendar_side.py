"""The month of reports with its name, the ways to other months, and what the marks mean."""

from datetime import date

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from biny_desktop.activity.reports.model import ReportKind
from biny_desktop.activity.reports.weeks import days_of
from biny_desktop.core.i18n import _
from biny_desktop.ui.formats import month_title
from biny_desktop.ui.widgets.form import IconButton
from biny_desktop.ui.widgets.heat_map import month_after
from biny_desktop.ui.widgets.labels import label
from biny_desktop.ui.widgets.report_calendar import ReportCalendar
from biny_desktop.ui.widgets.report_marks import MarkLegend
from biny_desktop.ui.widgets.rows import action

MARGIN_PX = 12


class CalendarSide(QWidget):
    """`chosen(kind, key)`; `opened()` to read it; `marks_wanted(first, last)` when another month is shown."""

    chosen = Signal(str, str)
    opened = Signal()
    marks_wanted = Signal(str, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._today = date.min
        self.calendar, self.name = ReportCalendar(), label("", "heading")
        self.older = IconButton("chevron-left", _("The month before (Page Up)"))
        self.newer = IconButton("chevron-right", _("The month after (Page Down)"))
        self.today = action(_("Today"), _("Show today (Home)"))
        self.calendar.month_asked.connect(self.show_month)
        self.calendar.chosen.connect(self.chosen)
        self.calendar.opened.connect(self.opened)
        self.older.clicked.connect(lambda: self.show_month(*month_after(*self.calendar.month, -1)))
        self.newer.clicked.connect(lambda: self.show_month(*month_after(*self.calendar.month, 1)))
        self.today.clicked.connect(lambda: self.go("day", self._today.isoformat()))
        self._lay_out()

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setSpacing(4)
        head.addWidget(self.older)
        head.addWidget(self.name)
        head.addWidget(self.newer)
        head.addStretch(1)
        head.addWidget(self.today)
        column = QVBoxLayout(self)
        column.setContentsMargins(MARGIN_PX, 10, MARGIN_PX, 12)
        column.setSpacing(8)
        column.addLayout(head)
        column.addWidget(self.calendar)
        column.addWidget(MarkLegend())
        column.addStretch(1)

    def show_month(self, year: int, month: int) -> None:
        """Show another month and ask for its marks."""
        self.calendar.show_month(year, month, self._today)
        self.name.setText(month_title(year, month))
        self.newer.setEnabled((year, month) < (self._today.year, self._today.month))
        self.renew()

    def renew(self) -> None:
        """Ask for the marks of the month shown."""
        self.marks_wanted.emit(*self.calendar.span())

    def show_choice(self, kind: ReportKind, key: str, today: date) -> None:
        """Choose a day or week and bring its month into sight; tells nobody but for the marks."""
        self._today = today
        self.calendar.choose(kind, key)
        days = days_of(key) if kind == "week" else (key,)
        first, last = date.fromisoformat(days[0]), date.fromisoformat(days[-1])
        if self.calendar.month not in ((first.year, first.month), (last.year, last.month)):
            self.show_month(first.year, first.month)

    def go(self, kind: ReportKind, key: str) -> None:
        """Choose it as a person would."""
        self.show_choice(kind, key, self._today)
        self.chosen.emit(kind, key)
