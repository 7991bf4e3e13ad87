"""How a segment looks in a list: times, title and length on one line, apps, project and state on the second."""

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QPersistentModelIndex, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QPainter
from PySide6.QtWidgets import QLineEdit, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from biny_desktop.activity.model import Gap
from biny_desktop.activity.segments.model import Segment
from biny_desktop.core.i18n import _
from biny_desktop.ui.colours import mix
from biny_desktop.ui.formats import duration
from biny_desktop.ui.icons import pixmap
from biny_desktop.ui.item_models.timeline import ITEM
from biny_desktop.ui.segment_words import segment_times, segment_title, status_icon
from biny_desktop.ui.theme import app_colour, colour, tokens
from biny_desktop.ui.words import cause_words

ROW_PX, GAP_PX = 44, 24
"""Two-line rows (spec 09, Look); a gap is one line."""
EDGE, STRIPE_PX, DOT_PX, ICON_PX = 16, 3, 8, 14
TITLE_MAX = 120
APPS_MAX = 3
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter

Index = QModelIndex | QPersistentModelIndex


class SegmentDelegate(QStyledItemDelegate):
    """Text is painted, never taken as markup. Editing changes the title in place."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        gap = isinstance(index.data(ITEM), Gap)
        return QSize(200, tokens().px(GAP_PX if gap else ROW_PX))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        item = index.data(ITEM)
        painter.save()
        painter.setClipRect(option.rect)
        painter.setFont(option.font)
        if isinstance(item, Gap):
            self._paint_gap(painter, option.rect, item)
        elif isinstance(item, Segment):
            self._paint_segment(painter, option, item)
        painter.restore()

    def _paint_segment(self, painter: QPainter, option: QStyleOptionViewItem, segment: Segment) -> None:
        row = option.rect
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(row, colour("selection"))
            painter.fillRect(QRect(row.topLeft(), QSize(2, row.height())), colour("accent"))
        elif option.state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(row, colour("hover"))
        painter.fillRect(QRect(row.x(), row.bottom(), row.width(), 1), mix(colour("panel"), colour("line"), 0.6))
        _stripe(painter, QRect(row.x() + EDGE, row.y() + 7, STRIPE_PX, row.height() - 14), segment)
        area = row.adjusted(EDGE + STRIPE_PX + 9, 5, -EDGE, -5)
        half = area.height() // 2
        upper = QRect(area.x(), area.y(), area.width(), half)
        lower = QRect(area.x(), area.y() + half, area.width(), area.height() - half)
        self._first_line(painter, upper, segment)
        self._second_line(painter, lower, segment, option)

    def _first_line(self, painter: QPainter, area: QRect, segment: Segment) -> None:
        metrics = painter.fontMetrics()
        length = duration(segment.length_ms)
        painter.setPen(colour("muted"))
        painter.drawText(area, _RIGHT, length)
        painter.drawText(area, _LEFT, segment_times(segment))
        room = area.adjusted(times_px(painter), 0, -metrics.horizontalAdvance(length) - 12, 0)
        faint = segment.trivial or segment.hidden
        painter.setPen(colour("muted" if faint else "private" if segment.kind == "private" else "text"))
        if segment.title_by == "user":
            painter.save()
            font = QFont(painter.font())
            font.setWeight(QFont.Weight.DemiBold)
            painter.setFont(font)
        title = painter.fontMetrics().elidedText(segment_title(segment), Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(room, _LEFT, title)
        if segment.title_by == "user":
            painter.restore()

    def _second_line(self, painter: QPainter, area: QRect, segment: Segment, option: QStyleOptionViewItem) -> None:
        left = area.x() + times_px(painter)
        font = QFont(painter.font())
        font.setPixelSize(tokens().small_px)
        painter.setFont(font)
        right = self._state(painter, area, segment, option)
        metrics = painter.fontMetrics()
        if segment.project:
            words = metrics.elidedText(segment.project, Qt.TextElideMode.ElideRight, area.width() // 3)
            right -= metrics.horizontalAdvance(words)
            painter.setPen(colour("muted"))
            painter.drawText(QRect(right, area.y(), area.right() - right, area.height()), _LEFT, words)
            right -= 12
        self._apps(painter, QRect(left, area.y(), right - left, area.height()), segment)

    def _state(self, painter: QPainter, area: QRect, segment: Segment, option: QStyleOptionViewItem) -> int:
        """Icons at the right end: note, hidden, state of the analysis; returns where they begin."""
        icons = [("edit", "muted")] if segment.note else []
        icons += [("eye-off", "muted")] if segment.hidden else []
        state = status_icon(segment)
        icons += [state] if state is not None else []
        x, size = area.right() + 1, tokens().px(ICON_PX)
        ratio = option.widget.devicePixelRatioF() if option.widget is not None else 1.0
        for name, token in reversed(icons):
            x -= size
            picture = pixmap(name, size, getattr(tokens(), token), ratio)
            painter.drawPixmap(x, area.y() + (area.height() - size) // 2, picture)
            x -= 6
        return x - 2 if icons else x

    def _apps(self, painter: QPainter, area: QRect, segment: Segment) -> None:
        metrics, x = painter.fontMetrics(), area.x()
        painter.setPen(colour("muted"))
        if not segment.apps:
            return
        dot = tokens().px(DOT_PX)
        for place, app in enumerate(segment.apps[:APPS_MAX]):
            name = app.app_name or app.app_id
            rest = len(segment.apps) - place - 1
            need = dot + 5 + metrics.horizontalAdvance(name) + (12 + metrics.horizontalAdvance("+0") if rest else 0)
            if x + need > area.right() and place:
                painter.drawText(QRect(x, area.y(), area.right() - x, area.height()), _LEFT, f"+{rest + 1}")
                return
            painter.save()
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(app_colour(app.app_id))
            painter.drawEllipse(QRectF(x, area.center().y() - dot / 2 + 1, dot, dot))
            painter.restore()
            x += dot + 5
            words = metrics.elidedText(name, Qt.TextElideMode.ElideRight, max(0, area.right() - x))
            painter.drawText(QRect(x, area.y(), area.right() - x, area.height()), _LEFT, words)
            x += metrics.horizontalAdvance(name) + 12
        if len(segment.apps) > APPS_MAX and x < area.right():
            more = f"+{len(segment.apps) - APPS_MAX}"
            painter.drawText(QRect(x, area.y(), area.right() - x, area.height()), _LEFT, more)

    def _paint_gap(self, painter: QPainter, row: QRect, gap: Gap) -> None:
        words_x = row.x() + EDGE + STRIPE_PX + 9
        painter.fillRect(QRect(row.x(), row.bottom(), row.width(), 1), mix(colour("panel"), colour("line"), 0.6))
        offset = times_px(painter)
        font = QFont(painter.font())
        font.setPixelSize(tokens().small_px)
        painter.setFont(font)
        painter.setPen(colour("bad" if gap.cause == "stalled" else "muted"))
        area = QRect(words_x + offset, row.y(), row.right() - EDGE - words_x - offset, row.height())
        painter.drawText(area, _LEFT, cause_words(gap.cause))
        painter.setPen(colour("muted"))
        painter.drawText(area, _RIGHT, duration(gap.end_ms - gap.start_ms))

    # -- renaming in place ---------------------------------------------------------------------------------------------

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: Index) -> QWidget:
        """A line for the title; Enter saves, Esc leaves it as it was."""
        editor = QLineEdit(parent)
        editor.setAccessibleName(_("Title"))
        editor.setMaxLength(TITLE_MAX)
        return editor

    def setEditorData(self, editor: QWidget, index: Index) -> None:
        if isinstance(editor, QLineEdit):
            editor.setText(index.data(Qt.ItemDataRole.EditRole))
            editor.selectAll()

    def setModelData(self, editor: QWidget, model: QAbstractItemModel, index: Index) -> None:
        if isinstance(editor, QLineEdit):
            model.setData(index, editor.text(), Qt.ItemDataRole.EditRole)

    def updateEditorGeometry(self, editor: QWidget, option: QStyleOptionViewItem, index: Index) -> None:
        row = option.rect
        height = min(row.height() - 8, editor.sizeHint().height())
        left = row.x() + EDGE + STRIPE_PX + 9 + option.fontMetrics.horizontalAdvance("00:00–00:00") + 4
        editor.setGeometry(left, row.y() + (row.height() - height) // 2, row.right() - EDGE - left, height)


def times_px(painter: QPainter) -> int:
    """Room of the column of times, in the font of the list."""
    return painter.fontMetrics().horizontalAdvance("00:00–00:00") + 12


def _stripe(painter: QPainter, area: QRect, segment: Segment) -> None:
    """A line in the colour of the main app; broken while only watching."""
    if segment.kind == "private":
        painter.fillRect(area, colour("private"))
        return
    hue = app_colour(segment.apps[0].app_id) if segment.apps else colour("muted")
    if segment.kind == "watching":
        for y in range(area.y(), area.bottom() + 1, 6):
            painter.fillRect(QRect(area.x(), y, area.width(), min(3, area.bottom() + 1 - y)), hue)
    else:
        painter.fillRect(area, hue)
