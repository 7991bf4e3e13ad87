"""A change of a file, line by line: what goes, what comes, what stays."""

from PySide6.QtGui import QSyntaxHighlighter, QTextCharFormat
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from biny_desktop.core.i18n import _
from biny_desktop.ui.theme import colour, mono_font, theme_signals, tokens

LINES_MAX = 24
"""Taller than this it scrolls."""


class _Signs(QSyntaxHighlighter):
    def highlightBlock(self, text: str) -> None:
        names = {"+": "ok", "-": "bad", "@": "accent"}
        name = "muted" if text.startswith(("+++", "---")) else names.get(text[:1], "text")
        shape = QTextCharFormat()
        shape.setForeground(colour(name))
        self.setFormat(0, len(text), shape)


class DiffView(QPlainTextEdit):
    """Read only; the signs stand at the beginning of the lines, so that nothing is told by colour alone."""

    def __init__(self, text: str, *, diff: bool = True, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setReadOnly(True)
        self.setFont(mono_font())
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap if diff else QPlainTextEdit.LineWrapMode.WidgetWidth)
        self.setAccessibleName(_("The change") if diff else _("The call"))
        self.setTabChangesFocus(True)
        self._signs = _Signs(self.document()) if diff else None
        self.setPlainText(text)
        lines = min(LINES_MAX, text.count("\n") + 1)
        self.setFixedHeight(self.fontMetrics().lineSpacing() * lines + tokens().px(24))
        theme_signals().changed.connect(self._repaint)

    def _repaint(self, _theme: object) -> None:
        if self._signs is not None:
            self._signs.rehighlight()
