"""Looked at from near: the picture with its tables, and under it bars, bands and film strip."""

from PySide6.QtWidgets import QVBoxLayout, QWidget

from biny_desktop.ui.pages.activity.details import DetailsPane
from biny_desktop.ui.pages.activity.panes import PicturePanes
from biny_desktop.ui.pages.activity.viewer import FrameViewer
from biny_desktop.ui.widgets.film_strip import FilmStrip
from biny_desktop.ui.widgets.hour_bars import HourBars
from biny_desktop.ui.widgets.labels import hairline
from biny_desktop.ui.widgets.segment_bands import SegmentBands

EDGE_PX = 16
"""The bars begin and end where the axis of the bands does."""


class NearView(QWidget):
    """Only lays out; what is empty is left out."""

    def __init__(
        self, viewer: FrameViewer, details: DetailsPane, bars: HourBars, bands: SegmentBands, strip: FilmStrip
    ) -> None:
        super().__init__()
        self._viewer, self._details, self._strip = viewer, details, strip
        self.upper = PicturePanes(viewer, details)
        strip.setFixedHeight(strip.strip_height())
        self._line = hairline()
        self.time_lines = QWidget()
        lines = QVBoxLayout(self.time_lines)
        lines.setContentsMargins(0, 4, 0, 0)
        lines.setSpacing(0)
        inset = QVBoxLayout()
        inset.setContentsMargins(EDGE_PX, 0, EDGE_PX, 0)
        inset.addWidget(bars)
        lines.addLayout(inset)
        lines.addWidget(bands)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.upper, 1)
        for widget in (self._line, self.time_lines, strip):
            column.addWidget(widget)

    def show_frames(self, *, shown: bool) -> None:
        """Empty tables and an empty strip tell nothing; the words in the middle do."""
        for part in (self._details, self._strip, self._line, self._viewer.bar):
            part.setVisible(shown)

    def show_lines(self, *, shown: bool) -> None:
        """Bars and bands, unless the day holds nothing at all."""
        self.time_lines.setVisible(shown)
