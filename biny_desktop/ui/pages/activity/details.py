"""Two tables beside the picture: why this frame was kept, and why others in sight were not."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHeaderView, QStackedWidget, QTabBar, QVBoxLayout, QWidget

from biny_desktop.activity.model import FrameDetail, ReasonCount
from biny_desktop.core.i18n import _
from biny_desktop.ui.formats import time_range
from biny_desktop.ui.item_models.table import TableModel
from biny_desktop.ui.pages.activity.why import kept_rows, missed_rows
from biny_desktop.ui.theme import tokens
from biny_desktop.ui.widgets.labels import hairline, label
from biny_desktop.ui.widgets.table_view import TableView

KEPT, MISSED = 0, 1
EDGE, LABEL_PX = 12, 110


class DetailsPane(QWidget):
    """`show_frame` fills "Why kept", `show_reasons` fills "Why not" for a stretch of time."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.tabs = QTabBar()
        self.tabs.setDrawBase(False)
        self.tabs.setExpanding(False)
        self.tabs.addTab(_("Why kept"))
        self.tabs.addTab(_("Why not"))
        self.tabs.setTabToolTip(KEPT, _("Why this frame was kept, and what is known of it"))
        self.tabs.setTabToolTip(MISSED, _("Why nothing was kept in the time the film strip shows"))
        self.tabs.setAccessibleName(_("Why kept and why not"))
        self.kept = TableModel((_("What"), _("Value")), parent=self)
        self.missed = TableModel((_("Reason"), _("Times"), _("Last")), right=(1, 2), parent=self)
        self.kept_view = TableView(self.kept, _("Why this frame was kept"), stretch=1, header=False, wrap=True)
        self.kept_view.horizontalHeader().setSectionResizeMode(0, QHeaderView.ResizeMode.Fixed)
        self.kept_view.setColumnWidth(0, tokens().px(LABEL_PX))
        self.missed_view = TableView(self.missed, _("Why nothing was kept"), stretch=0, wrap=True)
        self.span = label(role="small")
        self.span.setContentsMargins(EDGE, 6, EDGE, 6)
        self.nothing = label(_("Nothing was left out here: every look became a frame."), "muted", wrap=True)
        self.nothing.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.nothing.setContentsMargins(EDGE, EDGE, EDGE, EDGE)
        self._pages = QStackedWidget()
        self._pages.addWidget(self.kept_view)
        self._pages.addWidget(self._missed_page())
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.tabs)
        column.addWidget(hairline())
        column.addWidget(self._pages, 1)
        self.tabs.currentChanged.connect(self._pages.setCurrentIndex)

    def _missed_page(self) -> QWidget:
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.span)
        column.addWidget(self.missed_view, 1)
        column.addWidget(self.nothing, 1)
        self.nothing.hide()
        return page

    def show_frame(self, detail: FrameDetail | None) -> None:
        """Fill "Why kept"; None empties it."""
        self.kept.fill(kept_rows(detail) if detail is not None else [])

    def show_reasons(self, reasons: Sequence[ReasonCount], start_ms: int, end_ms: int, zone: str) -> None:
        """Fill "Why not" for [start, end)."""
        self.span.setText(_("In sight: {range}").format(range=time_range(start_ms, end_ms, zone)))
        self.missed.fill(missed_rows(reasons, zone))
        self.missed_view.setVisible(bool(reasons))
        self.nothing.setVisible(not reasons)
