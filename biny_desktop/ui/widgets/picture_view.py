"""A frame's picture: fitted or at 100 %, with text that can be selected, changed tiles, and found words marked."""

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QImage, QKeyEvent, QMouseEvent, QPainter, QPainterPath, QPen, QResizeEvent
from PySide6.QtWidgets import QFrame, QGraphicsScene, QGraphicsView, QWidget

from biny_desktop.core.geometry import Rect
from biny_desktop.core.i18n import _
from biny_desktop.ui.calls import Calls
from biny_desktop.ui.theme import colour
from biny_desktop.ui.widgets.text_layer import TextLayer

SELECTED_ALPHA, FOUND_ALPHA, TILE_ALPHA = 90, 90, 56


class PictureView(QGraphicsView):
    """Shows one picture; everything is given and told in its pixels. `selection_changed` tells the selected text."""

    selection_changed = Signal(str)

    def __init__(self, calls: Calls, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._calls = calls
        self.setScene(QGraphicsScene(self))
        self._image = QImage()
        self._fine = QImage()
        self._layer = TextLayer("", ())
        self._tiles: tuple[QRectF, ...] = ()
        self._tile_path = QPainterPath()
        self._found: tuple[QRectF, ...] = ()
        self._selected = (0, 0)
        self._anchor: int | None = None
        self._message = ""
        self.fitted = True
        self.show_boxes = False
        self.show_tiles = False
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setMouseTracking(True)
        self.viewport().setMouseTracking(True)
        self.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        self.setViewportUpdateMode(QGraphicsView.ViewportUpdateMode.FullViewportUpdate)
        self.setAccessibleName(_("Picture of the frame"))
        self.setToolTip("")

    # -- what is shown -------------------------------------------------------------------------------------------------

    def show_picture(self, image: QImage | None, message: str = "") -> None:
        """Show a decoded picture, or a message in its place; overlays of the one before are gone."""
        self._image, self._fine = image if image is not None else QImage(), QImage()
        self.setSceneRect(QRectF(0, 0, self._image.width(), self._image.height()))
        self._message = message if image is None else ""
        self.set_text(TextLayer("", ()))
        self._tiles = self._found = ()
        self._place()

    def set_text(self, layer: TextLayer) -> None:
        """The text on the picture."""
        self._layer = layer
        self._select(0, 0)

    def set_tiles(self, tiles: Sequence[QRectF]) -> None:
        """The changed squares."""
        self._tiles = tuple(tiles)
        path = QPainterPath()
        for box in self._tiles:
            path.addRect(box)
        self._tile_path = path.simplified()
        self.viewport().update()

    def set_found(self, boxes: Sequence[Rect]) -> None:
        """Words to mark; the first is brought into sight."""
        self._found = tuple(QRectF(box.x, box.y, box.w, box.h) for box in boxes)
        if self._found and not self.fitted:
            self.ensureVisible(self._found[0], 80, 80)
        self.viewport().update()

    def set_fitted(self, fitted: bool) -> None:
        """Whole picture, or one picture pixel a screen pixel."""
        self.fitted = fitted
        self._place()

    def set_overlays(self, *, boxes: bool, tiles: bool) -> None:
        """Which of text boxes and changed tiles are drawn."""
        self.show_boxes, self.show_tiles = boxes, tiles
        self.viewport().update()

    def selected_text(self) -> str:
        """The text selected on the picture."""
        return self._layer.text[slice(*self._selected)]

    def has_picture(self) -> bool:
        """Whether a picture is shown."""
        return not self._image.isNull()

    # -- painting ------------------------------------------------------------------------------------------------------

    def drawBackground(self, painter: QPainter, rect: QRectF | object) -> None:
        painter.fillRect(rect, colour("bg"))
        if self._image.isNull():
            return
        if self._fine.isNull() or not self.fitted:
            painter.drawImage(0, 0, self._image)
            return
        painter.save()
        corner = self.mapFromScene(QPointF(0, 0))
        painter.resetTransform()
        painter.drawImage(corner, self._fine)
        painter.restore()

    def drawForeground(self, painter: QPainter, rect: QRectF | object) -> None:
        if not self.has_picture():
            self._draw_message(painter)
            return
        if self.show_tiles and self._tiles:
            self._draw_path(painter, self._tile_path, QColor(LIGHT_WARN), TILE_ALPHA)
        if self.show_boxes:
            boxes = [QRectF(line.box.x, line.box.y, line.box.w, line.box.h) for line in self._layer.lines]
            self._draw(painter, boxes, QColor(PICTURE_ACCENT), 0)
        self._draw(painter, self._found, QColor(LIGHT_WARN), FOUND_ALPHA)
        chosen = [QRectF(box.x, box.y, box.w, box.h) for box in self._layer.rects(*self._selected)]
        self._draw(painter, chosen, QColor(PICTURE_ACCENT), SELECTED_ALPHA, line=False)
        pen = QPen(colour("line"), 1)
        pen.setCosmetic(True)
        painter.setPen(pen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(self.sceneRect())

    def _draw(self, painter: QPainter, boxes: Sequence[QRectF], hue: QColor, alpha: int, *, line: bool = True) -> None:
        path = QPainterPath()
        path.setFillRule(Qt.FillRule.WindingFill)
        for box in boxes:
            path.addRect(box)
        self._draw_path(painter, path, hue, alpha, line=line)

    def _draw_path(self, painter: QPainter, path: QPainterPath, hue: QColor, alpha: int, *, line: bool = True) -> None:
        pen = QPen(hue, 1) if line else QPen(Qt.PenStyle.NoPen)
        pen.setCosmetic(True)
        painter.setPen(pen)
        fill = QColor(hue)
        fill.setAlpha(alpha)
        painter.setBrush(fill)
        painter.drawPath(path)

    def _draw_message(self, painter: QPainter) -> None:
        painter.save()
        painter.resetTransform()
        painter.setPen(colour("muted"))
        area = self.viewport().rect().adjusted(24, 24, -24, -24)
        painter.drawText(area, int(Qt.AlignmentFlag.AlignCenter) | int(Qt.TextFlag.TextWordWrap), self._message)
        painter.restore()

    def _place(self) -> None:
        self.resetTransform()
        self._fine = QImage()
        if self.has_picture():
            scale = 1 / self.devicePixelRatioF()
            if self.fitted:
                area = self.viewport().rect().adjusted(1, 1, -1, -1)
                scale = min(area.width() / self._image.width(), area.height() / self._image.height(), scale)
            self.scale(scale, scale)
            self._refine(scale)
        policy = Qt.ScrollBarPolicy.ScrollBarAlwaysOff if self.fitted else Qt.ScrollBarPolicy.ScrollBarAsNeeded
        self.setHorizontalScrollBarPolicy(policy)
        self.setVerticalScrollBarPolicy(policy)
        self.viewport().update()

    def _refine(self, scale: float) -> None:
        """Scale with averaging off the GUI thread: painting scales by two pixels only, small text would be ragged."""
        image, ratio = self._image, self.devicePixelRatioF()
        wanted = (image.size().toSizeF() * scale * ratio).toSize()
        if not self.fitted or wanted.isEmpty():
            return

        def keep(fine: QImage) -> None:
            if self._image is image and self.fitted:
                self._fine = fine
                self.viewport().update()

        def scaled() -> QImage:
            fine = image.scaled(
                wanted, Qt.AspectRatioMode.IgnoreAspectRatio, Qt.TransformationMode.SmoothTransformation
            )
            fine.setDevicePixelRatio(ratio)
            return fine

        self._calls.run(scaled, keep, lambda _error: None, self, latest="refine")

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self.fitted:
            self._place()

    # -- selecting -----------------------------------------------------------------------------------------------------

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            super().mousePressEvent(event)
            return
        at = self.mapToScene(event.position().toPoint())
        self._anchor = self._layer.offset_at(at.x(), at.y()) if self._on_text(at) else None
        self._select(0, 0)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        at = self.mapToScene(event.position().toPoint())
        shape = Qt.CursorShape.IBeamCursor if self._on_text(at) else Qt.CursorShape.ArrowCursor
        self.viewport().setCursor(shape)
        if self._anchor is not None and event.buttons() & Qt.MouseButton.LeftButton:
            offset = self._layer.offset_at(at.x(), at.y())
            if offset is not None:
                self._select(min(self._anchor, offset), max(self._anchor, offset))

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        at = self.mapToScene(event.position().toPoint())
        offset = self._layer.offset_at(at.x(), at.y()) if self._on_text(at) else None
        if offset is not None:
            self._select(*self._layer.word_at(offset))

    def select_all(self) -> None:
        """Select the whole text of the picture."""
        self._select(0, len(self._layer.text))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        event.ignore()  # arrows belong to the page: previous and next frame

    def _on_text(self, at: QPointF) -> bool:
        return self._layer.line_at(at.x(), at.y()) is not None

    def _select(self, start: int, end: int) -> None:
        changed = (start, end) != self._selected
        self._selected = (start, end)
        self.viewport().update()
        if changed:
            self.selection_changed.emit(self.selected_text())


LIGHT_WARN = "#D98A00"
PICTURE_ACCENT = "#2F7FD6"
"""Overlays lie on pictures of any colour, so they do not follow the theme."""
