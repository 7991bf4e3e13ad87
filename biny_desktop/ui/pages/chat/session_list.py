"""The list of chats as a view: one is chosen by click or arrow keys, F2 renames, Del deletes."""

from PySide6.QtCore import QModelIndex, QPoint, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QListView

from biny_desktop.conversation.model import Session
from biny_desktop.core.i18n import _
from biny_desktop.ui.item_models.sessions import SessionsModel
from biny_desktop.ui.widgets.session_delegate import SessionDelegate


class SessionList(QListView):
    """`chosen(Session)`, `menu_asked(Session, QPoint)`, `delete_asked(Session)`, `rename_asked(Session)`."""

    chosen = Signal(object)
    menu_asked = Signal(object, QPoint)
    delete_asked = Signal(object)
    rename_asked = Signal(object)

    def __init__(self, model: SessionsModel, delegate: SessionDelegate) -> None:
        super().__init__()
        self.sessions = model
        self._chosen_id: str | None = None
        self._quiet = False
        self._scrolled = 0
        self.setModel(model)
        delegate.setParent(self)
        self.setItemDelegate(delegate)
        self.setUniformItemSizes(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setMouseTracking(True)
        self.setAccessibleName(_("Chats"))
        self.setToolTip(_("Enter goes to its field, F2 renames, Del deletes"))
        model.modelAboutToBeReset.connect(self._on_before_reset)
        model.modelReset.connect(self._on_reset)

    def current(self) -> Session | None:
        """The chosen chat."""
        return self.sessions.session(self.currentIndex().row())

    def choose(self, session_id: str | None) -> None:
        """Mark the chat that is shown, as soon as it is listed; nothing is told of it."""
        self._chosen_id = session_id
        row = None if session_id is None else self.sessions.row_of(session_id)
        self._quiet = True
        if row is None:
            self.setCurrentIndex(QModelIndex())
        elif row != self.currentIndex().row():
            self.setCurrentIndex(self.sessions.index(row))
        self._quiet = False

    def currentChanged(self, current: QModelIndex, previous: QModelIndex) -> None:
        super().currentChanged(current, previous)
        session = self.sessions.session(current.row())
        if session is not None and not self._quiet and session.id != self._chosen_id:
            self._chosen_id = session.id
            self.chosen.emit(session)

    def _on_before_reset(self) -> None:
        self._scrolled = self.verticalScrollBar().value()

    def _on_reset(self) -> None:
        """Rows moved: the same chat stays marked, at the place where one looks."""
        self.choose(self._chosen_id)
        self.doItemsLayout()
        self.verticalScrollBar().setValue(self._scrolled)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        session = self.current()
        if session is not None and event.key() == Qt.Key.Key_Delete:
            self.delete_asked.emit(session)
        elif session is not None and event.key() == Qt.Key.Key_F2:
            self.rename_asked.emit(session)
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        session = self.sessions.session(self.indexAt(event.pos()).row()) or self.current()
        if session is not None:
            self.menu_asked.emit(session, event.globalPos())
