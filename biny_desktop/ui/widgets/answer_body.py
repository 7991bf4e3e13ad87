"""The text of an answer: Markdown as tall as it needs to be, or plain pieces while it is still coming."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent, QTextCursor, QWheelEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from biny_desktop.core.i18n import _
from biny_desktop.ui.widgets.report_view import ReportView


class AnswerBody(ReportView):
    """Scrolls with what it stands in, not by itself. `append` is for streaming: it lays out only what is new."""

    margin_px = 0

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(_("Answer"))
        self.document().setDocumentMargin(0)
        self.document().documentLayout().documentSizeChanged.connect(self._fit)

    def show_markdown(self, text: str) -> None:
        super().show_markdown(text)
        self._fit()

    def append_piece(self, text: str) -> None:
        """Add plain text at the end."""
        cursor = QTextCursor(self.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        cursor.insertText(text)

    def plain(self) -> str:
        """What is shown, without marks."""
        return self.toPlainText()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()  # the page scrolls

    def _fit(self, *_size: object) -> None:
        height = round(self.document().size().height()) + 2
        if height != self.height():
            self.setFixedHeight(height)
