"""Where a segment is cut in two: a line through its band, moved by hand, by keys or by a typed time."""

from datetime import datetime
from zoneinfo import ZoneInfo

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLineEdit, QPushButton, QSlider, QVBoxLayout, QWidget

from biny_desktop.activity.segments.model import Segment
from biny_desktop.core.clock import to_local
from biny_desktop.core.i18n import _
from biny_desktop.ui.formats import clock_time, duration
from biny_desktop.ui.widgets.labels import label
from biny_desktop.ui.widgets.segment_bands import SegmentBands

WIDTH_PX = 480
SECOND_MS = 1_000
FIELD_PX = 96


class SplitDialog(QDialog):
    """`split_asked(at_ms)`."""

    split_asked = Signal(object)

    def __init__(self, segment: Segment, parent: QWidget | None = None, at_ms: int | None = None) -> None:
        super().__init__(parent)
        self._segment = segment
        self.setWindowTitle(_("Split"))
        self.setMinimumWidth(WIDTH_PX)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.bands = SegmentBands(margin=8)
        self.bands.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.bands.show_items([segment], segment.zone)
        self.bands.set_window(segment.start_ms, segment.end_ms)
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setAccessibleName(_("Where it is split"))
        self.slider.setRange(1, max(1, (segment.end_ms - segment.start_ms) // SECOND_MS - 1))
        self.slider.setPageStep(60)
        self.time = QLineEdit()
        self.time.setFixedWidth(FIELD_PX)
        self.time.setAccessibleName(_("Time of the split"))
        self.time.setToolTip(_("The time, as 14:05 or 14:05:30"))
        self.halves = label("", "muted", wrap=True)
        self.split = QPushButton(_("Split"))
        self.split.setProperty("role", "primary")
        self.split.setToolTip(_("Make two activities; merging puts them together again"))
        self.split.setDefault(True)
        self._lay_out()
        self.slider.valueChanged.connect(self._on_moved)
        self.time.textEdited.connect(self._on_typed)
        self.bands.segment_chosen.connect(lambda _segment, at: self._show(at))
        self.split.clicked.connect(self._on_split)
        self._show(at_ms if at_ms is not None else _best_place(segment))

    def at_ms(self) -> int:
        """Where the cut stands, UTC ms."""
        return self._segment.start_ms + self.slider.value() * SECOND_MS

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 24, 24, 16)
        column.setSpacing(8)
        column.addWidget(label(_("Split this activity"), "title"))
        column.addWidget(self.bands)
        line = QHBoxLayout()
        line.setSpacing(12)
        line.addWidget(self.slider, 1)
        line.addWidget(self.time)
        column.addLayout(line)
        column.addWidget(self.halves)
        cancel = QPushButton(_("Cancel"))
        cancel.setToolTip(_("Change nothing (Esc)"))
        cancel.setAutoDefault(False)
        cancel.clicked.connect(self.reject)
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addStretch(1)
        row.addWidget(cancel)
        row.addWidget(self.split)
        column.addSpacing(8)
        column.addLayout(row)

    def _show(self, at_ms: int) -> None:
        self.slider.setValue(round((at_ms - self._segment.start_ms) / SECOND_MS))
        self._on_moved()

    def _on_moved(self, *_value: int) -> None:
        segment, at = self._segment, self.at_ms()
        self.bands.set_cursor(at)
        if not self.time.hasFocus():
            self.time.setText(clock_time(at, segment.zone, seconds=True))
        first, second = duration(at - segment.start_ms), duration(segment.end_ms - at)
        self.halves.setText(_("{first} before, {second} after").format(first=first, second=second))
        self.split.setEnabled(segment.start_ms < at < segment.end_ms)

    def _on_typed(self, text: str) -> None:
        at = _instant(text, self._segment)
        self.split.setEnabled(at is not None)
        if at is not None:
            self._show(at)

    def _on_split(self) -> None:
        self.split_asked.emit(self.at_ms())
        self.accept()


def _best_place(segment: Segment) -> int:
    """The longest pause inside, else the middle."""
    pauses = [span for span in segment.spans if span.kind == "idle"]
    if pauses:
        longest = max(pauses, key=lambda span: span.end_ms - span.start_ms)
        return (longest.start_ms + longest.end_ms) // 2
    return (segment.start_ms + segment.end_ms) // 2


def _instant(text: str, segment: Segment) -> int | None:
    """The instant inside the segment that has this local time; None when there is none."""
    form = "%H:%M:%S" if text.count(":") == 2 else "%H:%M"
    try:
        time = datetime.strptime(text.strip(), form).time()  # noqa: DTZ007  (made aware below)
    except ValueError:
        return None
    for edge in (segment.start_ms, segment.end_ms):  # a segment may go over midnight
        day = to_local(edge, segment.zone).date()
        at = round(datetime.combine(day, time, ZoneInfo(segment.zone)).timestamp() * 1_000)
        if segment.start_ms < at < segment.end_ms:
            return at
    return None
