"""A small picture of a frame that fills the width it gets, with boxes marked; a click or Enter opens it."""

from collections.abc import Sequence

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QImage, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from biny_desktop.core.geometry import Rect
from biny_desktop.core.i18n import _
from biny_desktop.ui.theme import colour

PICTURE_MARK = "#D98A00"
USUAL_SHAPE = 9 / 16


class Preview(QWidget):
    """`opened` on click, Enter or Space. Boxes are in pixels of the picture whose size is given with it."""

    opened = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._image = QImage()
        self._size = (16, 9)
        self._boxes: tuple[Rect, ...] = ()
        self._message = ""
        self._found = False
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAccessibleName(_("Picture of the frame"))
        self.setToolTip(_("Open in Activity (Enter)"))

    def show_image(
        self,
        image: QImage | None,
        size: tuple[int, int],
        boxes: Sequence[Rect],
        message: str = "",
        *,
        found: bool = False,
    ) -> None:
        """Show a picture scaled from `size` pixels, or a message; `found` boxes are filled, others only outlined."""
        self._image = image if image is not None else QImage()
        self._size = size if all(size) else (16, 9)
        self._boxes, self._message, self._found = tuple(boxes), message, found
        self.updateGeometry()
        self.update()

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        if self._image.isNull():
            return 64
        return round(width * min(self._size[1] / self._size[0], 1.5 * USUAL_SHAPE))

    def sizeHint(self) -> QSize:
        return QSize(280, self.heightForWidth(280))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        if self._image.isNull():
            painter.fillRect(self.rect(), colour("hover"))
            painter.setPen(colour("muted"))
            painter.drawText(
                self.rect().adjusted(8, 8, -8, -8),
                int(Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap),
                self._message,
            )
        else:
            scale = min(self.width() / self._size[0], self.height() / self._size[1])
            area = QRectF(0, 0, self._size[0] * scale, self._size[1] * scale)
            painter.drawImage(area, self._image)
            mark = QColor(PICTURE_MARK)
            pen = QColor(mark)
            pen.setAlpha(255 if self._found else 110)
            painter.setPen(QPen(pen, 1))
            mark.setAlpha(70 if self._found else 0)
            painter.setBrush(mark)
            for box in self._boxes:
                painter.drawRect(QRectF(box.x * scale, box.y * scale, box.w * scale, box.h * scale))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(colour("line"), 1))
            painter.drawRect(area.adjusted(0.5, 0.5, -0.5, -0.5))
        if self.hasFocus():
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(colour("accent"), 2))
            painter.drawRect(self.rect().adjusted(1, 1, -1, -1))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self.rect().contains(event.position().toPoint()):
            self.opened.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.opened.emit()
        else:
            super().keyPressEvent(event)
