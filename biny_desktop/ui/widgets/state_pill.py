"""The state pill: shape and words of the recording state, with the menu that pauses, resumes and quits."""

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QMenu, QToolButton, QWidget

from biny_desktop.core.i18n import _
from biny_desktop.ui.icons import icon
from biny_desktop.ui.recording_actions import RecordingActions
from biny_desktop.ui.states import look_of, tooltip
from biny_desktop.ui.status_watch import Snapshot

SHAPE_PX = 14


class StatePill(QToolButton):
    """A button that says what is happening; `quit_requested` from its menu."""

    quit_requested = Signal()

    def __init__(self, actions: RecordingActions, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._snapshot: Snapshot | None = None
        self.setObjectName("pill")
        self.setProperty("role", "button")
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.setIconSize(QSize(SHAPE_PX, SHAPE_PX))
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAccessibleName(_("Recording state"))
        self.setText(_("Looking…"))
        menu = QMenu(self)
        menu.setToolTipsVisible(True)
        actions.fill(menu)
        menu.addSeparator()
        leave = menu.addAction(_("Quit Biny"))
        leave.setShortcut("Ctrl+Q")
        leave.triggered.connect(self.quit_requested)
        self.setMenu(menu)

    def follow(self, snapshot: Snapshot) -> None:
        """Show that state."""
        self._snapshot = snapshot
        look = look_of(snapshot.status, snapshot.zone, snapshot.now_ms)
        self.setIcon(icon(look.icon_name, look.colour))
        self.setText(f" {look.words}")
        self.setToolTip(tooltip(snapshot.status, snapshot.zone, snapshot.now_ms))
        self.setAccessibleDescription(self.toolTip())

    def retint(self) -> None:
        """The shape in the colours of the theme shown now."""
        if self._snapshot is not None:
            self.follow(self._snapshot)
