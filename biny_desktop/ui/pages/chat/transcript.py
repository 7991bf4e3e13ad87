"""The conversation itself: the end of the active path, more above on demand, the answer that is being written."""

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QFrame, QPushButton, QScrollArea, QVBoxLayout, QWidget

from biny_desktop.core.i18n import _, ngettext
from biny_desktop.service.chat.model import ChatView, ShownDivider, ShownMessage
from biny_desktop.ui.pages.chat.divider import DividerView
from biny_desktop.ui.pages.chat.message_view import MessageView
from biny_desktop.ui.theme import tokens
from biny_desktop.ui.widgets.answer_body import AnswerBody
from biny_desktop.ui.widgets.labels import label
from biny_desktop.ui.widgets.report_view import READING_PX

WINDOW = 40
"""Messages that are laid out at first, and more at a time."""
NEAR_END_PX = 48
"""So near the end, what comes keeps the end in sight."""


class Transcript(QScrollArea):
    """Signals of its messages: see `MessageView`; `source_asked(message id)`."""

    version_asked = Signal(str)
    edit_asked = Signal(str)
    retry_asked = Signal(str)
    fork_asked = Signal(str)
    delete_asked = Signal(str)
    own_asked = Signal(str, int, bool)
    anchor_opened = Signal(object)
    source_asked = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName(_("Conversation"))
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._view: ChatView | None = None
        self._start = 0
        self._stick = True
        self._now_ms = 0
        self._streaming: AnswerBody | None = None
        self._parts: list[tuple[object, QWidget]] = []
        self._lay_out()
        self.verticalScrollBar().rangeChanged.connect(self._on_range)
        self.verticalScrollBar().valueChanged.connect(self._on_value)

    def _lay_out(self) -> None:
        outer = QWidget()
        self.setWidget(outer)
        self.viewport().setAutoFillBackground(False)
        outer.setAutoFillBackground(False)
        self._inner = QWidget()
        self._inner.setMaximumWidth(tokens().px(READING_PX))
        around = QVBoxLayout(outer)
        around.setContentsMargins(16, 8, 16, 8)
        around.addWidget(self._inner, 1)
        around.setAlignment(self._inner, Qt.AlignmentFlag(0))
        self._column = QVBoxLayout(self._inner)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(8)
        self.earlier = QPushButton()
        self.earlier.setProperty("role", "flat")
        self.earlier.clicked.connect(self._show_more)
        self._column.addWidget(self.earlier, 0, Qt.AlignmentFlag.AlignHCenter)
        self._column.addStretch(1)
        self.earlier.hide()

    # -- showing -------------------------------------------------------------------------------------------------------

    def show_view(self, view: ChatView, now_ms: int) -> None:
        """Show a chat as it is now; what is the same stays as it stands."""
        other = self._view is None or self._view.session.id != view.session.id
        if other:
            self._start, self._stick = max(0, len(view.items) - WINDOW), True
        self._view, self._now_ms = view, now_ms
        self._fill()
        self._show_streaming(view)
        if other:
            QTimer.singleShot(0, self, self.to_end)

    def _fill(self) -> None:
        assert self._view is not None
        left = self._start = min(self._start, max(0, len(self._view.items) - 1))
        items = self._view.items[left:]
        self.earlier.setVisible(left > 0)
        self.earlier.setText(ngettext("Show {n} earlier message", "Show {n} earlier messages", left).format(n=left))
        keep = 0
        while keep < min(len(items), len(self._parts)) and self._parts[keep][0] == items[keep]:
            keep += 1
        for _item, widget in self._parts[keep:]:
            self._column.removeWidget(widget)
            widget.deleteLater()
        del self._parts[keep:]
        for item in items[keep:]:
            widget = self._make(item)
            self._column.insertWidget(self._column.count() - (2 if self._streaming else 1), widget)
            self._parts.append((item, widget))

    def _make(self, item: ShownMessage | ShownDivider) -> QWidget:
        if isinstance(item, ShownDivider):
            divider = DividerView(item.checkpoint)
            divider.source_asked.connect(self.source_asked)
            return divider
        made = MessageView(item, self._now_ms)
        for name in ("version_asked", "edit_asked", "retry_asked", "fork_asked", "delete_asked", "own_asked"):
            getattr(made, name).connect(getattr(self, name))
        made.anchor_opened.connect(self.anchor_opened)
        return made

    def _show_streaming(self, view: ChatView) -> None:
        if view.running_turn is None:
            self._drop_streaming()
            return
        if self._streaming is None:
            self._streaming = AnswerBody()
            self._column.insertWidget(self._column.count() - 1, self._streaming)
        self._streaming.setPlainText(view.streaming)

    def _drop_streaming(self) -> None:
        if self._streaming is not None:
            self._column.removeWidget(self._streaming)
            self._streaming.deleteLater()
            self._streaming = None

    def add_text(self, text: str) -> None:
        """A piece of the answer that is being written."""
        if self._streaming is not None:
            self._streaming.append_piece(text)

    def clear(self) -> None:
        """Show nothing."""
        self._view = None
        self._drop_streaming()
        for _item, widget in self._parts:
            self._column.removeWidget(widget)
            widget.deleteLater()
        self._parts.clear()
        self.earlier.hide()

    def messages(self) -> list[MessageView]:
        """The messages that are laid out."""
        return [widget for _item, widget in self._parts if isinstance(widget, MessageView)]

    def show_message(self, message_id: str) -> bool:
        """Bring a message of the path into sight and give it the keyboard; False if it is not on it."""
        if self._view is None:
            return False
        ids = [item.message.id if isinstance(item, ShownMessage) else "" for item in self._view.items]
        if message_id not in ids:
            return False
        self._start = min(self._start, max(0, ids.index(message_id) - 2))
        self._stick = False
        self._parts_anew()
        found = next(each for each in self.messages() if each.shown.message.id == message_id)
        QTimer.singleShot(0, found, lambda: (self.ensureWidgetVisible(found, 0, 80), found.setFocus()))
        return True

    def _parts_anew(self) -> None:
        for _item, widget in self._parts:
            self._column.removeWidget(widget)
            widget.deleteLater()
        self._parts.clear()
        self._fill()

    def _show_more(self) -> None:
        bar = self.verticalScrollBar()
        below = bar.maximum() - bar.value()
        self._start = max(0, self._start - WINDOW)
        self._stick = False
        self._parts_anew()
        QTimer.singleShot(0, self, lambda: bar.setValue(bar.maximum() - below))

    # -- staying at the end --------------------------------------------------------------------------------------------

    def to_end(self) -> None:
        """Scroll to the newest words."""
        self._stick = True
        self.verticalScrollBar().setValue(self.verticalScrollBar().maximum())

    def _on_range(self, _low: int, high: int) -> None:
        if self._stick:
            self.verticalScrollBar().setValue(high)

    def _on_value(self, value: int) -> None:
        self._stick = value >= self.verticalScrollBar().maximum() - NEAR_END_PX


def nothing_yet() -> QWidget:
    """What stands where no chat is chosen."""
    words = _("Write below to begin a chat. What you say stays on this machine, but for redacted text to your model.")
    made = label(words, "muted", wrap=True)
    made.setAlignment(Qt.AlignmentFlag.AlignCenter)
    return made
