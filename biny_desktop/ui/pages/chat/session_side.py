"""The list of chats at the left: new ones, finding by title, and what can be done with a whole chat."""

from PySide6.QtCore import QModelIndex, QPoint, QSize, Qt, Signal
from PySide6.QtGui import QAction, QContextMenuEvent, QKeyEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHBoxLayout,
    QLineEdit,
    QListView,
    QMenu,
    QPushButton,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from biny_desktop.conversation.model import Session
from biny_desktop.core.i18n import _
from biny_desktop.service.product import Product
from biny_desktop.ui.calls import Calls
from biny_desktop.ui.icons import icon
from biny_desktop.ui.item_models.sessions import SessionsModel
from biny_desktop.ui.theme import theme_signals, tokens
from biny_desktop.ui.widgets.labels import hairline, label
from biny_desktop.ui.widgets.session_delegate import SessionDelegate

WIDTH_PX = 240


class SessionList(QListView):
    """`chosen(Session)`, `menu_asked(Session, QPoint)`, `delete_asked(Session)`, `rename_asked(Session)`."""

    chosen = Signal(object)
    menu_asked = Signal(object, QPoint)
    delete_asked = Signal(object)
    rename_asked = Signal(object)

    def __init__(self, model: SessionsModel, delegate: SessionDelegate) -> None:
        super().__init__()
        self.sessions = model
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

    def current(self) -> Session | None:
        """The chosen chat."""
        return self.sessions.session(self.currentIndex().row())

    def choose(self, session_id: str) -> bool:
        """Choose a listed chat; nothing is told of it."""
        row = self.sessions.row_of(session_id)
        if row is None:
            self.selectionModel().clear()
            return False
        if row != self.currentIndex().row():
            self.blockSignals(True)
            self.setCurrentIndex(self.sessions.index(row))
            self.blockSignals(False)
        return True

    def currentChanged(self, current: QModelIndex, previous: QModelIndex) -> None:
        super().currentChanged(current, previous)
        session = self.sessions.session(current.row())
        if session is not None:
            self.chosen.emit(session)

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


class SessionSide(QWidget):
    """Signals: `chosen(Session)`, `new_asked(incognito)`, `rename_asked`, `delete_asked`, `close_asked(Session)`."""

    chosen = Signal(object)
    new_asked = Signal(bool)
    rename_asked = Signal(object)
    delete_asked = Signal(object)
    close_asked = Signal(object)

    def __init__(self, product: Product, calls: Calls, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.model = SessionsModel(product, calls, self)
        self.list = SessionList(self.model, SessionDelegate(product.clock))
        self.empty = label(_("Your chats will stand here."), "muted", wrap=True)
        self.empty.setContentsMargins(16, 12, 16, 12)
        self.new = QPushButton(_("New chat"))
        self.new.setToolTip(_("Begin a chat (Ctrl+N)"))
        self.new.setShortcut("Ctrl+N")
        self.new.clicked.connect(lambda _on=False: self.new_asked.emit(False))
        self.incognito = QToolButton()
        self.incognito.setToolTip(_("Begin an incognito chat: in memory only, gone when it is closed (Ctrl+Shift+N)"))
        self.incognito.setAccessibleName(_("New incognito chat"))
        self.incognito.setShortcut("Ctrl+Shift+N")
        self.incognito.clicked.connect(lambda _on=False: self.new_asked.emit(True))
        self.field = QLineEdit()
        self.field.setPlaceholderText(_("Find a chat"))
        self.field.setAccessibleName(_("Find a chat by its title"))
        self.field.setClearButtonEnabled(True)
        self.field.textChanged.connect(self.model.filter)
        self._lay_out()
        self.list.chosen.connect(self.chosen)
        self.list.menu_asked.connect(self._menu)
        self.list.delete_asked.connect(self.delete_asked)
        self.list.rename_asked.connect(self.rename_asked)
        for signal in (self.model.modelReset, self.model.loaded):
            signal.connect(self._on_rows)
        theme_signals().changed.connect(self._paint)
        self._paint()
        self._on_rows()

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setContentsMargins(16, 12, 16, 0)
        head.setSpacing(8)
        head.addWidget(self.new, 1)
        head.addWidget(self.incognito)
        second = QHBoxLayout()
        second.setContentsMargins(16, 0, 16, 8)
        second.addWidget(self.field)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addLayout(head)
        column.addLayout(second)
        column.addWidget(hairline())
        column.addWidget(self.empty)
        column.addWidget(self.list, 1)
        self.setMinimumWidth(tokens().px(WIDTH_PX))

    def _on_rows(self) -> None:
        none = self.model.rowCount() == 0
        self.empty.setVisible(none)
        self.list.setVisible(not none)

    def _menu(self, session: Session, place: QPoint) -> None:
        menu = QMenu(self)
        acts = (
            ((_("Close without trace"), self.close_asked),)
            if session.incognito
            else ((_("Rename… (F2)"), self.rename_asked), (_("Delete…"), self.delete_asked))
        )
        for words, signal in acts:
            act = QAction(words, menu)
            act.triggered.connect(lambda _on=False, signal=signal: signal.emit(session))
            menu.addAction(act)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(place)

    def _paint(self, *_theme: object) -> None:
        size = tokens().px(18)
        self.incognito.setIcon(icon("eye-off", "private"))
        self.incognito.setIconSize(QSize(size, size))
