"""The actions on recording, the same in the tray menu and in the menu of the state pill."""

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu

from biny_desktop.core.i18n import _
from biny_desktop.service.product import Product
from biny_desktop.ui.calls import Calls
from biny_desktop.ui.icons import icon
from biny_desktop.ui.states import can_pause
from biny_desktop.ui.status_watch import Snapshot, StatusWatch
from biny_desktop.ui.words import reason_words


class RecordingActions(QObject):
    """`Product` verbs as actions that follow the state. `said(str)` reports what came of "capture now"."""

    said = Signal(str)

    def __init__(self, product: Product, calls: Calls, watch: StatusWatch, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._product = product
        self._calls = calls
        self._watch = watch
        self.pauses = [
            self._action(_("Pause for 15 minutes"), lambda: self._pause("15m")),
            self._action(_("Pause for 1 hour"), lambda: self._pause("1h")),
            self._action(_("Pause until tomorrow"), lambda: self._pause("tomorrow")),
        ]
        self.resume = self._action(_("Resume recording"), self._resume)
        self.start = self._action(_("Start recording"), self.start_recording)
        self.capture = self._action(_("Capture now"), self._capture)
        watch.changed.connect(self.follow)
        if watch.last is not None:
            self.follow(watch.last)

    def fill(self, menu: QMenu) -> None:
        """Add the actions to a menu; only those that make sense now are visible."""
        menu.addActions([*self.pauses, self.resume, self.start])
        menu.addSeparator()
        menu.addAction(self.capture)

    def start_recording(self) -> None:
        """The person agrees to recording."""
        self._do(lambda: self._product.set_setting("capture.enabled", "true"))

    def follow(self, snapshot: Snapshot) -> None:
        """Show what can be done in that state."""
        status = snapshot.status
        for action in self.pauses:
            action.setVisible(can_pause(status))
        self.resume.setVisible(status.enabled and status.paused_until_ms is not None)
        self.start.setVisible(not status.enabled)
        self.capture.setEnabled(status.running and status.enabled)

    def retint(self) -> None:
        """Icons in the colours of the theme shown now."""
        for action in self.pauses:
            action.setIcon(icon("pause", "muted"))
        self.resume.setIcon(icon("play", "muted"))
        self.start.setIcon(icon("play", "muted"))
        self.capture.setIcon(icon("camera", "muted"))

    def _action(self, text: str, slot: object) -> QAction:
        action = QAction(text, self)
        action.triggered.connect(slot)
        return action

    def _pause(self, length: str) -> None:
        self._do(lambda: self._product.pause(length))

    def _resume(self) -> None:
        self._do(self._product.resume)

    def _do(self, verb: object) -> None:
        self._calls.run(verb, lambda _result: self._watch.look(), owner=self)

    def _capture(self) -> None:
        self._calls.run(self._product.capture, self._on_captured, owner=self)

    def _on_captured(self, answer: dict[str, object]) -> None:
        if answer.get("frame_id") is not None:
            self.said.emit(_("A picture was taken."))
        else:
            reason = reason_words("skip", str(answer.get("reason", "")))
            self.said.emit(_("No picture was kept: {reason}.").format(reason=reason))
        self._watch.look()
