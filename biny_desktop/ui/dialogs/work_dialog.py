"""A dialog around long work: a title, what it is about, the strip of the work, a note, and buttons at the foot."""

from collections.abc import Callable, Sequence
from typing import Final

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QDialog, QFrame, QHBoxLayout, QLayout, QPushButton, QScrollArea, QVBoxLayout, QWidget

from biny_desktop.core.errors import BinyError, said_in_line
from biny_desktop.core.i18n import _, sentences
from biny_desktop.storage.progress import Watch
from biny_desktop.ui.calls import Calls
from biny_desktop.ui.theme import tokens
from biny_desktop.ui.widgets.labels import label
from biny_desktop.ui.widgets.long_work import LongWork
from biny_desktop.ui.widgets.rows import action

SPARE_PX: Final = 48
"""Of the height of the screen, for the frame of the window and what the desktop keeps."""


class WorkDialog(QDialog):
    """Children call `lay_out` once, `start` for work, `say` for the note; Esc stops the work before it closes."""

    def __init__(self, title: str, width_px: int, calls: Calls, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.setMinimumWidth(tokens().px(width_px))
        self.heading = label(title, "title", wrap=True)
        self.work = LongWork(calls)
        self.note = label("", wrap=True, selectable=True)
        self.note.hide()
        self.close_button = button(_("Close"), _("Close (Esc)"))
        self.close_button.clicked.connect(self.reject)
        self._used: QWidget | None = None
        self._fit = QTimer(self, singleShot=True, interval=0)
        self._fit.timeout.connect(self._resize)
        self.work.busy.connect(self._on_busy)

    def lay_out(self, parts: Sequence[QWidget], left: Sequence[QPushButton], right: Sequence[QPushButton]) -> None:
        """Put it together: `parts` below the title, buttons at the left and at the right of the foot."""
        inside = QWidget()
        self._inside = QVBoxLayout(inside)
        self._inside.setContentsMargins(0, 0, 0, 0)
        self._inside.setSpacing(12)
        for part in parts:
            self._inside.addWidget(part)
        self._inside.addStretch(1)
        self._body = QScrollArea()
        self._body.setFrameShape(QFrame.Shape.NoFrame)
        self._body.setWidgetResizable(True)
        self._body.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._body.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._body.setWidget(inside)
        self._body.setFixedHeight(0)
        inside.installEventFilter(self)
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 24, 24, 16)
        column.setSpacing(12)
        for part in (self.heading, self._body, self.work, self.note):
            column.addWidget(part)
        column.addStretch(1)
        foot = QHBoxLayout()
        foot.setSpacing(8)
        for each in left:
            foot.addWidget(each)
        foot.addStretch(1)
        for each in right:
            foot.addWidget(each)
        column.addLayout(foot)

    # -- work ----------------------------------------------------------------------------------------------------------

    def start(
        self, what: str, work: Callable[[Watch], object], on_done: Callable[..., None], *, stopped: str, kept: str = ""
    ) -> None:
        """Do it off this thread.

        Args:
            stopped: what is true when the person stopped it. kept: the same when it failed, after what happened.
        """
        self.say("")
        self.work.start(
            what, work, on_done,
            lambda error: self.fail(error, kept),
            on_stopped=lambda: self.say(stopped, "warn"),
        )  # fmt: skip

    def fail(self, error: BinyError, kept: str = "") -> None:
        """Say what happened, what was kept, what to do."""
        self.say(sentences(said_in_line(error), kept), "bad")

    def set_busy(self, busy: bool) -> None:
        """Work begins or ends: children lock and unlock their controls here."""
        self.close_button.setEnabled(not busy)

    def _on_busy(self, busy: bool) -> None:
        if busy:
            self._used = self.focusWidget()
        self.set_busy(busy)
        if busy:
            self.work.cancel.setFocus()
        elif self._used is not None and self._used.isVisible():
            self._used.setFocus()  # one goes on where one was, unless what comes next wants the keys
        self.fit()

    def reject(self) -> None:
        if self.work.running():  # Esc and the window's own button stop the work first, then close
            self.work.cancel.click()
        else:
            super().reject()

    # -- words ---------------------------------------------------------------------------------------------------------

    def say(self, words: str, role: str = "") -> None:
        """The note: ok, warn, bad, muted; none without words."""
        self.note.setText(words)
        self.note.setVisible(bool(words))
        self.note.setProperty("role", role)
        self.note.style().unpolish(self.note)
        self.note.style().polish(self.note)
        self.fit()

    def fit(self) -> None:
        """Follow the number of lines, once they are laid out (word wrap asks for no height by itself)."""
        if self.isVisible():
            self._fit.start()

    def _resize(self) -> None:
        """As high as its words; what is in the middle scrolls where the screen is too small for that."""
        self.layout().activate()
        wide = self.width() - self.layout().contentsMargins().left() - self.layout().contentsMargins().right()
        room = self.screen().availableGeometry().height() - SPARE_PX
        around = _height(self.layout(), self.width()) - self._body.maximumHeight()
        wanted = _height(self._inside, wide)
        body = max(0, min(wanted, room - around))
        policy = Qt.ScrollBarPolicy
        bar = policy.ScrollBarAsNeeded if body < wanted else policy.ScrollBarAlwaysOff
        self._body.setVerticalScrollBarPolicy(bar)  # a bar for a moment would take room, and lines would break anew
        self._body.setFixedHeight(body)
        self.layout().activate()
        self.resize(self.width(), around + body)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:
            self.fit()
        return super().eventFilter(watched, event)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._resize()


def _height(layout: QLayout, width: int) -> int:
    return layout.totalHeightForWidth(width) if layout.hasHeightForWidth() else layout.totalSizeHint().height()


def button(words: str, tip: str, role: str = "") -> QPushButton:
    """A button that Enter presses only when it is the default or has the focus."""
    made = action(words, tip, role)
    made.setAutoDefault(False)
    return made
