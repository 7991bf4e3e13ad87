"""How a frame or a gap looks on the film strip."""

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QPainter, QPen, QPixmap
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from biny_desktop.activity.model import Frame, Gap
from biny_desktop.core.i18n import _
from biny_desktop.ui.colours import mix
from biny_desktop.ui.formats import clock_time, duration, time_range
from biny_desktop.ui.item_models.thumbs import THUMB
from biny_desktop.ui.item_models.timeline import ITEM, PICTURE
from biny_desktop.ui.theme import app_colour, colour, tokens
from biny_desktop.ui.widgets.texture import hatch
from biny_desktop.ui.words import cause_words

EDGE = 4
"""Pixels around a thumbnail; it also holds the frame of the selected one."""
BAR = 3
"""Height of the line in the application's colour."""
GAP_WIDTH = 88

Index = QModelIndex | QPersistentModelIndex


class StripDelegate(QStyledItemDelegate):
    """Thumbnail, a line in the app's colour, time and app name; gaps are hatched and say why."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        wide = GAP_WIDTH if isinstance(index.data(ITEM), Gap) else THUMB.width()
        return QSize(wide + 2 * EDGE, THUMB.height() + BAR + 2 * EDGE + tokens().px(20))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        item = index.data(ITEM)
        painter.save()
        painter.setClipRect(option.rect)
        if isinstance(item, Gap):
            self._paint_gap(painter, option, item)
        elif isinstance(item, Frame):
            self._paint_frame(painter, option, item, index.data(PICTURE))
        painter.restore()

    def _paint_frame(
        self, painter: QPainter, option: QStyleOptionViewItem, frame: Frame, picture: QPixmap | None
    ) -> None:
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        if chosen:
            painter.fillRect(option.rect, colour("selection"))
        elif option.state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(option.rect, colour("hover"))
        place = QRect(option.rect.x() + EDGE, option.rect.y() + EDGE, THUMB.width(), THUMB.height())
        if picture is not None:
            painter.drawPixmap(place, picture)
        else:
            painter.fillRect(place, colour("hover"))
            if frame.picture_state != "live":
                self._words(painter, place, _("Picture gone"))
        bar = QRect(place.x(), place.bottom() + 1, place.width(), BAR)
        painter.fillRect(bar, app_colour(frame.app_id))
        if chosen:
            painter.setPen(QPen(colour("accent"), 2))
            painter.drawRect(place.adjusted(-1, -1, 1, BAR + 1))
        self._caption(painter, QRect(place.x(), bar.bottom() + 2, place.width(), tokens().px(18)), frame)

    def _caption(self, painter: QPainter, area: QRect, frame: Frame) -> None:
        font = painter.font()
        font.setPixelSize(tokens().small_px)
        painter.setFont(font)
        time = clock_time(frame.at_ms, frame.zone, seconds=True)
        painter.setPen(colour("text"))
        painter.drawText(area, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, time)
        used = painter.fontMetrics().horizontalAdvance(time) + 8
        rest = area.adjusted(used, 0, 0, 0)
        painter.setPen(colour("muted"))
        name = painter.fontMetrics().elidedText(frame.app_name, Qt.TextElideMode.ElideRight, rest.width())
        painter.drawText(rest, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, name)

    def _paint_gap(self, painter: QPainter, option: QStyleOptionViewItem, gap: Gap) -> None:
        area = QRect(option.rect.x() + EDGE, option.rect.y() + EDGE, GAP_WIDTH, THUMB.height() + BAR)
        private = gap.cause == "private"
        stroke = mix(colour("panel"), colour("private" if private else "muted"), 0.28)
        hatch(painter, area, stroke, colour("panel"))
        painter.setPen(QPen(colour("line"), 1))
        painter.drawRect(area.adjusted(0, 0, -1, -1))
        box = area.adjusted(6, 18, -6, -18)
        painter.fillRect(box, colour("panel"))
        font = painter.font()
        font.setPixelSize(tokens().small_px)
        painter.setFont(font)
        painter.setPen(colour("private" if private else "bad" if gap.cause == "stalled" else "text"))
        words = f"{cause_words(gap.cause)}\n{duration(gap.end_ms - gap.start_ms)}"
        painter.drawText(box, int(Qt.AlignmentFlag.AlignCenter) | int(Qt.TextFlag.TextWordWrap), words)

    def _words(self, painter: QPainter, area: QRect, words: str) -> None:
        painter.setPen(colour("muted"))
        painter.drawText(area, Qt.AlignmentFlag.AlignCenter, words)


def gap_tip(gap: Gap, zone: str) -> str:
    """The tooltip of a gap: cause, from and to."""
    span = time_range(gap.start_ms, gap.end_ms, zone)
    return f"{cause_words(gap.cause)}\n{span} · {duration(gap.end_ms - gap.start_ms)}"
