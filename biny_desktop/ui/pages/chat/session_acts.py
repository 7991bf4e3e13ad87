"""What can be done with whole chats, and the questions asked before: rename, project, fork, delete."""

from collections.abc import Callable

from PySide6.QtCore import QObject, QPoint, Qt, Signal
from PySide6.QtGui import QAction, QActionGroup, QFontMetrics
from PySide6.QtWidgets import QDialog, QMenu, QMessageBox, QWidget

from biny_desktop.conversation.deleting import DeletePreview
from biny_desktop.conversation.model import Session
from biny_desktop.conversation.projects import Project
from biny_desktop.core.i18n import _, ngettext
from biny_desktop.service.product import Product
from biny_desktop.ui.calls import Calls
from biny_desktop.ui.chat_words import session_title
from biny_desktop.ui.dialogs.field import FieldDialog

TITLE_PX = 320


class SessionActs(QObject):
    """`opened(session id)`: to be shown now; `closed(session id)`: it is no more; `changed`; `sum_up_asked(id)`;
    `export_asked(Session)`. `dialog` is the question that is asked now."""

    opened = Signal(str)
    closed = Signal(str)
    changed = Signal()
    sum_up_asked = Signal(str)
    export_asked = Signal(object)

    def __init__(self, product: Product, calls: Calls, page: QWidget) -> None:
        super().__init__(page)
        self._product, self._chat, self._calls, self._page = product, product.chat, calls, page
        self.dialog: QWidget | None = None

    def menu(self, session: Session, projects: tuple[Project, ...]) -> QMenu:
        """Its menu, to be popped up."""
        menu = QMenu(self._page)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        if not session.incognito:
            _act(menu, _("Rename… (F2)"), lambda: self.rename(session))
            self._projects(menu.addMenu(_("Project")), session, projects)
        if session.leaf_id is not None:
            _act(menu, _("Fork"), lambda: self.fork(session.id, session.leaf_id))
            _act(menu, _("Sum up now"), lambda: self.sum_up_asked.emit(session.id))
        if not session.incognito:
            _act(menu, _("Export…"), lambda: self.export_asked.emit(session))
        menu.addSeparator()
        if session.incognito:
            _act(menu, _("Close without trace"), lambda: self.close_incognito(session))
        else:
            _act(menu, _("Delete…"), lambda: self.delete(session))
        return menu

    def pop_up(self, session: Session, projects: tuple[Project, ...], place: QPoint) -> None:
        """Show its menu there."""
        self.menu(session, projects).popup(place)

    def _projects(self, menu: QMenu, session: Session, projects: tuple[Project, ...]) -> None:
        group = QActionGroup(menu)
        for project_id, name in ((None, _("No project")), *((each.id, each.name) for each in projects)):
            made = _act(menu, name, lambda p=project_id: self.set_project(session, p))
            made.setCheckable(True)
            made.setChecked(session.project_id == project_id)
            group.addAction(made)
        menu.addSeparator()
        _act(menu, _("New project…"), lambda: self._new_project(session))

    # -- acts ----------------------------------------------------------------------------------------------------------

    def rename(self, session: Session) -> None:
        """Ask for another title."""
        chat = self._chat
        dialog = FieldDialog(_("Rename the chat"), _("Empty: its first words again."), session.title, self._page)
        dialog.saved.connect(lambda title: self._run(lambda: chat.rename(session.id, title, session.revision)))
        self._ask(dialog)

    def set_project(self, session: Session, project_id: str | None) -> None:
        """Put it into a project, or out of any."""
        chat = self._chat
        self._run(lambda: chat.set_project(session.id, project_id, session.revision))

    def _new_project(self, session: Session) -> None:
        chat, projects = self._chat, self._product.projects
        dialog = FieldDialog(_("New project"), _("Its name; this chat goes into it."), "", self._page)
        dialog.saved.connect(
            lambda name: self._run(lambda: chat.set_project(session.id, projects.create(name).id, session.revision))
        )
        self._ask(dialog)

    def fork(self, session_id: str, message_id: str | None) -> None:
        """Go on in a new chat that begins with this one up to a message."""
        chat = self._chat
        if message_id is not None:
            self._calls.run(
                lambda: chat.fork(session_id, message_id), lambda made: self.opened.emit(made.id), None, self
            )  # fmt: skip

    def close_incognito(self, session: Session) -> None:
        """End an incognito chat; nothing is asked, nothing is left."""
        chat = self._chat
        self.closed.emit(session.id)
        self._run(lambda: chat.close_incognito(session.id))

    def delete(self, session: Session) -> None:
        """Say what would go, then delete the chat; an incognito one is closed."""
        if session.incognito:
            self.close_incognito(session)
            return
        chat = self._chat
        self._calls.run(
            lambda: chat.preview_delete(session.id),
            lambda preview: self._ask_delete(session_title(session), preview, lambda: chat.delete_session(session.id)),
            None, self,
        )  # fmt: skip

    def delete_message(self, session: Session, message_id: str) -> None:
        """Say what would go, then delete a message with all below it; an incognito one goes at once."""
        chat = self._chat

        def delete() -> object:
            return chat.delete_message(session.id, message_id)

        if session.incognito:
            self._run(delete)
            return
        self._calls.run(
            lambda: chat.preview_delete(session.id, message_id),
            lambda preview: self._ask_delete(_("This message and all below it"), preview, delete), None, self,
        )  # fmt: skip

    def offer_branch(self, show: Callable[[], None]) -> None:
        """Ask whether a version that is not shown should be."""
        box = QMessageBox(self._page)
        box.setWindowTitle(_("Another version"))
        box.setText(_("This message is in a version that is not shown."))
        box.setInformativeText(_("Show that version? The one of now stays and can be switched back to."))
        yes = box.addButton(_("Show it"), QMessageBox.ButtonRole.AcceptRole)
        box.addButton(_("Leave it"), QMessageBox.ButtonRole.RejectRole)
        yes.clicked.connect(lambda _on=False: show())
        self._ask(box)

    # -- asking --------------------------------------------------------------------------------------------------------

    def _ask_delete(self, what: str, preview: DeletePreview, delete: Callable[[], object]) -> None:
        n = preview.messages
        counts = ngettext("{n} message of all versions goes", "{n} messages of all versions go", n).format(n=n)
        box = QMessageBox(self._page)
        box.setWindowTitle(_("Delete for good"))
        shown = QFontMetrics(box.font()).elidedText(what, Qt.TextElideMode.ElideRight, TITLE_PX)
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setText(_("{what}: delete for good?").format(what=shown))
        box.setInformativeText(_("{counts}, with summaries that quote it. It cannot be undone.").format(counts=counts))
        yes = box.addButton(_("Delete"), QMessageBox.ButtonRole.DestructiveRole)
        yes.setProperty("role", "danger")
        box.addButton(_("Cancel"), QMessageBox.ButtonRole.RejectRole)
        yes.clicked.connect(lambda _on=False: self._run(delete))
        self._ask(box)

    def _ask(self, dialog: QDialog) -> None:
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.dialog = dialog
        dialog.open()

    def _run(self, act: Callable[[], object]) -> None:
        self._calls.run(act, lambda _done: self.changed.emit(), None, self)


def _act(menu: QMenu, words: str, act: Callable[[], object]) -> QAction:
    made = QAction(words.replace("&", "&&"), menu)
    made.triggered.connect(lambda _on=False: act())
    menu.addAction(made)
    return made
