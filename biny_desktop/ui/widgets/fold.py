"""A line that opens what stands below it: reasoning, a tool call, a summary."""

from collections.abc import Callable

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QToolButton, QVBoxLayout, QWidget

from biny_desktop.ui.icons import icon
from biny_desktop.ui.theme import theme_signals, tokens

LEAST_PX = 40


class Fold(QWidget):
    """The inside is made when it is first opened."""

    toggled = Signal(bool)

    def __init__(self, words: str, tip: str, make: Callable[[], QWidget], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._make = make
        self.inside: QWidget | None = None
        self.head = QToolButton()
        self.head.setProperty("role", "fold")
        self.head.setProperty("flush", True)
        self.head.setCheckable(True)
        self.head.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.head.setText(words)
        self.head.setMinimumWidth(tokens().px(LEAST_PX))  # a narrow column is not made wider by it
        self.head.setToolTip(tip)
        self.head.setAccessibleName(words)
        self.head.toggled.connect(self._on_toggled)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(4)
        self._column.addWidget(self.head, 0, Qt.AlignmentFlag.AlignLeft)
        theme_signals().changed.connect(self._paint)
        self._paint()

    def _on_toggled(self, on: bool) -> None:
        if on and self.inside is None:
            self.inside = self._make()
            self._column.addWidget(self.inside)
        if self.inside is not None:
            self.inside.setVisible(on)
        self._paint()
        self.toggled.emit(on)

    def _paint(self, *_theme: object) -> None:
        size = tokens().px(14)
        self.head.setIcon(icon("chevron-down" if self.head.isChecked() else "chevron-right", "muted"))
        self.head.setIconSize(QSize(size, size))
