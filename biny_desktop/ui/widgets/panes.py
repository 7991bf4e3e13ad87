"""Rail, content and source panel side by side: their widths, folding, and what a narrow window does to them."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSplitter, QVBoxLayout, QWidget

from biny_desktop.ui.theme import tokens
from biny_desktop.ui.widgets.rail import COLLAPSED_PX, LARGEST_PX, WIDTH_PX, Rail
from biny_desktop.ui.window_state import WindowState

PANEL_SMALLEST_PX, PANEL_PX, PANEL_LARGEST_PX = 320, 380, 480
CONTENT_SMALLEST_PX = 440
NARROW_PX = 1_120
"""A window narrower than this folds the rail while the source panel is open."""
FOLD_BELOW_PX = 112
"""A rail dragged narrower than this folds."""


class Panes(QWidget):
    """Two splitters: the rail and the rest; in the rest, below `head`, the content and the panel."""

    def __init__(self, rail: Rail, head: QWidget, content: QWidget, state: WindowState) -> None:
        super().__init__()
        self._rail, self._state = rail, state
        self._panel: QWidget | None = None
        content.setMinimumWidth(CONTENT_SMALLEST_PX)
        self._inner = _splitter(content)
        right = QWidget()
        right.setObjectName("content")
        right.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        column = QVBoxLayout(right)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(head)
        column.addWidget(self._inner, 1)
        self._outer = _splitter(rail, right)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._outer)
        px = tokens().px
        self._folded = state.flag("rail/folded")
        self._rail_px = state.number("rail/width", px(WIDTH_PX), FOLD_BELOW_PX, px(LARGEST_PX))
        self._panel_px = state.number("panel/width", px(PANEL_PX), px(PANEL_SMALLEST_PX), px(PANEL_LARGEST_PX))
        self._outer.splitterMoved.connect(self._on_rail_dragged)
        self._inner.splitterMoved.connect(self._on_panel_dragged)
        self.arrange()

    def add_panel(self, panel: QWidget) -> None:
        """Take the source panel in, at the right."""
        panel.setMinimumWidth(tokens().px(PANEL_SMALLEST_PX))
        panel.setMaximumWidth(tokens().px(PANEL_LARGEST_PX))
        self._panel = panel
        self._inner.addWidget(panel)

    def panel_open(self) -> bool:
        """Whether the source panel is shown."""
        return self._panel is not None and not self._panel.isHidden()

    def toggle_rail(self) -> None:
        """Fold or unfold the rail."""
        self._folded = not self._rail.collapsed
        self.arrange()

    def keep(self) -> None:
        """Remember the widths."""
        self._state.keep(rail__folded=self._folded, rail__width=self._rail_px, panel__width=self._panel_px)

    def arrange(self) -> None:
        """Give every pane its width for the size of now; a narrow window folds the rail for an open panel."""
        px = tokens().px
        is_open = self.panel_open()
        folded = self._folded or (is_open and self.width() < px(NARROW_PX))
        self._rail.set_collapsed(folded)
        rail = px(COLLAPSED_PX) if folded else self._rail_px
        rest = max(self.width() - rail - 1, 1)
        self._outer.setSizes([rail, rest])
        if is_open:
            self._inner.setSizes([max(rest - self._panel_px - 1, 1), self._panel_px])

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.arrange()

    def _on_rail_dragged(self, width: int, _index: int) -> None:
        if width < FOLD_BELOW_PX and not self._rail.collapsed:
            self._folded = True
            self.arrange()
        elif not self._rail.collapsed:
            self._rail_px = width

    def _on_panel_dragged(self, _place: int, _index: int) -> None:
        if self.panel_open():
            self._panel_px = self._inner.sizes()[1]


def _splitter(*parts: QWidget) -> QSplitter:
    made = QSplitter(Qt.Orientation.Horizontal)
    made.setHandleWidth(1)
    made.setChildrenCollapsible(False)
    for part in parts:
        made.addWidget(part)
    return made
