"""The film strip: a day's frames from left to right, gaps as gaps, thumbnails only for what is in sight.

The model is newest first and fetched page by page, so the view lies in right-to-left direction: its first row is at the
right end, and scrolling to the left fetches older pages. Rejected: an own scroll area, which would lose the list's
accessibility and persistent selection.
"""

from collections.abc import Iterable

from PySide6.QtCore import QEvent, QModelIndex, QPoint, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QHelpEvent, QKeyEvent, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QListView, QToolTip, QWidget

from biny_desktop.activity.model import Frame, Gap
from biny_desktop.core.i18n import _
from biny_desktop.ui.facts import plain_tip
from biny_desktop.ui.formats import full_moment
from biny_desktop.ui.item_models.timeline import ITEM, TimelineModel
from biny_desktop.ui.widgets.strip_delegate import StripDelegate, gap_tip

SETTLE_MS = 150
"""The range in sight is told when scrolling has rested for this long."""
SCROLL_BAR_PX = 12


class FilmStrip(QListView):
    """Signals: `frame_chosen(id)` for the current frame, `range_changed(start_ms, end_ms)` of what is in sight.

    `zone` is that of the day shown; gaps have none of their own.
    """

    frame_chosen = Signal(int)
    range_changed = Signal(object, object)

    def __init__(self, model: TimelineModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.timeline_model = model
        self.zone = "UTC"
        self.setModel(model)
        self.setItemDelegate(StripDelegate(self))
        self.setFlow(QListView.Flow.LeftToRight)
        self.setWrapping(False)
        self.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
        self.setLayoutMode(QListView.LayoutMode.SinglePass)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setMouseTracking(True)
        self.setAccessibleName(_("Film strip"))
        self._settle = QTimer(self, singleShot=True, interval=SETTLE_MS)
        self._settle.timeout.connect(self._tell_range)
        self.horizontalScrollBar().valueChanged.connect(self._settle.start)
        for signal in (model.rowsInserted, model.rowsRemoved, model.modelReset):
            signal.connect(self._settle.start)

    def sizeHint(self) -> QSize:
        return QSize(640, self.strip_height())

    def strip_height(self) -> int:
        """Height for one row and the scroll bar."""
        return self.itemDelegate().sizeHint(None, QModelIndex()).height() + SCROLL_BAR_PX

    def rowsInserted(self, parent: QModelIndex, start: int, end: int) -> None:
        """New frames come in at the right end; who looks at older ones keeps them in place."""
        super().rowsInserted(parent, start, end)
        bar = self.horizontalScrollBar()
        if start == 0 and bar.value() > 0:
            self.executeDelayedItemsLayout()
            model, hint = self.timeline_model, self.itemDelegate().sizeHint
            bar.setValue(bar.value() + sum(hint(None, model.index(row)).width() for row in range(start, end + 1)))

    # -- choosing ------------------------------------------------------------------------------------------------------

    def current_id(self) -> int | None:
        """The chosen frame."""
        item = self.currentIndex().data(ITEM)
        return item.id if isinstance(item, Frame) else None

    def choose(self, row: int) -> None:
        """Make a row the current one and bring it into sight."""
        index = self.timeline_model.index(row)
        self.setCurrentIndex(index)
        self.scrollTo(index, QAbstractItemView.ScrollHint.EnsureVisible)

    def choose_frame(self, frame_id: int) -> bool:
        """Make a loaded frame the current one; False when it is not loaded."""
        row = self.timeline_model.row_of(frame_id)
        if row is None:
            return False
        self.choose(row)
        return True

    def step(self, by: int) -> bool:
        """To the next frame, +1 newer, −1 older, over gaps; False at the end of what is loaded."""
        row = self.currentIndex().row()
        step = -1 if by > 0 else 1
        row += step
        while isinstance(self.timeline_model.item(row), Gap):
            row += step
        if self.timeline_model.item(row) is None:
            return False
        self.choose(row)
        return True

    def choose_near(self, row: int) -> None:
        """The frame at a row or the nearest one, for instance after a delete there."""
        count = self.timeline_model.rowCount()
        order = sorted(range(count), key=lambda other: (abs(other - row), other))
        self._first_frame(order)

    def to_newest(self) -> None:
        """The last frame of the day."""
        self._first_frame(range(self.timeline_model.rowCount()))

    def to_oldest(self) -> None:
        """The first frame of the day; older pages are fetched for it."""
        model = self.timeline_model
        model.fetch_until(None, lambda: self._first_frame(range(model.rowCount() - 1, -1, -1)))

    def _first_frame(self, rows: Iterable[int]) -> None:
        row = next((row for row in rows if isinstance(self.timeline_model.item(row), Frame)), None)
        if row is not None:
            self.choose(row)

    def currentChanged(self, current: QModelIndex, previous: QModelIndex) -> None:
        super().currentChanged(current, previous)
        item = current.data(ITEM)
        if isinstance(item, Frame):
            self.frame_chosen.emit(item.id)

    # -- keys, wheel, tooltips -----------------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = event.key()
        if key in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            self.step_or_fetch(1 if key == Qt.Key.Key_Right else -1)
        elif key == Qt.Key.Key_Home:
            self.to_oldest()
        elif key == Qt.Key.Key_End:
            self.to_newest()
        elif key in (Qt.Key.Key_PageUp, Qt.Key.Key_PageDown):
            for _n in range(max(1, self.viewport().width() // 180 - 1)):
                self.step(1 if key == Qt.Key.Key_PageDown else -1)
        else:
            super().keyPressEvent(event)

    def step_or_fetch(self, by: int) -> None:
        """Like `step`; older frames are fetched when the loaded ones end."""
        model = self.timeline_model
        if not self.step(by) and by < 0 and model.canFetchMore(QModelIndex()):
            model.fetchMore(QModelIndex())

    def wheelEvent(self, event: QWheelEvent) -> None:
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            event.ignore()  # the page zooms
            return
        turn = event.angleDelta()
        by = turn.x() or turn.y()
        bar = self.horizontalScrollBar()
        bar.setValue(bar.value() + (by if self.isRightToLeft() else -by))
        event.accept()

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            item = self.indexAt(event.pos()).data(ITEM)
            QToolTip.showText(event.globalPos(), plain_tip(self._tip(item)), self)
            return True
        return super().viewportEvent(event)

    def _tip(self, item: object) -> str:
        if isinstance(item, Gap):
            return gap_tip(item, self.zone)
        if isinstance(item, Frame):
            return "\n".join(part for part in (item.title, item.app_name, full_moment(item.at_ms, item.zone)) if part)
        return ""

    # -- what is in sight ----------------------------------------------------------------------------------------------

    def visible_range(self) -> tuple[int, int] | None:
        """UTC ms [start, end] of the frames and gaps in sight; None when nothing is shown."""
        area = self.viewport().rect()
        right = self._item_near(area.right() - 2, -1)
        left = self._item_near(2, 1)
        if left is None or right is None:
            return None
        start = left.start_ms if isinstance(left, Gap) else left.at_ms
        end = right.end_ms if isinstance(right, Gap) else right.at_ms + 1
        return (start, end) if start < end else None

    def _item_near(self, x: int, step: int) -> Frame | Gap | None:
        y = self.viewport().height() // 3
        while 0 <= x <= self.viewport().width():
            item = self.indexAt(QPoint(x, y)).data(ITEM)
            if isinstance(item, Frame | Gap):
                return item
            x += step * 12
        return None

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._settle.start()

    def _tell_range(self) -> None:
        shown = self.visible_range()
        if shown is not None:
            self.range_changed.emit(*shown)
