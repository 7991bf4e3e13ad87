"""A switch: a check box drawn as a track with a knob, whose side tells on from off without any colour."""

from PySide6.QtCore import QPoint, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QCheckBox, QSizePolicy, QWidget

from biny_desktop.ui.theme import colour, tokens

WIDTH_PX, HEIGHT_PX = 34, 18
RING_PX = 2
"""Room around the track for the focus ring."""


class Switch(QCheckBox):
    """On or off; `name` for those who cannot see it, `tip` as tooltip."""

    def __init__(self, name: str, tip: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setToolTip(tip or name)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def sizeHint(self) -> QSize:
        px = tokens().px
        return QSize(px(WIDTH_PX) + 2 * RING_PX, px(HEIGHT_PX) + 2 * RING_PX)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def hitButton(self, place: QPoint) -> bool:
        return self.rect().contains(place)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if not self.isEnabled():
            painter.setOpacity(0.55)
        track = QRectF(self.rect()).adjusted(RING_PX + 0.5, RING_PX + 0.5, -RING_PX - 0.5, -RING_PX - 0.5)
        round_px = track.height() / 2
        on = self.isChecked()
        painter.setPen(QPen(colour("accent" if on else "muted"), 1))
        painter.setBrush(colour("accent" if on else "panel"))
        painter.drawRoundedRect(track, round_px, round_px)
        knob = QRectF(0, 0, track.height() - 6, track.height() - 6)
        knob.moveCenter(track.center())
        knob.moveLeft(track.right() - 3 - knob.width() if on else track.left() + 3)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour("on_accent" if on else "muted"))
        painter.drawEllipse(knob)
        if self.hasFocus():
            painter.setOpacity(1.0)
            painter.setPen(QPen(colour("accent"), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), round_px + 1, round_px + 1)
