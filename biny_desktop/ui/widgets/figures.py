"""A line of sums: figures in 20 px, each with its word in body size on the same base line."""

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QSize
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from biny_desktop.ui.theme import colour, theme_signals, tokens
from biny_desktop.ui.widgets.flow_layout import FlowLayout

FIGURE_PX, GAP_PX, WORD_GAP_PX = 20, 20, 6


class Figure(QWidget):
    """One figure and its word."""

    def __init__(self, figure: str, word: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._figure, self._word = figure, word
        self.setAccessibleName(f"{figure} {word}")
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        theme_signals().changed.connect(self.update)

    def _fonts(self) -> tuple[QFont, QFont]:
        large, small = QFont(self.font()), QFont(self.font())
        large.setPixelSize(tokens().px(FIGURE_PX))
        large.setWeight(QFont.Weight.DemiBold)
        small.setPixelSize(tokens().body_px)
        return large, small

    def sizeHint(self) -> QSize:
        large, small = (QFontMetricsF(font) for font in self._fonts())
        wide = large.horizontalAdvance(self._figure) + WORD_GAP_PX + small.horizontalAdvance(self._word)
        return QSize(round(wide + 1), round(large.height()))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        large, small = self._fonts()
        base = QFontMetricsF(large).ascent()
        painter.setFont(large)
        painter.setPen(colour("text"))
        painter.drawText(QPointF(0, base), self._figure)
        x = QFontMetricsF(large).horizontalAdvance(self._figure) + WORD_GAP_PX
        painter.setFont(small)
        painter.setPen(colour("muted"))
        painter.drawText(QPointF(x, base), self._word)


class Figures(QWidget):
    """Figures side by side, on a second line where the width ends."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shown: tuple[tuple[str, str], ...] = ()
        self._flow = FlowLayout(self, gap=GAP_PX, row_gap=2)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def fill(self, figures: Sequence[tuple[str, str]]) -> None:
        """Show these (figure, word)."""
        if tuple(figures) == self._shown:
            return
        self._shown = tuple(figures)
        while (item := self._flow.takeAt(0)) is not None:
            item.widget().hide()
            item.widget().deleteLater()
        for figure, word in self._shown:
            made = Figure(figure, word, self)
            self._flow.addWidget(made)
            made.show()
        self.updateGeometry()

    def texts(self) -> list[str]:
        """What is shown."""
        return [f"{figure} {word}" for figure, word in self._shown]
