"""The segments of a day as rows, gaps of some length between them; short and hidden ones only when asked for."""

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal

from biny_desktop.activity.model import Gap
from biny_desktop.activity.segments.model import Segment
from biny_desktop.ui.item_models.timeline import ITEM, MIN_GAP_MS, describe
from biny_desktop.ui.segment_words import segment_line, segment_title

Index = QModelIndex | QPersistentModelIndex


class SegmentsModel(QAbstractListModel):
    """`ITEM` gives the `Segment` or `Gap` of a row; editing a row asks `rename_asked(Segment, new title)`."""

    rename_asked = Signal(object, str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._items: tuple[Segment | Gap, ...] = ()
        self._rows: list[Segment | Gap] = []
        self._all = False

    # -- reading -------------------------------------------------------------------------------------------------------

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008  (Qt's own signature)
        return 0 if parent.isValid() else len(self._rows)

    def data(self, index: Index, role: int = int(Qt.ItemDataRole.DisplayRole)) -> Any:
        item = self.item(index.row()) if index.isValid() else None
        if item is None:
            return None
        if role == ITEM:
            return item
        if role == Qt.ItemDataRole.EditRole:
            return segment_title(item) if isinstance(item, Segment) else None
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return segment_line(item) if isinstance(item, Segment) else describe(item)
        return None

    def setData(self, index: Index, value: Any, role: int = int(Qt.ItemDataRole.EditRole)) -> bool:
        """Ask for a new title; the row changes when it is saved."""
        segment = self.segment(index.row())
        title = " ".join(str(value).split())
        if role != Qt.ItemDataRole.EditRole or segment is None or not title or title == segment_title(segment):
            return False
        self.rename_asked.emit(segment, title)
        return True

    def flags(self, index: Index) -> Qt.ItemFlag:
        """A gap is only shown."""
        if self.segment(index.row()) is None:
            return Qt.ItemFlag.NoItemFlags
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsEditable

    def item(self, row: int) -> Segment | Gap | None:
        """The row's value, None outside."""
        return self._rows[row] if 0 <= row < len(self._rows) else None

    def segment(self, row: int) -> Segment | None:
        """The row's segment, None for a gap and outside."""
        item = self.item(row)
        return item if isinstance(item, Segment) else None

    def row_of(self, segment_id: int) -> int | None:
        """Where a segment stands, None when it is not listed."""
        rows = (row for row, item in enumerate(self._rows) if isinstance(item, Segment) and item.id == segment_id)
        return next(rows, None)

    def after(self, segment: Segment) -> Segment | None:
        """The segment that follows in time, short and hidden ones too."""
        later = (item for item in self._items if isinstance(item, Segment) and item.start_ms >= segment.end_ms)
        return next(later, None)

    def left_out(self) -> tuple[int, int]:
        """How many of the day are (short, hidden by the user)."""
        segments = [item for item in self._items if isinstance(item, Segment)]
        return sum(each.trivial and not each.hidden for each in segments), sum(each.hidden for each in segments)

    # -- filling -------------------------------------------------------------------------------------------------------

    @property
    def shows_all(self) -> bool:
        """Whether short and hidden ones are listed."""
        return self._all

    def show_items(self, items: Sequence[Segment | Gap]) -> None:
        """List another day, or the same one as it is now; rows that stay the same keep their selection."""
        self._items = tuple(items)
        self._renew()

    def show_all(self, *, on: bool) -> None:
        """List short and hidden ones too, or leave them out."""
        self._all = on
        self._renew()

    def _renew(self) -> None:
        rows = [item for item in self._items if self._is_listed(item)]
        if [_key(item) for item in rows] == [_key(item) for item in self._rows]:
            for row, (old, new) in enumerate(zip(self._rows, rows, strict=True)):
                if old != new:
                    self._rows[row] = new
                    self.dataChanged.emit(self.index(row), self.index(row))
            return
        self.beginResetModel()
        self._rows = rows
        self.endResetModel()

    def _is_listed(self, item: Segment | Gap) -> bool:
        if isinstance(item, Gap):
            return item.end_ms - item.start_ms >= MIN_GAP_MS
        return self._all or not (item.trivial or item.hidden)


def _key(item: Segment | Gap) -> tuple[str, int]:
    return ("segment", item.id) if isinstance(item, Segment) else ("gap", item.start_ms)
