"""A pane whose content stands in a column in its middle, no wider than one reads easily."""

from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QScrollArea, QVBoxLayout, QWidget

from biny_desktop.ui.theme import tokens
from biny_desktop.ui.widgets.report_view import READING_PX

EDGE_PX = 16


class ReadingColumn(QWidget):
    """`column` takes the content. In a scroll area the scroll bar counts as part of the width, so that columns above
    and below each other stand in line."""

    def __init__(self, top_px: int, low_px: int, area: QScrollArea | None = None) -> None:
        super().__init__()
        self._top, self._low, self._area = top_px, low_px, area
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(EDGE_PX, top_px, EDGE_PX, low_px)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        beside = 0 if self._area is None else max(0, self._area.width() - self.width())
        side = max(EDGE_PX, (self.width() + beside - tokens().px(READING_PX)) // 2)
        self.column.setContentsMargins(side, self._top, max(EDGE_PX - beside, side - beside), self._low)
