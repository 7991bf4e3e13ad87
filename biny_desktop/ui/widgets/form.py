"""Forms in the house style: sections of rows, each with words at the left and a control in one column at the right."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QScrollArea, QTabBar, QToolButton, QVBoxLayout, QWidget

from biny_desktop.ui.icons import icon
from biny_desktop.ui.theme import theme_signals, tokens
from biny_desktop.ui.widgets.labels import hairline, label

COLUMN_PX, CONTROL_PX, TRAIL_PX = 760, 200, 32
"""Reading column of spec 09; every control of a form begins on one line and is this wide."""
MARGIN_PX, ROW_GAP_PX = 16, 14
ICON_PX = 16


class ScrollColumn(QScrollArea):
    """A page that scrolls as a whole: sections one below the other, at most a reading column wide."""

    def __init__(self, name: str, width_px: int = COLUMN_PX, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("content")
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAccessibleName(name)
        holder, column = QWidget(), QWidget()
        holder.setObjectName("content")
        holder.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        column.setMaximumWidth(tokens().px(width_px))
        self.column = QVBoxLayout(column)
        self.column.setContentsMargins(MARGIN_PX, MARGIN_PX, MARGIN_PX, 24)
        self.column.setSpacing(24)
        row = QHBoxLayout(holder)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(column, 100, Qt.AlignmentFlag.AlignTop)
        row.addStretch(1)
        self.setWidget(holder)

    def add(self, part: QWidget) -> None:
        """One more part at the end."""
        self.column.addWidget(part)


class Section(QWidget):
    """A heading, a word about it, and what belongs to it."""

    def __init__(self, title: str, note: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.title = title
        self.setAccessibleName(title)
        self.rows = QVBoxLayout(self)
        self.rows.setContentsMargins(0, 0, 0, 0)
        self.rows.setSpacing(ROW_GAP_PX)
        head = QVBoxLayout()
        head.setSpacing(2)
        head.addWidget(label(title, "heading"))
        if note:
            head.addWidget(label(note, "muted", wrap=True))
        head.addSpacing(4)
        head.addWidget(hairline())
        self.rows.addLayout(head)

    def add(self, part: QWidget) -> None:
        """One more row."""
        self.rows.addWidget(part)


def tab_row(tabs: QTabBar) -> QWidget:
    """Tabs whose first word stands on the margin of the page."""
    tabs.setDrawBase(False)
    tabs.setExpanding(False)
    made = QWidget()
    row = QHBoxLayout(made)
    row.setContentsMargins(MARGIN_PX - 12, 0, 0, 0)
    row.addWidget(tabs)
    row.addStretch(1)
    return made


class FormRow(QWidget):
    """Label and help at the left, a control, and a small button (`trail`) after it; `say` puts a line below.

    `narrow`: the control is as wide as it is, at the right edge.
    """

    key = ""

    def __init__(
        self, name: str, help_: str, control: QWidget, trail: QWidget | None = None, *, narrow: bool = False
    ) -> None:
        super().__init__()
        self.name, self.help, self.control = name, help_, control
        self.said = label(role="small", wrap=True)
        self.said.hide()
        words = QVBoxLayout()
        words.setSpacing(2)
        title = label(name, wrap=True)
        title.setBuddy(control)
        words.addWidget(title)
        if help_:
            words.addWidget(label(help_, "muted", wrap=True))
        words.addWidget(self.said)
        words.addStretch(1)
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(8)
        grid.setColumnStretch(0, 1)
        grid.setColumnMinimumWidth(1, 16)
        if not narrow:
            grid.setColumnMinimumWidth(2, tokens().px(CONTROL_PX))
            trail = trail or QWidget()
            trail.setFixedWidth(tokens().px(TRAIL_PX))  # also an empty one: controls stand on one line
        grid.addLayout(words, 0, 0)
        grid.addWidget(control, 0, 2, Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        if trail is not None:
            grid.addWidget(trail, 0, 3, Qt.AlignmentFlag.AlignTop)

    def matches(self, words: str) -> bool:
        """Whether every word is found in name, help or key."""
        text = f"{self.name} {self.help} {self.key}".casefold()
        return all(word in text for word in words.casefold().split())

    def say(self, text: str, role: str = "small") -> None:
        """A line under the help; an empty text takes it away."""
        self.said.setText(text)
        self.said.setProperty("role", role)
        self.said.style().polish(self.said)
        self.said.setVisible(bool(text))


class IconButton(QToolButton):
    """A flat button of one icon, with its name as tooltip; drawn anew when the theme changes."""

    def __init__(self, icon_name: str, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._icon_name = icon_name
        self.setAccessibleName(name)
        self.setToolTip(name)
        self.setIconSize(QSize(tokens().px(ICON_PX), tokens().px(ICON_PX)))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._paint_icon()
        theme_signals().changed.connect(self._paint_icon)

    def _paint_icon(self, _theme: object = None) -> None:
        self.setIcon(icon(self._icon_name, "muted"))
