"""Search hits as rows, fetched page by page."""

from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal

from biny_desktop.activity.model import Hit, HitPage
from biny_desktop.activity.search import KeywordSearch
from biny_desktop.activity.timeline import Timeline
from biny_desktop.ui.calls import Calls
from biny_desktop.ui.item_models.thumbs import Thumbs
from biny_desktop.ui.item_models.timeline import ITEM, PICTURE, describe

PAGE = 20
"""Hits a page (spec 03 §6.5)."""

Index = QModelIndex | QPersistentModelIndex


class HitsModel(QAbstractListModel):
    """`ITEM` gives the `Hit`, `PICTURE` its thumbnail or None.

    Signals: `answered(page)` with the first page of each question, `failed(error)`.
    """

    answered = Signal(object)
    failed = Signal(object)

    def __init__(self, search: KeywordSearch, timeline: Timeline, calls: Calls, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._search, self._calls = search, calls
        self.thumbs = Thumbs(lambda ids: timeline.thumbs(list(ids)), calls, self)
        self.thumbs.arrived.connect(self._on_thumbs_arrived)
        self._hits: list[Hit] = []
        self._cursor: int | None = None
        self._fetching = False
        self._turn = 0
        self.question: tuple[str, str | None] = ("", None)

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008  (Qt's own signature)
        return 0 if parent.isValid() else len(self._hits)

    def data(self, index: Index, role: int = int(Qt.ItemDataRole.DisplayRole)) -> Any:
        if not index.isValid() or index.row() >= len(self._hits):
            return None
        hit = self._hits[index.row()]
        if role == ITEM:
            return hit
        if role == PICTURE:
            return self.thumbs.get(hit.frame.id) if hit.frame.picture_state == "live" else None
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return f"{describe(hit.frame)}: {hit.snippet}"
        return None

    def hit(self, row: int) -> Hit | None:
        """The row's hit, None outside."""
        return self._hits[row] if 0 <= row < len(self._hits) else None

    def row_of(self, frame_id: int) -> int | None:
        """Where the hit of a frame stands."""
        return next((row for row, hit in enumerate(self._hits) if hit.frame.id == frame_id), None)

    def ask(self, text: str, order: str | None) -> None:
        """Ask anew; rows stay until the answer is there, so nothing flickers while typing."""
        self._turn += 1
        self._fetching = True
        self.question = (text, order)
        turn = self._turn
        self._calls.run(
            lambda: self._search.search(text, limit=PAGE, cursor=None, order=order),
            lambda page: self._on_first(turn, page),
            lambda error: self._on_failed(turn, error),
            self,
        )

    def clear(self) -> None:
        """No question, no rows."""
        self._turn += 1
        self._fetching = False
        self.question = ("", None)
        self._reset(())
        self._cursor = None

    def canFetchMore(self, parent: Index) -> bool:
        return not parent.isValid() and self._cursor is not None and not self._fetching

    def fetchMore(self, parent: Index) -> None:
        if not self.canFetchMore(parent):
            return
        self._fetching = True
        turn, cursor = self._turn, self._cursor
        text, order = self.question
        self._calls.run(
            lambda: self._search.search(text, limit=PAGE, cursor=cursor, order=order),
            lambda page: self._on_more(turn, page),
            lambda error: self._on_failed(turn, error),
            self,
        )

    def remove_frames(self, frame_ids: list[int]) -> None:
        """These frames were deleted: their hits go."""
        self.thumbs.forget(frame_ids)
        gone = set(frame_ids)
        for row in range(len(self._hits) - 1, -1, -1):
            if self._hits[row].frame.id in gone:
                self.beginRemoveRows(QModelIndex(), row, row)
                del self._hits[row]
                self.endRemoveRows()

    def _on_first(self, turn: int, page: HitPage) -> None:
        if turn != self._turn:
            return
        self._fetching, self._cursor = False, page.cursor
        self._reset(page.hits)
        self.answered.emit(page)

    def _on_more(self, turn: int, page: HitPage) -> None:
        if turn != self._turn:
            return
        self._fetching, self._cursor = False, page.cursor
        if page.hits:
            first = len(self._hits)
            self.beginInsertRows(QModelIndex(), first, first + len(page.hits) - 1)
            self._hits += page.hits
            self.endInsertRows()

    def _on_failed(self, turn: int, error: Exception) -> None:
        if turn == self._turn:
            self._fetching = False
            self.failed.emit(error)

    def _reset(self, hits: tuple[Hit, ...]) -> None:
        self.beginResetModel()
        self._hits = list(hits)
        self.endResetModel()

    def _on_thumbs_arrived(self, frame_ids: list[int]) -> None:
        rows = [row for row in map(self.row_of, frame_ids) if row is not None]
        if rows:
            self.dataChanged.emit(self.index(min(rows)), self.index(max(rows)), [PICTURE])
