"""One field of a segment in a small dialog: a note of several lines, or a project."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLineEdit, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

from biny_desktop.core.i18n import _
from biny_desktop.ui.widgets.labels import label

WIDTH_PX, NOTE_PX = 420, 120


class FieldDialog(QDialog):
    """`saved(text)` by the button or Ctrl+Enter (Enter in a single line)."""

    saved = Signal(str)

    def __init__(self, title: str, hint: str, text: str, parent: QWidget | None = None, *, lines: bool = False) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.setMinimumWidth(WIDTH_PX)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 24, 24, 16)
        column.setSpacing(8)
        column.addWidget(label(title, "title"))
        column.addWidget(label(hint, "muted", wrap=True))
        self.field: QLineEdit | QPlainTextEdit
        if lines:
            self.field = QPlainTextEdit(text)
            self.field.setMinimumHeight(NOTE_PX)
            self.field.setTabChangesFocus(True)
            self.field.moveCursor(self.field.textCursor().MoveOperation.End)
        else:
            self.field = QLineEdit(text)
            self.field.selectAll()
        self.field.setAccessibleName(title)
        column.addWidget(self.field, 1)
        cancel = QPushButton(_("Cancel"))
        cancel.setToolTip(_("Change nothing (Esc)"))
        cancel.setAutoDefault(False)
        cancel.clicked.connect(self.reject)
        self.save = QPushButton(_("Save"))
        self.save.setProperty("role", "primary")
        self.save.setToolTip(_("Save (Ctrl+Enter)"))
        self.save.setDefault(True)
        self.save.clicked.connect(self._on_save)
        QShortcut(QKeySequence("Ctrl+Return"), self).activated.connect(self._on_save)
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addStretch(1)
        row.addWidget(cancel)
        row.addWidget(self.save)
        column.addSpacing(8)
        column.addLayout(row)
        self.field.setFocus()

    def text(self) -> str:
        """What is written."""
        return self.field.toPlainText() if isinstance(self.field, QPlainTextEdit) else self.field.text()

    def _on_save(self) -> None:
        self.saved.emit(self.text().strip())
        self.accept()
