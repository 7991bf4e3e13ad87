"""How a chat looks in the list: title and time, below where it is from and how its last turn stands."""

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QFont, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from biny_desktop.conversation.model import Session
from biny_desktop.core.clock import Clock
from biny_desktop.core.i18n import ngettext
from biny_desktop.service.chat.turn_words import turn_status
from biny_desktop.ui.chat_words import session_source, session_title
from biny_desktop.ui.colours import mix
from biny_desktop.ui.formats import moment
from biny_desktop.ui.item_models.sessions import SESSION
from biny_desktop.ui.theme import colour, tokens

ROW_PX, EDGE = 44, 16
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_NOTEWORTHY = ("failed", "blocked", "incomplete")

Index = QModelIndex | QPersistentModelIndex


class SessionDelegate(QStyledItemDelegate):
    """Text is painted, never taken as markup."""

    def __init__(self, clock: Clock) -> None:
        super().__init__()
        self._clock = clock

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(180, tokens().px(ROW_PX))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        session, row = index.data(SESSION), option.rect
        if not isinstance(session, Session):
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
        self._title(painter, option.font, QRect(area.x(), area.y(), area.width(), half), session)
        self._below(painter, option.font, QRect(area.x(), area.y() + half, area.width(), area.height() - half), session)
        painter.restore()

    def _title(self, painter: QPainter, font: QFont, area: QRect, session: Session) -> None:
        now = self._clock.stamp()
        when = moment(session.updated_at_ms, now.zone, now.at_ms)
        small = QFont(font)
        small.setPixelSize(tokens().small_px)
        painter.setFont(small)
        painter.setPen(colour("muted"))
        painter.drawText(area, _RIGHT, when)
        room = area.adjusted(0, 0, -painter.fontMetrics().horizontalAdvance(when) - 8, 0)
        painter.setFont(font)
        painter.setPen(colour("private" if session.incognito else "text"))
        words = painter.fontMetrics().elidedText(session_title(session), Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(room, _LEFT, words)

    def _below(self, painter: QPainter, font: QFont, area: QRect, session: Session) -> None:
        small = QFont(font)
        small.setPixelSize(tokens().small_px)
        painter.setFont(small)
        metrics = painter.fontMetrics()
        state = turn_status(session.turn_status) if session.turn_status in _NOTEWORTHY else ""
        painter.setPen(colour("warn"))
        painter.drawText(area, _RIGHT, state)
        room = area.adjusted(0, 0, -metrics.horizontalAdvance(state) - (8 if state else 0), 0)
        count = ngettext("{n} message", "{n} messages", session.message_count).format(n=session.message_count)
        words = " · ".join(part for part in (session_source(session), count) if part)
        painter.setPen(colour("private" if session.incognito else "muted"))
        painter.drawText(room, _LEFT, metrics.elidedText(words, Qt.TextElideMode.ElideRight, room.width()))
