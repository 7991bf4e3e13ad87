"""Two fields for a stretch of time in the zone of the rows.

Plain line edits: Qt's date fields cannot be styled like the others, and dates are typed faster than stepped through.
"""

from datetime import datetime
from zoneinfo import ZoneInfo

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QWidget

from biny_desktop.core.clock import to_local
from biny_desktop.core.i18n import _

INDENT_PX, FIELD_PX = 24, 150
FORM = "%Y-%m-%d %H:%M"
MINUTE_MS = 60_000


class TimeSpan(QWidget):
    """From and to, minutes exact; `range` is None while a field cannot be read or the end is not after the start."""

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
        self.start.setText(to_local(start_ms, self._zone).strftime(FORM))
        self.end.setText(to_local(end_ms + MINUTE_MS - 1, self._zone).strftime(FORM))

    def range(self) -> tuple[int, int] | None:
        """UTC ms [start, end), or None."""
        start, end = self._instant(self.start), self._instant(self.end)
        return (start, end) if start is not None and end is not None and start < end else None

    def _field(self, name: str) -> QLineEdit:
        field = QLineEdit()
        field.setFixedWidth(FIELD_PX)
        field.setAccessibleName(name)
        field.setToolTip(_("{name}, as 2026-01-31 14:05").format(name=name))
        field.textEdited.connect(lambda _text: self.changed.emit())
        return field

    def _instant(self, field: QLineEdit) -> int | None:
        try:
            wall = datetime.strptime(field.text().strip(), FORM).replace(tzinfo=ZoneInfo(self._zone))
            return round(wall.timestamp() * 1000)
        except (ValueError, OverflowError):
            return None
