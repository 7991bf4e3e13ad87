"""Two parts side by side; where there is no room for both, one at a time under tabs."""

from PySide6.QtCore import QSettings, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSplitter, QTabBar, QVBoxLayout, QWidget

from biny_desktop.ui.theme import tokens
from biny_desktop.ui.widgets.labels import hairline

NARROW_PX = 680
"""Below this width the parts stand under tabs."""


class Halves(QWidget):
    """`narrowed(bool)` when the parts come under tabs or stand side by side again."""

    narrowed = Signal(bool)

    def __init__(self, first: tuple[str, QWidget], second: tuple[str, QWidget], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.parts = (first[1], second[1])
        self._narrow: bool | None = None
        self.tabs = QTabBar()
        self.tabs.setDrawBase(False)
        self.tabs.setExpanding(False)
        for name, _part in (first, second):
            self.tabs.addTab(name)
        self.tabs.setAccessibleName(f"{first[0]}, {second[0]}")
        self.tabs.currentChanged.connect(lambda _n: self._arrange())
        self._line = hairline()
        self.splitter = QSplitter(Qt.Orientation.Horizontal)
        self.splitter.setHandleWidth(1)
        self.splitter.setChildrenCollapsible(False)
        for part in self.parts:
            self.splitter.addWidget(part)
            self.splitter.setStretchFactor(self.splitter.count() - 1, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.tabs)
        column.addWidget(self._line)
        column.addWidget(self.splitter, 1)

    def narrow(self) -> bool:
        """Whether only one part is shown."""
        return self.width() < tokens().px(NARROW_PX)

    def show_part(self, number: int) -> None:
        """Bring a part into sight."""
        self.tabs.setCurrentIndex(number)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        narrow = self.narrow()
        for widget in (self.tabs, self._line):
            widget.setVisible(narrow)
        for number, part in enumerate(self.parts):
            part.setVisible(not narrow or number == self.tabs.currentIndex())
        if narrow != self._narrow:
            self._narrow = narrow
            self.narrowed.emit(narrow)

    def save_state(self, settings: QSettings) -> None:
        """Where the border stands, and which part is in front."""
        settings.setValue("halves", self.splitter.saveState())
        settings.setValue("half", self.tabs.currentIndex())

    def restore_state(self, settings: QSettings) -> None:
        """The border where it stood."""
        blob = settings.value("halves")
        if blob is not None:
            self.splitter.restoreState(blob)
        self.tabs.setCurrentIndex(settings.value("half", 0, type=int))
