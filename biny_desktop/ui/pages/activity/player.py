"""Frames running by themselves, forward until the newest."""

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer, Signal

PLAY_MS = 700
"""How long a frame is shown while playing."""


class Player(QObject):
    """Calls `step` again and again until it says that there is nothing more; `changed(playing)` tells both ends."""

    changed = Signal(bool)

    def __init__(self, step: Callable[[], bool], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._step = step
        self.timer = QTimer(self, interval=PLAY_MS)
        self.timer.timeout.connect(self._on_tick)

    def toggle(self) -> None:
        """Start, or stop."""
        if self.timer.isActive():
            self.stop()
        else:
            self.timer.start()
            self.changed.emit(True)

    def stop(self) -> None:
        """Stop; nothing happens when it stands."""
        if self.timer.isActive():
            self.timer.stop()
            self.changed.emit(False)

    def _on_tick(self) -> None:
        if not self._step():
            self.stop()
