"""One message of a chat: who and when, its text, versions, tools, and what can be done with it."""

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QMenu, QToolButton, QVBoxLayout, QWidget

from biny_desktop.conversation.model import Message, Span
from biny_desktop.core.i18n import _
from biny_desktop.service.chat.model import ShownMessage, ShownTool
from biny_desktop.service.chat.turn_words import tool_status, turn_reason
from biny_desktop.ui.chat_words import tool_name
from biny_desktop.ui.formats import full_moment, moment
from biny_desktop.ui.icons import icon
from biny_desktop.ui.theme import theme_signals, tokens
from biny_desktop.ui.widgets.answer_body import AnswerBody
from biny_desktop.ui.widgets.diff_view import DiffView
from biny_desktop.ui.widgets.fold import Fold
from biny_desktop.ui.widgets.labels import label

SHOWN_CHARS = 20_000
"""Of a message of the user; the rest is copied but not laid out."""
TOOL_CHARS = 8_000


class MessageView(QFrame):
    """Signals carry the message id; `version_asked(id)` the version to be shown."""

    version_asked = Signal(str)
    edit_asked = Signal(str)
    retry_asked = Signal(str)
    fork_asked = Signal(str)
    delete_asked = Signal(str)
    own_asked = Signal(str, int, bool)
    anchor_opened = Signal(object)

    def __init__(self, shown: ShownMessage, now_ms: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.shown = shown
        self.body: AnswerBody | QLabel | None = None
        message = shown.message
        who = _("You") if message.role == "user" else (message.model or _("Model"))
        self.setAccessibleName(f"{who}: {message.content[:120]}")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._buttons: list[tuple[QToolButton, str]] = []
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 4, 0, 4)
        column.setSpacing(4)
        column.addLayout(self._head(who, message, now_ms))
        if message.reasoning:
            column.addWidget(Fold(_("Reasoning"), _("Show what the model thought"), lambda: _quiet(message.reasoning)))
        if message.content.strip():
            self.body = self._text(message)
            column.addWidget(self.body)
        if message.state == "stopped":
            column.addWidget(label(_("Stopped here"), "small"))
        for tool in shown.tools:
            column.addWidget(self._tool(tool))
        if shown.fault:
            column.addWidget(label(f"⚠ {turn_reason(shown.fault)}", "bad", wrap=True))
        theme_signals().changed.connect(self._paint)
        self._paint()

    # -- parts ---------------------------------------------------------------------------------------------------------

    def _head(self, who: str, message: Message, now_ms: int) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(8)
        name = label(who, "heading")
        when = label(moment(message.sent_at_ms, message.time_zone, now_ms), "small")
        when.setToolTip(full_moment(message.sent_at_ms, message.time_zone))
        row.addWidget(name)
        row.addWidget(when)
        row.addStretch(1)
        if len(self.shown.version_ids) > 1:
            self._versions(row)
        if message.role == "user":
            row.addWidget(self._button("edit", _("Edit (E): another version beside this one"), self._edit))
        else:
            row.addWidget(self._button("refresh", _("Answer again (R): another version beside this one"), self._retry))
        row.addWidget(self._button("copy", _("Copy (Ctrl+C)"), self.copy))
        more = self._button("more", _("More"), self._menu)
        self._more = more
        row.addWidget(more)
        return row

    def _versions(self, row: QHBoxLayout) -> None:
        ids, at = self.shown.version_ids, self.shown.version
        back = self._button("chevron-left", _("The version before (Alt+Left)"), lambda: self.step(-1))
        back.setEnabled(at > 1)
        on = self._button("chevron-right", _("The next version (Alt+Right)"), lambda: self.step(1))
        on.setEnabled(at < len(ids))
        place = label(f"{at}/{len(ids)}", "small")
        place.setToolTip(_("Version {n} of {all}").format(n=at, all=len(ids)))
        for widget in (back, place, on):
            row.addWidget(widget)

    def _button(self, name: str, tip: str, act: object) -> QToolButton:
        made = QToolButton()
        made.setToolTip(tip)
        made.setAccessibleName(tip)
        made.setAutoRaise(True)
        made.clicked.connect(lambda _on=False: act())
        self._buttons.append((made, name))
        return made

    def _text(self, message: Message) -> AnswerBody | QLabel:
        if message.role == "assistant":
            body = AnswerBody()
            body.show_markdown(message.content)
            body.anchor_opened.connect(self.anchor_opened)
            return body
        words = message.content
        cut = words if len(words) <= SHOWN_CHARS else words[:SHOWN_CHARS] + "\n…"
        made = label(cut, wrap=True, selectable=True)
        made.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        return made

    def _tool(self, tool: ShownTool) -> QWidget:
        words = _("{tool}: {state}").format(tool=tool_name(tool.name), state=tool_status(tool.status))
        return Fold(words, _("Show the call and what came of it"), lambda: _call(tool))

    # -- acts ----------------------------------------------------------------------------------------------------------

    def step(self, by: int) -> None:
        """Ask for the version before or after this one."""
        place = self.shown.version - 1 + by
        if 0 <= place < len(self.shown.version_ids):
            self.version_asked.emit(self.shown.version_ids[place])

    def copy(self) -> None:
        """Put the text on the clipboard."""
        QGuiApplication.clipboard().setText(self.shown.message.content)

    def _edit(self) -> None:
        self.edit_asked.emit(self.shown.message.id)

    def _retry(self) -> None:
        self.retry_asked.emit(self.shown.message.id)

    def _menu(self) -> None:
        self.menu(self._more.mapToGlobal(QPoint(0, self._more.height())))

    def menu(self, place: QPoint) -> None:
        """What else can be done with it."""
        menu = QMenu(self)
        message = self.shown.message
        self._act(menu, _("Fork from here"), lambda: self.fork_asked.emit(message.id))
        for span in message.spans:
            if message.role == "user" and span.trust in ("untrusted", "owner") and _can_be_marked(message, span):
                own = span.trust == "untrusted"
                words = _("“{piece}” is my own") if own else _("“{piece}” is not my own")
                piece = " ".join(message.content[span.start : span.start + 40].split())
                self._act(
                    menu, words.format(piece=piece), lambda s=span, o=own: self.own_asked.emit(message.id, s.start, o)
                )
        menu.addSeparator()
        self._act(menu, _("Delete…"), lambda: self.delete_asked.emit(message.id))
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(place)

    @staticmethod
    def _act(menu: QMenu, words: str, act: object) -> None:
        made = QAction(words.replace("&", "&&"), menu)
        made.triggered.connect(lambda _on=False: act())
        menu.addAction(made)

    def keyPressEvent(self, event: object) -> None:
        key, alt = event.key(), event.modifiers() & Qt.KeyboardModifier.AltModifier
        if alt and key in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            self.step(-1 if key == Qt.Key.Key_Left else 1)
        elif key == Qt.Key.Key_E and self.shown.message.role == "user":
            self._edit()
        elif key == Qt.Key.Key_R and self.shown.message.role == "assistant":
            self._retry()
        elif key == Qt.Key.Key_C and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.copy()
        elif key == Qt.Key.Key_Delete:
            self.delete_asked.emit(self.shown.message.id)
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: object) -> None:
        self.menu(event.globalPos())

    def _paint(self, *_theme: object) -> None:
        size = tokens().px(14)
        for button, name in self._buttons:
            button.setIcon(icon(name, "muted"))
            button.setIconSize(QSize(size, size))


def _can_be_marked(message: Message, span: Span) -> bool:
    """Typed words are the person's anyway; what can be marked is a part among others, or all of a pasted text."""
    return span.trust == "untrusted" or len(message.spans) > 1


def _quiet(text: str | None) -> QWidget:
    return label(text or "", "muted", wrap=True, selectable=True)


def _call(tool: ShownTool) -> QWidget:
    made = QWidget()
    column = QVBoxLayout(made)
    column.setContentsMargins(18, 0, 0, 4)
    column.setSpacing(4)
    column.addWidget(DiffView(tool.arguments[:TOOL_CHARS], diff=False))
    if tool.result:
        column.addWidget(label((tool.result or "")[:TOOL_CHARS], "muted", wrap=True, selectable=True))
    return made
