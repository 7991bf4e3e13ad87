"""How an activity that was found looks: when, title and length, its apps and project, the text with its marks."""

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QFont, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from biny_desktop.activity.segments.model import Segment, SegmentHit
from biny_desktop.core.clock import to_local
from biny_desktop.core.marks import Marks
from biny_desktop.ui.formats import clock_time, day_title, duration
from biny_desktop.ui.item_models.likeness import LIKENESS
from biny_desktop.ui.item_models.segment_hits import TITLE_MARKS
from biny_desktop.ui.item_models.timeline import ITEM
from biny_desktop.ui.segment_words import segment_title
from biny_desktop.ui.theme import app_colour, colour, tokens
from biny_desktop.ui.widgets.hit_delegate import BAR_PX, BAR_ROOM_PX, mark_colour, paint_likeness, paint_snippet

EDGE, STRIPE_PX = 8, 3
APPS_MAX = 3
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
Index = QModelIndex | QPersistentModelIndex


class SegmentHitDelegate(QStyledItemDelegate):
    """Text is painted with character formats, never as markup."""

    def __init__(self, now_ms: int, parent: object = None) -> None:
        super().__init__(parent)
        self.now_ms = now_ms

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(200, 2 * (tokens().body_px + 8) + 2 * EDGE - 1)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        hit = index.data(ITEM)
        if not isinstance(hit, SegmentHit):
            return
        row = option.rect
        painter.save()
        painter.setClipRect(row)
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(row, colour("selection"))
            painter.fillRect(QRect(row.topLeft(), QSize(2, row.height())), colour("accent"))
        elif option.state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(row, colour("hover"))
        painter.fillRect(QRect(row.x(), row.bottom(), row.width(), 1), colour("line"))
        segment = hit.segment
        hue = app_colour(segment.apps[0].app_id) if segment.apps else colour("private")
        painter.fillRect(QRect(row.x() + 16, row.y() + EDGE, STRIPE_PX, row.height() - 2 * EDGE), hue)
        area = QRect(row.x() + 16 + STRIPE_PX + 9, row.y() + EDGE - 2, 0, row.height() - 2 * EDGE)
        area.setRight(row.right() - 16)
        painter.setFont(option.font)
        likeness = index.data(LIKENESS)
        if likeness is not None:
            area.setRight(area.right() - tokens().px(BAR_ROOM_PX))
            paint_likeness(painter, QRect(area.right() + 17, area.y(), tokens().px(BAR_PX), area.height()), likeness)
        marks = index.data(TITLE_MARKS) or ()
        self._first_line(painter, QRect(area.x(), area.y(), area.width(), tokens().body_px + 8), segment, marks)
        room = area.adjusted(0, tokens().body_px + 10, 0, 0)
        paint_snippet(painter, room, hit.snippet, hit.marks, apps_words(segment), lines=1)
        painter.restore()

    def _first_line(self, painter: QPainter, area: QRect, segment: Segment, marks: Marks) -> None:
        metrics = painter.fontMetrics()
        right = duration(segment.length_ms)
        right = f"{segment.project}  ·  {right}" if segment.project else right
        when = self._when(segment)
        painter.setPen(colour("muted"))
        painter.drawText(area, _RIGHT, right)
        painter.drawText(area, _LEFT, when)
        left = metrics.horizontalAdvance(when) + 12
        room = area.adjusted(left, 0, -metrics.horizontalAdvance(right) - 12, 0)
        font = QFont(painter.font())
        font.setWeight(QFont.Weight.DemiBold)
        painter.save()
        painter.setFont(font)
        painter.setPen(colour("private" if segment.kind == "private" else "text"))
        title = painter.fontMetrics().elidedText(segment_title(segment), Qt.TextElideMode.ElideRight, room.width())
        self._mark_title(painter, room, title, marks)
        painter.drawText(room, _LEFT, title)
        painter.restore()

    def _mark_title(self, painter: QPainter, room: QRect, title: str, marks: Marks) -> None:
        """The ground of the words found in a title, as far as it is shown."""
        metrics = painter.fontMetrics()
        for start, end in marks:
            if end <= len(title):
                x0, x1 = metrics.horizontalAdvance(title[:start]), metrics.horizontalAdvance(title[:end])
                painter.fillRect(QRect(room.x() + x0, room.y() + 2, x1 - x0, room.height() - 4), mark_colour())

    def _when(self, segment: Segment) -> str:
        day = to_local(segment.start_ms, segment.zone).date()
        today = to_local(self.now_ms, segment.zone).date()
        start, end = clock_time(segment.start_ms, segment.zone), clock_time(segment.end_ms, segment.zone)
        return f"{day_title(day, today)}, {start}–{end}"


def apps_words(segment: Segment) -> str:
    """The apps of an activity in a line."""
    return " · ".join(app.app_name or app.app_id for app in segment.apps[:APPS_MAX])
