"""The hours of a day as bars, stacked by app; watching is dotted and private time hatched, so that no colour is needed.

A day has 23, 24 or 25 bars (a repeated hour is shown twice, as "02" and "02b"). Painted in one widget: 25 small widgets
would be 25 stops of the tab key.
"""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QFontMetrics,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from biny_desktop.activity.segments.model import HourBar
from biny_desktop.core.i18n import _
from biny_desktop.ui.colours import mix
from biny_desktop.ui.facts import plain_tip
from biny_desktop.ui.formats import duration, time_range
from biny_desktop.ui.theme import app_colour, colour, theme_signals, tokens
from biny_desktop.ui.widgets.texture import dots, focus_ring, hatch

HEIGHT_PX, LOW_PX = 104, 36
"""Height with room to look at; low, without labels, over something that has a time axis of its own."""
WIDEST_BAR_PX = 28
BAR_SHARE = 0.72
LEAST_LABEL_PX = 22
"""Less room than this for an hour, and only every second or third has its label."""
HOUR_MS = 3_600_000


class HourBars(QWidget):
    """`hour_opened(HourBar)` by click or Enter. Left and Right choose an hour, Home and End the ends."""

    hour_opened = Signal(object)

    def __init__(self, parent: QWidget | None = None, *, low: bool = False) -> None:
        super().__init__(parent)
        self._low = low
        self._hours: tuple[HourBar, ...] = ()
        self._zone = "UTC"
        self._chosen = -1
        self._hovered = -1
        self._window: tuple[int, int] | None = None
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setAccessibleName(_("Hours of the day"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme_signals().changed.connect(self.update)

    # -- filling -------------------------------------------------------------------------------------------------------

    def show_hours(self, hours: Sequence[HourBar], zone: str) -> None:
        """The bars of a day in its zone."""
        self._hours, self._zone = tuple(hours), zone
        if self._chosen >= len(self._hours):
            self._chosen = -1
        self.update()

    def set_window(self, window: tuple[int, int] | None) -> None:
        """Mark the stretch (UTC ms) that something else shows at present."""
        if window != self._window:
            self._window = window
            self.update()

    def chosen(self) -> HourBar | None:
        """The hour that the keyboard is at."""
        return self._hours[self._chosen] if 0 <= self._chosen < len(self._hours) else None

    def tip(self, bar: HourBar) -> str:
        """What is said of an hour: apps with their minutes, watching, private."""
        lines = [
            time_range(bar.start_ms, bar.end_ms, self._zone),
            _("{time} active").format(time=_length(bar.active_ms)),
        ]
        lines += [f"{app.app_name or app.app_id or _('Other apps')} · {_length(app.ms)}" for app in bar.apps]
        if bar.watching_ms:
            lines.append(_("Watching · {time}").format(time=_length(bar.watching_ms)))
        if bar.private_ms:
            lines.append(_("Private · {time}").format(time=_length(bar.private_ms)))
        return "\n".join(lines)

    # -- geometry ------------------------------------------------------------------------------------------------------

    def sizeHint(self) -> QSize:
        return QSize(640, tokens().px(LOW_PX if self._low else HEIGHT_PX))

    def minimumSizeHint(self) -> QSize:
        return QSize(240, self.sizeHint().height())

    def slot(self, number: int) -> QRect:
        """The room of an hour, from top to bottom."""
        left, width = self._gutter(), self.width() - self._gutter()
        x0 = left + width * number // max(1, len(self._hours))
        x1 = left + width * (number + 1) // max(1, len(self._hours))
        return QRect(x0, 0, x1 - x0, self.height())

    def _gutter(self) -> int:
        if self._low:
            return 0
        font = self.font()
        font.setPixelSize(tokens().small_px)
        return QFontMetrics(font).horizontalAdvance(_("30 min")) + 12

    def _field(self) -> tuple[int, int]:
        """Top and bottom (exclusive) of where bars stand."""
        return (
            (2, self.height() - 2) if self._low else (tokens().small_px // 2 + 2, self.height() - tokens().small_px - 8)
        )

    def _hour_at(self, x: float) -> int:
        return next((n for n in range(len(self._hours)) if self.slot(n).left() <= x <= self.slot(n).right()), -1)

    # -- painting ------------------------------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        font = painter.font()
        font.setPixelSize(tokens().small_px)
        painter.setFont(font)
        self._paint_grid(painter)
        every = self._label_every()
        for number, bar in enumerate(self._hours):
            room = self.slot(number)
            if number in (self._hovered, self._chosen if self.hasFocus() else -1):
                painter.fillRect(room, colour("hover"))
            if self._window is not None and bar.start_ms < self._window[1] and bar.end_ms > self._window[0]:
                painter.fillRect(QRect(room.x(), self._field()[1], room.width(), 2), colour("accent"))
            self._paint_bar(painter, self._bar_room(room), bar)
            if number % every == 0 and not self._low:
                painter.setPen(colour("text" if number == self._chosen and self.hasFocus() else "muted"))
                low = self._field()[1]
                place = QRect(room.x() - 10, low + 3, room.width() + 20, self.height() - low - 3)
                painter.drawText(place, Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop, bar.label)
        if self.hasFocus():
            focus_ring(painter, self.slot(self._chosen) if self._chosen >= 0 else self.rect(), colour("accent"))

    def _paint_grid(self, painter: QPainter) -> None:
        top, low = self._field()
        for part, words in ((1.0, _("1 h")), (0.5, _("30 min"))):
            y = round(low - (low - top) * part)
            painter.fillRect(
                QRect(self._gutter(), y, self.width() - self._gutter(), 1), mix(colour("line"), colour("bg"), 0.35)
            )
            if not self._low:
                painter.setPen(colour("muted"))
                high = painter.fontMetrics().height()
                place = QRect(0, y - high // 2, self._gutter() - 6, high)
                painter.drawText(place, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, words)
        painter.fillRect(QRect(self._gutter(), low, self.width() - self._gutter(), 1), colour("line"))

    def _bar_room(self, room: QRect) -> QRect:
        width = max(3, min(round(room.width() * BAR_SHARE), tokens().px(WIDEST_BAR_PX)))
        top, low = self._field()
        return QRect(room.x() + (room.width() - width) // 2, top, width, low - top)

    def _paint_bar(self, painter: QPainter, room: QRect, bar: HourBar) -> None:
        done = 0.0
        parts = [(app.ms, app.app_id, "") for app in bar.apps]
        parts += [(bar.watching_ms, "", "watching"), (bar.private_ms, "", "private")]
        for length_ms, app_id, kind in parts:
            if length_ms <= 0 or done >= 1:
                continue
            share = min(1.0 - done, length_ms / max(HOUR_MS, bar.end_ms - bar.start_ms))
            low, top = room.bottom() + 1 - done * room.height(), room.bottom() + 1 - (done + share) * room.height()
            done += share
            _fill(painter, QRectF(room.x(), top, room.width(), max(1.0, low - top)), app_id, kind)

    def _label_every(self) -> int:
        room = (self.width() - self._gutter()) / max(1, len(self._hours))
        need = max(tokens().px(LEAST_LABEL_PX), 1)
        return next(every for every in (1, 2, 3, 4, 6, 12) if room * every >= need or every == 12)

    # -- keys and mouse ------------------------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = event.key()
        last = len(self._hours) - 1
        if key in (Qt.Key.Key_Left, Qt.Key.Key_Right) and self._hours:
            step = 1 if key == Qt.Key.Key_Right else -1
            self._choose(min(last, max(0, self._chosen + step)) if self._chosen >= 0 else self._first_used())
        elif key in (Qt.Key.Key_Home, Qt.Key.Key_End) and self._hours:
            self._choose(0 if key == Qt.Key.Key_Home else last)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space) and self.chosen() is not None:
            self.hour_opened.emit(self.chosen())
        else:
            super().keyPressEvent(event)

    def _first_used(self) -> int:
        return next((n for n, bar in enumerate(self._hours) if bar.active_ms or bar.watching_ms or bar.private_ms), 0)

    def _choose(self, number: int) -> None:
        self._chosen = number
        words = self.tip(self._hours[number])
        self.setAccessibleDescription(words.replace("\n", ", "))
        QToolTip.showText(self.mapToGlobal(self.slot(number).bottomLeft()), plain_tip(words), self)
        self.update()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        over = self._hour_at(event.position().x())
        if over != self._hovered:
            self._hovered = over
            self.setCursor(Qt.CursorShape.PointingHandCursor if over >= 0 else Qt.CursorShape.ArrowCursor)
            self.update()

    def leaveEvent(self, event: QEvent) -> None:
        self._hovered = -1
        self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        number = self._hour_at(event.position().x())
        if event.button() == Qt.MouseButton.LeftButton and number >= 0:
            self._chosen = number
            self.hour_opened.emit(self._hours[number])

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        QToolTip.hideText()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            number = self._hour_at(event.pos().x())
            words = self.tip(self._hours[number]) if number >= 0 else ""
            QToolTip.showText(event.globalPos(), plain_tip(words), self)
            return True
        return super().event(event)


def _length(ms: int) -> str:
    return duration(ms) if ms else _("0 min")


def _fill(painter: QPainter, area: QRectF, app_id: str, kind: str) -> None:
    whole = area.toAlignedRect()
    if kind == "private":
        hatch(painter, whole, colour("private"), mix(colour("panel"), colour("private"), 0.16))
    elif kind == "watching":
        dots(painter, whole, colour("muted"), mix(colour("panel"), colour("muted"), 0.14))
    else:
        painter.fillRect(area, app_colour(app_id) if app_id else QColor(colour("muted")))
        painter.setPen(QPen(colour("panel"), 1))  # a thin seam: neighbours may have like colours
        painter.drawLine(area.topLeft(), area.topRight())
