"""The names of the sections of a long page, one below the other; a click goes there."""

from collections.abc import Sequence

from PySide6.QtCore import QSize, Signal
from PySide6.QtWidgets import QFrame, QListWidget, QListWidgetItem

from biny_desktop.ui.theme import tokens

WIDTH_PX, ROW_PX = 168, 28


class IndexList(QListWidget):
    """`chosen(int)` when the person picks a section; `mark` follows the page without telling."""

    chosen = Signal(int)

    def __init__(self, name: str, titles: Sequence[str], width_px: int = WIDTH_PX) -> None:
        super().__init__()
        self.setObjectName("index")
        self.setAccessibleName(name)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFixedWidth(tokens().px(width_px))
        for title in titles:
            item = QListWidgetItem(title, self)
            item.setToolTip(title)
            item.setSizeHint(QSize(0, tokens().px(ROW_PX)))
        self.currentRowChanged.connect(self._on_row)

    def mark(self, number: int) -> None:
        """Show where the page stands."""
        self.blockSignals(True)
        self.setCurrentRow(number)
        self.blockSignals(False)

    def marked(self) -> int | None:
        """The section marked now."""
        return self.currentRow() if self.currentRow() >= 0 else None

    def set_shown(self, number: int, *, shown: bool) -> None:
        """Leave a section out, or bring it back."""
        self.item(number).setHidden(not shown)

    def _on_row(self, number: int) -> None:
        if number >= 0:
            self.chosen.emit(number)
