"""The checks of Doctor as a list: what needs attention first, each with a shape, a name, what was found, what to do."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QSizePolicy, QWidget

from biny_desktop.core.i18n import _
from biny_desktop.service.doctor import Check
from biny_desktop.ui.icons import pixmap
from biny_desktop.ui.theme import theme_signals, tokens
from biny_desktop.ui.widgets.form import ScrollColumn, Section
from biny_desktop.ui.widgets.labels import label

SHAPES = {"ok": ("check", "ok"), "warn": ("info", "warn"), "bad": ("warning", "bad")}
NAME_PX, SHAPE_PX = 132, 16


def state_words(state: str) -> str:
    """A state for those who do not see its shape."""
    return {"ok": _("In order"), "warn": _("Worth a look"), "bad": _("Fault")}[state]


class CheckList(ScrollColumn):
    """`fill` shows a report; the same again changes nothing."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(_("Checks"), parent=parent)
        self._checks: tuple[Check, ...] = ()
        self._sections: list[Section] = []
        theme_signals().changed.connect(self._build)

    def fill(self, checks: Sequence[Check]) -> None:
        """Show these."""
        if tuple(checks) != self._checks:
            self._checks = tuple(checks)
            self._build()

    def _build(self, _theme: object = None) -> None:
        for section in self._sections:
            section.hide()
            section.deleteLater()
        wrong = [each for state in ("bad", "warn") for each in self._checks if each.state == state]
        right = [each for each in self._checks if each.state == "ok"]
        self._sections = []
        for title, checks in ((_("Needs attention"), wrong), (_("In order"), right)):
            if checks:
                section = Section(title)
                section.add(_grid(checks, self.devicePixelRatioF()))
                self._sections.append(section)
                self.add(section)


def _grid(checks: Sequence[Check], ratio: float) -> QWidget:
    made = QWidget()
    grid = QGridLayout(made)
    grid.setContentsMargins(0, 0, 0, 0)
    grid.setHorizontalSpacing(12)
    grid.setVerticalSpacing(8)
    grid.setColumnMinimumWidth(1, tokens().px(NAME_PX))
    grid.setColumnStretch(2, 1)
    top = Qt.AlignmentFlag.AlignTop
    row = 0
    for check in checks:
        name, colour = SHAPES[check.state]
        shape = label()
        shape.setPixmap(pixmap(name, tokens().px(SHAPE_PX), getattr(tokens(), colour), ratio))
        shape.setToolTip(state_words(check.state))
        shape.setAccessibleName(state_words(check.state))
        grid.addWidget(shape, row, 0, top)
        grid.addWidget(label(check.name[:1].upper() + check.name[1:], "muted"), row, 1, top)
        grid.addWidget(_words(check.text, ""), row, 2)
        if check.hint:
            row += 1
            grid.addWidget(_words(check.hint, colour if check.state != "ok" else "muted"), row, 2)
        row += 1
    return made


def _words(text: str, role: str) -> QLabel:
    made = label(text, role, wrap=True, selectable=True)
    made.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
    made.setMinimumWidth(40)
    return made
