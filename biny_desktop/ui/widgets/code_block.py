"""Code of an answer: its language, a button that copies it, and the code in one width, as tall as it is."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

from biny_desktop.core.i18n import _
from biny_desktop.ui.theme import mono_font, theme_signals, tokens
from biny_desktop.ui.widgets.labels import label

SCROLL_BAR_PX, GAP_PX = 10, 6
"""The scroll bar of the style sheet, and what is left below the last line."""


class CodeText(QPlainTextEdit):
    """Scrolls sideways only; up and down the page scrolls."""

    def __init__(self) -> None:
        super().__init__()
        self.setReadOnly(True)
        self.setProperty("role", "plain")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTabChangesFocus(True)
        self.setUndoRedoEnabled(False)
        self.document().setDocumentMargin(0)
        self.setAccessibleName(_("Code"))

    def wheelEvent(self, event: QWheelEvent) -> None:
        if event.angleDelta().x():
            super().wheelEvent(event)
        else:
            event.ignore()

    def fit(self, *_theme: object) -> None:
        """Take the height of the text, and of the scroll bar if its longest line needs one."""
        self.setFont(mono_font())
        lines, wide = self.document().blockCount(), self.document().size().width() > self.viewport().width()
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus if wide else Qt.FocusPolicy.ClickFocus)
        height = self.fontMetrics().lineSpacing() * lines + (SCROLL_BAR_PX if wide else 0) + GAP_PX
        if height != self.height():
            self.setFixedHeight(height)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit()


class CodeBlock(QFrame):
    """`copied` when its text went to the clipboard."""

    copied = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "code")
        self.language = label("", "small")
        self.text = CodeText()
        self.copy = QPushButton(_("Copy"))
        self.copy.setProperty("role", "flat")
        self.copy.setToolTip(_("Copy the code"))
        self.copy.setAccessibleName(_("Copy the code"))
        self.copy.clicked.connect(self._on_copy)
        head = QHBoxLayout()
        head.setContentsMargins(0, 0, 0, 0)
        head.addWidget(self.language)
        head.addStretch(1)
        head.addWidget(self.copy)
        px = tokens().px
        column = QVBoxLayout(self)
        column.setContentsMargins(px(12), px(4), px(4), px(4))
        column.setSpacing(px(2))
        column.addLayout(head)
        column.addWidget(self.text)
        theme_signals().changed.connect(self.text.fit)

    def show_code(self, code: str, language: str) -> None:
        """Show code; text that only grew is added at the end."""
        before = self.text.toPlainText()
        if code.startswith(before) and before:
            cursor = self.text.textCursor()
            cursor.movePosition(cursor.MoveOperation.End)
            cursor.insertText(code[len(before) :])
        elif code != before:
            self.text.setPlainText(code)
        self.language.setText(language)
        self.text.fit()

    def _on_copy(self) -> None:
        QGuiApplication.clipboard().setText(self.text.toPlainText())
        self.copied.emit()
