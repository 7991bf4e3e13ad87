"""Two fields for a stretch of time in the zone of the rows."""

from datetime import datetime
from zoneinfo import ZoneInfo

from PySide6.QtCore import QDateTime, QLocale, QTimeZone, Signal
from PySide6.QtWidgets import QAbstractSpinBox, QDateTimeEdit, QHBoxLayout, QLabel, QWidget

from biny_desktop.core.clock import to_local
from biny_desktop.core.i18n import _
from biny_desktop.ui.theme import tokens

INDENT_PX, FIELD_PX = 24, 28


class TimeSpan(QWidget):
    """From and to, minutes exact; `range` is None while the end is not after the start."""

    changed = Signal()

    def __init__(self, zone: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._zone = zone
        self.start, self.end = self._field(_("From")), self._field(_("To"))
        row = QHBoxLayout(self)
        row.setContentsMargins(INDENT_PX, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(self.start)
        row.addWidget(QLabel("–"))
        row.addWidget(self.end)
        row.addStretch(1)

    def set_range(self, start_ms: int, end_ms: int) -> None:
        """Show that stretch, UTC ms; the end is rounded up to a whole minute."""
        for field, at_ms in ((self.start, start_ms), (self.end, end_ms + 59_999)):
            field.blockSignals(True)
            field.setDateTime(self._wall(at_ms))
            field.blockSignals(False)

    def range(self) -> tuple[int, int] | None:
        """UTC ms [start, end), or None."""
        start, end = self._instant(self.start), self._instant(self.end)
        return (start, end) if start < end else None

    def _field(self, name: str) -> QDateTimeEdit:
        field = QDateTimeEdit()
        field.setLocale(QLocale.c())
        field.setDisplayFormat("yyyy-MM-dd HH:mm")
        field.setButtonSymbols(QAbstractSpinBox.ButtonSymbols.NoButtons)
        field.setMinimumHeight(tokens().px(FIELD_PX))
        field.setAccessibleName(name)
        field.setToolTip(name)
        field.dateTimeChanged.connect(self.changed)
        return field

    def _wall(self, at_ms: int) -> QDateTime:
        """The wall time as if it were UTC, so that Qt's own zone changes nothing."""
        local = to_local(at_ms, self._zone)
        wall = QDateTime(local.year, local.month, local.day, local.hour, local.minute, 0)
        wall.setTimeZone(QTimeZone(QTimeZone.Initialization.UTC))
        return wall

    def _instant(self, field: QDateTimeEdit) -> int:
        day, time = field.date(), field.time()
        wall = datetime(day.year(), day.month(), day.day(), time.hour(), time.minute(), tzinfo=ZoneInfo(self._zone))
        return round(wall.timestamp() * 1000)
