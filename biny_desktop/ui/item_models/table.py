"""Small read-only tables held in memory: rows of texts with a tooltip each, sorted by whoever fills them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

Index = QModelIndex | QPersistentModelIndex


@dataclass(frozen=True, slots=True)
class Row:
    """One row: a text a column; `tip` for the whole row; `heading` rows name the rows below them."""

    cells: tuple[str, ...]
    tip: str = ""
    heading: bool = False


class TableModel(QAbstractTableModel):
    """Rows under fixed headings; columns in `right` are aligned to the right (numbers)."""

    def __init__(self, headings: Sequence[str], right: Sequence[int] = (), parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._headings, self._right = tuple(headings), frozenset(right)
        self._rows: tuple[Row, ...] = ()

    def fill(self, rows: Sequence[Row]) -> None:
        """Show these rows; equal ones change nothing, so a selection stays."""
        if tuple(rows) == self._rows:
            return
        self.beginResetModel()
        self._rows = tuple(rows)
        self.endResetModel()

    def row(self, number: int) -> Row | None:
        """The row's value, None outside."""
        return self._rows[number] if 0 <= number < len(self._rows) else None

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008  (Qt's own signature)
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008  (Qt's own signature)
        return 0 if parent.isValid() else len(self._headings)

    def data(self, index: Index, role: int = int(Qt.ItemDataRole.DisplayRole)) -> Any:
        row = self.row(index.row()) if index.isValid() else None
        if row is None:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return row.cells[index.column()] if index.column() < len(row.cells) else ""
        if role == Qt.ItemDataRole.ToolTipRole:
            return row.tip or None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            side = Qt.AlignmentFlag.AlignRight if index.column() in self._right else Qt.AlignmentFlag.AlignLeft
            return side | Qt.AlignmentFlag.AlignVCenter
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> Any:
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self._headings[section]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            side = Qt.AlignmentFlag.AlignRight if section in self._right else Qt.AlignmentFlag.AlignLeft
            return side | Qt.AlignmentFlag.AlignVCenter
        return None

    def flags(self, index: Index) -> Qt.ItemFlag:
        row = self.row(index.row())
        if row is not None and row.heading:
            return Qt.ItemFlag.ItemIsEnabled
        return super().flags(index)
