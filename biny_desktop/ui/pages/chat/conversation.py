"""The right of the page: title and menu, the conversation, what is in the way, to-dos, and the field below."""

from PySide6.QtCore import QSize, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QStackedWidget, QToolButton, QVBoxLayout, QWidget

from biny_desktop.core.i18n import _
from biny_desktop.service.chat.model import ChatView
from biny_desktop.ui.chat_words import session_source, session_title
from biny_desktop.ui.facts import plain_tip
from biny_desktop.ui.icons import icon
from biny_desktop.ui.pages.chat.composer import Composer
from biny_desktop.ui.pages.chat.empty import NothingYet
from biny_desktop.ui.pages.chat.hearing import Live
from biny_desktop.ui.pages.chat.todo_pane import TodoPane
from biny_desktop.ui.pages.chat.transcript import Transcript
from biny_desktop.ui.pages.chat.turn_bar import TurnBar
from biny_desktop.ui.theme import theme_signals, tokens
from biny_desktop.ui.widgets.elided_label import ElidedLabel, short
from biny_desktop.ui.widgets.labels import hairline, label
from biny_desktop.ui.widgets.reading_column import ReadingColumn
from biny_desktop.ui.widgets.rows import action

HEAD_PX, KIND_PX = 28, 200


class Conversation(QWidget):
    """`menu_asked` below `more`; `close_asked` of an incognito chat."""

    menu_asked = Signal()
    close_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.transcript, self.nothing = Transcript(), NothingYet()
        self.todos, self.bar, self.composer = TodoPane(), TurnBar(), Composer()
        self.heading = ElidedLabel("")
        font = self.heading.font()
        font.setWeight(font.Weight.DemiBold)
        self.heading.setFont(font)
        self.kind = label("", "small")
        self.close_it: QPushButton = action(_("Close"), _("Close it; nothing of it is left"))
        self.close_it.clicked.connect(lambda _on=False: self.close_asked.emit())
        self.more = QToolButton()
        self.more.setToolTip(_("What can be done with this chat"))
        self.more.setAccessibleName(self.more.toolTip())
        self.more.clicked.connect(lambda _on=False: self.menu_asked.emit())
        self._stack = QStackedWidget()
        self._stack.addWidget(self.nothing)
        self._stack.addWidget(self.transcript)
        self._lay_out()
        theme_signals().changed.connect(self._paint)
        self._paint()
        self.show_none()

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setContentsMargins(16, 6, 12, 6)
        head.setSpacing(8)
        for widget in (self.kind, self.close_it, self.more):
            head.addWidget(widget)
        head.insertWidget(0, self.heading, 1)
        self.heading.setMinimumHeight(tokens().px(HEAD_PX))
        below = ReadingColumn(8, 12)
        below.column.setSpacing(8)
        for widget in (self.bar, self.todos, self.composer):
            below.column.addWidget(widget)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(hairline())
        column.addWidget(self._stack, 1)
        column.addWidget(below)

    def show_none(self) -> None:
        """No chat yet: what is written begins one."""
        self.transcript.clear()
        self._stack.setCurrentIndex(0)
        self.heading.setText(_("New chat"))
        self._kind("", incognito=False)
        for widget in (self.todos, self.more):
            widget.hide()
        self.composer.set_running(on=False)

    def show_view(self, view: ChatView, now_ms: int, live: Live | None, who: str, *, summing_up: bool) -> None:
        """Show a chat as it is now; `who` answers in the turn that runs."""
        self.heading.setText(session_title(view.session))
        self._kind(session_source(view.session), incognito=view.session.incognito)
        self._stack.setCurrentIndex(1 if view.items or live is not None else 0)
        self.transcript.show_view(view, now_ms, live, who)
        self.more.show()
        self.todos.setVisible(bool(view.items or view.todos.items))
        self.todos.show_list(view.todos)
        self.bar.show_view(view, summing_up=summing_up)
        self.composer.set_running(on=live is not None)
        self.composer.set_sending(on=view.sending is None)

    def _kind(self, words: str, *, incognito: bool) -> None:
        self.kind.setText(short(words, KIND_PX))
        self.kind.setToolTip(plain_tip(words))
        self.kind.setVisible(bool(words))
        self.kind.setProperty("role", "private" if incognito else "small")
        self.kind.style().polish(self.kind)
        self.close_it.setVisible(incognito)
        self.nothing.show_kind(incognito=incognito)
        self.composer.show_kind(incognito=incognito)

    def _paint(self, *_theme: object) -> None:
        size = tokens().px(16)
        self.more.setIcon(icon("more", "muted"))
        self.more.setIconSize(QSize(size, size))
