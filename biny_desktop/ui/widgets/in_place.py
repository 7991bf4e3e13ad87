"""Fields that are edited where they stand: Enter or leaving saves, Esc takes the change back."""

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit

from biny_desktop.ui.theme import tokens

TEXT_LINES = 3


class InPlaceLine(QLineEdit):
    """`changed_to(text)` when another text is to be saved; `show_value` never disturbs who is writing."""

    changed_to = Signal(str)

    def __init__(self, name: str, tip: str, placeholder: str = "") -> None:
        super().__init__()
        self._value = ""
        self.setAccessibleName(name)
        self.setToolTip(tip)
        self.setPlaceholderText(placeholder)
        self.editingFinished.connect(self._on_finished)

    def show_value(self, text: str, *, force: bool = False) -> None:
        """The saved value is another one now."""
        writing = self.hasFocus() and self.text() != self._value
        self._value = text
        if force or not writing:
            self.setText(text)
            self.setCursorPosition(0)

    def _on_finished(self) -> None:
        text = " ".join(self.text().split())
        if text != self._value:
            self.changed_to.emit(text)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.text() != self._value:
            self.setText(self._value)
        else:
            super().keyPressEvent(event)


class InPlaceText(QPlainTextEdit):
    """The same over some lines; Ctrl+Enter or leaving saves."""

    changed_to = Signal(str)

    def __init__(self, name: str, tip: str, placeholder: str = "") -> None:
        super().__init__()
        self._value = ""
        self.setAccessibleName(name)
        self.setToolTip(tip)
        self.setPlaceholderText(placeholder)
        self.setTabChangesFocus(True)
        self.setFixedHeight(self.sizeHint().height())

    def sizeHint(self) -> QSize:
        return QSize(200, TEXT_LINES * self.fontMetrics().lineSpacing() + tokens().px(20))

    def show_value(self, text: str, *, force: bool = False) -> None:
        """The saved value is another one now."""
        writing = self.hasFocus() and self.toPlainText() != self._value
        self._value = text
        if (force or not writing) and text != self.toPlainText():
            self.setPlainText(text)

    def save(self) -> None:
        """Have it saved when it is another text."""
        text = self.toPlainText().strip()
        if text != self._value:
            self.changed_to.emit(text)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.save()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if enter and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.save()
        elif event.key() == Qt.Key.Key_Escape and self.toPlainText() != self._value:
            self.setPlainText(self._value)
        else:
            super().keyPressEvent(event)
