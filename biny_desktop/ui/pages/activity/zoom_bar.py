"""Farther, nearer, and the level of now between them."""

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QMenu, QPushButton, QToolButton, QWidget

from biny_desktop.core.i18n import _
from biny_desktop.ui.icons import icon
from biny_desktop.ui.pages.activity.spans import LEVELS, Level, level_words
from biny_desktop.ui.theme import theme_signals, tokens


class ZoomBar(QWidget):
    """`stepped(+1 nearer, −1 farther)`, `level_chosen(level)`."""

    stepped = Signal(int)
    level_chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.out = self._button(_("Farther (−, Ctrl+wheel)"), -1)
        self.near = self._button(_("Nearer (+, Ctrl+wheel)"), 1)
        self.level = QPushButton()
        self.level.setToolTip(_("From a month to a minute"))
        self.level.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
        self._menu = QMenu(self)
        for level in LEVELS:
            entry = self._menu.addAction(level_words(level))
            entry.triggered.connect(lambda _checked=False, level=level: self.level_chosen.emit(level))
        self.level.setMenu(self._menu)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(4)
        for widget in (self.out, self.level, self.near):
            row.addWidget(widget)
        theme_signals().changed.connect(self._paint_icons)
        self._paint_icons()
        self.show_level("day")

    def show_level(self, level: Level) -> None:
        """The level of now."""
        self.level.setText(level_words(level))
        self.level.setAccessibleName(_("Zoom: {level}").format(level=level_words(level)))
        self.out.setEnabled(level != LEVELS[0])
        self.near.setEnabled(level != LEVELS[-1])

    def _button(self, tip: str, by: int) -> QToolButton:
        button = QToolButton()
        button.setToolTip(tip)
        button.setAccessibleName(tip)
        button.clicked.connect(lambda: self.stepped.emit(by))
        return button

    def _paint_icons(self, *_theme: object) -> None:
        self.out.setIcon(icon("minus"))
        self.near.setIcon(icon("plus"))
        self.level.setIcon(icon("chevron-down", "muted"))
        small = tokens().px(12)
        self.level.setIconSize(QSize(small, small))
        for button in (self.out, self.near):
            button.setFixedSize(tokens().px(28), tokens().px(28))
