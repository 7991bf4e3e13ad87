"""Picture and tables, side by side or one over the other: whichever leaves the larger picture."""

from PySide6.QtCore import QSettings, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSplitter, QWidget

DETAILS_PX, DETAILS_LOW_PX = 280, 150
"""Room of the tables beside the picture and under it, until a person drags the border."""
DETAILS_SMALLEST, PICTURE_SMALLEST = (200, 96), (240, 160)


class PicturePanes(QSplitter):
    """Chooses its direction when its size changes; remembers a width for the one and a height for the other."""

    def __init__(self, picture: QWidget, details: QWidget) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self._details_px = {Qt.Orientation.Horizontal: DETAILS_PX, Qt.Orientation.Vertical: DETAILS_LOW_PX}
        self._placed = False
        picture.setMinimumSize(*PICTURE_SMALLEST)
        details.setMinimumSize(*DETAILS_SMALLEST)
        self.addWidget(picture)
        self.addWidget(details)
        self.setStretchFactor(0, 1)
        self.setHandleWidth(1)
        self.setChildrenCollapsible(False)
        self.splitterMoved.connect(self._on_moved)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        wanted = better_side(self.width(), self.height())
        if self.orientation() != wanted or not self._placed:
            self._placed = True
            self.setOrientation(wanted)
            whole = self.width() if wanted == Qt.Orientation.Horizontal else self.height()
            part = self._details_px[wanted]
            self.setSizes([max(1, whole - part), part])

    def save_state(self, settings: QSettings) -> None:
        """Where the border stands."""
        settings.setValue("beside", self._details_px[Qt.Orientation.Horizontal])
        settings.setValue("under", self._details_px[Qt.Orientation.Vertical])

    def restore_state(self, settings: QSettings) -> None:
        """The border where it stood."""
        for way, key, smallest in (
            (Qt.Orientation.Horizontal, "beside", DETAILS_SMALLEST[0]),
            (Qt.Orientation.Vertical, "under", DETAILS_SMALLEST[1]),
        ):
            self._details_px[way] = max(smallest, settings.value(key, self._details_px[way], type=int))

    def _on_moved(self, *_place: int) -> None:
        self._details_px[self.orientation()] = self.sizes()[1]


def better_side(width: int, height: int) -> Qt.Orientation:
    """Where a 16:9 picture becomes larger: tables beside it (horizontal) or under it (vertical)."""
    beside = min(width - DETAILS_PX, height * 16 / 9)
    under = min(width, (height - DETAILS_LOW_PX) * 16 / 9)
    return Qt.Orientation.Horizontal if beside >= under else Qt.Orientation.Vertical
