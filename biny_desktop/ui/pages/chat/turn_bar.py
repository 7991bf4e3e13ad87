"""Above the field: why nothing can be sent in this chat, that it is nearly full, that it is being summed up."""

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from biny_desktop.core.i18n import _
from biny_desktop.service.chat.model import ChatView, NotSending
from biny_desktop.ui.chat_words import why_not
from biny_desktop.ui.theme import tokens
from biny_desktop.ui.widgets.labels import label
from biny_desktop.ui.widgets.plain_body import PlainBody
from biny_desktop.ui.widgets.rows import action

NOTE_MS = 5_000
Part = tuple[str, str, QPushButton | None, Signal | None]


class TurnBar(QWidget):
    """Signals: `models_asked`, `fork_asked`, `reopen_asked`, `cancel_asked` of summing up."""

    models_asked = Signal()
    fork_asked = Signal()
    reopen_asked = Signal()
    cancel_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shown: tuple[object, ...] | None = None
        self.note = PlainBody("", "ok")
        self.note.hide()
        self._end = QTimer(self, singleShot=True, interval=NOTE_MS)
        self._end.timeout.connect(lambda: self.say(""))
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(4)
        whole.addWidget(self.note)
        self._column = QVBoxLayout()
        whole.addLayout(self._column)
        self.hide()

    def say(self, words: str) -> None:
        """A note that goes by itself; empty: none."""
        self.note.set_text(words)
        self.note.setVisible(bool(words))
        self._end.start() if words else self._end.stop()
        self.setVisible(bool(words) or self._shown is not None)

    def show_view(self, view: ChatView, *, summing_up: bool = False) -> None:
        """Show what a chat has to say of itself; the same again changes nothing."""
        why = "read_only" if view.read_only else view.sending
        if summing_up:
            button = action(_("Cancel"), _("Stop summing up; nothing is changed"))
            self._put((_("The older part is being summed up…"), "muted", button, self.cancel_asked))
        elif why in ("no_model", "full", "read_only", "running_elsewhere"):
            self.show_reason(why)
        elif view.hint:
            self._put((_("This chat is nearly full."), "warn", self._fork(), self.fork_asked))
        else:
            self._put(None)

    def show_reason(self, why: NotSending | None) -> None:
        """Say why nothing can be written here; None: nothing is in the way."""
        button: QPushButton | None = None
        then: Signal | None = None
        if why == "no_model":
            button, then = action(_("Choose a model"), _("Open the page Models")), self.models_asked
        elif why == "full":
            button, then = self._fork(), self.fork_asked
        elif why == "read_only":
            button, then = action(_("Open it again"), _("Read the chat anew, and write in it")), self.reopen_asked
        self._put(None if why is None else (why_not(why), "warn", button, then))

    def _fork(self) -> QPushButton:
        return action(_("Fork it"), _("Go on in a new chat that begins with this one"))

    def _put(self, part: Part | None) -> None:
        key = None if part is None else (part[0], part[2] is None)
        if key == self._shown:
            return
        self._shown = key
        while self._column.count():
            widget = self._column.takeAt(0).widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        if part is not None:
            self._column.addWidget(_line(part))
        self.setVisible(part is not None or bool(self.note.text()))


def _line(part: Part) -> QWidget:
    words, role, button, then = part
    made = QWidget()
    row = QHBoxLayout(made)
    row.setContentsMargins(tokens().px(12), 0, 0, 0)
    row.setSpacing(8)
    row.addWidget(label(words, role, wrap=True), 1)
    if button is not None and then is not None:
        button.clicked.connect(lambda _on=False: then.emit())
        row.addWidget(button)
    return made
