"""The box to write a question in, and the list of hits."""

from PySide6.QtCore import QAbstractListModel, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QLineEdit, QListView, QStyledItemDelegate

from biny_desktop.core.i18n import _


class SearchBox(QLineEdit):
    """`down_pressed`: the keyboard goes to the hits."""

    down_pressed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(_("Search"))
        self.setToolTip(_("What to look for (Ctrl+F)"))
        self.setClearButtonEnabled(True)
        self.setMaxLength(500)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Down:
            self.down_pressed.emit()
        else:
            super().keyPressEvent(event)


class HitList(QListView):
    """Hits one below the other; more are fetched when the end comes into sight."""

    def __init__(self, model: QAbstractListModel, delegate: QStyledItemDelegate) -> None:
        super().__init__()
        self.setModel(model)
        delegate.setParent(self)
        self.setItemDelegate(delegate)
        self.setUniformItemSizes(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.setMouseTracking(True)
        self.setAccessibleName(_("Hits"))
