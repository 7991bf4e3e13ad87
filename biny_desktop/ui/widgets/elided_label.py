"""One line of plain text that ends in "…" where the room ends."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QApplication, QSizePolicy, QWidget

from biny_desktop.ui.facts import plain_tip
from biny_desktop.ui.theme import colour, tokens


def short(text: str, width_px: int) -> str:
    """A name that is no wider than that, in the font of the application."""
    room = tokens().px(width_px)
    return QFontMetrics(QApplication.font()).elidedText(text, Qt.TextElideMode.ElideMiddle, room)


class ElidedLabel(QWidget):
    """Never asks for more width than there is; `token` names its colour."""

    def __init__(self, text: str = "", token: str = "text", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._text, self._token = text, token
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def text(self) -> str:
        """The whole text."""
        return self._text

    def setText(self, text: str) -> None:
        """Show another text."""
        self._text = text
        self.setAccessibleName(text)
        self.update()

    def set_tip(self, text: str) -> None:
        """A tooltip, as plain text."""
        self.setToolTip(plain_tip(text))

    def sizeHint(self) -> QSize:
        return QSize(120, self.fontMetrics().height() + 4)

    def minimumSizeHint(self) -> QSize:
        return QSize(0, self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setPen(colour(self._token))
        words = self.fontMetrics().elidedText(self._text, Qt.TextElideMode.ElideRight, self.width())
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, words)
