"""A change of a file, line by line: what goes, what comes, what stays."""

from PySide6.QtGui import QSyntaxHighlighter, QTextCharFormat
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from biny_desktop.core.i18n import _
from biny_desktop.ui.theme import colour, mono_font, theme_signals, tokens

LINES_MAX = 24
"""Taller than this it scrolls."""
LINES_LEAST, BAR_PX, WIDE_OPEN = 3, 10, 16_777_215
"""Lines that are always in sight, the scroll bar of the style sheet, and Qt's own largest size."""


class _Signs(QSyntaxHighlighter):
    def highlightBlock(self, text: str) -> None:
        names = {"+": "ok", "-": "bad", "@": "accent"}
        name = "muted" if text.startswith(("+++", "---")) else names.get(text[:1], "text")
        shape = QTextCharFormat()
        shape.setForeground(colour(name))
        self.setFormat(0, len(text), shape)


class DiffView(QPlainTextEdit):
    """Read only; the signs stand at the beginning of the lines, so that nothing is told by colour alone."""

    def __init__(self, text: str, *, diff: bool = True, whole: bool = False, parent: QWidget | None = None) -> None:
        """`whole`: as high as the text, if the layout has the room; else it scrolls from `LINES_MAX` on."""
        super().__init__(parent)
        self.setReadOnly(True)
        self.setFont(mono_font())
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap if diff else QPlainTextEdit.LineWrapMode.WidgetWidth)
        self.setAccessibleName(_("The change") if diff else _("The call"))
        self.setTabChangesFocus(True)
        self._signs = _Signs(self.document()) if diff else None
        self.setPlainText(text)
        lines = text.count("\n") + 1
        if whole:
            self.setMinimumHeight(self._height(min(lines, LINES_LEAST)))
            self.setMaximumHeight(self._height(lines) if diff else WIDE_OPEN)
        else:
            self.setFixedHeight(self._height(min(LINES_MAX, lines)))
        theme_signals().changed.connect(self._repaint)

    def _height(self, lines: int) -> int:
        """With the scroll bar below, which a long line needs."""
        return self.fontMetrics().lineSpacing() * lines + tokens().px(24) + BAR_PX

    def _repaint(self, _theme: object) -> None:
        if self._signs is not None:
            self._signs.rehighlight()
