"""The page Chat: chats at the left, the conversation with its field in the middle."""

from collections.abc import Callable

from PySide6.QtCore import QSettings, Qt, QTimer
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QHBoxLayout, QMessageBox, QStackedWidget, QVBoxLayout, QWidget

from biny_desktop.conversation.deleting import DeletePreview
from biny_desktop.conversation.drafts import Draft, Prepared
from biny_desktop.conversation.model import Approval, Session
from biny_desktop.conversation.ports import Heard
from biny_desktop.core.anchors import Anchor
from biny_desktop.core.errors import BinyError, NotFoundError
from biny_desktop.core.i18n import _, ngettext
from biny_desktop.service.chat.model import ChatView, ShownMessage
from biny_desktop.service.product import Product
from biny_desktop.ui.bridge import Bridge
from biny_desktop.ui.calls import Calls
from biny_desktop.ui.chat_words import hidden_words, session_source, session_title
from biny_desktop.ui.dialogs.field import FieldDialog
from biny_desktop.ui.pages.base import Page
from biny_desktop.ui.pages.chat.composer import Composer
from biny_desktop.ui.pages.chat.hearing import Hearing
from biny_desktop.ui.pages.chat.session_side import SessionSide
from biny_desktop.ui.pages.chat.todo_pane import TodoPane
from biny_desktop.ui.pages.chat.transcript import Transcript, nothing_yet
from biny_desktop.ui.pages.chat.turn_bar import TurnBar
from biny_desktop.ui.widgets.elided_label import ElidedLabel
from biny_desktop.ui.widgets.halves import Halves
from biny_desktop.ui.widgets.labels import hairline, label

CHANGES_MS = 60
"""Events of one step come together; the chat is read once."""


class ChatPage(Page):
    """A chat is made when its first message is sent; what is written in each one stays while others are looked at."""

    icon_name = "chat"

    def __init__(self, product: Product, calls: Calls, bridge: Bridge, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.title = _("Chat")
        self._product, self._calls, self._chat = product, calls, product.chat
        self._session_id: str | None = None
        self._view: ChatView | None = None
        self._editing: str | None = None
        self._drafts: dict[str, Draft] = {}
        self._wanted_message: str | None = None
        self.dialog: QWidget | None = None
        self.side = SessionSide(product, calls)
        self.transcript, self.todos, self.bar, self.composer = Transcript(), TodoPane(), TurnBar(), Composer()
        self._hearing = Hearing(product.chat, self)
        self._changes = QTimer(self, singleShot=True, interval=CHANGES_MS)
        self._changes.timeout.connect(self._read)
        self._lay_out()
        self._connect(bridge)
        self.side.model.load()
        self._show_none()

    # -- layout --------------------------------------------------------------------------------------------------------

    def _lay_out(self) -> None:
        self.heading = ElidedLabel("")
        font = self.heading.font()
        font.setWeight(font.Weight.DemiBold)
        self.heading.setFont(font)
        self.kind = label("", "small")
        head = QHBoxLayout()
        head.setContentsMargins(16, 10, 16, 10)
        head.setSpacing(12)
        head.addWidget(self.heading, 1)
        head.addWidget(self.kind)
        self._stack = QStackedWidget()
        self._stack.addWidget(nothing_yet())
        self._stack.addWidget(self.transcript)
        right = QWidget()
        column = QVBoxLayout(right)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(hairline())
        column.addWidget(self._stack, 1)
        column.addWidget(self.bar)
        self._todo_line = hairline()
        column.addWidget(self._todo_line)
        column.addWidget(self.todos)
        column.addWidget(hairline())
        column.addWidget(self.composer)
        self.halves = Halves((_("Chats"), self.side), (_("Conversation"), right))
        self.halves.splitter.setStretchFactor(0, 0)
        self.halves.splitter.setSizes([self.side.minimumWidth(), 4 * self.side.minimumWidth()])
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self.halves)

    def _connect(self, bridge: Bridge) -> None:
        self.side.chosen.connect(lambda session: self.open_session(session.id))
        self.side.new_asked.connect(self._new)
        self.side.rename_asked.connect(self._rename)
        self.side.delete_asked.connect(self._delete_session)
        self.side.close_asked.connect(self._close_incognito)
        script = self.transcript
        script.version_asked.connect(lambda message: self._do(lambda s: self._chat.select(s, message)))
        script.retry_asked.connect(lambda message: self._do(lambda s: self._chat.retry(s, message)))
        script.own_asked.connect(lambda m, start, own: self._do(lambda s: self._chat.mark_own(s, m, start, own)))
        script.edit_asked.connect(self._edit)
        script.fork_asked.connect(self._fork)
        script.delete_asked.connect(self._delete_message)
        script.source_asked.connect(self._show_source)
        script.anchor_opened.connect(self.source_selected)
        self.composer.send_asked.connect(self._send)
        self.composer.stop_asked.connect(self._stop)
        self.composer.check_asked.connect(self._check)
        self.composer.attach_failed.connect(self._say)
        self.todos.saved.connect(lambda items, rev: self._do(lambda s: self._chat.save_todos(s, items, rev)))
        self.bar.continue_asked.connect(lambda: self._do(self._chat.resume))
        self.bar.give_up_asked.connect(lambda: self._do(self._chat.stop))
        self.bar.answered.connect(self._answer)
        self.bar.settled.connect(lambda step, done: self._do(lambda s: self._chat.settle(s, step, done=done)))
        self.bar.models_asked.connect(lambda: self.page_requested.emit("models", "slots"))
        self.bar.fork_asked.connect(lambda: self._fork(self._view.session.leaf_id if self._view else None))
        self.bar.reopen_asked.connect(lambda: self._do(self._chat.reopen))
        self._hearing.text_came.connect(self._on_text)
        self._hearing.happened.connect(self._on_heard)
        bridge.sessions_changed.connect(self._on_sessions)
        bridge.models_changed.connect(self._changes.start)

    # -- showing -------------------------------------------------------------------------------------------------------

    def open_session(self, session_id: str) -> None:
        """Show a chat."""
        if session_id != self._session_id:
            self._keep_draft()
            self._session_id, self._editing = session_id, None
            self.composer.show_editing("")
            self.composer.take_up(self._drafts.get(session_id, Draft("")))
        if self.halves.narrow():
            self.halves.show_part(1)
        self._read()

    def _show_none(self) -> None:
        """No chat yet: what is written begins one."""
        self._keep_draft()
        self._session_id = self._view = self._editing = None
        self.transcript.clear()
        self._stack.setCurrentIndex(0)
        self.heading.setText(_("New chat"))
        self.kind.setText("")
        self.todos.hide()
        self._todo_line.hide()
        self.composer.show_editing("")
        self.composer.take_up(self._drafts.get("", Draft("")))
        self.composer.set_running(on=False)
        self._calls.run(self._chat.ready, self._on_ready, None, self, latest="ready")

    def _on_ready(self, why: str | None) -> None:
        if self._session_id is None:
            self.composer.set_sending(on=why is None)
            self.bar.hide() if why is None else self.bar.show_reason(why)

    def _read(self) -> None:
        session_id = self._session_id
        if session_id is None:
            self._calls.run(self._chat.ready, self._on_ready, None, self, latest="ready")
            return
        chat = self._chat
        self._calls.run(lambda: chat.view(session_id), self._on_view, self._on_gone, self, latest="chat")

    def _on_view(self, view: ChatView) -> None:
        if view.session.id != self._session_id:
            return
        self._view = view
        self._stack.setCurrentIndex(1 if view.items or view.running_turn else 0)
        self.heading.setText(session_title(view.session))
        self.kind.setText(session_source(view.session))
        self.kind.setProperty("role", "private" if view.session.incognito else "small")
        self.kind.style().polish(self.kind)
        self.transcript.show_view(view, self._product.clock.now_ms())
        self.todos.show()
        self._todo_line.show()
        self.todos.show_list(view.todos)
        self.bar.show_view(view)
        self.composer.set_running(on=view.running_turn is not None)
        self.composer.set_sending(on=view.sending is None)
        self.side.list.choose(view.session.id)
        if self._wanted_message is not None:
            wanted, self._wanted_message = self._wanted_message, None
            if not self.transcript.show_message(wanted):
                self._offer_branch(wanted)

    def _on_gone(self, error: BinyError) -> None:
        if isinstance(error, NotFoundError):
            self._show_none()
        else:
            self._calls.failed.emit(error)

    def _on_text(self, session_id: str, text: str) -> None:
        if session_id == self._session_id:
            self.transcript.add_text(text)

    def _on_heard(self, heard: Heard) -> None:
        if heard.session_id == self._session_id:
            self._changes.start()
        if heard.kind == "ended":
            self.side.model.load()

    def _on_sessions(self, session_ids: tuple[str, ...]) -> None:
        self.side.model.load()
        if self._session_id in session_ids:
            self._changes.start()

    # -- acts ----------------------------------------------------------------------------------------------------------

    def _do(self, act: Callable[[str], object], done: Callable[[object], None] | None = None) -> None:
        """Do something with the chat that is shown, off this thread; then read it again."""
        session_id = self._session_id
        if session_id is None:
            return

        def over(result: object) -> None:
            if done is not None:
                done(result)
            self._changes.start()

        self._calls.run(lambda: act(session_id), over, None, self)

    def _send(self, draft: Draft) -> None:
        chat, session_id, editing = self._chat, self._session_id, self._editing

        def send() -> str:
            at = session_id or chat.create().id
            if editing is not None:
                chat.edit(at, editing, draft)
            else:
                chat.send(at, draft)
            return at

        self.composer.set_sending(on=False)
        self._calls.run(send, lambda at: self._on_sent(at, session_id), self._on_not_sent, self)

    def _on_sent(self, session_id: str, before: str | None) -> None:
        self._drafts.pop(before or "", None)
        if self._session_id == before:
            self.composer.clear()
            self._editing = None
            self.composer.show_editing("")
            self._session_id = session_id
            self.transcript.to_end()
        self.side.model.load()
        self._read()

    def _on_not_sent(self, error: BinyError) -> None:
        self.composer.set_sending(on=True)
        self._calls.failed.emit(error)
        self._changes.start()

    def _stop(self) -> None:
        self._do(self._chat.stop)

    def _check(self, draft: Draft) -> None:
        if not draft.text.strip() and not draft.attachments:
            self.composer.show_hidden("")
            return
        self._calls.run(
            lambda: self._chat.check(draft), self._on_checked, lambda _error: self.composer.show_hidden(""), self,
            latest="check",
        )  # fmt: skip

    def _on_checked(self, prepared: Prepared) -> None:
        self.composer.show_hidden(hidden_words(prepared.hidden) if prepared.hidden else "")

    def _edit(self, message_id: str) -> None:
        shown = self._shown(message_id)
        if shown is None:
            return
        self._editing = message_id
        self.composer.take_up(Draft(shown.message.content))
        self.composer.show_editing(_("You write another version of your message; the one before stays. Esc: leave it."))
        self.composer.field.setFocus()

    def _shown(self, message_id: str) -> ShownMessage | None:
        items = self._view.items if self._view else ()
        return next((e for e in items if isinstance(e, ShownMessage) and e.message.id == message_id), None)

    def _fork(self, message_id: str | None) -> None:
        if message_id is not None:
            self._do(lambda s: self._chat.fork(s, message_id), lambda session: self.open_session(session.id))

    def _answer(self, approval: Approval, yes: bool) -> None:
        self._do(lambda s: self._chat.answer(s, approval.id, approve=yes, revision=approval.revision))

    def _new(self, incognito: bool) -> None:
        if incognito:
            chat = self._chat
            made = self._calls
            made.run(lambda: chat.create(incognito=True), lambda session: self.open_session(session.id), None, self)
        else:
            self._show_none()
            self.side.list.selectionModel().clear()
            if self.halves.narrow():
                self.halves.show_part(1)
        self.composer.field.setFocus()

    def _close_incognito(self, session: Session) -> None:
        self._drafts.pop(session.id, None)
        chat = self._chat
        self._calls.run(lambda: chat.close_incognito(session.id), None, None, self)
        if session.id == self._session_id:
            self._session_id = None
            self._show_none()

    def _rename(self, session: Session) -> None:
        chat = self._chat
        dialog = FieldDialog(_("Rename the chat"), _("Empty: its first words again."), session.title, self)

        def rename(title: str) -> None:
            self._calls.run(lambda: chat.rename(session.id, title, session.revision), None, None, self)

        dialog.saved.connect(rename)
        self.dialog = dialog
        dialog.open()

    def _delete_session(self, session: Session) -> None:
        chat = self._chat
        self._calls.run(
            lambda: chat.preview_delete(session.id),
            lambda preview: self._ask_delete(session_title(session), preview, lambda: chat.delete_session(session.id)),
            None, self,
        )  # fmt: skip

    def _delete_message(self, message_id: str) -> None:
        chat, session_id, view = self._chat, self._session_id, self._view
        if session_id is None or view is None:
            return

        def delete() -> object:
            return chat.delete_message(session_id, message_id)

        if view.session.incognito:
            self._calls.run(delete, None, None, self)
            return
        self._calls.run(
            lambda: chat.preview_delete(session_id, message_id),
            lambda preview: self._ask_delete(_("This message and all below it"), preview, delete), None, self,
        )  # fmt: skip

    def _ask_delete(self, what: str, preview: DeletePreview, delete: Callable[[], object]) -> None:
        n = preview.messages
        counts = ngettext("{n} message of all versions goes", "{n} messages of all versions go", n).format(n=n)
        box = QMessageBox(self)
        box.setWindowTitle(_("Delete for good"))
        shown = QFontMetrics(box.font()).elidedText(what, Qt.TextElideMode.ElideRight, 320)
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setText(_("{what}: delete for good?").format(what=shown))
        box.setInformativeText(_("{counts}, with summaries that quote it. It cannot be undone.").format(counts=counts))
        yes = box.addButton(_("Delete"), QMessageBox.ButtonRole.DestructiveRole)
        yes.setProperty("role", "danger")
        box.addButton(_("Cancel"), QMessageBox.ButtonRole.RejectRole)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        yes.clicked.connect(lambda _on=False: self._calls.run(delete, self._on_deleted, None, self))
        self.dialog = box
        box.open()

    def _on_deleted(self, _receipt: object) -> None:
        self.side.model.load()
        self._changes.start()

    def _show_source(self, message_id: str) -> None:
        if not self.transcript.show_message(message_id):
            self._say(_("That message is on another branch, or was deleted."))

    def _offer_branch(self, message_id: str) -> None:
        box = QMessageBox(self)
        box.setWindowTitle(_("Another version"))
        box.setText(_("This message is in a version that is not shown."))
        box.setInformativeText(_("Show that version? The one of now stays and can be switched back to."))
        yes = box.addButton(_("Show it"), QMessageBox.ButtonRole.AcceptRole)
        box.addButton(_("Leave it"), QMessageBox.ButtonRole.RejectRole)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)

        def show(_none: object) -> None:
            self._wanted_message = message_id

        yes.clicked.connect(lambda _on=False: self._do(lambda s: self._chat.show_branch(s, message_id), show))
        self.dialog = box
        box.open()

    def _say(self, words: str) -> None:
        self._calls.failed.emit(BinyError(words))

    def _keep_draft(self) -> None:
        draft = self.composer.draft()
        if self._editing is None and (draft.text or draft.attachments):
            self._drafts[self._session_id or ""] = draft
        else:
            self._drafts.pop(self._session_id or "", None)

    # -- page ----------------------------------------------------------------------------------------------------------

    def open_anchor(self, anchor: Anchor) -> bool:
        if anchor.kind != "message":
            return False
        chat = self._chat
        self._calls.run(
            lambda: chat.found(anchor.ref).session.id, lambda session: self._open_at(session, anchor.ref), None, self
        )
        return True

    def _open_at(self, session_id: str, message_id: str) -> None:
        self._wanted_message = message_id
        self.open_session(session_id)

    def open_part(self, name: str) -> None:
        """A chat by its id."""
        if name:
            self.open_session(name)

    def refresh(self) -> None:
        self.side.model.load()
        self._read()

    def find(self) -> None:
        """The keyboard goes to the field that finds chats."""
        if self.halves.narrow():
            self.halves.show_part(0)
        self.side.field.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def save_state(self, settings: QSettings) -> None:
        self.halves.save_state(settings)
        incognito = self._view is not None and self._view.session.incognito
        settings.setValue("session", "" if incognito else self._session_id or "")

    def restore_state(self, settings: QSettings) -> None:
        self.halves.restore_state(settings)
        session_id = settings.value("session", "", type=str)
        if session_id:
            self.open_session(session_id)
