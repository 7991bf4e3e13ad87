"""How a chat looks in the list: title and time, below where it is from, open to-dos and how its last turn stands."""

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QFont, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from biny_desktop.conversation.model import Session
from biny_desktop.core.clock import Clock
from biny_desktop.core.i18n import _, ngettext
from biny_desktop.service.chat.turn_words import turn_status
from biny_desktop.ui.chat_words import session_source, session_title
from biny_desktop.ui.colours import mix
from biny_desktop.ui.formats import moment, number
from biny_desktop.ui.item_models.sessions import RUNNING, SESSION
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
        below = QRect(area.x(), area.y() + half, area.width(), area.height() - half)
        self._below(painter, option.font, below, session, bool(index.data(RUNNING)))
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

    def _below(self, painter: QPainter, font: QFont, area: QRect, session: Session, running: bool) -> None:
        small = QFont(font)
        small.setPixelSize(tokens().small_px)
        painter.setFont(small)
        noteworthy = session.turn_status in _NOTEWORTHY
        state = _("answering…") if running else turn_status(session.turn_status) if noteworthy else ""
        painter.setPen(colour("accent" if running else "warn"))
        painter.drawText(area, _RIGHT, state)
        room = area.adjusted(0, 0, -_width(painter, state), 0)
        if session.todos_open:
            room = self._todos(painter, room, session.todos_open)
        count = ngettext("{n} message", "{n} messages", session.message_count).format(n=session.message_count)
        words = " · ".join(part for part in (session_source(session), count) if part)
        painter.setPen(colour("private" if session.incognito else "muted"))
        painter.drawText(
            room, _LEFT, painter.fontMetrics().elidedText(words, Qt.TextElideMode.ElideRight, room.width())
        )

    def _todos(self, painter: QPainter, area: QRect, left: int) -> QRect:
        """A box that is not ticked and how many to-dos are open; returns the room before it."""
        words = number(left)
        painter.setPen(colour("muted"))
        painter.drawText(area, _RIGHT, words)
        size = tokens().px(9)
        wide = painter.fontMetrics().horizontalAdvance(words) + 4 + size
        box = QRect(area.right() - wide, area.center().y() - size // 2, size, size)
        painter.drawRoundedRect(box, 2, 2)
        return area.adjusted(0, 0, -wide - 8, 0)


def _width(painter: QPainter, words: str) -> int:
    return painter.fontMetrics().horizontalAdvance(words) + 8 if words else 0
