"""A time axis: where an instant stands between two edges, and which round times get a label."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from biny_desktop.core.clock import to_local
from biny_desktop.ui.formats import clock_time
from biny_desktop.ui.theme import colour, theme_signals, tokens

MINUTE_MS: Final = 60_000
STEPS_MIN: Final = (1, 2, 5, 10, 15, 30, 60, 120, 180, 360)
"""Minutes between labels, the smallest that leaves them room."""
LABEL_GAP_PX: Final = 20
HEIGHT_PX: Final = 20


class AxisLine(QWidget):
    """An axis by itself, under several lines of bands."""

    def __init__(self, margin: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._margin = margin
        self._stretch = (0, 1, "UTC")
        self.setFixedHeight(tokens().px(HEIGHT_PX))
        theme_signals().changed.connect(self.update)

    def show_stretch(self, start_ms: int, end_ms: int, zone: str) -> None:
        """[start, end) UTC ms."""
        self._stretch = (start_ms, end_ms, zone)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        font = painter.font()
        font.setPixelSize(tokens().small_px)
        painter.setFont(font)
        start, end, zone = self._stretch
        TimeAxis(start, end, self._margin, self.width() - 2 * self._margin, zone).paint(painter, 0, self.height())


@dataclass(frozen=True, slots=True)
class TimeAxis:
    """[start, end) UTC ms over a width in pixels that begins at `left`."""

    start_ms: int
    end_ms: int
    left: int
    width: int
    zone: str

    def x(self, at_ms: int) -> int:
        """Where an instant stands; may be outside."""
        length = max(1, self.end_ms - self.start_ms)
        return self.left + round((at_ms - self.start_ms) * self.width / length)

    def time(self, x: float) -> int:
        """The instant at a place, kept inside the edges."""
        part = (x - self.left) / max(1, self.width)
        return round(self.start_ms + min(1.0, max(0.0, part)) * (self.end_ms - self.start_ms))

    def ticks(self, label_px: int) -> list[int]:
        """Round local times (UTC ms) whose labels of that width do not touch."""
        length_min = max(1, (self.end_ms - self.start_ms) / MINUTE_MS)
        need = label_px + LABEL_GAP_PX
        step = next((s for s in STEPS_MIN if self.width * s / length_min >= need), STEPS_MIN[-1])
        local = to_local(self.start_ms, self.zone)
        midnight = local.replace(hour=0, minute=0, second=0, microsecond=0)
        first = midnight + timedelta(minutes=-(-((local - midnight).total_seconds() // 60) // step) * step)
        at = round(first.timestamp() * 1_000)
        found = []
        while at < self.end_ms:
            if at >= self.start_ms:
                found.append(at)
            at += step * MINUTE_MS
        return found

    def paint(self, painter: QPainter, top: int, height: int, line_height: int = 4) -> None:
        """Small lines and labels from `top` on."""
        metrics = painter.fontMetrics()
        wide = metrics.horizontalAdvance("00:00")
        for at in self.ticks(wide):
            x = self.x(at)
            painter.fillRect(QRect(x, top, 1, line_height), colour("line"))
            painter.setPen(colour("muted"))
            place = QRect(x - wide, top + line_height, 2 * wide, height - line_height)
            right = self.left + self.width - place.width() + wide // 2
            place.moveLeft(min(max(place.left(), self.left - wide // 2), right))
            painter.drawText(
                place, Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop, clock_time(at, self.zone)
            )
