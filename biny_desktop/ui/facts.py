"""Label and value in two columns: values can be selected, wrap, and are always plain text."""

import html
from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QSizePolicy, QWidget

from biny_desktop.ui.theme import mono_font

LABEL_WIDTH = 96


@dataclass(frozen=True, slots=True)
class Fact:
    """One line; `mono` for ids and paths, `role` a style role such as "warn"."""

    label: str
    value: str
    tip: str = ""
    mono: bool = False
    role: str = ""


class Facts(QWidget):
    """A small form that only shows. `fill` replaces all lines."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(12)
        self._grid.setVerticalSpacing(4)
        self._grid.setColumnMinimumWidth(0, LABEL_WIDTH)
        self._grid.setColumnStretch(1, 1)
        self._shown: tuple[Fact, ...] = ()

    def fill(self, facts: Sequence[Fact]) -> None:
        """Show these lines; the same again changes nothing, so a selection stays."""
        if tuple(facts) == self._shown:
            return
        self._shown = tuple(facts)
        while (item := self._grid.takeAt(0)) is not None:
            if item.widget() is not None:
                item.widget().hide()
                item.widget().deleteLater()
        for row, fact in enumerate(self._shown):
            self._grid.addWidget(self._label(fact), row, 0, Qt.AlignmentFlag.AlignTop)
            self._grid.addWidget(self._value(fact), row, 1)

    def texts(self) -> dict[str, str]:
        """What is shown, by label."""
        return {fact.label: fact.value for fact in self._shown}

    def _label(self, fact: Fact) -> QLabel:
        label = QLabel(fact.label)
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setProperty("role", "muted")
        label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)  # drawn like the value, on one line
        return label

    def _value(self, fact: Fact) -> QLabel:
        value = QLabel(fact.value)
        value.setTextFormat(Qt.TextFormat.PlainText)
        value.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        value.setWordWrap(True)
        value.setMinimumWidth(40)
        value.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        value.setToolTip(plain_tip(fact.tip))
        value.setAccessibleName(f"{fact.label}: {fact.value}")
        if fact.mono:
            value.setFont(mono_font())
            value.setText(breakable(fact.value))
        if fact.role:
            value.setProperty("role", fact.role)
        return value


def breakable(text: str) -> str:
    """A path that may be broken after its separators when it is wrapped."""
    return text.replace("/", "/\u200b").replace("_", "_\u200b")


def plain_tip(text: str) -> str:
    """A tooltip that Qt takes as plain text whatever it holds: a text that looks like markup is escaped."""
    if "<" not in text:
        return text
    escaped = html.escape(text).replace("\n", "<br>")
    return f"<qt>{escaped}</qt>"
