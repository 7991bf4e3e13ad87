"""The end of the log, as a ring of lines with a filter by level; and the crash files with what is in them."""

from collections.abc import Sequence

from PySide6.QtWidgets import QComboBox, QHBoxLayout, QPlainTextEdit, QVBoxLayout, QWidget

from biny_desktop.core.i18n import _
from biny_desktop.ui.theme import mono_font, theme_signals
from biny_desktop.ui.widgets.labels import hairline, label

LINES = 1_000
"""Lines of the log held here; older ones are in the file."""
LEVELS = {"DEBUG": 10, "INFO": 20, "WARNING": 30, "ERROR": 40, "CRITICAL": 50}


def at_least(lines: Sequence[str], level: int) -> list[str]:
    """The lines of that level or worse; a line without a level belongs to the one before it (a traceback)."""
    kept, keep = [], level <= LEVELS["DEBUG"]
    for line in lines:
        parts = line.split(" ", 3)
        found = LEVELS.get(parts[2]) if len(parts) > 2 else None
        if found is not None:
            keep = found >= level
        if keep:
            kept.append(line)
    return kept


class PlainView(QPlainTextEdit):
    """A text in fixed width that can be read and copied, not changed."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setReadOnly(True)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.setProperty("role", "plain")
        self.setAccessibleName(name)
        self.setTabChangesFocus(True)
        self._use_font()
        theme_signals().changed.connect(self._use_font)

    def _use_font(self, _theme: object = None) -> None:
        self.setFont(mono_font())


class LogView(QWidget):
    """`fill` takes the newest lines; the view stays at the end unless the person scrolled up."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._lines: list[str] = []
        self.level = QComboBox()
        for words, value in (
            (_("All lines"), LEVELS["DEBUG"]),
            (_("Warnings and errors"), LEVELS["WARNING"]),
            (_("Errors only"), LEVELS["ERROR"]),
        ):
            self.level.addItem(words, value)
        self.level.setAccessibleName(_("Which lines"))
        self.level.setToolTip(_("Which lines of the log are shown"))
        self.level.currentIndexChanged.connect(lambda _index: self._show())
        self.text = PlainView(_("Log"))
        self._count = label(role="small")
        head = QHBoxLayout()
        head.setContentsMargins(16, 8, 16, 8)
        head.setSpacing(12)
        head.addWidget(self.level)
        head.addWidget(self._count, 1)
        body = QHBoxLayout()
        body.setContentsMargins(16, 8, 0, 0)
        body.addWidget(self.text)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(hairline())
        column.addLayout(body, 1)
        self._show()

    def fill(self, lines: Sequence[str]) -> None:
        """Show these lines."""
        if list(lines) != self._lines:
            self._lines = list(lines)
            self._show()

    def _show(self) -> None:
        bar = self.text.verticalScrollBar()
        at_end, place = bar.value() >= bar.maximum() - 1, bar.value()
        kept = at_least(self._lines, self.level.currentData())
        self.text.setPlainText("\n".join(kept))
        self._count.setText(
            _("{n} of the last {total} lines").format(n=len(kept), total=len(self._lines))
            if kept
            else _("No such lines.")
        )
        bar.setValue(bar.maximum() if at_end else place)
