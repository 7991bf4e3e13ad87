"""Labels and hairlines with a role of the style sheet."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QLabel


def label(text: str = "", role: str = "", *, wrap: bool = False, selectable: bool = False) -> QLabel:
    """A plain-text label: title, heading, muted, small, section, ok, warn, bad, private, chip, or no role."""
    made = QLabel(text)
    made.setTextFormat(Qt.TextFormat.PlainText)
    made.setProperty("role", role)
    made.setWordWrap(wrap)
    if selectable:
        made.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return made


def hairline(*, vertical: bool = False) -> QFrame:
    """A line of one pixel between panes."""
    made = QFrame()
    made.setProperty("role", "line")
    made.setProperty("flow", "v" if vertical else "h")
    return made
