"""The page Chat: chats at the left, the conversation with its field beside them."""

from collections.abc import Callable

from PySide6.QtCore import QPoint, QSettings, Qt, QTimer
from PySide6.QtWidgets import QVBoxLayout, QWidget

from biny_desktop.conversation.drafts import Draft, Prepared
from biny_desktop.conversation.model import Approval, Session
from biny_desktop.conversation.ports import Heard
from biny_desktop.core.anchors import Anchor
from biny_desktop.core.errors import BinyError, NotFoundError
from biny_desktop.core.i18n import _
from biny_desktop.service.chat.model import ChatView
from biny_desktop.service.product import Product
from biny_desktop.ui.bridge import Bridge
from biny_desktop.ui.calls import Calls
from biny_desktop.ui.chat_words import hidden_words
from biny_desktop.ui.pages.base import Page
from biny_desktop.ui.pages.chat.conversation import Conversation
from biny_desktop.ui.pages.chat.hearing import Hearing
from biny_desktop.ui.pages.chat.session_acts import SessionActs
from biny_desktop.ui.pages.chat.session_side import SessionSide
from biny_desktop.ui.pages.chat.summing_up import SummingUp
from biny_desktop.ui.pages.chat.transfer_acts import TransferActs
from biny_desktop.ui.widgets.halves import Halves

CHANGES_MS = 40
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
        self._drafts: dict[str, Draft] = {}
        self._wanted_message: str | None = None
        self._reading = self._read_again = False
        self.side, self.talk = SessionSide(product, calls), Conversation()
        self.transcript, self.composer = self.talk.transcript, self.talk.composer
        self.todos, self.bar, self.waiting = self.talk.todos, self.talk.bar, self.talk.transcript.waiting
        self.acts, self.transfers = SessionActs(product, calls, self), TransferActs(product, calls, self)
        self.side.more.setMenu(self.transfers.menu)
        self.summing_up = SummingUp(product.chat, calls, self)
        self._hearing = Hearing(product.chat, self)
        self._changes = QTimer(self, singleShot=True, interval=CHANGES_MS)
        self._changes.timeout.connect(self._read)
        self.halves = Halves((_("Chats"), self.side), (_("Conversation"), self.talk))
        self.halves.splitter.setStretchFactor(0, 0)
        self.halves.splitter.setSizes([self.side.minimumWidth(), 4 * self.side.minimumWidth()])
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self.halves)
        self.halves.narrowed.connect(self._on_narrowed)
        self._connect_chats(bridge)
        self._connect_messages()
        self.side.load()
        self._show_none()

    def _connect_chats(self, bridge: Bridge) -> None:
        self.side.chosen.connect(lambda session: self.open_session(session.id))
        self.side.new_asked.connect(self._new)
        self.side.emptied.connect(self.talk.nothing.offer_import)
        self.talk.nothing.import_asked.connect(self.transfers.bring_in)
        self.side.menu_asked.connect(lambda session, place: self.acts.pop_up(session, self.side.projects, place))
        self.side.list.rename_asked.connect(self.acts.rename)
        self.side.list.delete_asked.connect(self.acts.delete)
        self.side.list.activated.connect(lambda _index: self.composer.field.setFocus())
        self.talk.menu_asked.connect(self._menu)
        self.talk.close_asked.connect(lambda: self._with_session(self.acts.close_incognito))
        self.acts.opened.connect(self.open_session)
        self.acts.closed.connect(self._on_closed)
        self.acts.changed.connect(self._on_changed)
        self.acts.sum_up_asked.connect(self.summing_up.begin)
        self.acts.export_asked.connect(self.transfers.export)
        self.transfers.opened.connect(self.open_session)
        self.transfers.changed.connect(self._on_changed)
        self.transfers.exported.connect(lambda path: self.bar.say(_("Saved: {path}").format(path=path)))
        self.summing_up.changed.connect(self._changes.start)
        self._hearing.text_came.connect(self._on_text)
        self._hearing.doing_changed.connect(self._on_doing)
        self._hearing.happened.connect(self._on_heard)
        bridge.sessions_changed.connect(self._on_sessions)
        bridge.models_changed.connect(self._changes.start)

    def _connect_messages(self) -> None:
        script, wait, bar, chat = self.transcript, self.waiting, self.bar, self._chat
        script.version_asked.connect(lambda message: self._do(lambda s: chat.select(s, message)))
        script.retry_asked.connect(self._retry)
        script.own_asked.connect(lambda m, start, own: self._do(lambda s: chat.mark_own(s, m, start, own)))
        script.edited.connect(self._edit)
        script.fork_asked.connect(self._fork)
        script.delete_asked.connect(lambda m: self._with_session(lambda s: self.acts.delete_message(s, m)))
        script.source_asked.connect(self._show_source)
        script.anchor_opened.connect(self.source_selected)
        script.ended.connect(self.composer.field.setFocus)
        self.composer.field.went_up.connect(script.enter)
        wait.again_asked.connect(self._retry)
        wait.continue_asked.connect(lambda: self._do(chat.resume))
        wait.give_up_asked.connect(lambda: self._do(chat.stop))
        wait.answered.connect(self._answer)
        wait.settled.connect(lambda step, done: self._do(lambda s: chat.settle(s, step, done=done)))
        wait.sum_up_asked.connect(lambda: self._with_session(lambda s: self.summing_up.begin(s.id)))
        wait.models_asked.connect(lambda: self.page_requested.emit("models", "slots"))
        bar.models_asked.connect(lambda: self.page_requested.emit("models", "slots"))
        bar.fork_asked.connect(lambda: self._with_session(lambda s: self.acts.fork(s.id, s.leaf_id)))
        bar.reopen_asked.connect(lambda: self._do(chat.reopen))
        bar.cancel_asked.connect(lambda: self.summing_up.cancel(self._session_id))
        self.composer.send_asked.connect(self._send)
        self.composer.stop_asked.connect(self._stop)
        self.composer.check_asked.connect(self._check)
        self.composer.attach_failed.connect(self._say)
        self.todos.saved.connect(lambda items, rev: self._do(lambda s: chat.save_todos(s, items, rev)))

    # -- showing -------------------------------------------------------------------------------------------------------

    def open_session(self, session_id: str) -> None:
        """Show a chat."""
        if session_id != self._session_id:
            self._keep_draft()
            self._session_id, self._view = session_id, None
            self.composer.take_up(self._drafts.get(session_id, Draft("")))
            self.composer.set_sending(on=False)
        self.side.list.choose(session_id)
        if self.halves.narrow():
            self.halves.show_part(1)
        self._read()

    def _on_narrowed(self, narrow: bool) -> None:
        if narrow and self._session_id is not None:
            self.halves.show_part(1)  # one reads on where one was

    def _show_none(self) -> None:
        """No chat yet: what is written begins one."""
        self._keep_draft()
        self._session_id = self._view = None
        self.talk.show_none()
        self.side.list.choose(None)
        self.composer.take_up(self._drafts.get("", Draft("")))
        self._read()

    def _on_ready(self, why: object) -> None:
        if self._session_id is None:
            self.composer.set_sending(on=why is None)
            self.bar.show_reason(why)

    def _read(self) -> None:
        """Read what is shown again: never twice at the same time, so that other calls find a free thread."""
        session_id, chat = self._session_id, self._chat
        if session_id is None:
            self._calls.run(chat.ready, self._on_ready, None, self, latest="ready")
            return
        self._read_again = self._reading
        if not self._reading:
            self._reading = True
            self._calls.run(lambda: chat.view(session_id), self._on_view, lambda e: self._on_gone(session_id, e), self)

    def _read_over(self) -> None:
        self._reading = False
        if self._read_again:
            self._read()

    def _on_view(self, view: ChatView) -> None:
        self._read_over()
        if view.session.id != self._session_id:
            return
        self._view = view
        self._hearing.flush()
        live = None if view.running_turn is None else self._hearing.live(view.session.id, view.streaming)
        who = self._product.settings.current().models.chat_model or _("Model")
        summing_up = self.summing_up.under_way(view.session.id)
        self.talk.show_view(view, self._product.clock.now_ms(), live, who, summing_up=summing_up)
        if self._wanted_message is not None:
            wanted, self._wanted_message = self._wanted_message, None
            if not self.transcript.show_message(wanted):
                self.acts.offer_branch(lambda: self._show_branch(wanted))

    def _on_gone(self, session_id: str, error: BinyError) -> None:
        self._read_over()
        if not isinstance(error, NotFoundError):
            self._calls.failed.emit(error)
        elif session_id == self._session_id:
            self._show_none()

    def _on_text(self, session_id: str, text: str) -> None:
        if session_id == self._session_id:
            self.transcript.add_text(text)

    def _on_doing(self, session_id: str) -> None:
        if session_id == self._session_id and self._view is not None and self._view.running_turn is not None:
            self.transcript.stream.show_doing(self._hearing.live(session_id, self._view.streaming))

    def _on_heard(self, heard: Heard) -> None:
        if heard.session_id == self._session_id:
            self._changes.start()
        if heard.kind == "ended":
            self.side.model.load_soon()

    def _on_sessions(self, session_ids: tuple[str, ...]) -> None:
        self.side.model.load_soon()
        if self._session_id in session_ids:
            self._changes.start()

    def _on_changed(self) -> None:
        self.side.load()
        self._changes.start()

    # -- acts ----------------------------------------------------------------------------------------------------------

    def _do(self, act: Callable[[str], object], then: Callable[[], None] = lambda: None) -> None:
        """Do something with the chat that is shown, off this thread; then read it again, also if it failed."""
        session_id = self._session_id
        if session_id is not None:
            self._calls.run(lambda: act(session_id), lambda _done: (then(), self._changes.start()), self._failed, self)

    def _failed(self, error: BinyError) -> None:
        self._calls.failed.emit(error)
        self._changes.start()

    def _with_session(self, act: Callable[[Session], object]) -> None:
        if self._view is not None:
            act(self._view.session)

    def _send(self, draft: Draft) -> None:
        chat, session_id = self._chat, self._session_id

        def send() -> str:
            at = session_id or chat.create().id
            chat.send(at, draft)
            return at

        self.composer.set_sending(on=False)
        self._calls.run(send, lambda at: self._on_sent(at, session_id), self._on_not_sent, self)

    def _on_sent(self, session_id: str, before: str | None) -> None:
        self._drafts.pop(before or "", None)
        if self._session_id == before:
            self.composer.clear()
            self._session_id = session_id
            self.side.list.choose(session_id)
            self.composer.set_running(on=True)
            self.transcript.to_end()
        self._read()

    def _on_not_sent(self, error: BinyError) -> None:
        self.composer.set_sending(on=True)
        self._failed(error)

    def _stop(self) -> None:
        """At once, whatever the threads of the window are busy with."""
        self.composer.set_stopping()
        if self._session_id is not None and not self._chat.interrupt(self._session_id):
            self._changes.start()

    def _edit(self, message_id: str, draft: Draft) -> None:
        def begun() -> None:
            for each in self.transcript.messages():
                each.end_edit()
            self.transcript.to_end()
            self.composer.field.setFocus()

        self._do(lambda s: self._chat.edit(s, message_id, draft), begun)

    def _retry(self, message_id: str) -> None:
        def begun() -> None:
            self.transcript.replace_from(message_id)
            self.transcript.to_end()

        self._do(lambda s: self._chat.retry(s, message_id), begun)

    def _fork(self, message_id: str) -> None:
        self._with_session(lambda session: self.acts.fork(session.id, message_id))

    def _answer(self, approval: Approval, yes: bool) -> None:
        self._do(lambda s: self._chat.answer(s, approval.id, approve=yes, revision=approval.revision))

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

    def _new(self, incognito: bool) -> None:
        if incognito:
            chat = self._chat
            self._calls.run(
                lambda: chat.create(incognito=True), lambda session: self.open_session(session.id), None, self
            )  # fmt: skip
        else:
            self._show_none()
            if self.halves.narrow():
                self.halves.show_part(1)
        self.composer.field.setFocus()

    def _menu(self) -> None:
        place = self.talk.more.mapToGlobal(QPoint(0, self.talk.more.height()))
        self._with_session(lambda session: self.acts.pop_up(session, self.side.projects, place))

    def _on_closed(self, session_id: str) -> None:
        self._drafts.pop(session_id, None)
        if session_id == self._session_id:
            self.composer.clear()
            self._show_none()

    def _show_source(self, message_id: str) -> None:
        if not self.transcript.show_message(message_id):
            self._say(_("That message is on another branch, or was deleted."))

    def _show_branch(self, message_id: str) -> None:
        def show() -> None:
            self._wanted_message = message_id

        self._do(lambda s: self._chat.show_branch(s, message_id), show)

    def _say(self, words: str) -> None:
        self._calls.failed.emit(BinyError(words))

    def _keep_draft(self) -> None:
        draft = self.composer.draft()
        if draft.text or draft.attachments:
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
        self.side.load()
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
