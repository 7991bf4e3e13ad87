"""One message of a chat: who and when, its text, versions, tools, and what can be done with it."""

from collections.abc import Callable

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtGui import QAction, QContextMenuEvent, QGuiApplication, QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QMenu, QToolButton, QVBoxLayout, QWidget

from biny_desktop.conversation.model import Message, Span
from biny_desktop.core.i18n import _
from biny_desktop.service.chat.model import ShownMessage
from biny_desktop.service.chat.turn_words import turn_reason
from biny_desktop.ui.formats import full_moment, moment
from biny_desktop.ui.icons import icon
from biny_desktop.ui.pages.chat.message_parts import OwnText, reasoning, tool_call
from biny_desktop.ui.pages.chat.own_words import draft_of
from biny_desktop.ui.pages.chat.writing import InPlaceEditor
from biny_desktop.ui.theme import theme_signals, tokens
from biny_desktop.ui.widgets.answer_view import AnswerView
from biny_desktop.ui.widgets.elided_label import short
from biny_desktop.ui.widgets.labels import label

EDGE_PX, NAME_PX, NAME_LEAST_PX = 12, 240, 32


class MessageView(QFrame):
    """Signals carry the message id; `version_asked(id)` the version to be shown, `edited(id, Draft)` another one,
    `moved(id, by)` when an arrow key goes to the message above or below."""

    version_asked = Signal(str)
    edited = Signal(str, object)
    retry_asked = Signal(str)
    fork_asked = Signal(str)
    copy_asked = Signal(str)
    delete_asked = Signal(str)
    own_asked = Signal(str, int, bool)
    moved = Signal(str, int)
    anchor_opened = Signal(object)

    def __init__(
        self, shown: ShownMessage, now_ms: int, *, follows: bool = False, waiting: frozenset[str] = frozenset(),
        parent: QWidget | None = None,
    ) -> None:  # fmt: skip
        """`follows`: a later step of an answer, without a head; `waiting`: ids of the calls that wait for an answer."""
        super().__init__(parent)
        self.shown, self.editor = shown, None
        message = shown.message
        self.who = _("You") if message.role == "user" else (message.model or _("Model"))
        self.setProperty("role", "mine" if message.role == "user" else "message")
        self.setAccessibleName(f"{self.who}: {message.content[:120]}")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._buttons: list[tuple[QToolButton, str]] = []
        self._more: QToolButton | None = None
        self._column = QVBoxLayout(self)
        edge = tokens().px(EDGE_PX) - 2  # the ring of the focus
        self._column.setContentsMargins(edge, 0 if follows else 6, edge, 6 if message.role == "user" else 0)
        self._column.setSpacing(4)
        if not follows:
            self._column.addLayout(self._head(message, now_ms))
        if message.reasoning:
            self._column.addWidget(reasoning(message.reasoning))
        self.body: AnswerView | OwnText | None = self._text(message)
        if self.body is not None:
            self._column.addWidget(self.body)
        for words, role in self._below():
            self._column.addWidget(label(words, role, wrap=True))
        for tool in shown.tools:
            self._column.addWidget(tool_call(tool, waits=tool.call_id in waiting and tool.status is None))
        theme_signals().changed.connect(self._paint)
        self._paint()

    # -- parts ---------------------------------------------------------------------------------------------------------

    def _head(self, message: Message, now_ms: int) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(4)
        when = label(moment(message.sent_at_ms, message.time_zone, now_ms), "small")
        when.setToolTip(full_moment(message.sent_at_ms, message.time_zone))
        name = label(short(self.who, NAME_PX), "heading")
        least = min(name.sizeHint().width(), tokens().px(NAME_LEAST_PX))
        name.setMinimumWidth(least)  # what can be done goes before the whole name
        row.addWidget(name)
        row.addSpacing(4)
        row.addWidget(when)
        row.addStretch(1)
        if len(self.shown.version_ids) > 1:
            self._versions(row)
        if message.role == "user":
            row.addWidget(self._button("edit", _("Edit (E): another version beside this one"), self.edit))
        else:
            row.addWidget(self._button("refresh", _("Answer again (R): another version beside this one"), self._retry))
        row.addWidget(self._button("fork", _("Fork from here (F): a new chat that begins with this one"), self._fork))
        row.addWidget(self._button("copy", _("Copy (Ctrl+C)"), self.copy))
        self._more = self._button("more", _("More (Menu key)"), self._menu)
        row.addWidget(self._more)
        return row

    def _versions(self, row: QHBoxLayout) -> None:
        ids, at = self.shown.version_ids, self.shown.version
        back = self._button("chevron-left", _("The version before (Alt+Left)"), lambda: self.step(-1))
        back.setEnabled(at > 1)
        on = self._button("chevron-right", _("The next version (Alt+Right)"), lambda: self.step(1))
        on.setEnabled(at < len(ids))
        place = QLabel(f"{at}/{len(ids)}")
        place.setProperty("role", "small")
        place.setToolTip(_("Version {n} of {all}").format(n=at, all=len(ids)))
        place.setAccessibleName(place.toolTip())
        for widget in (back, place, on):
            row.addWidget(widget)

    def _button(self, name: str, tip: str, act: Callable[[], object]) -> QToolButton:
        made = QToolButton()
        made.setToolTip(tip)
        made.setAccessibleName(tip)
        made.clicked.connect(lambda _on=False: act())
        self._buttons.append((made, name))
        return made

    def _text(self, message: Message) -> AnswerView | OwnText | None:
        if message.role == "user":
            return OwnText(message, lambda start: self.own_asked.emit(message.id, start, True))
        if not message.content.strip():
            return None
        body = AnswerView()
        body.show_markdown(message.content)
        body.anchor_opened.connect(self.anchor_opened)
        return body

    def _below(self) -> tuple[tuple[str, str], ...]:
        stopped = self.shown.message.state == "stopped"
        fault = self.shown.fault
        said = ((_("Stopped here."), "small"),) if stopped else ()
        return (*said, (f"⚠ {turn_reason(fault)}", "bad")) if fault else said

    # -- acts ----------------------------------------------------------------------------------------------------------

    def step(self, by: int) -> None:
        """Ask for the version before or after this one."""
        place = self.shown.version - 1 + by
        if 0 <= place < len(self.shown.version_ids):
            self.version_asked.emit(self.shown.version_ids[place])

    def copy(self) -> None:
        """Have the whole answer, or the message, put on the clipboard."""
        self.copy_asked.emit(self.shown.message.id)

    def edit(self) -> None:
        """Write another version here."""
        if self.editor is not None or self.shown.message.role != "user" or self.body is None:
            return
        self.editor = InPlaceEditor(draft_of(self.shown.message))
        self.editor.sent.connect(lambda draft: self.edited.emit(self.shown.message.id, draft))
        self.editor.left.connect(self.end_edit)
        self._column.insertWidget(self._column.indexOf(self.body), self.editor)
        self.body.hide()
        self.editor.field.setFocus()

    def end_edit(self) -> None:
        """Show the message as it is."""
        if self.editor is not None and self.body is not None:
            self._column.removeWidget(self.editor)
            self.editor.hide()
            self.editor.deleteLater()
            self.editor = None
            self.body.show()
            self.setFocus()

    def _retry(self) -> None:
        self.retry_asked.emit(self.shown.message.id)

    def _fork(self) -> None:
        self.fork_asked.emit(self.shown.message.id)

    def _menu(self) -> None:
        below = self._more
        self.menu(below.mapToGlobal(QPoint(0, below.height())) if below else self.mapToGlobal(QPoint(8, 8)))

    def menu(self, place: QPoint) -> None:
        """All that can be done with it."""
        menu = QMenu(self)
        message = self.shown.message
        if message.role == "user":
            _act(menu, _("Edit"), self.edit)
        else:
            _act(menu, _("Answer again"), self._retry)
        _act(menu, _("Copy"), lambda: QGuiApplication.clipboard().setText(message.content))
        _act(menu, _("Fork from here"), self._fork)
        for span in message.spans if message.role == "user" else ():
            if _can_be_marked(message, span):
                own = span.trust == "untrusted"
                words = _("“{piece}” is my own") if own else _("“{piece}” is not my own")
                piece = " ".join(message.content[span.start : span.start + 40].split())
                _act(menu, words.format(piece=piece), lambda s=span.start, o=own: self.own_asked.emit(message.id, s, o))
        menu.addSeparator()
        _act(menu, _("Delete…"), lambda: self.delete_asked.emit(message.id))
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(place)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, mods = event.key(), event.modifiers()
        alt, control = mods & Qt.KeyboardModifier.AltModifier, mods & Qt.KeyboardModifier.ControlModifier
        mine = self.shown.message.role == "user"
        if alt and key in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            self.step(-1 if key == Qt.Key.Key_Left else 1)
        elif not mods and key in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            self.moved.emit(self.shown.message.id, -1 if key == Qt.Key.Key_Up else 1)
        elif key == Qt.Key.Key_C and control:
            self.copy()
        elif key == Qt.Key.Key_Menu:
            self._menu()
        elif key == Qt.Key.Key_Delete:
            self.delete_asked.emit(self.shown.message.id)
        elif not mods and key == Qt.Key.Key_E and mine:
            self.edit()
        elif not mods and key == Qt.Key.Key_R and not mine:
            self._retry()
        elif not mods and key == Qt.Key.Key_F:
            self._fork()
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        self.menu(event.globalPos())

    def _paint(self, *_theme: object) -> None:
        size = tokens().px(14)
        for button, name in self._buttons:
            button.setIcon(icon(name, "muted"))
            button.setIconSize(QSize(size, size))


def _can_be_marked(message: Message, span: Span) -> bool:
    """Typed words are the person's anyway; what can be marked is a part among others, or all of a pasted text."""
    return span.trust == "untrusted" or (span.trust == "owner" and len(message.spans) > 1)


def _act(menu: QMenu, words: str, act: Callable[[], object]) -> None:
    made = QAction(words.replace("&", "&&"), menu)
    made.triggered.connect(lambda _on=False: act())
    menu.addAction(made)
