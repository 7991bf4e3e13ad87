"""The box to write a question in, and the list of hits."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QLineEdit, QListView

from biny_desktop.core.i18n import _
from biny_desktop.ui.item_models.hits import HitsModel
from biny_desktop.ui.widgets.hit_delegate import HitDelegate


class SearchBox(QLineEdit):
    """`down_pressed`: the keyboard goes to the hits."""

    down_pressed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setPlaceholderText(_('Words, "phrases", -without, begin*'))
        self.setAccessibleName(_("Search the screen text"))
        self.setToolTip(_("Search the screen text (Ctrl+F)"))
        self.setClearButtonEnabled(True)
        self.setMaxLength(500)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Down:
            self.down_pressed.emit()
        else:
            super().keyPressEvent(event)


class HitList(QListView):
    """Hits one below the other; more are fetched when the end comes into sight."""

    def __init__(self, model: HitsModel, now_ms: int) -> None:
        super().__init__()
        self.setModel(model)
        self.setItemDelegate(HitDelegate(now_ms, self))
        self.setUniformItemSizes(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.setMouseTracking(True)
        self.setAccessibleName(_("Hits"))
