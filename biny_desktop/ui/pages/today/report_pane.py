"""The report of the day beside its segments, and the button that writes it."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from biny_desktop.activity.reports.model import Report
from biny_desktop.core.errors import BinyError
from biny_desktop.core.i18n import _
from biny_desktop.service.product import Product
from biny_desktop.ui.calls import Calls
from biny_desktop.ui.pages.today.looking import TodayView, no_report_words
from biny_desktop.ui.widgets.elided_label import ElidedLabel
from biny_desktop.ui.widgets.labels import hairline, label
from biny_desktop.ui.widgets.long_work import LongWork
from biny_desktop.ui.widgets.report_view import READING_PX, ReportView
from biny_desktop.ui.widgets.rows import action


class ReportPane(QWidget):
    """`anchor_opened(Anchor)` for links of the report; `made(Report)` when one was written."""

    anchor_opened = Signal(object)
    made = Signal(object)

    def __init__(self, product: Product, calls: Calls, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._product, self._calls = product, calls
        self._view: TodayView | None = None
        self.setProperty("role", "panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.state = ElidedLabel("", "muted")
        self.write = action("", "")
        self.write.clicked.connect(self._on_write)
        self.work = LongWork(calls)
        self.work.busy.connect(lambda busy: self.write.setEnabled(not busy))
        self.text = ReportView()
        self.text.setMaximumWidth(READING_PX)
        self.text.anchor_opened.connect(self.anchor_opened)
        self.nothing = label("", "muted", wrap=True)
        self.nothing.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.nothing.setContentsMargins(16, 16, 16, 16)
        self._lay_out()

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setContentsMargins(16, 6, 12, 6)
        head.setSpacing(12)
        self.heading = label(_("Report"), "heading")
        head.addWidget(self.heading)
        head.addWidget(self.state, 1)
        head.addWidget(self.write)
        strip = QVBoxLayout()
        strip.setContentsMargins(16, 0, 12, 0)
        strip.addWidget(self.work)
        self._pages = QStackedWidget()
        self._pages.addWidget(self.nothing)
        self._pages.addWidget(self.text)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addLayout(strip)
        column.addWidget(hairline())
        column.addWidget(self._pages, 1)

    def show_view(self, view: TodayView) -> None:
        """The report of that day, or what stands in its place."""
        self._view = view
        report = view.report
        self.state.setText(view.report_line)
        self.state.set_tip(view.report_line)
        if report is not None and report.markdown:
            self.text.show_markdown(report.markdown)
            self._pages.setCurrentWidget(self.text)
        else:
            self.nothing.setText(no_report_words(view))
            self._pages.setCurrentWidget(self.nothing)
        self._name_button(view, report)

    def _name_button(self, view: TodayView, report: Report | None) -> None:
        is_today = view.date == view.today
        words = _("Write today's summary") if is_today else _("Write the report")
        if report is not None:
            words = _("Write again")
        self.write.setText(words)
        self.write.setAccessibleName(words)
        self.write.setToolTip(_("Write the report of this day from its activities (Ctrl+Enter)"))
        primary = report is None
        if self.write.property("role") != ("primary" if primary else ""):
            self.write.setProperty("role", "primary" if primary else "")
            self.write.style().unpolish(self.write)
            self.write.style().polish(self.write)

    def _on_write(self) -> None:
        if self._view is None or self.work.running():
            return
        day, reports = self._view.day.day, self._product.reports
        self.work.start(
            _("Writing the report"), lambda _watch: reports.make("day", day), self.made.emit, self._on_failed,
            lets_go=True,
        )  # fmt: skip

    def _on_failed(self, error: BinyError) -> None:
        self._calls.failed.emit(error)
