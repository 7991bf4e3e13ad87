"""The marks of reports in a calendar: a shape and a word for each state, never a colour alone."""

from typing import Final, Literal

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from biny_desktop.activity.reports.model import ReportMark
from biny_desktop.core.i18n import _, mark
from biny_desktop.ui.theme import colour, theme_signals, tokens

Look = Literal["done", "done_no_model", "narrative_failed", "failed", "stale", "empty_day"]
MARK_PX: Final = 9
WORDS: Final[dict[Look, str]] = {
    "done": mark("With an account by a model"),
    "done_no_model": mark("Made without a model"),
    "narrative_failed": mark("The account by a model failed"),
    "stale": mark("Its day changed since"),
    "failed": mark("Writing failed"),
    "empty_day": mark("Nothing was recorded"),
}
_COLOURS: Final[dict[Look, str]] = {
    "done": "ok", "done_no_model": "ok", "narrative_failed": "warn", "stale": "warn", "failed": "bad",
    "empty_day": "muted",
}  # fmt: skip


def look_of_mark(found: ReportMark) -> Look:
    """Which mark a report has; one whose day changed is told so first, unless there is none to read."""
    return "stale" if found.stale and found.state not in ("failed", "empty_day") else found.state


def paint_mark(painter: QPainter, centre: QPointF, look: Look) -> None:
    """Disc, ring, half disc, diamond, cross or dash, about `MARK_PX` wide."""
    size = tokens().px(MARK_PX)
    area = QRectF(centre.x() - size / 2, centre.y() - size / 2, size, size)
    hue = colour(_COLOURS[look])
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(hue, tokens().px(1.6), Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    inner = area.adjusted(1, 1, -1, -1)
    if look == "done":
        painter.setBrush(hue)
        painter.drawEllipse(inner)
    elif look == "done_no_model":
        painter.drawEllipse(inner)
    elif look == "narrative_failed":
        painter.drawEllipse(inner)
        painter.setBrush(hue)
        painter.drawPie(inner, 90 * 16, 180 * 16)
    elif look == "stale":
        middle = area.center()
        painter.drawPolygon(
            QPolygonF(
                [QPointF(middle.x(), area.top()), QPointF(area.right(), middle.y()),
                 QPointF(middle.x(), area.bottom()), QPointF(area.left(), middle.y())]
            )
        )  # fmt: skip
    elif look == "failed":
        painter.drawLine(inner.topLeft(), inner.bottomRight())
        painter.drawLine(inner.topRight(), inner.bottomLeft())
    else:
        painter.drawLine(QPointF(inner.left(), area.center().y()), QPointF(inner.right(), area.center().y()))
    painter.restore()


class MarkLegend(QWidget):
    """Every mark with its word, one below the other."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(_("Marks: {marks}").format(marks=", ".join(_(word) for word in WORDS.values())))
        theme_signals().changed.connect(self.update)

    def sizeHint(self) -> QSize:
        return QSize(200, len(WORDS) * self._row_px())

    def _row_px(self) -> int:
        return tokens().small_px + 9

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        font = painter.font()
        font.setPixelSize(tokens().small_px)
        painter.setFont(font)
        high = self._row_px()
        for row, (look, word) in enumerate(WORDS.items()):
            paint_mark(painter, QPointF(tokens().px(10), row * high + high / 2), look)
            painter.setPen(colour("muted"))
            area = QRectF(tokens().px(24), row * high, self.width() - tokens().px(24), high)
            painter.drawText(area, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft), _(word))
