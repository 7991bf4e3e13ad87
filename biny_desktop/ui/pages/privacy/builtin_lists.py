"""The built-in lists of what is never recorded: folded groups with a switch for every entry."""

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QGridLayout, QToolButton, QVBoxLayout, QWidget

from biny_desktop.core.i18n import _, ngettext
from biny_desktop.service.privacy import BuiltinRule
from biny_desktop.ui.icons import icon
from biny_desktop.ui.privacy_words import GROUPS, builtin_words
from biny_desktop.ui.theme import theme_signals, tokens
from biny_desktop.ui.widgets.form import Section
from biny_desktop.ui.widgets.labels import label
from biny_desktop.ui.widgets.switch import Switch

COLUMNS = 2
CHEVRON_PX, HEAD_PX = 14, 272


class BuiltinLists(Section):
    """`switched(rule_id, on)` when the person turns one; `fill` shows the state that was read."""

    switched = Signal(str, bool)

    def __init__(self) -> None:
        super().__init__(
            _("Built-in lists"),
            _("Never recorded, whatever your own rules say. What you switch off here is recorded like any window."),
        )
        self.groups: dict[str, _Group] = {}

    def fill(self, rules: Sequence[BuiltinRule]) -> None:
        """Show these."""
        for key in dict.fromkeys(each.group for each in rules):
            mine = [each for each in rules if each.group == key]
            if key not in self.groups:
                self.groups[key] = _Group(key, mine, rules)
                self.groups[key].switched.connect(self.switched)
                self.add(self.groups[key])
            self.groups[key].show_state(mine)

    def switches(self) -> dict[str, Switch]:
        """Every switch by the id of its rule."""
        return {rule_id: switch for group in self.groups.values() for rule_id, switch in group.switches.items()}


class _Group(QWidget):
    """A line that opens and closes, and the switches under it."""

    switched = Signal(str, bool)

    def __init__(self, key: str, rules: Sequence[BuiltinRule], all_rules: Sequence[BuiltinRule]) -> None:
        super().__init__()
        title, note = GROUPS.get(key, (key, ""))
        self._title = _(title)
        self.head = QToolButton()
        self.head.setText(" " + self._title)
        self.head.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.head.setCheckable(True)
        self.head.setProperty("role", "fold")
        self.head.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.head.setIconSize(QSize(tokens().px(CHEVRON_PX), tokens().px(CHEVRON_PX)))
        self.head.setToolTip(_("Show or hide the entries (Space)"))
        self.head.toggled.connect(self._on_folded)
        self._count = label(role="muted")
        head = QGridLayout()
        head.setContentsMargins(0, 0, 0, 0)
        head.setHorizontalSpacing(12)
        head.addWidget(self.head, 0, 0, Qt.AlignmentFlag.AlignLeft)
        head.addWidget(self._count, 0, 1)
        head.setColumnMinimumWidth(0, tokens().px(HEAD_PX))
        head.setColumnStretch(2, 1)
        self.switches: dict[str, Switch] = {}
        self._body = self._entries(rules, all_rules, _(note) if note else "")
        self._body.hide()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addLayout(head)
        column.addWidget(self._body)
        self._paint_icon()
        theme_signals().changed.connect(self._paint_icon)

    def show_state(self, rules: Sequence[BuiltinRule]) -> None:
        """The switches as they were read, and how many are off."""
        for rule in rules:
            self.switches[rule.id].setChecked(rule.enabled)
        off = sum(not rule.enabled for rule in rules)
        text = ngettext("{n} entry", "{n} entries", len(rules)).format(n=len(rules))
        if off:
            text += ", " + ngettext("{n} switched off by you", "{n} switched off by you", off).format(n=off)
        self._count.setText(text)
        self._count.setProperty("role", "warn" if off else "muted")
        self._count.style().polish(self._count)
        self.head.setAccessibleName(f"{self._title}, {text}")

    def _entries(self, rules: Sequence[BuiltinRule], all_rules: Sequence[BuiltinRule], note: str) -> QWidget:
        body = QWidget()
        grid = QGridLayout(body)
        grid.setContentsMargins(tokens().px(CHEVRON_PX) + 8, 0, 0, 4)
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(4)
        if note:
            grid.addWidget(label(note, "muted", wrap=True), 0, 0, 1, 2 * COLUMNS)
        for place, rule in enumerate(rules):
            name = builtin_words(rule, all_rules)
            switch = Switch(f"{self._title}: {name}", name)
            switch.clicked.connect(lambda on, rule_id=rule.id: self.switched.emit(rule_id, on))
            self.switches[rule.id] = switch
            words = label(name)
            words.setBuddy(switch)
            row, column = place // COLUMNS + 1, 2 * (place % COLUMNS)
            grid.addWidget(switch, row, column)
            grid.addWidget(words, row, column + 1)
        for column in range(COLUMNS):
            grid.setColumnStretch(2 * column + 1, 1)
        return body

    def _on_folded(self, is_open: bool) -> None:
        self._body.setVisible(is_open)
        self._paint_icon()

    def _paint_icon(self, _theme: object = None) -> None:
        self.head.setIcon(icon("chevron-down" if self.head.isChecked() else "chevron-right", "muted"))
