"""How a search hit looks: thumbnail, time, app, title, and two lines of text with the found words marked."""

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPixmap, QTextCharFormat, QTextLayout, QTextOption
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from biny_desktop.activity.model import Hit
from biny_desktop.core.i18n import _, ngettext
from biny_desktop.ui.colours import mix
from biny_desktop.ui.formats import moment
from biny_desktop.ui.item_models.likeness import LIKENESS, Likeness
from biny_desktop.ui.item_models.timeline import ITEM, PICTURE
from biny_desktop.ui.theme import app_colour, colour, tokens

THUMB_SIZE = QSize(112, 63)
EDGE = 8
SNIPPET_LINES = 2
DOT_PX = 8
BAR_PX, BAR_ROOM_PX = 100, 116
"""The bar of a similarity, and the room it takes from the text."""

Index = QModelIndex | QPersistentModelIndex


class HitDelegate(QStyledItemDelegate):
    """Text is painted with character formats, never as markup. `now_ms` and the zone of each row give the times."""

    def __init__(self, now_ms: int, parent: object = None) -> None:
        super().__init__(parent)
        self.now_ms = now_ms

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        lines = (SNIPPET_LINES + 1) * (tokens().body_px + 7)
        return QSize(200, max(THUMB_SIZE.height(), lines) + 2 * EDGE + 1)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        hit = index.data(ITEM)
        if not isinstance(hit, Hit):
            return
        painter.save()
        painter.setClipRect(option.rect)
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        if chosen:
            painter.fillRect(option.rect, colour("selection"))
            painter.fillRect(QRect(option.rect.topLeft(), QSize(2, option.rect.height())), colour("accent"))
        elif option.state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(option.rect, colour("hover"))
        painter.fillRect(QRect(option.rect.x(), option.rect.bottom(), option.rect.width(), 1), colour("line"))
        place = QRect(option.rect.x() + 16, option.rect.y() + EDGE, THUMB_SIZE.width(), THUMB_SIZE.height())
        self._picture(painter, place, hit, index.data(PICTURE))
        area = QRect(place.right() + 13, option.rect.y() + EDGE - 2, 0, option.rect.height() - 2 * EDGE)
        area.setRight(option.rect.right() - 16)
        painter.setFont(option.font)
        likeness = index.data(LIKENESS)
        if likeness is not None:
            area.setRight(area.right() - tokens().px(BAR_ROOM_PX))
            paint_likeness(painter, QRect(area.right() + 17, area.y(), tokens().px(BAR_PX), area.height()), likeness)
        self._first_line(painter, QRect(area.x(), area.y(), area.width(), tokens().body_px + 8), hit)
        room = area.adjusted(0, tokens().body_px + 10, 0, 0)
        paint_snippet(painter, room, hit.snippet, hit.marks, _("found in the title"))
        painter.restore()

    def _picture(self, painter: QPainter, place: QRect, hit: Hit, picture: QPixmap | None) -> None:
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        if picture is not None:
            painter.drawPixmap(place, picture)
        else:
            painter.fillRect(place, colour("hover"))
            if hit.frame.picture_state != "live":
                font = painter.font()
                font.setPixelSize(tokens().small_px)
                painter.setFont(font)
                painter.setPen(colour("muted"))
                flags = int(Qt.AlignmentFlag.AlignCenter) | int(Qt.TextFlag.TextWordWrap)
                painter.drawText(place.adjusted(4, 4, -4, -4), flags, _("Picture gone"))
        painter.setPen(colour("line"))
        painter.drawRect(place.adjusted(0, 0, -1, -1))

    def _first_line(self, painter: QPainter, area: QRect, hit: Hit) -> None:
        left = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        frame, metrics = hit.frame, painter.fontMetrics()
        time = moment(frame.at_ms, frame.zone, self.now_ms)
        right = 0
        if frame.redactions:
            said = ngettext("{n} hidden", "{n} hidden", frame.redactions).format(n=frame.redactions)
            right = metrics.horizontalAdvance(said) + 12
            painter.setPen(colour("muted"))
            painter.drawText(area, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, said)
        painter.setPen(colour("muted"))
        painter.drawText(area, left, time)
        x = area.x() + max(metrics.horizontalAdvance(time), metrics.horizontalAdvance("00:00")) + 12
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(app_colour(frame.app_id))
        painter.drawEllipse(QRectF(x, area.center().y() - DOT_PX / 2 + 1, DOT_PX, DOT_PX))
        x += DOT_PX + 6
        bold = QFont(painter.font())
        bold.setWeight(QFont.Weight.DemiBold)
        name = frame.app_name or frame.app_id
        painter.setPen(colour("text"))
        painter.save()
        painter.setFont(bold)
        painter.drawText(QRect(x, area.y(), area.right() - x, area.height()), left, name)
        x += painter.fontMetrics().horizontalAdvance(name) + 10
        painter.restore()
        room = QRect(x, area.y(), max(0, area.right() - right - x), area.height())
        painter.drawText(room, left, metrics.elidedText(frame.title, Qt.TextElideMode.ElideRight, room.width()))


def paint_snippet(
    painter: QPainter, area: QRect, snippet: str, marks: tuple[tuple[int, int], ...], without: str,
    lines: int = SNIPPET_LINES,
) -> None:  # fmt: skip
    """Lines of text with its marks; `without`: what stands there when there is no text."""
    text = snippet.replace("\n", " ")
    painter.setPen(colour("text") if text else colour("muted"))
    if not text:
        painter.drawText(area, int(Qt.AlignmentFlag.AlignLeft), without)
        return
    layout = QTextLayout(text, painter.font())
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    layout.setTextOption(option)
    layout.setFormats([_mark(start, end - start) for start, end in _utf16(text, marks)])
    layout.beginLayout()
    y = 0.0
    for _n in range(lines):
        line = layout.createLine()
        if not line.isValid():
            break
        line.setLineWidth(area.width())
        line.setPosition(QPointF(0, y))
        y += line.height() + 1
    layout.endLayout()
    layout.draw(painter, QPointF(area.x(), area.y()))


def paint_likeness(painter: QPainter, area: QRect, likeness: Likeness) -> None:
    """A bar of the centred similarity, and in words what it means."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    font = QFont(painter.font())
    font.setPixelSize(tokens().small_px)
    painter.setFont(font)
    high = tokens().px(6)
    top = area.y() + (tokens().body_px + 8 - high) // 2
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(mix(colour("panel"), colour("line"), 1.0))
    painter.drawRoundedRect(QRectF(area.x(), top, area.width(), high), high / 2, high / 2)
    painter.setBrush(colour("accent"))
    full = max(high, round(area.width() * likeness.share))
    painter.drawRoundedRect(QRectF(area.x(), top, full, high), high / 2, high / 2)
    painter.setPen(colour("muted"))
    low = area.adjusted(0, tokens().body_px + 10, 0, 0)
    painter.drawText(low, int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop), likeness.words())
    painter.restore()


def _mark(start: int, length: int) -> QTextLayout.FormatRange:
    found = QTextLayout.FormatRange()
    found.start, found.length = start, length
    look = QTextCharFormat()
    look.setBackground(mark_colour())
    look.setForeground(colour("text"))
    look.setFontWeight(QFont.Weight.DemiBold)
    found.format = look
    return found


def mark_colour() -> QColor:
    """The ground of a found word: amber on paper, readable on the selected row too."""
    return mix(colour("panel"), colour("warn"), 0.32 if tokens().dark else 0.24)


def _utf16(text: str, marks: tuple[tuple[int, int], ...]) -> list[tuple[int, int]]:
    """Offsets in code points as Qt counts them: letters outside the first plane take two places."""
    if text.isascii() or all(ord(letter) < 0x10000 for letter in text):
        return list(marks)
    return [
        (len(text[:start].encode("utf-16-le")) // 2, len(text[:end].encode("utf-16-le")) // 2) for start, end in marks
    ]
