"""The page Reports: the calendar at the left, the report of the chosen day or week at the right."""

from datetime import date

from PySide6.QtCore import QSettings, Qt, QTimer
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QScrollArea, QVBoxLayout, QWidget

from biny_desktop.activity.reports.model import ReportKind
from biny_desktop.core.anchors import Anchor
from biny_desktop.core.i18n import _
from biny_desktop.service.product import Product
from biny_desktop.ui.bridge import Bridge
from biny_desktop.ui.calls import Calls
from biny_desktop.ui.pages.base import Page
from biny_desktop.ui.pages.reports.calendar_side import MARGIN_PX, CalendarSide
from biny_desktop.ui.pages.reports.export_dialog import ExportDialog
from biny_desktop.ui.pages.reports.looking import ReportLook, look_at, today_of
from biny_desktop.ui.pages.reports.report_side import ReportSide
from biny_desktop.ui.widgets.halves import Halves

SETTLE_MS = 120
"""While arrow keys run through days, only the one they stop at is read."""
CHANGES_MS = 500


class ReportsPage(Page):
    """A report is read when its day is chosen; what is written meanwhile is shown when it is there."""

    icon_name = "reports"

    def __init__(self, product: Product, calls: Calls, bridge: Bridge, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.title = _("Reports")
        self._product, self._calls = product, calls
        self._wanted: tuple[ReportKind, str] | None = None
        self.side, self.report = CalendarSide(), ReportSide(product, calls)
        self.dialog: ExportDialog | None = None
        self._settle = QTimer(self, singleShot=True, interval=SETTLE_MS)
        self._changes = QTimer(self, singleShot=True, interval=CHANGES_MS)
        self._lay_out()
        self._connect(bridge)
        self._calls.run(lambda: today_of(product), self._on_today, None, self, latest="today")

    def _lay_out(self) -> None:
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setAccessibleName(_("Calendar of reports"))
        area.setWidget(self.side)
        area.viewport().setAutoFillBackground(False)
        self.side.setAutoFillBackground(False)
        width = self.side.calendar.sizeHint().width() + 2 * MARGIN_PX + 2
        area.setMinimumWidth(width)
        self.halves = Halves((_("Calendar"), area), (_("Report"), self.report))
        self.halves.splitter.setStretchFactor(0, 0)
        self.halves.splitter.setSizes([width, 4 * width])
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.halves)

    def _connect(self, bridge: Bridge) -> None:
        self.side.chosen.connect(self._on_chosen)
        self.side.opened.connect(self._on_opened)
        self.side.marks_wanted.connect(self._load_marks)
        self.report.made.connect(lambda _report: self.refresh())
        self.report.models_asked.connect(lambda: self.page_requested.emit("models", "slots"))
        self.report.export_asked.connect(self._on_export)
        self.report.anchor_opened.connect(self._on_link)
        self._settle.timeout.connect(self._read)
        self._changes.timeout.connect(self.refresh)
        bridge.report_made.connect(self._on_changed)
        bridge.activity_deleted.connect(self._on_changed)
        bridge.models_changed.connect(self._changes.start)
        bridge.segments_changed.connect(self._on_days_changed)
        for keys, act in (("Ctrl+Return", self.report.write.click), ("Alt+Home", self.side.today.click)):
            shortcut = QShortcut(QKeySequence(keys), self)
            shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            shortcut.activated.connect(act)

    def _on_changed(self, *_what: object) -> None:
        self._changes.start()

    # -- showing -------------------------------------------------------------------------------------------------------

    def show_report(self, kind: ReportKind, key: str) -> None:
        """Choose a day (ISO date) or week (`YYYY-Www`)."""
        self._wanted = (kind, key)
        self._read()

    def refresh(self) -> None:
        if self._wanted is not None:
            self._read()
            self.side.renew()

    def _on_today(self, today: date) -> None:
        if self._wanted is None:
            self.show_report("day", today.isoformat())

    def _on_chosen(self, kind: ReportKind, key: str) -> None:
        self._wanted = (kind, key)
        self._settle.start()

    def _on_opened(self) -> None:
        if self.halves.narrow():
            self.halves.show_part(1)

    def _read(self) -> None:
        self._settle.stop()
        if self._wanted is None:
            return
        product, (kind, key) = self._product, self._wanted
        self._calls.run(lambda: look_at(product, kind, key), self._on_look, None, self, latest="report")

    def _on_look(self, look: ReportLook) -> None:
        self.side.show_choice(look.kind, look.key, look.today)
        self.report.show_look(look)

    def _load_marks(self, first: str, last: str) -> None:
        reports = self._product.reports
        self._calls.run(lambda: reports.marks(first, last), self.side.calendar.show_marks, None, self, latest="marks")

    def _on_days_changed(self, days: tuple[str, ...]) -> None:
        if self._wanted is not None and (self._wanted[0] == "week" or self._wanted[1] in days):
            self._changes.start()

    # -- acts ----------------------------------------------------------------------------------------------------------

    def _on_link(self, anchor: Anchor) -> None:
        self.halves.show_part(1)  # the panel may leave room for one part only: the one that is read
        if not self.open_anchor(anchor):
            self.source_selected.emit(anchor)

    def open_anchor(self, anchor: Anchor) -> bool:
        if anchor.kind != "report":
            return False
        self.show_report("week" if "W" in anchor.ref else "day", anchor.ref)
        return True

    def _on_export(self) -> None:
        look = self.report.look
        if look is None:
            return
        first, last = (date.fromisoformat(day) for day in self._month_days())
        self.dialog = ExportDialog(first, last, look.today, self)
        self.dialog.export_asked.connect(self.report.export_days)
        self.dialog.open()

    def _month_days(self) -> tuple[str, str]:
        """The days of the month shown."""
        year, month = self.side.calendar.month
        days = [day for day in self.side.calendar.days() if (day.year, day.month) == (year, month)]
        return days[0].isoformat(), days[-1].isoformat()

    # -- page ----------------------------------------------------------------------------------------------------------

    def open_part(self, name: str) -> None:
        """A day or week by its key."""
        if name:
            self.open_anchor(Anchor("report", name, 0, "UTC"))

    def find(self) -> None:
        """The keyboard goes to the calendar."""
        if self.halves.narrow():
            self.halves.show_part(0)
        self.side.calendar.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def save_state(self, settings: QSettings) -> None:
        self.halves.save_state(settings)

    def restore_state(self, settings: QSettings) -> None:
        self.halves.restore_state(settings)
