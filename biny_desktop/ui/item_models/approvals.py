"""Rows of the inbox of approvals, and how an item stands in words."""

from collections.abc import Mapping
from typing import Final

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, Qt

from biny_desktop.core.i18n import _, mark
from biny_desktop.service.approvals import ApprovalItem

ITEM = Qt.ItemDataRole.UserRole
_STATES: Final[Mapping[str, str]] = {
    "open": mark("waits"), "accepted": mark("allowed"), "refused": mark("refused"), "never": mark("never again"),
    "used": mark("allowed and done"), "expired": mark("expired"),
}  # fmt: skip
Index = QModelIndex | QPersistentModelIndex


def state_words(item: ApprovalItem) -> str:
    """How it stands."""
    return _(_STATES[item.status])


class ApprovalsModel(QAbstractListModel):
    """Items, newest first."""

    def __init__(self) -> None:
        super().__init__()
        self.items: tuple[ApprovalItem, ...] = ()

    def fill(self, items: tuple[ApprovalItem, ...]) -> None:
        """Show these."""
        if items != self.items:
            self.beginResetModel()
            self.items = items
            self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008  (Qt's own signature)
        return 0 if parent.isValid() else len(self.items)

    def data(self, index: Index, role: int = int(Qt.ItemDataRole.DisplayRole)) -> object:
        if not index.isValid() or index.row() >= len(self.items):
            return None
        item = self.items[index.row()]
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return item.title
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{item.title}, {item.comes_from}, {state_words(item)}"
        return item if role == ITEM else None
