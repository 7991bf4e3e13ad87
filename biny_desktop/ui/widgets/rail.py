"""The rail: the pages of the window, one below the other; narrow it shows icons only."""

from collections.abc import Sequence
from typing import Protocol

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from biny_desktop.core.i18n import _
from biny_desktop.ui.icons import icon
from biny_desktop.ui.theme import tokens
from biny_desktop.ui.widgets.labels import label

WIDTH_PX = 176
COLLAPSED_PX = 48
LARGEST_PX = 280
"""Widths of spec 09; the largest keeps a dragged rail from eating the content."""
ICON_PX = 20
GAP = " "
"""A style sheet cannot set the space between icon and text of a tool button, an en space can."""


class RailEntry(Protocol):
    """What the rail needs of a page: its name, untranslated, an icon, and whether it stands low."""

    @property
    def name(self) -> str: ...
    @property
    def icon_name(self) -> str: ...
    @property
    def low(self) -> bool: ...


class Rail(QWidget):
    """`chosen(int)` when a page is picked, `toggled()` when the person folds or unfolds the rail."""

    chosen = Signal(int)
    toggled = Signal()

    def __init__(self, entries: Sequence[RailEntry], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("rail")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._entries = entries
        self._collapsed = self._laid_out = False
        self._group = QButtonGroup(self)
        self._name = label("Biny", "title")
        self._fold = self._button(_("Fold the sidebar"), "Ctrl+B")
        self._fold.setCheckable(False)
        self._fold.clicked.connect(self.toggled)
        self._lay_out()
        self._group.idClicked.connect(self.chosen)
        self.retint()
        self.set_collapsed(False)

    @property
    def collapsed(self) -> bool:
        """Whether only icons are shown."""
        return self._collapsed

    def select(self, index: int) -> None:
        """Mark the page that is shown."""
        self._group.button(index).setChecked(True)

    def set_collapsed(self, collapsed: bool) -> None:
        """Icons only, or icons with names."""
        if collapsed == self._collapsed and self._laid_out:
            return
        self._laid_out = True
        self._collapsed = collapsed
        style = Qt.ToolButtonStyle.ToolButtonIconOnly if collapsed else Qt.ToolButtonStyle.ToolButtonTextBesideIcon
        for button in [*self._group.buttons(), self._fold]:
            button.setToolButtonStyle(style)
            button.setProperty("folded", collapsed)
            button.style().polish(button)
        self._name.setVisible(not collapsed)
        text = _("Unfold the sidebar") if collapsed else _("Fold the sidebar")
        self._fold.setText(GAP + text)
        self._fold.setAccessibleName(text)
        self._fold.setToolTip(f"{text} (Ctrl+B)")
        px = tokens().px
        self.setMinimumWidth(px(COLLAPSED_PX))
        self.setMaximumWidth(px(COLLAPSED_PX if collapsed else LARGEST_PX))

    def retint(self) -> None:
        """Icons in the colours of the theme shown now."""
        for entry, button in zip(self._entries, self._group.buttons(), strict=True):
            button.setIcon(icon(entry.icon_name, "accent" if button.isChecked() else "muted"))
        self._fold.setIcon(icon("rail", "muted"))

    def _lay_out(self) -> None:
        layout = QVBoxLayout(self)
        layout.setContentsMargins(8, 0, 8, 8)
        layout.setSpacing(4)
        head = QHBoxLayout()
        head.setContentsMargins(10, 0, 0, 0)
        head.addWidget(self._name)
        self._name.setFixedHeight(tokens().px(48))
        layout.addLayout(head)
        layout.addSpacing(4)
        for index, entry in enumerate(self._entries):
            if entry.low and not (index and self._entries[index - 1].low):
                layout.addStretch(1)
            button = self._button(_(entry.name), f"Ctrl+{index + 1}")
            button.toggled.connect(lambda _on: self.retint())
            self._group.addButton(button, index)
            layout.addWidget(button)
        if not self._entries[-1].low:
            layout.addStretch(1)
        layout.addSpacing(4)
        layout.addWidget(self._fold)

    def _button(self, text: str, keys: str) -> QToolButton:
        button = QToolButton(self)
        button.setText(GAP + text.replace("&", "&&"))
        button.setProperty("role", "rail")
        button.setCheckable(True)
        button.setAutoRaise(True)
        button.setIconSize(QSize(ICON_PX, ICON_PX))
        button.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.setAccessibleName(text)
        button.setToolTip(f"{text} ({keys})")
        return button
