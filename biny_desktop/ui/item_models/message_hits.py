"""Messages that were found as rows."""

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from biny_desktop.conversation.search.model import MessageHit
from biny_desktop.ui.item_models.likeness import LIKENESS, Likeness

HIT = int(Qt.ItemDataRole.UserRole) + 41
Index = QModelIndex | QPersistentModelIndex


class MessageHitsModel(QAbstractListModel):
    """`HIT` gives the hit, `LIKENESS` how near it is (None: found by words alone)."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: tuple[MessageHit, ...] = ()

    def fill(self, hits: Sequence[MessageHit]) -> None:
        """Show these."""
        self.beginResetModel()
        self._rows = tuple(hits)
        self.endResetModel()

    def hit(self, row: int) -> MessageHit | None:
        """The hit of a row."""
        return self._rows[row] if 0 <= row < len(self._rows) else None

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008  (Qt's own signature)
        return 0 if parent.isValid() else len(self._rows)

    def data(self, index: Index, role: int = int(Qt.ItemDataRole.DisplayRole)) -> Any:
        hit = self.hit(index.row())
        if hit is None:
            return None
        if role == LIKENESS:
            return Likeness(hit.centred, hit.raw or 0.0) if hit.centred is not None else None
        if role == Qt.ItemDataRole.DisplayRole:
            return f"{hit.session_title}: {hit.snippet}"
        return hit if role == HIT else None
