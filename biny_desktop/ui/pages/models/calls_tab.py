"""The tab Calls: sums by task of the last month, and every call with what came of it."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHeaderView, QStackedWidget, QVBoxLayout, QWidget

from biny_desktop.core.i18n import _
from biny_desktop.models.ledger_store import TaskTotal
from biny_desktop.service.product import Product
from biny_desktop.service.state_words import task_words
from biny_desktop.ui.calls import Calls
from biny_desktop.ui.formats import duration, number
from biny_desktop.ui.item_models.ledger import LedgerModel
from biny_desktop.ui.item_models.table import Row, TableModel
from biny_desktop.ui.theme import tokens
from biny_desktop.ui.widgets.form import MARGIN_PX, Section
from biny_desktop.ui.widgets.labels import hairline, label
from biny_desktop.ui.widgets.short_table import ShortTable
from biny_desktop.ui.widgets.table_view import PADDING_PX, TableView

SUM_DAYS = 30
STRETCHED, SPARE_PX = 3, 8
MEASURED_ROWS = 30
"""Rows that widths are measured by; a header that measures each time it is laid out takes 0.2 s for 100 rows."""


class CallsTab(QWidget):
    """A row tells when, what for, how long and how it ended, never what was said."""

    def __init__(self, product: Product, calls: Calls) -> None:
        super().__init__()
        self._models, self._calls = product.models, calls
        self.sums = TableModel(
            (_("For"), _("Calls"), _("Failed"), _("Tokens sent"), _("Tokens answered"), _("Time taken")),
            right=(1, 2, 3, 4, 5),
        )
        self.sum_table = ShortTable(self.sums, _("Sums by task"), _("No call in the last 30 days."), stretch=0)
        self.ledger = LedgerModel(product, calls, self)
        self.view = TableView(self.ledger, _("Calls"), stretch=STRETCHED)
        header = self.view.horizontalHeader()
        for column in range(self.ledger.columnCount()):
            if column != STRETCHED:
                header.setSectionResizeMode(column, QHeaderView.ResizeMode.Fixed)
        self.nothing = label(
            _("No model was asked yet. Every call is listed here with its time, its tokens and how it ended; what was "
              "asked and answered is not kept here."),
            "muted", wrap=True,
        )  # fmt: skip
        self._lay_out()
        self.ledger.loaded.connect(self._on_loaded)

    def _lay_out(self) -> None:
        top = Section(_("The last 30 days"))
        top.add(self.sum_table)
        self._top = QWidget()
        column = QVBoxLayout(self._top)
        column.setContentsMargins(MARGIN_PX, MARGIN_PX, MARGIN_PX, MARGIN_PX)
        column.addWidget(top)
        rows = QWidget()
        whole = QVBoxLayout(rows)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        for widget in (self._top, hairline()):
            whole.addWidget(widget)
        whole.addWidget(self.view, 1)
        self.nothing.setContentsMargins(MARGIN_PX, MARGIN_PX, MARGIN_PX, MARGIN_PX)
        self.nothing.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._stack = QStackedWidget()
        self._stack.addWidget(self.nothing)
        self._stack.addWidget(rows)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(self._stack)

    def first_field(self) -> QWidget | None:
        """Where Ctrl+F puts the cursor."""
        return self.view

    def refresh(self) -> None:
        """Read the newest page and the sums."""
        self.ledger.load()
        self._calls.run(lambda: self._models.totals(SUM_DAYS), self._on_totals, None, self, latest="totals")

    def _on_totals(self, totals: tuple[TaskTotal, ...]) -> None:
        self.sums.fill([_sum_row(each) for each in totals])

    def _on_loaded(self) -> None:
        header, metrics = self.view.horizontalHeader(), self.view.fontMetrics()
        rows = [self.ledger.row(number) for number in range(min(MEASURED_ROWS, self.ledger.rowCount()))]
        for column in range(self.ledger.columnCount()):
            if column != STRETCHED:
                widest = max((metrics.horizontalAdvance(row.cells[column]) for row in rows), default=0)
                room = tokens().px(SPARE_PX) + 2 * PADDING_PX
                header.resizeSection(column, max(header.sectionSizeHint(column), widest + room))
        self._stack.setCurrentIndex(1 if self.ledger.rowCount() else 0)


def _sum_row(total: TaskTotal) -> Row:
    return Row(
        (
            task_words(total.task), number(total.calls), number(total.failed), number(total.tokens_in),
            number(total.tokens_out), duration(total.ms),
        )
    )  # fmt: skip
