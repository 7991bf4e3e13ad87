"""Small rows of controls: buttons side by side, a button with its name and tooltip."""

from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget


def action(text: str, tip: str, role: str = "") -> QPushButton:
    """A push button; `role` primary or danger."""
    made = QPushButton(text)
    made.setAccessibleName(text.rstrip("…"))
    made.setToolTip(tip)
    if role:
        made.setProperty("role", role)
    return made


def button_row(*parts: QWidget) -> QWidget:
    """Widgets from the left, the rest of the row empty."""
    made = QWidget()
    row = QHBoxLayout(made)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(8)
    for part in parts:
        row.addWidget(part)
    row.addStretch(1)
    return made
