"""The conversation itself: the end of the active path, more above on demand, the answer that is being written."""

from dataclasses import replace

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QFrame, QPushButton, QScrollArea, QWidget

from biny_desktop.conversation.model import Message
from biny_desktop.core.i18n import _, ngettext
from biny_desktop.service.chat.model import ChatView, ShownDivider, ShownMessage
from biny_desktop.ui.pages.chat.divider import DividerView
from biny_desktop.ui.pages.chat.hearing import Live
from biny_desktop.ui.pages.chat.message_view import MessageView
from biny_desktop.ui.pages.chat.stream_view import StreamView
from biny_desktop.ui.pages.chat.waiting import Waiting
from biny_desktop.ui.widgets.reading_column import ReadingColumn

FIRST, MORE = 8, 40
"""Messages that are laid out at first, about what a screen holds, and more at a time above them."""
NEAR_PX = 48
"""So near the end, what comes keeps the end in sight; so near the top, more is laid out above."""
Item = ShownMessage | ShownDivider
Made = MessageView | DividerView
Key = tuple[Item, bool, frozenset[str]]
_PASSED_ON = ("version_asked", "edited", "retry_asked", "delete_asked", "own_asked", "anchor_opened")


class Transcript(QScrollArea):
    """Signals of its messages: see `MessageView`; `source_asked(message id)`; `ended` when the keyboard goes
    on below the last one, where `waiting` stands."""

    version_asked = Signal(str)
    edited = Signal(str, object)
    retry_asked = Signal(str)
    fork_asked = Signal(str)
    delete_asked = Signal(str)
    own_asked = Signal(str, int, bool)
    anchor_opened = Signal(object)
    source_asked = Signal(str)
    ended = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName(_("Conversation"))
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._view: ChatView | None = None
        self._start, self._now_ms, self._stick, self._below_px = 0, 0, True, -1
        self._made: list[tuple[Key, Made]] = []
        self._replaced = ""
        self.stream, self.waiting = StreamView(), Waiting()
        self._lay_out()
        self.verticalScrollBar().rangeChanged.connect(self._on_range)
        self.verticalScrollBar().valueChanged.connect(self._on_value)

    def _lay_out(self) -> None:
        outer = ReadingColumn(12, 12, self)
        self.setWidget(outer)
        self.viewport().setAutoFillBackground(False)
        outer.setAutoFillBackground(False)
        self._column = outer.column
        self._column.setSpacing(6)
        self.earlier = QPushButton()
        self.earlier.setProperty("role", "flat")
        self.earlier.setToolTip(_("Scrolling up shows them too"))
        self.earlier.clicked.connect(self.show_more)
        self._column.addWidget(self.earlier, 0, Qt.AlignmentFlag.AlignHCenter)
        self._column.addWidget(self.stream)
        self._column.addWidget(self.waiting)
        self._column.addStretch(1)
        self.earlier.hide()
        self.stream.hide()

    # -- showing -------------------------------------------------------------------------------------------------------

    def show_view(self, view: ChatView, now_ms: int, live: Live | None, who: str = "") -> None:
        """Show a chat as it is now; what is the same stays as it stands.

        Args:
            live: the turn that runs. who: answers in it.
        """
        view = self._without_replaced(view)
        other = self._view is None or self._view.session.id != view.session.id
        if other:
            self._start, self._stick = max(0, len(view.items) - FIRST), True
        self._view, self._now_ms = view, now_ms
        self._fill()
        self.stream.setVisible(live is not None)
        if live is not None:
            last = view.items[-1] if view.items else None
            steps = isinstance(last, ShownMessage) and last.message.role == "assistant"
            goes_on = steps and last.message.turn_id == view.running_turn
            self.stream.show_live(live, "" if goes_on else who)
        self.waiting.show_view(view)
        self._order_keys()
        if other:
            QTimer.singleShot(0, self, self._opened)

    def replace_from(self, message_id: str) -> None:
        """This answer is written anew: until its new version stands there, the old one is not shown."""
        place = self._place(message_id)
        while place is not None and place > 0 and self._follows(place):
            place -= 1
        item = None if place is None or self._view is None else self._view.items[place]
        is_answer = isinstance(item, ShownMessage) and item.message.role == "assistant"
        self._replaced = item.message.id if is_answer else ""

    def _place(self, message_id: str) -> int | None:
        items = self._view.items if self._view else ()
        places = (n for n, each in enumerate(items) if isinstance(each, ShownMessage) and each.message.id == message_id)
        return next(places, None)

    def _without_replaced(self, view: ChatView) -> ChatView:
        if view.running_turn is None:
            self._replaced = ""
        for n, item in enumerate(view.items if self._replaced else ()):
            if isinstance(item, ShownMessage) and item.message.id == self._replaced:
                return replace(view, items=view.items[:n])
        return view

    def _fill(self) -> None:
        assert self._view is not None
        items, place = self._view.items, self._slot_with_keyboard()
        left = self._start = min(self._start, max(0, len(items) - 1))
        self.earlier.setVisible(left > 0)
        self.earlier.setText(ngettext("Show {n} earlier message", "Show {n} earlier messages", left).format(n=left))
        waits = frozenset(each.call_id for each in self._view.approvals)
        keys = [(items[n], self._follows(n), waits & _calls(items[n])) for n in range(left, len(items))]
        present = {_identity(key[0]): (key, made) for key, made in self._made}
        wanted: list[tuple[Key, Made]] = []
        for key in keys:
            known = present.get(_identity(key[0]))
            wanted.append((key, known[1] if known is not None and known[0] == key else self._make(*key)))
        kept = {id(made) for _key, made in wanted}
        for _key, made in self._made:
            if id(made) not in kept:
                self._column.removeWidget(made)
                made.hide()
                made.deleteLater()
        self._made = wanted
        for n, (_key, made) in enumerate(wanted, start=1):  # below `earlier`
            if self._column.itemAt(n).widget() is not made:
                self._column.removeWidget(made)
                self._column.insertWidget(n, made)
        self._give_keyboard(place)

    def _order_keys(self) -> None:
        """Tab goes through the messages as they stand, whenever each was made."""
        before: QWidget = self.earlier
        for made in (*(made for _key, made in self._made), self.waiting):
            for widget in (made, *made.findChildren(QWidget)):
                if widget.focusPolicy() & Qt.FocusPolicy.TabFocus:
                    QWidget.setTabOrder(before, widget)
                    before = widget

    def _follows(self, n: int) -> bool:
        """Whether it is a later step of the answer above it."""
        assert self._view is not None
        item, above = self._view.items[n], self._view.items[n - 1] if n else None
        return (
            isinstance(item, ShownMessage) and isinstance(above, ShownMessage) and len(item.version_ids) == 1
            and item.message.role == above.message.role == "assistant" and item.message.turn_id is not None
            and item.message.turn_id == above.message.turn_id
        )  # fmt: skip

    def _make(self, item: Item, follows: bool, waits: frozenset[str]) -> Made:
        if isinstance(item, ShownDivider):
            divider = DividerView(item.checkpoint)
            divider.source_asked.connect(self.source_asked)
            return divider
        made = MessageView(item, self._now_ms, follows=follows, waiting=waits)
        for name in _PASSED_ON:
            getattr(made, name).connect(getattr(self, name))
        made.copy_asked.connect(self._copy)
        made.moved.connect(self._on_moved)
        made.fork_asked.connect(lambda message_id: self.fork_asked.emit(self._answer(message_id)[-1].id))
        return made

    def _slot_with_keyboard(self) -> str | None:
        """The place in the conversation that has the keyboard: it keeps it when another version stands there."""
        widget = QApplication.focusWidget()
        while widget is not None and not isinstance(widget, MessageView):
            widget = widget.parentWidget()
        here = isinstance(widget, MessageView) and self.isAncestorOf(widget) and widget.editor is None
        return widget.shown.message.slot_id if here and isinstance(widget, MessageView) else None

    def _give_keyboard(self, slot_id: str | None) -> None:
        for made in self.messages() if slot_id is not None else ():
            if made.shown.message.slot_id == slot_id and not made.isAncestorOf(QApplication.focusWidget()):
                made.setFocus()

    def add_text(self, text: str) -> None:
        """A piece of the answer that is being written."""
        self.stream.add(text)

    def clear(self) -> None:
        """Show nothing."""
        self._view = None
        self.stream.hide()
        self.waiting.clear()
        for _key, widget in self._made:
            self._column.removeWidget(widget)
            widget.hide()
            widget.deleteLater()
        self._made.clear()
        self.earlier.hide()

    def messages(self) -> list[MessageView]:
        """The messages that are laid out."""
        return [widget for _key, widget in self._made if isinstance(widget, MessageView)]

    def show_message(self, message_id: str) -> bool:
        """Bring a message of the path into sight and give it the keyboard; False if it is not on it."""
        place = self._place(message_id)
        if place is None:
            return False
        self._stick, self._below_px = False, -1
        self._start = min(self._start, max(0, place - 2))
        self._fill()
        self._order_keys()
        found = next(each for each in self.messages() if each.shown.message.id == message_id)
        QTimer.singleShot(0, found, lambda: (self.ensureWidgetVisible(found, 0, 80), found.setFocus()))
        return True

    def show_more(self) -> None:
        """Lay out more above; what is in sight stays in sight."""
        if self._view is None or self._start == 0:
            return
        bar = self.verticalScrollBar()
        self._below_px, self._stick = bar.maximum() - bar.value(), False
        self._start = max(0, self._start - MORE)
        self._fill()
        self._order_keys()

    def _answer(self, message_id: str) -> list[Message]:
        """The message, and the later steps if an answer begins with it."""
        at, items = self._place(message_id), self._view.items if self._view else ()
        if at is None:
            return []
        end = at + 1
        while end < len(items) and self._follows(end):
            end += 1
        return [each.message for each in items[at:end]]

    def _copy(self, message_id: str) -> None:
        texts = [each.content for each in self._answer(message_id)]
        QGuiApplication.clipboard().setText("\n\n".join(each for each in texts if each.strip()))

    def enter(self) -> None:
        """Give the keyboard to the last message."""
        if self._made:
            self.messages()[-1].setFocus()

    def _on_moved(self, message_id: str, by: int) -> None:
        messages = self.messages()
        place = [each.shown.message.id for each in messages].index(message_id) + by
        if place >= len(messages):
            self.ended.emit()
        elif place < 0:
            self.show_more()
        else:
            messages[place].setFocus()
            self.ensureWidgetVisible(messages[place], 0, NEAR_PX)

    # -- staying in place ----------------------------------------------------------------------------------------------

    def _opened(self) -> None:
        """The end is in sight; as much again is laid out above it, so that scrolling finds it there."""
        self.to_end()
        if self._start > 0 and self._view is not None:
            self._start = max(0, self._start - FIRST)
            self._fill()
            self._order_keys()

    def to_end(self) -> None:
        """Scroll to the newest words."""
        self._stick = True
        self.verticalScrollBar().setValue(self.verticalScrollBar().maximum())

    def _on_range(self, _low: int, high: int) -> None:
        if self._below_px >= 0:
            below, self._below_px = self._below_px, -1
            self.verticalScrollBar().setValue(high - below)
        elif self._stick:
            self.verticalScrollBar().setValue(high)

    def _on_value(self, value: int) -> None:
        self._stick = value >= self.verticalScrollBar().maximum() - NEAR_PX
        if value <= NEAR_PX and not self._stick and self._below_px < 0:
            QTimer.singleShot(0, self, self.show_more)


def _identity(item: Item) -> str:
    if isinstance(item, ShownMessage):
        return item.message.id
    return item.checkpoint.id


def _calls(item: Item) -> frozenset[str]:
    return frozenset(each.call_id for each in item.tools) if isinstance(item, ShownMessage) else frozenset()
