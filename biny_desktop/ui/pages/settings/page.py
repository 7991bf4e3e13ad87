"""The page Settings: groups at the left, rows at the right, a field above that finds settings by words."""

from PySide6.QtCore import QSettings, Qt, QTimer
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QPushButton, QVBoxLayout, QWidget

from biny_desktop.core.i18n import _
from biny_desktop.service.product import Product
from biny_desktop.ui.autostart_row import AutostartRow, Pick, picker
from biny_desktop.ui.bridge import Bridge
from biny_desktop.ui.calls import Calls
from biny_desktop.ui.pages.base import Page
from biny_desktop.ui.settings_form.row import SettingRow
from biny_desktop.ui.settings_form.values import SettingValues
from biny_desktop.ui.settings_form.words import group_words
from biny_desktop.ui.theme import tokens
from biny_desktop.ui.widgets.form import FormRow, ScrollColumn, Section
from biny_desktop.ui.widgets.index_list import IndexList
from biny_desktop.ui.widgets.labels import hairline, label
from biny_desktop.ui.widgets.rows import action, button_row

FIELD_PX = 360
FIRST_GROUPS = 2
"""Made with the page; the others follow."""
NARROW_PX = 640
"""Narrower than this the page leaves out the list of groups."""


class SettingsPage(Page):
    """Generated from the declarations: a new setting is here as soon as it is declared."""

    icon_name = "settings"

    def __init__(
        self, product: Product, calls: Calls, bridge: Bridge, choose: Pick | None = None, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.title = _("Settings")
        self.values = SettingValues(product, calls, bridge, self)
        self.field = QLineEdit()
        self.field.setPlaceholderText(_("Find a setting"))
        self.field.setAccessibleName(_("Find a setting"))
        self.field.setToolTip(_("Find a setting by its words (Ctrl+F)"))
        self.field.setClearButtonEnabled(False)
        self.field.setMaximumWidth(tokens().px(FIELD_PX))
        self.field.textChanged.connect(self._filter)
        self.scroll = ScrollColumn(self.title)
        self._nothing = label(_("No setting has these words."), "muted")
        self._nothing.hide()
        self.scroll.add(self._nothing)
        self.rows: dict[str, FormRow] = {}
        self.sections: dict[str, Section] = {}
        self._start_section(AutostartRow(choose or picker(product.folders), calls))
        self._waiting = list(dict.fromkeys(key.partition(".")[0] for key in self.values.declared))
        titles = [self.sections["start"].title, *(group_words(group) for group in self._waiting)]
        self._later = QTimer(self, interval=0)
        self._later.timeout.connect(self._make_next)
        for _first in range(FIRST_GROUPS):
            self._make_next()
        self._later.start()
        self.groups = IndexList(_("Groups of settings"), titles)
        self.groups.chosen.connect(self._go_to)
        self.scroll.verticalScrollBar().valueChanged.connect(lambda _place: self._mark_group())
        self._lay_out()
        self.values.load()

    def refresh(self) -> None:
        self.values.load()
        self.rows[AutostartRow.key].read()

    def find(self) -> None:
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.field.selectAll()

    def search_for(self, text: str) -> None:
        self.field.setText(text)

    def save_state(self, settings: QSettings) -> None:
        settings.setValue("place", self.scroll.verticalScrollBar().value())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._side.setVisible(self.width() >= tokens().px(NARROW_PX))

    def _start_section(self, start: AutostartRow) -> None:
        section = self.sections["start"] = Section(_("Start"))
        section.add(start)
        self.scroll.add(section)
        self.rows[start.key] = start

    def _make_next(self) -> None:
        """One more group; a turn of the event loop each, so that the page opens at once."""
        if not self._waiting:
            self._later.stop()
            return
        group = self._waiting.pop(0)
        keys = [key for key in self.values.declared if key.partition(".")[0] == group]
        title, note = group_words(group), _(self.values.declared[keys[0]].group_help)
        section = Section(title, "" if note.rstrip(".。").casefold() in title.casefold() else note)
        if group == "models":
            section.add(button_row(self._models_button()))
        for key in keys:
            self.rows[key] = SettingRow(key, self.values)
            section.add(self.rows[key])
        self.sections[group] = section
        self.scroll.add(section)

    def _models_button(self) -> QPushButton:
        """Servers, keys and models are easier on their own page, where they can be tested."""
        button = action(_("Connect on the page Models"), _("Choose servers and models there, and test them"))
        button.clicked.connect(lambda: self.page_requested.emit("models", "slots"))
        return button

    def make_all(self) -> None:
        """Make the groups that still wait."""
        while self._waiting:
            self._make_next()

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setContentsMargins(16, 12, 16, 12)
        head.addWidget(self.field, 1)
        head.addStretch(1)
        self._side = QWidget()
        side = QHBoxLayout(self._side)
        side.setContentsMargins(0, 0, 0, 0)
        side.setSpacing(0)
        side.addWidget(self.groups)
        side.addWidget(hairline(vertical=True))
        body = QHBoxLayout()
        body.setSpacing(0)
        body.addWidget(self._side)
        body.addWidget(self.scroll, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(hairline())
        column.addLayout(body, 1)

    def _filter(self, words: str) -> None:
        self.make_all()
        found = False
        for number, (group, section) in enumerate(self.sections.items()):
            rows = [row for key, row in self.rows.items() if key.partition(".")[0] == group]
            whole = bool(words.strip()) and words.casefold().strip() in section.title.casefold()
            for row in rows:
                row.setVisible(whole or row.matches(words))
            some = whole or any(row.matches(words) for row in rows)
            section.setVisible(some)
            self.groups.set_shown(number, shown=some)
            found = found or some
        self._nothing.setVisible(not found)

    def _go_to(self, number: int) -> None:
        if self._waiting:
            self.make_all()
            QTimer.singleShot(0, self, lambda: self._go_to(number))  # when the new rows have their places
            return
        section = list(self.sections.values())[number]
        self.scroll.verticalScrollBar().setValue(section.y() - 16)
        self.groups.mark(number)

    def _mark_group(self) -> None:
        """Mark the group whose rows are at the top; at the very end the last one that can be seen."""
        bar = self.scroll.verticalScrollBar()
        shown = [(n, each) for n, each in enumerate(self.sections.values()) if not each.isHidden()]
        if not shown:
            return
        top = bar.value() + 40
        passed = [n for n, each in shown if each.y() <= top]
        marked = self.groups.marked()
        if bar.value() == bar.maximum() and marked is not None and marked >= (passed[-1] if passed else 0):
            return
        self.groups.mark(passed[-1] if passed else shown[0][0])
