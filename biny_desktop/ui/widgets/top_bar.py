"""The top bar: one search field for everything, and the state pill."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QWidget

from biny_desktop.core.i18n import _
from biny_desktop.ui.icons import icon
from biny_desktop.ui.theme import tokens
from biny_desktop.ui.widgets.state_pill import StatePill

HEIGHT_PX = 48
LARGEST_FIELD_PX = 560


class TopBar(QWidget):
    """`searched(str)` when a question was entered."""

    searched = Signal(str)

    def __init__(self, pill: StatePill, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("top")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedHeight(tokens().px(HEIGHT_PX))
        self.pill = pill
        self.field = _Field(self)
        self.field.setPlaceholderText(_("Search what was on the screen") + "  (Ctrl+K)")
        self.field.setAccessibleName(_("Search what was on the screen"))
        self.field.setToolTip(_("Search what was on the screen") + " (Ctrl+K)")
        self.field.setClearButtonEnabled(True)
        self.field.setMaximumWidth(tokens().px(LARGEST_FIELD_PX))
        self._glass: QAction = self.field.addAction(icon("search", "muted"), QLineEdit.ActionPosition.LeadingPosition)
        self.field.returnPressed.connect(lambda: self.searched.emit(self.field.text()))
        layout = QHBoxLayout(self)
        layout.setContentsMargins(16, 0, 16, 0)
        layout.setSpacing(12)
        layout.addWidget(self.field, 10)
        layout.addStretch(1)
        layout.addWidget(pill)

    def retint(self) -> None:
        """Icons in the colours of the theme shown now."""
        self._glass.setIcon(icon("search", "muted"))
        self.pill.retint()


class _Field(QLineEdit):
    """Esc gives the keyboard back to the page."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.clear()
            self.clearFocus()
        else:
            super().keyPressEvent(event)
