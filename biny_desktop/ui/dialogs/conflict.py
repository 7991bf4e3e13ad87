"""Two versions of a field: somebody changed it while it was edited; both are shown, one is chosen."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from biny_desktop.core.i18n import _
from biny_desktop.ui.widgets.labels import label

WIDTH_PX = 440


class ConflictDialog(QDialog):
    """`kept` when the person's own version is to be saved over the other one; closing keeps the other one."""

    kept = Signal()

    def __init__(self, field: str, mine: str, theirs: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(_("Changed meanwhile"))
        self.setMinimumWidth(WIDTH_PX)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 24, 24, 16)
        column.setSpacing(8)
        column.addWidget(label(_("{field} was changed meanwhile").format(field=field), "title", wrap=True))
        column.addWidget(label(_("Nothing was saved yet. Choose which one stays."), "muted", wrap=True))
        column.addSpacing(8)
        self.mine, self.theirs = label(mine or "–", wrap=True), label(theirs or "–", wrap=True)
        for name, words in ((_("Yours"), self.mine), (_("The other one, saved now"), self.theirs)):
            column.addWidget(label(name, "section"))
            words.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            column.addWidget(words)
            column.addSpacing(4)
        self.leave = QPushButton(_("Keep the other one"))
        self.leave.setToolTip(_("Leave it as it is saved now (Esc)"))
        self.leave.clicked.connect(self.reject)
        self.keep = QPushButton(_("Save mine"))
        self.keep.setProperty("role", "primary")
        self.keep.setToolTip(_("Put yours in its place; the other one stays in the history"))
        self.keep.clicked.connect(self._on_keep)
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addStretch(1)
        row.addWidget(self.leave)
        row.addWidget(self.keep)
        column.addSpacing(8)
        column.addLayout(row)

    def _on_keep(self) -> None:
        self.kept.emit()
        self.accept()
