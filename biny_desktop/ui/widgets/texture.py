"""Textures for what must not be told by colour alone: hatching for gaps and private time, dots for watching."""

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

HATCH_STEP = 8
DOT_STEP = 5


def hatch(painter: QPainter, area: QRect, stroke: QColor, ground: QColor | None = None) -> None:
    """Diagonal lines over an area, on a ground when one is given."""
    painter.save()
    painter.setClipRect(area, Qt.ClipOperation.IntersectClip)
    if ground is not None:
        painter.fillRect(area, ground)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(stroke, 1))
    first = area.x() - area.height()
    first -= (first + area.bottom() + 1) % HATCH_STEP  # neighbours continue each other's lines
    for left in range(first, area.right() + 1, HATCH_STEP):
        painter.drawLine(left, area.bottom() + 1, left + area.height(), area.y() + 1)
    painter.restore()


def dots(painter: QPainter, area: QRect, stroke: QColor, ground: QColor | None = None) -> None:
    """A grid of dots over an area, on a ground when one is given."""
    painter.save()
    painter.setClipRect(area, Qt.ClipOperation.IntersectClip)
    if ground is not None:
        painter.fillRect(area, ground)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    pen = QPen(stroke, 1.6)
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    painter.setPen(pen)
    points = [
        QPointF(x + (DOT_STEP / 2 if (y // DOT_STEP) % 2 else 0), y)
        for y in range(area.y() - area.y() % DOT_STEP + 2, area.bottom() + 1, DOT_STEP)
        for x in range(area.x() - area.x() % DOT_STEP + 2, area.right() + 1, DOT_STEP)
    ]
    painter.drawPoints(points)
    painter.restore()


def focus_ring(painter: QPainter, area: QRect | QRectF, accent: QColor) -> None:
    """The ring of 2 px around what has the keyboard (spec 09, Look: shape)."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(accent, 2))
    painter.drawRoundedRect(QRectF(area).adjusted(1, 1, -1, -1), 4, 4)
    painter.restore()
