"""The tray icon: five states in five shapes, a tooltip, a menu, notifications; the window does without it."""

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtGui import QAction, QColor, QIcon
from PySide6.QtWidgets import QMenu, QSystemTrayIcon

from biny_desktop.core.i18n import _
from biny_desktop.ui.icons import SIZES_PX, pixmap
from biny_desktop.ui.recording_actions import RecordingActions
from biny_desktop.ui.states import look_of, tooltip
from biny_desktop.ui.status_watch import Snapshot

RETRY_MS = 1_000
RETRIES = 60
"""A tray that starts after us is waited for this long (spec 09, Tray)."""
COLOURS = {"ok": "#2E8B57", "warn": "#C27C0E", "muted": "#7D8591", "private": "#8B6FC4"}
"""Middle tones: a panel may be light or dark and does not say which, these keep 3:1 on both (tested)."""


def tray_icon(icon_name: str, colour: str) -> QIcon:
    """The icon of a state at every size a panel may want."""
    made = QIcon()
    for size in SIZES_PX:
        made.addPixmap(pixmap(icon_name, size, QColor(COLOURS[colour]).name()))
    return made


class Tray(QObject):
    """Shows the state beside the clock. `arrived` once a tray is there, `missing` when none was at the start."""

    open_requested = Signal()
    page_requested = Signal(str, str)
    """A page by its key, and a part of it."""
    quit_requested = Signal()
    arrived = Signal()
    missing = Signal()

    def __init__(self, actions: RecordingActions, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._icon = QSystemTrayIcon(self)
        self._icon.setIcon(tray_icon("state-paused", "muted"))
        self._icon.activated.connect(self._on_activated)
        self._icon.messageClicked.connect(self._on_clicked)
        self._about = ""
        self._waiting = 0
        self._menu = QMenu()
        self._state = QAction(self, enabled=False)
        self._build(actions)
        self._tries = 0
        self._retry = QTimer(self, interval=RETRY_MS)
        self._retry.timeout.connect(self._try_again)

    def start(self) -> None:
        """Show it, or say that there is no tray and keep trying for a minute."""
        if self.available():
            self._icon.show()
            self.arrived.emit()
        else:
            self.missing.emit()
            self._retry.start()

    def stop(self) -> None:
        """Take it away, for good."""
        self._retry.stop()
        self._icon.hide()
        self._menu.deleteLater()  # it has no parent

    def available(self) -> bool:
        """Whether this desktop shows tray icons now."""
        return QSystemTrayIcon.isSystemTrayAvailable()

    def rebuild(self, actions: RecordingActions) -> None:
        """Make the menu anew, in the language spoken now."""
        self._menu.clear()
        self._build(actions)

    def follow(self, snapshot: Snapshot) -> None:
        """Show that state."""
        status = snapshot.status
        look = look_of(status, snapshot.zone, snapshot.now_ms)
        self._icon.setIcon(tray_icon(look.icon_name, look.colour))
        self._icon.setToolTip(tooltip(status, snapshot.zone, snapshot.now_ms))
        self._state.setText(look.words)
        self._waiting = snapshot.waiting
        self._name_approvals()

    def notify(self, title: str, text: str, page: str = "") -> None:
        """A notification by the desktop; a click on it opens that page. Nothing happens without a tray."""
        if self._icon.isVisible():
            self._about = page
            self._icon.showMessage(title, text, self._icon.icon())

    def _build(self, actions: RecordingActions) -> None:
        self._menu.addAction(_("Open Biny")).triggered.connect(self.open_requested)
        self._menu.addSeparator()
        self._menu.addAction(self._state)
        actions.fill(self._menu)
        self._menu.addSeparator()
        self._page(_("Today's report"), "today", "report")
        self._approvals = self._page("", "approvals")
        self._name_approvals()
        self._menu.addSeparator()
        self._page(_("Settings"), "settings")
        self._menu.addAction(_("Quit")).triggered.connect(self.quit_requested)
        self._icon.setContextMenu(self._menu)

    def _page(self, text: str, key: str, part: str = "") -> QAction:
        action = self._menu.addAction(text)
        action.triggered.connect(lambda: self.page_requested.emit(key, part))
        return action

    def _name_approvals(self) -> None:
        words = _("Approvals ({count})").format(count=self._waiting) if self._waiting else _("Approvals")
        self._approvals.setText(words)

    def _on_clicked(self) -> None:
        if self._about:
            self.page_requested.emit(self._about, "")
        else:
            self.open_requested.emit()

    def _on_activated(self, reason: QSystemTrayIcon.ActivationReason) -> None:
        if reason in {QSystemTrayIcon.ActivationReason.Trigger, QSystemTrayIcon.ActivationReason.DoubleClick}:
            self.open_requested.emit()

    def _try_again(self) -> None:
        self._tries += 1
        if self.available():
            self._retry.stop()
            self._icon.show()
            self.arrived.emit()
        elif self._tries >= RETRIES:
            self._retry.stop()
