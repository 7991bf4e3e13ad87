"""Icons from our own SVG files, drawn in a theme colour at every size a screen may ask for."""

from functools import cache

from PySide6.QtCore import QByteArray, QRectF, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from biny_desktop.core.resources import resource
from biny_desktop.ui.theme import tokens

SIZES_PX = (16, 20, 24, 32, 48, 64)


def icon(name: str, colour: str | None = None) -> QIcon:
    """`resources/icons/<name>.svg` in that colour (a token name or "#RRGGBB"; the text colour by default).

    It is drawn for the theme shown now: ask again when the theme changes.
    """
    theme = tokens()
    chosen = colour or "text"
    return _icon(name, getattr(theme, chosen, chosen), theme.muted)


def pixmap(name: str, size_px: int, colour: str, ratio: float = 1.0) -> QPixmap:
    """One picture of an icon: `size_px` logical pixels on a screen with that device pixel ratio, in "#RRGGBB"."""
    return _draw(name, round(size_px * ratio), colour, ratio)


@cache
def _icon(name: str, colour: str, disabled: str) -> QIcon:
    result = QIcon()
    for size in SIZES_PX:
        result.addPixmap(_draw(name, size, colour), QIcon.Mode.Normal)
        faint = QColor(disabled)
        faint.setAlphaF(0.6)
        result.addPixmap(_draw(name, size, faint.name(QColor.NameFormat.HexRgb)), QIcon.Mode.Disabled)
    return result


def _draw(name: str, size: int, colour: str, ratio: float = 1.0) -> QPixmap:
    picture = QPixmap(size, size)
    picture.setDevicePixelRatio(ratio)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    edge = size / ratio
    QSvgRenderer(QByteArray(_source(name).replace("currentColor", colour).encode())).render(
        painter, QRectF(0, 0, edge, edge)
    )
    painter.end()
    return picture


@cache
def _source(name: str) -> str:
    return resource("icons", f"{name}.svg").read_text(encoding="utf-8")
