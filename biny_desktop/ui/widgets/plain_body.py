"""Plain text of any kind, broken wherever the line ends: a label would grow as wide as its longest word."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPalette, QResizeEvent, QTextOption, QWheelEvent
from PySide6.QtWidgets import QFrame, QSizePolicy, QTextEdit, QWidget

from biny_desktop.ui.theme import colour, theme_signals


class PlainBody(QTextEdit):
    """As tall as its text, which can be selected; never markup. `token` names its colour."""

    def __init__(self, text: str = "", token: str = "text", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._token = token
        self.setReadOnly(True)
        self.setAcceptRichText(False)
        self.setProperty("role", "plain")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setUndoRedoEnabled(False)
        self.document().setDocumentMargin(0)
        self.document().documentLayout().documentSizeChanged.connect(self._fit)
        theme_signals().changed.connect(self._paint)
        self._paint()
        self.set_text(text)

    def set_text(self, text: str) -> None:
        """Show another text."""
        self.setPlainText(text)
        self.setAccessibleName(text[:120])

    def text(self) -> str:
        """What is shown."""
        return self.toPlainText()

    def minimumSizeHint(self) -> QSize:
        return QSize(0, self.height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()  # what it stands in scrolls

    def _fit(self, *_size: object) -> None:
        height = max(self.fontMetrics().lineSpacing(), round(self.document().size().height()))
        if height != self.height():
            self.setFixedHeight(height)

    def _paint(self, *_theme: object) -> None:
        shown = self.palette()
        shown.setColor(QPalette.ColorRole.Text, colour(self._token))
        self.setPalette(shown)
        self.setTextColor(colour(self._token))
        if self.toPlainText():
            self.setPlainText(self.toPlainText())
