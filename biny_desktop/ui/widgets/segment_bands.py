"""Segments of a stretch of time as bands on an axis, gaps as gaps with their cause; what is in sight is painted."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QWheelEvent
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from biny_desktop.activity.model import Gap
from biny_desktop.activity.segments.model import Segment
from biny_desktop.core.i18n import _
from biny_desktop.ui.facts import plain_tip
from biny_desktop.ui.segment_words import segment_line
from biny_desktop.ui.theme import app_colour, colour, theme_signals, tokens
from biny_desktop.ui.widgets.band_paint import paint_gap, paint_segment, segment_tip, small_font
from biny_desktop.ui.widgets.strip_delegate import gap_tip
from biny_desktop.ui.widgets.texture import focus_ring
from biny_desktop.ui.widgets.time_axis import TimeAxis

BAND_PX, TALLEST_PX, AXIS_PX, TICK_PX = 40, 64, 20, 4
PAN_PART = 0.15
"""A turn of the wheel moves the window by this part of its length."""

Item = Segment | Gap


class SegmentBands(QWidget):
    """Signals: `segment_chosen(Segment, at_ms)`, `segment_opened(Segment, at_ms)` (double click, Enter),
    `menu_asked(Segment, QPoint)`, `zoom_asked(+1 nearer or −1, at_ms)`, `pan_asked(by ms)`, `time_chosen(at_ms)`."""

    segment_chosen = Signal(object, object)
    segment_opened = Signal(object, object)
    menu_asked = Signal(object, QPoint)
    zoom_asked = Signal(int, object)
    pan_asked = Signal(object)
    time_chosen = Signal(object)

    def __init__(
        self, parent: QWidget | None = None, *, axis: bool = True, margin: int = 16, grows: bool = False
    ) -> None:
        super().__init__(parent)
        self._with_axis, self._margin = axis, margin
        self._items: list[Item] = []
        self._starts: list[int] = []
        self._zone = "UTC"
        self._window = (0, 1)
        self._chosen: int | None = None
        self._cursor: int | None = None
        self._ticks: Sequence[tuple[int, str]] = ()
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(_("Activities"))
        high = QSizePolicy.Policy.Preferred if grows else QSizePolicy.Policy.Fixed
        self.setSizePolicy(QSizePolicy.Policy.Expanding, high)
        if grows:
            self.setMaximumHeight(tokens().px(TALLEST_PX) + self._foot_px())
        theme_signals().changed.connect(self.update)

    # -- filling -------------------------------------------------------------------------------------------------------

    def show_items(self, items: Sequence[Item], zone: str) -> None:
        """Segments and gaps in order of time; they do not overlap."""
        self._items, self._zone = list(items), zone
        self._starts = [item.start_ms for item in self._items]
        self.update()

    def set_window(self, start_ms: int, end_ms: int) -> None:
        """The stretch in sight, UTC ms."""
        if (start_ms, end_ms) != self._window:
            self._window = (start_ms, max(end_ms, start_ms + 1))
            self.update()

    @property
    def window_ms(self) -> tuple[int, int]:
        """The stretch in sight."""
        return self._window

    def set_cursor(self, at_ms: int | None) -> None:
        """Mark an instant: that of the frame that is shown."""
        if at_ms != self._cursor:
            self._cursor = at_ms
            self.update()

    def set_ticks(self, ticks: Sequence[tuple[int, str]]) -> None:
        """Frames as small lines: (UTC ms, app id)."""
        self._ticks = ticks
        self.update()

    def select(self, segment_id: int | None) -> None:
        """Choose a segment; tells nobody."""
        if segment_id != self._chosen:
            self._chosen = segment_id
            chosen = self.selected()
            self.setAccessibleDescription(segment_line(chosen) if chosen is not None else "")
            self.update()

    def selected(self) -> Segment | None:
        """The chosen segment, when it is listed."""
        found = (item for item in self._items if isinstance(item, Segment) and item.id == self._chosen)
        return next(found, None)

    def segment_at(self, at_ms: int) -> Segment | None:
        """The segment of an instant; its end belongs to it unless another one begins there."""
        item = self._item_at(at_ms)
        if isinstance(item, Segment):
            return item
        before = self._items[bisect_right(self._starts, at_ms - 1) - 1] if self._items else None
        return before if isinstance(before, Segment) and before.end_ms == at_ms else None

    def segments(self) -> list[Segment]:
        """All segments listed, in order."""
        return [item for item in self._items if isinstance(item, Segment)]

    # -- geometry ------------------------------------------------------------------------------------------------------

    def sizeHint(self) -> QSize:
        return QSize(640, tokens().px(BAND_PX) + self._foot_px())

    def _foot_px(self) -> int:
        """What is under the bands: ticks, and the axis."""
        return TICK_PX + 4 + (tokens().px(AXIS_PX) if self._with_axis else 0)

    def _band_px(self) -> int:
        return max(tokens().px(BAND_PX), self.height() - self._foot_px())

    def minimumSizeHint(self) -> QSize:
        return QSize(200, self.sizeHint().height())

    def axis(self) -> TimeAxis:
        """The axis of now."""
        width = max(1, self.width() - 2 * self._margin)
        return TimeAxis(*self._window, self._margin, width, self._zone)

    def _item_at(self, at_ms: int) -> Item | None:
        place = bisect_right(self._starts, at_ms) - 1
        if place < 0:
            return None
        item = self._items[place]
        return item if item.end_ms > at_ms else None

    def _hit(self, x: float) -> Item | None:
        """The item at a place; a narrow segment within 2 px goes before a gap."""
        item = self._item_at(self.axis().time(x))
        if isinstance(item, Segment):
            return item
        place = bisect_right(self._starts, self.axis().time(x))
        for near in self._items[max(0, place - 2) : place + 2]:
            if isinstance(near, Segment) and self.area_of(near).left() - 2 <= x <= self.area_of(near).right() + 2:
                return near
        return item

    def area_of(self, item: Item) -> QRect:
        """Where an item stands, at least one pixel wide."""
        axis = self.axis()
        x0, x1 = axis.x(max(item.start_ms, self._window[0])), axis.x(min(item.end_ms, self._window[1]))
        return QRect(x0, 2, max(1, x1 - x0), self._band_px())

    # -- painting ------------------------------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setFont(small_font(painter.font()))
        axis = self.axis()
        start, end = self._window
        first = max(0, bisect_right(self._starts, start) - 1)
        last_x, chosen = -1, None
        for item in self._items[first : bisect_left(self._starts, end)]:
            if item.end_ms <= start:
                continue
            area = self.area_of(item)
            if area.right() <= last_x and area.width() == 1:
                continue  # another one already fills this pixel
            last_x = area.right()
            if isinstance(item, Gap):
                paint_gap(painter, area, item)
            elif item.id == self._chosen:
                chosen = (area, item)
            else:
                paint_segment(painter, area, item, axis, chosen=False)
        if chosen is not None:
            paint_segment(painter, *chosen, axis, chosen=True)
        foot = self._band_px() + 3
        self._paint_ticks(painter, axis, foot)
        if self._with_axis:
            axis.paint(painter, foot + TICK_PX, self.height() - foot - TICK_PX)
        if self._cursor is not None and start <= self._cursor <= end:
            painter.fillRect(QRect(axis.x(self._cursor) - 1, 0, 2, foot + TICK_PX), colour("accent"))
        if self.hasFocus():
            focus_ring(painter, self.rect(), colour("accent"))

    def _paint_ticks(self, painter: QPainter, axis: TimeAxis, top: int) -> None:
        painter.fillRect(QRect(axis.left, top + TICK_PX, axis.width, 1), colour("line"))
        last = -2
        for at, app_id in self._ticks:
            x = axis.x(at)
            if self._window[0] <= at <= self._window[1] and x > last + 1:
                painter.fillRect(QRect(x, top, 2, TICK_PX), app_colour(app_id))
                last = x

    # -- keys and mouse ------------------------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = event.key()
        chosen = self.selected()
        if key in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            self._step(1 if key == Qt.Key.Key_Right else -1)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and chosen is not None:
            self.segment_opened.emit(chosen, chosen.start_ms)
        elif key in (Qt.Key.Key_Plus, Qt.Key.Key_Equal, Qt.Key.Key_Minus):
            middle = sum(self._window) // 2
            at = chosen.start_ms if chosen is not None else self._cursor or middle
            self.zoom_asked.emit(-1 if key == Qt.Key.Key_Minus else 1, at)
        elif key == Qt.Key.Key_Menu and chosen is not None:
            self.menu_asked.emit(chosen, self.mapToGlobal(self.area_of(chosen).center()))
        else:
            super().keyPressEvent(event)

    def _step(self, by: int) -> None:
        segments = self.segments()
        if not segments:
            return
        ids = [each.id for each in segments]
        if self._chosen in ids:
            place = min(len(ids) - 1, max(0, ids.index(self._chosen) + by))
        else:
            place = min(len(ids) - 1, bisect_left([each.start_ms for each in segments], self._window[0]))
        self._choose(segments[place], segments[place].start_ms)

    def _choose(self, segment: Segment, at_ms: int) -> None:
        self.select(segment.id)
        self.segment_chosen.emit(segment, at_ms)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            return
        item, at = self._hit(event.position().x()), self.axis().time(event.position().x())
        if isinstance(item, Segment):
            self._choose(item, min(max(at, item.start_ms), item.end_ms))
        else:
            self.time_chosen.emit(at)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        item, at = self._hit(event.position().x()), self.axis().time(event.position().x())
        if isinstance(item, Segment):
            self.segment_opened.emit(item, min(max(at, item.start_ms), item.end_ms))

    def wheelEvent(self, event: QWheelEvent) -> None:
        turn = event.angleDelta().y() or event.angleDelta().x()
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.zoom_asked.emit(1 if turn > 0 else -1, self.axis().time(event.position().x()))
        else:
            length = self._window[1] - self._window[0]
            self.pan_asked.emit(round(-turn / 120 * length * PAN_PART))
        event.accept()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        item = self._hit(event.pos().x())
        if isinstance(item, Segment):
            self._choose(item, min(max(self.axis().time(event.pos().x()), item.start_ms), item.end_ms))
            self.menu_asked.emit(item, event.globalPos())

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            item = self._hit(event.pos().x())
            words = segment_tip(item) if isinstance(item, Segment) else gap_tip(item, self._zone) if item else ""
            QToolTip.showText(event.globalPos(), plain_tip(words), self)
            return True
        return super().event(event)
