"""A month of reports: days and weeks with the mark of their report, chosen by mouse and keyboard."""

import calendar
from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from typing import Final

from PySide6.QtCore import QEvent, QPointF, QRect, QSize, Qt, Signal
from PySide6.QtGui import QFont, QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from biny_desktop.activity.reports.model import ReportKind, ReportMark
from biny_desktop.activity.reports.weeks import week_of
from biny_desktop.core.i18n import _
from biny_desktop.ui.facts import plain_tip
from biny_desktop.ui.formats import day_title, duration
from biny_desktop.ui.theme import colour, theme_signals, tokens
from biny_desktop.ui.widgets.heat_map import WEEKDAYS, month_after
from biny_desktop.ui.widgets.report_marks import WORDS, look_of_mark, paint_mark
from biny_desktop.ui.widgets.texture import focus_ring

CELL_PX: Final = (37, 40)
WEEK_PX: Final = 40
HEAD_PX: Final = 22
Key = tuple[ReportKind, str]


class ReportCalendar(QWidget):
    """`chosen(kind, key)` by click, or as the keyboard goes; `opened()` by a click or Enter, to read it;
    `month_asked(year, month)` when the keyboard leaves the month."""

    chosen = Signal(str, str)
    opened = Signal()
    month_asked = Signal(int, int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._month = (1970, 1)
        self._today = date.min
        self._weeks: list[list[date]] = []
        self._marks: Mapping[Key, ReportMark] = {}
        self._at, self._on_week = date.min, False
        self._hovered: Key | None = None
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setAccessibleName(_("Calendar of reports"))
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        theme_signals().changed.connect(self.update)

    # -- filling -------------------------------------------------------------------------------------------------------

    @property
    def month(self) -> tuple[int, int]:
        """The year and month shown."""
        return self._month

    def show_month(self, year: int, month: int, today: date) -> None:
        """Show a month; its marks follow by `show_marks`."""
        self._month, self._today = (year, month), today
        self._weeks = calendar.Calendar().monthdatescalendar(year, month)
        self.updateGeometry()
        self.setFixedSize(self.sizeHint())
        self.update()

    def span(self) -> tuple[str, str]:
        """First and last day whose marks the month wants: its weeks are whole."""
        return self._weeks[0][0].isoformat(), self._weeks[-1][-1].isoformat()

    def days(self) -> list[date]:
        """The days of the rows shown, those of other months too."""
        return [day for week in self._weeks for day in week]

    def show_marks(self, marks: Sequence[ReportMark]) -> None:
        """The reports there are."""
        self._marks = {(each.kind, each.key): each for each in marks}
        self._describe()
        self.update()

    def choose(self, kind: ReportKind, key: str) -> None:
        """Mark a day or week as chosen; tells nobody. The month is not changed."""
        self._on_week = kind == "week"
        self._at = date.fromisoformat(key) if kind == "day" else _monday(key)
        self._describe()
        self.update()

    def choice(self) -> Key:
        """The day or week that is chosen."""
        return ("week", week_of(self._at.isoformat())) if self._on_week else ("day", self._at.isoformat())

    def tip(self, key: Key) -> str:
        """What is said of a day or a week."""
        title = day_title(date.fromisoformat(key[1]), self._today) if key[0] == "day" else week_title(key[1])
        found = self._marks.get(key)
        if found is None:
            return "\n".join((title, _("no report")))
        active = "\n" + _("{time} active").format(time=duration(found.active_ms)) if found.active_ms else ""
        state = _(WORDS[look_of_mark(found)])
        return f"{title}\n{state}{active}"

    # -- geometry ------------------------------------------------------------------------------------------------------

    def sizeHint(self) -> QSize:
        px = tokens().px
        return QSize(px(WEEK_PX) + 7 * px(CELL_PX[0]), px(HEAD_PX) + 6 * px(CELL_PX[1]))

    def _cell(self, row: int, column: int) -> QRect:
        """Column -1 is that of the weeks."""
        px = tokens().px
        wide, high = px(CELL_PX[0]), px(CELL_PX[1])
        left = 0 if column < 0 else px(WEEK_PX) + column * wide
        return QRect(left, px(HEAD_PX) + row * high, px(WEEK_PX) if column < 0 else wide, high)

    def _cells(self) -> list[tuple[Key, QRect]]:
        found: list[tuple[Key, QRect]] = []
        for row, week in enumerate(self._weeks):
            if week[0] <= self._today:
                found.append((("week", week_of(week[0].isoformat())), self._cell(row, -1)))
            days = [(n, day) for n, day in enumerate(week) if day.month == self._month[1]]
            found += [(("day", day.isoformat()), self._cell(row, n)) for n, day in days]
        return found

    def place(self, kind: ReportKind, key: str) -> QRect:
        """Where a day or week stands, empty when it is not in this month."""
        return next((area for each, area in self._cells() if each == (kind, key)), QRect())

    def _key_at(self, x: float, y: float) -> Key | None:
        return next((key for key, area in self._cells() if area.contains(int(x), int(y)) and self._usable(key)), None)

    def _usable(self, key: Key) -> bool:
        return key[0] == "week" or date.fromisoformat(key[1]) <= self._today

    # -- painting ------------------------------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        font = QFont(painter.font())
        font.setPixelSize(tokens().small_px)
        painter.setFont(font)
        painter.setPen(colour("muted"))
        for column, name in enumerate(WEEKDAYS):
            area = self._cell(0, column)
            area.moveTop(0)
            area.setHeight(tokens().px(HEAD_PX))
            painter.drawText(area, Qt.AlignmentFlag.AlignCenter, _(name))
        for key, area in self._cells():
            self._paint_cell(painter, key, area)

    def _paint_cell(self, painter: QPainter, key: Key, area: QRect) -> None:
        chosen, inside = key == self.choice(), area.adjusted(1, 1, -1, -1)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if chosen or key == self._hovered:
            painter.setPen(QPen(colour("accent"), 1) if chosen else Qt.PenStyle.NoPen)
            painter.setBrush(colour("selection" if chosen else "hover"))
            painter.drawRoundedRect(inside, 6, 6)
        if chosen and self.hasFocus():
            focus_ring(painter, area, colour("accent"))
        is_today = key == ("day", self._today.isoformat())
        font = QFont(self.font())
        font.setPixelSize(tokens().small_px if key[0] == "week" else tokens().body_px)
        font.setWeight(QFont.Weight.DemiBold if is_today else QFont.Weight.Normal)
        font.setUnderline(is_today)
        painter.setFont(font)
        plain = self._usable(key) and key[0] == "day"
        painter.setPen(colour("accent" if is_today else "text" if plain else "muted"))
        words = str(int(key[1][-2:])) if key[0] == "day" else key[1][-3:]
        upper = QRect(area.x(), area.y() + 4, area.width(), area.height() // 2)
        painter.drawText(upper, Qt.AlignmentFlag.AlignCenter, words)
        found = self._marks.get(key)
        if found is not None:
            paint_mark(painter, QPointF(area.center().x() + 0.5, area.bottom() - 8), look_of_mark(found))

    # -- keys and mouse ------------------------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = event.key()
        if key in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            self._go(self._at + timedelta(7 if key == Qt.Key.Key_Down else -7), on_week=self._on_week)
        elif key in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            self._go_aside(1 if key == Qt.Key.Key_Right else -1)
        elif key in (Qt.Key.Key_PageUp, Qt.Key.Key_PageDown):
            self._go_month(1 if key == Qt.Key.Key_PageDown else -1)
        elif key == Qt.Key.Key_Home:
            self._go(self._today, on_week=False)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.opened.emit()
        else:
            super().keyPressEvent(event)

    def _go_aside(self, by: int) -> None:
        """Along a row: the number of the week stands before its Monday."""
        if self._on_week:
            self._go(self._at if by > 0 else self._at - timedelta(1), on_week=False)
        elif (by < 0 and self._at.weekday() == 0) or (by > 0 and self._at.weekday() == 6):
            self._go(self._at if by < 0 else self._at + timedelta(1), on_week=True)
        else:
            self._go(self._at + timedelta(by), on_week=False)

    def _go_month(self, by: int) -> None:
        year, month = month_after(self._at.year, self._at.month, by)
        last = calendar.monthrange(year, month)[1]
        self._go(min(date(year, month, min(self._at.day, last)), self._today), on_week=False)

    def _go(self, day: date, *, on_week: bool) -> None:
        if on_week:
            day -= timedelta(day.weekday())
        if day > self._today or (day, on_week) == (self._at, self._on_week):
            return
        self._at, self._on_week = day, on_week
        if (day.year, day.month) != self._month and not (on_week and any(week[0] == day for week in self._weeks)):
            self.month_asked.emit(day.year, day.month)
        self._describe()
        self.update()
        self.chosen.emit(*self.choice())

    def _describe(self) -> None:
        if self._at != date.min:
            self.setAccessibleDescription(self.tip(self.choice()).replace("\n", ", "))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        over = self._key_at(event.position().x(), event.position().y())
        if over != self._hovered:
            self._hovered = over
            self.setCursor(Qt.CursorShape.ArrowCursor if over is None else Qt.CursorShape.PointingHandCursor)
            self.update()

    def leaveEvent(self, event: QEvent) -> None:
        self._hovered = None
        self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        key = self._key_at(event.position().x(), event.position().y())
        if event.button() == Qt.MouseButton.LeftButton and key is not None:
            self.choose(*key)
            self.chosen.emit(*key)
            self.opened.emit()

    def focusInEvent(self, event: QEvent) -> None:
        self.update()

    def focusOutEvent(self, event: QEvent) -> None:
        self.update()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            key = self._key_at(event.pos().x(), event.pos().y())
            QToolTip.showText(event.globalPos(), plain_tip(self.tip(key)) if key is not None else "", self)
            return True
        return super().event(event)


def week_title(week: str) -> str:
    """ "Week 11, 2026"."""
    return _("Week {n}, {year}").format(n=int(week[-2:]), year=week[:4])


def _monday(week: str) -> date:
    return date.fromisocalendar(int(week[:4]), int(week[-2:]), 1)
