"""How a found message looks: who, in which chat, when, and its words with the found ones marked."""

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QFont, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from biny_desktop.conversation.search.model import MessageHit
from biny_desktop.core.i18n import _
from biny_desktop.ui.formats import moment
from biny_desktop.ui.item_models.likeness import LIKENESS
from biny_desktop.ui.item_models.message_hits import HIT
from biny_desktop.ui.theme import colour, tokens
from biny_desktop.ui.widgets.hit_delegate import BAR_PX, BAR_ROOM_PX, EDGE, SNIPPET_LINES, paint_likeness, paint_snippet

_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter

Index = QModelIndex | QPersistentModelIndex


class MessageHitDelegate(QStyledItemDelegate):
    """Text is painted with character formats, never as markup."""

    def __init__(self, now_ms: int) -> None:
        super().__init__()
        self.now_ms = now_ms

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(200, (SNIPPET_LINES + 1) * (tokens().body_px + 7) + 2 * EDGE + 1)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        hit, row = index.data(HIT), option.rect
        if not isinstance(hit, MessageHit):
            return
        painter.save()
        painter.setClipRect(row)
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(row, colour("selection"))
            painter.fillRect(QRect(row.topLeft(), QSize(2, row.height())), colour("accent"))
        elif option.state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(row, colour("hover"))
        painter.fillRect(QRect(row.x(), row.bottom(), row.width(), 1), colour("line"))
        area = row.adjusted(16, EDGE, -16, -EDGE)
        painter.setFont(option.font)
        likeness = index.data(LIKENESS)
        if likeness is not None:
            area.setRight(area.right() - tokens().px(BAR_ROOM_PX))
            paint_likeness(painter, QRect(area.right() + 17, area.y(), tokens().px(BAR_PX), area.height()), likeness)
        high = tokens().body_px + 8
        self._first_line(painter, QRect(area.x(), area.y(), area.width(), high), hit)
        paint_snippet(painter, area.adjusted(0, high + 2, 0, 0), hit.snippet, hit.marks, "")
        painter.restore()

    def _first_line(self, painter: QPainter, area: QRect, hit: MessageHit) -> None:
        bold = QFont(painter.font())
        bold.setWeight(QFont.Weight.DemiBold)
        plain = QFont(painter.font())
        who = _("You") if hit.role == "user" else _("Model")
        painter.setFont(bold)
        painter.setPen(colour("text"))
        painter.drawText(area, _LEFT, who)
        x = area.x() + painter.fontMetrics().horizontalAdvance(who) + 10
        painter.setFont(plain)
        painter.setPen(colour("muted"))
        words = f"{moment(hit.sent_at_ms, hit.time_zone, self.now_ms)} · {hit.session_title}"
        if not hit.active:
            words += " · " + _("a version that is not shown")
        room = QRect(x, area.y(), area.right() - x, area.height())
        painter.drawText(
            room, _LEFT, painter.fontMetrics().elidedText(words, Qt.TextElideMode.ElideRight, room.width())
        )
