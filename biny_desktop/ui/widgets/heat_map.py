"""A month as a heat map: a calendar whose days are shaded by active time, with their hours where there is room.

One hue, five steps, the figure written into each day, and a legend in words: nothing is told by the shade alone.
"""

import calendar
from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from typing import Final

from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from biny_desktop.activity.segments.model import HeatDay
from biny_desktop.core.i18n import _, mark, ngettext
from biny_desktop.ui.colours import contrast, mix
from biny_desktop.ui.facts import plain_tip
from biny_desktop.ui.formats import day_title, duration
from biny_desktop.ui.theme import colour, theme_signals, tokens
from biny_desktop.ui.widgets.texture import focus_ring

HOUR_MS: Final = 3_600_000
STEPS: Final = ((0, 0.0), (1, 0.12), (3, 0.24), (5, 0.36), (24, 0.46))
"""Up to so many active hours, that much of the accent is mixed into the ground."""
ROOMY_PX: Final = (72, 52)
"""A day with at least this room shows its active time and its hours."""
WEEKDAYS: Final = (mark("Mon"), mark("Tue"), mark("Wed"), mark("Thu"), mark("Fri"), mark("Sat"), mark("Sun"))
GAP: Final = 2


class HeatMap(QWidget):
    """`day_opened(ISO day)` by click or Enter; `month_asked(year, month)` when the keyboard leaves the month."""

    day_opened = Signal(str)
    month_asked = Signal(int, int)

    def __init__(self, parent: QWidget | None = None, *, compact: bool = False) -> None:
        super().__init__(parent)
        self._compact = compact
        self._month = (1970, 1)
        self._days: Mapping[date, HeatDay] = {}
        self._weeks: list[list[date]] = []
        self._today = date.min
        self._shown: date | None = None
        self._at: date | None = None
        self._hovered: date | None = None
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        theme_signals().changed.connect(self.update)

    # -- filling -------------------------------------------------------------------------------------------------------

    def show_month(self, year: int, month: int, today: date, shown: date | None = None) -> None:
        """Show a month, still without shades; `shown` is the day that the page is at."""
        if (year, month) != self._month or not self._weeks:
            self._days = {}
        self._month, self._today, self._shown = (year, month), today, shown
        self._weeks = calendar.Calendar().monthdatescalendar(year, month)
        if self._at is None or (self._at.year, self._at.month) != self._month:
            self._at = shown if shown is not None and (shown.year, shown.month) == self._month else date(year, month, 1)
        self.update()

    def show_days(self, days: Sequence[HeatDay]) -> None:
        """The active time of the days of this month; days of others are left out."""
        found = {date.fromisoformat(day.day): day for day in days}
        self._days = {day: heat for day, heat in found.items() if (day.year, day.month) == self._month}
        self.update()

    @property
    def month(self) -> tuple[int, int]:
        """The year and month shown."""
        return self._month

    def at(self) -> date | None:
        """The day that the keyboard is at."""
        return self._at

    def tip(self, day: date) -> str:
        """What is said of a day."""
        heat = self._days.get(day)
        title = day_title(day, self._today)
        if heat is None or not heat.segments:
            nothing = _("nothing recorded")
            return f"{title}\n{nothing}" if day <= self._today else title
        count = ngettext("{n} activity", "{n} activities", heat.segments).format(n=heat.segments)
        return f"{title}\n" + _("{time} active").format(time=_length(heat.active_ms)) + f" · {count}"

    # -- geometry ------------------------------------------------------------------------------------------------------

    def sizeHint(self) -> QSize:
        px = tokens().px
        return QSize(px(252), px(216)) if self._compact else QSize(px(760), px(480))

    def minimumSizeHint(self) -> QSize:
        px = tokens().px
        return QSize(px(210), px(180))

    def place(self, day: date) -> QRect:
        """Where a day of this month stands."""
        for row, week in enumerate(self._weeks):
            if day in week and day.month == self._month[1]:
                return self._cell(row, week.index(day))
        return QRect()

    def _cell(self, row: int, column: int) -> QRect:
        top = self._head_px()
        high, wide = self.height() - top, self.width()
        x0, x1 = wide * column // 7, wide * (column + 1) // 7
        rows = max(1, len(self._weeks))
        y0, y1 = top + high * row // rows, top + high * (row + 1) // rows
        return QRect(x0, y0, x1 - x0 - GAP, y1 - y0 - GAP)

    def _head_px(self) -> int:
        return tokens().small_px + 10

    def day_at(self, place: QPoint) -> date | None:
        """The day of this month at a place."""
        return self._day_at(place.x(), place.y())

    def _day_at(self, x: float, y: float) -> date | None:
        for row, week in enumerate(self._weeks):
            for column, day in enumerate(week):
                if day.month == self._month[1] and self._cell(row, column).contains(int(x), int(y)):
                    return day
        return None

    # -- painting ------------------------------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        font = QFont(painter.font())
        font.setPixelSize(tokens().small_px)
        painter.setFont(font)
        painter.setPen(colour("muted"))
        for column, name in enumerate(WEEKDAYS):
            cell = self._cell(0, column)
            place = QRect(cell.x() + (0 if self._compact else 6), 0, cell.width(), self._head_px())
            align = Qt.AlignmentFlag.AlignHCenter if self._compact else Qt.AlignmentFlag.AlignLeft
            painter.drawText(place, align | Qt.AlignmentFlag.AlignVCenter, _(name))
        for row, week in enumerate(self._weeks):
            for column, day in enumerate(week):
                if day.month == self._month[1] and self._cell(row, column).intersects(event.rect()):
                    self._paint_day(painter, self._cell(row, column), day)

    def _paint_day(self, painter: QPainter, cell: QRect, day: date) -> None:
        heat = self._days.get(day)
        ground = shade(heat.active_ms if heat is not None else 0)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(colour("accent" if day == self._hovered and day <= self._today else "line"), 1))
        painter.setBrush(ground if day <= self._today else Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(cell.adjusted(0, 0, -1, -1), 4, 4)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        ink = readable(ground) if day <= self._today else colour("muted")
        roomy = cell.width() >= tokens().px(ROOMY_PX[0]) and cell.height() >= tokens().px(ROOMY_PX[1])
        self._paint_number(painter, cell, day, ink, roomy=roomy)
        if roomy and heat is not None and heat.segments:
            painter.setPen(ink)
            area = cell.adjusted(8, 4, -8, -4)
            painter.drawText(area, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop, _length(heat.active_ms))
            self._paint_hours(painter, cell, heat)
        if day == self._shown:
            painter.setPen(QPen(colour("accent"), 2))
            painter.drawRoundedRect(cell.adjusted(1, 1, -2, -2), 4, 4)
        if self.hasFocus() and day == self._at:
            focus_ring(painter, cell.adjusted(1, 1, -1, -1), colour("text"))

    def _paint_number(self, painter: QPainter, cell: QRect, day: date, ink: QColor, *, roomy: bool) -> None:
        font = QFont(painter.font())
        font.setPixelSize(tokens().body_px if roomy else tokens().small_px)
        font.setWeight(QFont.Weight.DemiBold if day in (self._today, self._shown) else QFont.Weight.Normal)
        painter.save()
        painter.setFont(font)
        painter.setPen(ink)
        align = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop if roomy else Qt.AlignmentFlag.AlignCenter
        painter.drawText(cell.adjusted(8, 3, -4, -3) if roomy else cell, align, str(day.day))
        painter.restore()

    def _paint_hours(self, painter: QPainter, cell: QRect, heat: HeatDay) -> None:
        """24 small bars along the foot, from the start of the day on: how much of each hour was active."""
        room = cell.adjusted(8, tokens().body_px + 12, -8, -8)
        high = min(room.height(), tokens().px(36))
        low = room.bottom() + 1
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
        painter.fillRect(QRect(room.x(), low, room.width(), 1), mix(colour("line"), colour("muted"), 0.4))
        for n, ms in enumerate(heat.hours_ms):
            x0, x1 = room.x() + room.width() * n // 24, room.x() + room.width() * (n + 1) // 24
            tall = round(high * min(1.0, ms / HOUR_MS))
            if tall:
                painter.fillRect(QRect(x0, low - tall, max(1, x1 - x0 - 1), tall), colour("accent"))

    # -- keys and mouse ------------------------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1, Qt.Key.Key_Up: -7, Qt.Key.Key_Down: 7}
        key = event.key()
        if key in steps and self._at is not None:
            self._go(self._at + timedelta(steps[key]))
        elif key in (Qt.Key.Key_Home, Qt.Key.Key_End):
            year, month = self._month
            self._go(date(year, month, 1 if key == Qt.Key.Key_Home else calendar.monthrange(year, month)[1]))
        elif key in (Qt.Key.Key_PageUp, Qt.Key.Key_PageDown):
            self._ask_month(-1 if key == Qt.Key.Key_PageUp else 1)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space) and self._at is not None:
            self._open(self._at)
        else:
            super().keyPressEvent(event)

    def _go(self, day: date) -> None:
        if day > self._today:
            return
        self._at = day
        if (day.year, day.month) != self._month:
            self.month_asked.emit(day.year, day.month)
        self.setAccessibleDescription(self.tip(day).replace("\n", ", "))
        self.update()

    def _ask_month(self, by: int) -> None:
        wanted = month_after(*self._month, by)
        if wanted <= (self._today.year, self._today.month):
            self._at = None
            self.month_asked.emit(*wanted)

    def _open(self, day: date) -> None:
        if day <= self._today:
            self._at = day
            self.day_opened.emit(day.isoformat())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        over = self._day_at(event.position().x(), event.position().y())
        if over != self._hovered:
            self._hovered = over
            usable = over is not None and over <= self._today
            self.setCursor(Qt.CursorShape.PointingHandCursor if usable else Qt.CursorShape.ArrowCursor)
            self.update()

    def leaveEvent(self, event: QEvent) -> None:
        self._hovered = None
        self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        day = self._day_at(event.position().x(), event.position().y())
        if event.button() == Qt.MouseButton.LeftButton and day is not None:
            self._open(day)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            day = self._day_at(event.pos().x(), event.pos().y())
            QToolTip.showText(event.globalPos(), plain_tip(self.tip(day)) if day is not None else "", self)
            return True
        return super().event(event)


class HeatLegend(QWidget):
    """The steps of the shades, each with its words."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(_("Active time: {steps}").format(steps=", ".join(legend_words())))
        theme_signals().changed.connect(self.update)

    def sizeHint(self) -> QSize:
        return QSize(200, self.fontMetrics().height() + 4)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        font = painter.font()
        font.setPixelSize(tokens().small_px)
        painter.setFont(font)
        size, x = tokens().px(12), 0
        for (_hours, part), words in zip(STEPS, legend_words(), strict=True):
            painter.setPen(QPen(colour("line"), 1))
            painter.setBrush(mix(colour("panel"), colour("accent"), part))
            painter.drawRect(QRect(x, (self.height() - size) // 2, size, size - 1))
            x += size + 6
            painter.setPen(colour("muted"))
            painter.drawText(QRect(x, 0, self.width() - x, self.height()), Qt.AlignmentFlag.AlignVCenter, words)
            x += painter.fontMetrics().horizontalAdvance(words) + 16


def legend_words() -> list[str]:
    """What each step of `STEPS` means."""
    return [_("none"), _("up to 1 h"), _("1–3 h"), _("3–5 h"), _("more than 5 h")]


def month_after(year: int, month: int, by: int) -> tuple[int, int]:
    """The month `by` months later (earlier when negative)."""
    number = year * 12 + month - 1 + by
    return number // 12, number % 12 + 1


def shade(active_ms: int) -> QColor:
    """The ground of a day with that active time."""
    part = next((part for hours, part in STEPS if active_ms <= hours * HOUR_MS), STEPS[-1][1])
    return mix(colour("panel"), colour("accent"), part)


def readable(ground: QColor) -> QColor:
    """Whichever of text and panel colour is easier to read on that ground."""
    return max((colour("text"), colour("panel")), key=lambda ink: contrast(ink, ground))


def _length(ms: int) -> str:
    return duration(ms) if ms else _("0 min")
