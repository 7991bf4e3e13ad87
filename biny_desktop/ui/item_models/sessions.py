"""Chats as rows, last used first, fetched page by page; a title filter looks through what is fetched."""

from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal

from biny_desktop.conversation.model import Session, SessionPage
from biny_desktop.core.text import normalise
from biny_desktop.service.product import Product
from biny_desktop.ui.calls import Calls
from biny_desktop.ui.chat_words import session_title

PAGE = 100
SESSION = Qt.ItemDataRole.UserRole
Index = QModelIndex | QPersistentModelIndex


class SessionsModel(QAbstractListModel):
    """`loaded` when the first page is there."""

    loaded = Signal()

    def __init__(self, product: Product, calls: Calls, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._product, self._calls = product, calls
        self._all: tuple[Session, ...] = ()
        self._rows: tuple[Session, ...] = ()
        self._cursor: tuple[int, str] | None = None
        self._words = ""
        self._fetching = False

    def load(self) -> None:
        """Read as many as are shown again."""
        chat, many = self._product.chat, max(PAGE, len(self._all))
        self._fetching = True
        self._calls.run(lambda: chat.page(many), self._on_first, None, self, latest="sessions")

    def filter(self, words: str) -> None:
        """Show only chats whose title holds the words."""
        self._words = normalise(words).strip()
        self._show(self._all)

    def session(self, row: int) -> Session | None:
        """The chat of a row."""
        return self._rows[row] if 0 <= row < len(self._rows) else None

    def row_of(self, session_id: str) -> int | None:
        """Where a chat stands."""
        return next((row for row, each in enumerate(self._rows) if each.id == session_id), None)

    def _on_first(self, page: SessionPage) -> None:
        self._fetching, self._cursor = False, page.next
        self._show(page.sessions)
        self.loaded.emit()

    def _show(self, sessions: tuple[Session, ...]) -> None:
        self._all = sessions
        rows = tuple(each for each in sessions if self._words in normalise(session_title(each)))
        if rows == self._rows:
            return
        if [each.id for each in rows] == [each.id for each in self._rows]:
            self._rows = rows
            self.dataChanged.emit(self.index(0), self.index(len(rows) - 1))
            return
        self.beginResetModel()
        self._rows = rows
        self.endResetModel()

    def canFetchMore(self, parent: Index) -> bool:
        return not parent.isValid() and self._cursor is not None and not self._fetching

    def fetchMore(self, parent: Index) -> None:
        if self.canFetchMore(parent):
            self._fetching = True
            chat, cursor = self._product.chat, self._cursor
            self._calls.run(lambda: chat.page(PAGE, cursor), self._on_more, None, self, latest="sessions")

    def _on_more(self, page: SessionPage) -> None:
        self._fetching, self._cursor = False, page.next
        first = len(self._rows)
        self._all += page.sessions
        new = tuple(each for each in page.sessions if self._words in normalise(session_title(each)))
        if new:
            self.beginInsertRows(QModelIndex(), first, first + len(new) - 1)
            self._rows += new
            self.endInsertRows()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008  (Qt's own signature)
        return 0 if parent.isValid() else len(self._rows)

    def data(self, index: Index, role: int = int(Qt.ItemDataRole.DisplayRole)) -> Any:
        session = self.session(index.row())
        if session is None:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return session_title(session)
        return session if role == SESSION else None
