"""How an item of the inbox looks in the list: what it is and when it was asked, below where it is from."""

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QFont, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from biny_desktop.core.clock import Clock
from biny_desktop.service.approvals import ApprovalItem
from biny_desktop.ui.colours import mix
from biny_desktop.ui.formats import moment
from biny_desktop.ui.item_models.approvals import ITEM, state_words
from biny_desktop.ui.theme import colour, tokens

ROW_PX, EDGE, GAP = 44, 16, 8
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter

Index = QModelIndex | QPersistentModelIndex


class ApprovalDelegate(QStyledItemDelegate):
    """Text is painted, never taken as markup."""

    def __init__(self, clock: Clock) -> None:
        super().__init__()
        self._clock = clock

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(180, tokens().px(ROW_PX))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        item, row = index.data(ITEM), option.rect
        if not isinstance(item, ApprovalItem):
            return
        painter.save()
        painter.setClipRect(row)
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(row, colour("selection"))
            painter.fillRect(QRect(row.topLeft(), QSize(2, row.height())), colour("accent"))
        elif option.state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(row, colour("hover"))
        painter.fillRect(QRect(row.x(), row.bottom(), row.width(), 1), mix(colour("panel"), colour("line"), 0.6))
        area = row.adjusted(EDGE, 5, -EDGE, -5)
        half = area.height() // 2
        small = QFont(option.font)
        small.setPixelSize(tokens().small_px)
        now = self._clock.stamp()
        when = moment(item.asked_at_ms, now.zone, now.at_ms)
        state = "" if item.status == "open" else state_words(item)
        upper = QRect(area.x(), area.y(), area.width(), half)
        lower = QRect(area.x(), area.y() + half, area.width(), area.height() - half)
        _line(painter, upper, (item.title, option.font, "text"), (when, small, "muted"))
        _line(painter, lower, (item.comes_from, small, "muted"), (state, small, "muted"))
        painter.restore()


def _line(painter: QPainter, area: QRect, left: tuple[str, QFont, str], right: tuple[str, QFont, str]) -> None:
    """A text at the left, shortened before the one at the right begins."""
    words, font, ink = right
    painter.setFont(font)
    painter.setPen(colour(ink))
    taken = painter.fontMetrics().horizontalAdvance(words) + GAP if words else 0
    painter.drawText(area, _RIGHT, words)
    words, font, ink = left
    painter.setFont(font)
    painter.setPen(colour(ink))
    free = area.width() - taken
    painter.drawText(area, _LEFT, painter.fontMetrics().elidedText(words, Qt.TextElideMode.ElideRight, free))
