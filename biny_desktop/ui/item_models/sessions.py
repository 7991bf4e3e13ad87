"""Chats as rows, last used first, fetched page by page; looking for a title fetches all of them in the background."""

from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt, QTimer, Signal

from biny_desktop.conversation.model import Session, SessionPage
from biny_desktop.core.text import normalise
from biny_desktop.service.product import Product
from biny_desktop.ui.calls import Calls
from biny_desktop.ui.chat_words import session_title

PAGE, PAGE_MAX = 100, 1_000
"""Rows a page, and as many as the log gives at once."""
SETTLE_MS = 120
"""Changes that come together are read once."""
SESSION = Qt.ItemDataRole.UserRole
RUNNING = Qt.ItemDataRole.UserRole + 1
Index = QModelIndex | QPersistentModelIndex
Found = tuple[SessionPage, frozenset[str]]


class SessionsModel(QAbstractListModel):
    """`SESSION` gives the `Session`, `RUNNING` whether an answer is written in it now. `loaded` with a page."""

    loaded = Signal()

    def __init__(self, product: Product, calls: Calls, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._chat, self._calls = product.chat, calls
        self._all: tuple[Session, ...] = ()
        self._rows: tuple[Session, ...] = ()
        self._running: frozenset[str] = frozenset()
        self._cursor: tuple[int, str] | None = None
        self._project: str | None = None
        self._words = ""
        self._fetching = False
        self._changes = QTimer(self, singleShot=True, interval=SETTLE_MS)
        self._changes.timeout.connect(self.load)

    def load(self) -> None:
        """Read as many as are shown again."""
        many = min(max(PAGE, len(self._all)), PAGE_MAX)
        self._read(many, None, self._on_first)

    def load_soon(self) -> None:
        """Read them again once changes have settled."""
        self._changes.start()

    def filter(self, words: str) -> None:
        """Show only chats whose title holds the words."""
        self._words = normalise(words).strip()
        self._show(self._all)
        self._go_on()

    def set_project(self, project_id: str | None) -> None:
        """Show only the chats of a project; None: all."""
        if project_id != self._project:
            self._project, self._all, self._cursor = project_id, (), None
            self.load()

    def session(self, row: int) -> Session | None:
        """The chat of a row."""
        return self._rows[row] if 0 <= row < len(self._rows) else None

    def row_of(self, session_id: str) -> int | None:
        """Where a chat stands."""
        return next((row for row, each in enumerate(self._rows) if each.id == session_id), None)

    def searching(self) -> bool:
        """Whether rows may still come for what is looked for."""
        return self._fetching or (bool(self._words) and self._cursor is not None)

    def _read(self, many: int, before: tuple[int, str] | None, then: Any) -> None:
        self._fetching = True
        chat, project = self._chat, self._project
        self._calls.run(lambda: (chat.page(many, before, project), chat.running()), then, None, self, latest="sessions")

    def _on_first(self, found: Found) -> None:
        page, running = found
        self._fetching = False
        read = {each.id for each in page.sessions}
        older = () if page.next is None else tuple(each for each in self._all if each.id not in read)
        below = tuple(each for each in older if (each.updated_at_ms, each.id) < page.next)
        self._cursor = self._cursor if below else page.next
        self._show(page.sessions + below, running)
        self.loaded.emit()
        self._go_on()

    def _go_on(self) -> None:
        """Fetch the rest while a title is looked for."""
        if self._words and self._cursor is not None and not self._fetching:
            self._read(PAGE_MAX, self._cursor, self._on_more)

    def _wanted(self, sessions: tuple[Session, ...]) -> tuple[Session, ...]:
        if not self._words:
            return sessions
        return tuple(each for each in sessions if self._words in normalise(session_title(each)))

    def _show(self, sessions: tuple[Session, ...], running: frozenset[str] | None = None) -> None:
        self._all, rows = sessions, self._wanted(sessions)
        others = running is not None and running != self._running
        self._running = self._running if running is None else running
        if rows == self._rows and not others:
            return
        if [each.id for each in rows] == [each.id for each in self._rows]:
            self._rows = rows
            if rows:
                self.dataChanged.emit(self.index(0), self.index(len(rows) - 1))
            return
        self.beginResetModel()
        self._rows = rows
        self.endResetModel()

    def canFetchMore(self, parent: Index) -> bool:
        return not parent.isValid() and self._cursor is not None and not self._fetching

    def fetchMore(self, parent: Index) -> None:
        if self.canFetchMore(parent):
            self._read(PAGE, self._cursor, self._on_more)

    def _on_more(self, found: Found) -> None:
        page, self._running = found
        self._fetching, self._cursor = False, page.next
        first = len(self._rows)
        self._all += page.sessions
        new = self._wanted(page.sessions)
        if new:
            self.beginInsertRows(QModelIndex(), first, first + len(new) - 1)
            self._rows += new
            self.endInsertRows()
        self._go_on()
        self.loaded.emit()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008  (Qt's own signature)
        return 0 if parent.isValid() else len(self._rows)

    def data(self, index: Index, role: int = int(Qt.ItemDataRole.DisplayRole)) -> Any:
        session = self.session(index.row())
        if session is None:
            return None
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return session_title(session)
        if role == RUNNING:
            return session.id in self._running
        return session if role == SESSION else None
