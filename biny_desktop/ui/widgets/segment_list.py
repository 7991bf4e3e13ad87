"""The list of a day's segments, with the line under it that brings in the short and the hidden ones."""

from PySide6.QtCore import QEvent, QModelIndex, QPoint, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QHelpEvent, QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QListView, QPushButton, QToolTip, QVBoxLayout, QWidget

from biny_desktop.activity.segments.model import Segment
from biny_desktop.core.i18n import _, ngettext
from biny_desktop.ui.facts import plain_tip
from biny_desktop.ui.item_models.segments import SegmentsModel
from biny_desktop.ui.widgets.band_paint import segment_tip
from biny_desktop.ui.widgets.segment_delegate import SegmentDelegate


class SegmentListView(QListView):
    """Signals: `segment_chosen(Segment)`, `segment_opened(Segment)` by Enter or a double click, `menu_asked(Segment,
    QPoint)`, `delete_asked(Segment)` by Del."""

    segment_chosen = Signal(object)
    segment_opened = Signal(object)
    menu_asked = Signal(object, QPoint)
    delete_asked = Signal(object)

    def __init__(self, model: SegmentsModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.segments = model
        self.setModel(model)
        self.setItemDelegate(SegmentDelegate(self))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setEditTriggers(QAbstractItemView.EditTrigger.EditKeyPressed)
        self.setMouseTracking(True)
        self.setAccessibleName(_("Activities of the day"))
        self.doubleClicked.connect(self._on_opened)

    def chosen(self) -> Segment | None:
        """The chosen segment."""
        return self.segments.segment(self.currentIndex().row())

    def choose(self, segment_id: int) -> bool:
        """Choose a listed segment and bring it into sight."""
        row = self.segments.row_of(segment_id)
        if row is None:
            return False
        index = self.segments.index(row)
        self.setCurrentIndex(index)
        self.scrollTo(index)
        return True

    def currentChanged(self, current: QModelIndex, previous: QModelIndex) -> None:
        super().currentChanged(current, previous)
        segment = self.segments.segment(current.row())
        if segment is not None:
            self.segment_chosen.emit(segment)

    def _on_opened(self, index: QModelIndex) -> None:
        segment = self.segments.segment(index.row())
        if segment is not None:
            self.segment_opened.emit(segment)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        segment, key = self.chosen(), event.key()
        editing = self.state() == QAbstractItemView.State.EditingState
        if segment is None or editing:
            super().keyPressEvent(event)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.segment_opened.emit(segment)
        elif key == Qt.Key.Key_Delete:
            self.delete_asked.emit(segment)
        elif key == Qt.Key.Key_F2:
            self.edit(self.currentIndex())
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        if event.reason() == QContextMenuEvent.Reason.Mouse:
            segment, place = self.segments.segment(self.indexAt(event.pos()).row()), event.globalPos()
        else:
            segment = self.chosen()
            place = self.viewport().mapToGlobal(self.visualRect(self.currentIndex()).center())
        if segment is not None:
            self.menu_asked.emit(segment, place)

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            segment = self.segments.segment(self.indexAt(event.pos()).row())
            QToolTip.showText(event.globalPos(), plain_tip(segment_tip(segment)) if segment is not None else "", self)
            return True
        return super().viewportEvent(event)


class SegmentList(QWidget):
    """The view and the line under it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.model = SegmentsModel(self)
        self.view = SegmentListView(self.model)
        self.toggle = QPushButton()
        self.toggle.setProperty("role", "flat")
        self.toggle.setToolTip(_("Under 30 s with few events and frames, or hidden by you"))
        self.toggle.clicked.connect(self._on_toggled)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.view, 1)
        column.addWidget(self.toggle)
        self.model.modelReset.connect(self.relabel)
        self.relabel()

    def relabel(self) -> None:
        """The words of the line under the list, for the rows of now."""
        short, hidden = self.model.left_out()
        parts = []
        if short:
            parts.append(ngettext("{n} short one", "{n} short ones", short).format(n=short))
        if hidden:
            parts.append(ngettext("{n} hidden one", "{n} hidden ones", hidden).format(n=hidden))
        what = _(" and ").join(parts)
        words = _("Leave out {what}") if self.model.shows_all else _("Show {what}")
        self.toggle.setText(words.format(what=what))
        self.toggle.setAccessibleName(self.toggle.text())
        self.toggle.setVisible(bool(parts))

    def _on_toggled(self) -> None:
        chosen = self.view.chosen()
        self.model.show_all(on=not self.model.shows_all)
        self.relabel()
        if chosen is not None:
            self.view.choose(chosen.id)
