"""Activities that were found as rows: by words in pages, newest first; by meaning in one page, nearest first."""

import re
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal

from biny_desktop.activity.meaning.model import SegmentMeaningHit
from biny_desktop.activity.search_query import SEGMENT_FILTERS, parse
from biny_desktop.activity.segments.model import SegmentHit, SegmentHitPage
from biny_desktop.core import marks
from biny_desktop.core.errors import BinyError
from biny_desktop.service.product import Product
from biny_desktop.ui.calls import Calls
from biny_desktop.ui.item_models.likeness import LIKENESS, Likeness
from biny_desktop.ui.item_models.timeline import ITEM
from biny_desktop.ui.segment_words import segment_line, segment_title

PAGE = 20
"""Hits a page (spec 03 §6.5)."""
MEANING_MOST = 50
TITLE_MARKS = LIKENESS + 1
"""The role of the places in a title that were asked for."""
Index = QModelIndex | QPersistentModelIndex


class SegmentHitsModel(QAbstractListModel):
    """`ITEM` gives the `SegmentHit`, `LIKENESS` how near it is when asked by meaning.

    Signals: `answered(SegmentHitPage)` with the first page of each question, `failed(error)`.
    """

    answered = Signal(object)
    failed = Signal(object)

    def __init__(self, product: Product, calls: Calls, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._product, self._calls = product, calls
        self._rows: list[tuple[SegmentHit, Likeness | None]] = []
        self._cursor: int | None = None
        self._turn = 0
        self._fetching = False
        self._text = ""
        self._find: re.Pattern[str] | None = None

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008  (Qt's own signature)
        return 0 if parent.isValid() else len(self._rows)

    def data(self, index: Index, role: int = int(Qt.ItemDataRole.DisplayRole)) -> Any:
        if not index.isValid() or index.row() >= len(self._rows):
            return None
        hit, likeness = self._rows[index.row()]
        if role == ITEM:
            return hit
        if role == LIKENESS:
            return likeness
        if role == TITLE_MARKS:
            return marks.marks(segment_title(hit.segment), self._find)
        if role == Qt.ItemDataRole.ToolTipRole:
            return likeness.tip() if likeness is not None else None
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            words = f"{segment_line(hit.segment)}: {hit.snippet}"
            return words if likeness is None else f"{words}, {likeness.words()}"
        return None

    def hit(self, row: int) -> SegmentHit | None:
        """The row's hit, None outside."""
        return self._rows[row][0] if 0 <= row < len(self._rows) else None

    def row_of(self, segment_id: int) -> int | None:
        """Where the hit of a segment stands."""
        return next((row for row, (hit, _like) in enumerate(self._rows) if hit.segment.id == segment_id), None)

    def ask(self, text: str, *, by_meaning: bool) -> None:
        """Ask anew; rows stay until the answer is there."""
        self._turn += 1
        self._fetching = True
        self._text = text
        turn, product = self._turn, self._product
        start = product.settings.current().day.start
        self._find = marks.pattern(parse(text, product.clock.stamp(), start, SEGMENT_FILTERS).wanted)
        failed = self._failing(turn)
        if by_meaning:
            near = product.meaning.segments
            self._calls.run(lambda: near(text, MEANING_MOST), lambda hits: self._on_near(turn, hits), failed, self,
                            latest="near")  # fmt: skip
        else:
            search = product.segment_search.search
            self._calls.run(lambda: search(text, PAGE), lambda page: self._on_first(turn, page), failed, self)

    def clear(self) -> None:
        """No question, no rows."""
        self._turn += 1
        self._fetching = False
        self._cursor = None
        self._reset([])

    def canFetchMore(self, parent: Index) -> bool:
        return not parent.isValid() and self._cursor is not None and not self._fetching

    def fetchMore(self, parent: Index) -> None:
        if not self.canFetchMore(parent):
            return
        self._fetching = True
        turn, text, cursor, search = self._turn, self._text, self._cursor, self._product.segment_search.search
        self._calls.run(
            lambda: search(text, PAGE, cursor), lambda page: self._on_more(turn, page), self._failing(turn), self
        )

    def _failing(self, turn: int) -> Any:
        return lambda error: self._on_failed(turn, error)

    def _on_near(self, turn: int, hits: tuple[SegmentMeaningHit, ...]) -> None:
        if turn != self._turn:
            return
        self._fetching, self._cursor = False, None
        rows = [(SegmentHit(hit.segment, _summary(hit), ()), Likeness(hit.centred, hit.raw)) for hit in hits]
        self._reset(rows)
        self.answered.emit(SegmentHitPage(tuple(hit for hit, _like in rows), len(rows), more=False, cursor=None))

    def _on_first(self, turn: int, page: SegmentHitPage) -> None:
        if turn != self._turn:
            return
        self._fetching, self._cursor = False, page.cursor
        self._reset([(hit, None) for hit in page.hits])
        self.answered.emit(page)

    def _on_more(self, turn: int, page: SegmentHitPage) -> None:
        if turn != self._turn:
            return
        self._fetching, self._cursor = False, page.cursor
        if page.hits:
            first = len(self._rows)
            self.beginInsertRows(QModelIndex(), first, first + len(page.hits) - 1)
            self._rows += [(hit, None) for hit in page.hits]
            self.endInsertRows()

    def _on_failed(self, turn: int, error: BinyError) -> None:
        if turn == self._turn:
            self._fetching = False
            self.failed.emit(error)

    def _reset(self, rows: list[tuple[SegmentHit, Likeness | None]]) -> None:
        self.beginResetModel()
        self._rows = rows
        self.endResetModel()


def _summary(hit: SegmentMeaningHit) -> str:
    account = hit.segment.analysis
    return account.summary or account.description or hit.segment.note or ""
