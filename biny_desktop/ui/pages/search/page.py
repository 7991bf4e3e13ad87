"""The page Search: one box with its filters, and tabs that never mix their ranking."""

from PySide6.QtCore import QSettings, Qt, QTimer
from PySide6.QtGui import QAction, QKeySequence, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QStackedWidget, QTabBar, QVBoxLayout, QWidget

from biny_desktop.core.i18n import _
from biny_desktop.service.product import Product
from biny_desktop.ui.bridge import Bridge
from biny_desktop.ui.calls import Calls
from biny_desktop.ui.icons import icon
from biny_desktop.ui.item_models.filters import MESSAGE_KEYS, SEGMENT_KEYS, Filter, join, split
from biny_desktop.ui.pages.base import Page
from biny_desktop.ui.pages.search.activities_tab import ActivitiesTab
from biny_desktop.ui.pages.search.meaning_tab import MeaningTab
from biny_desktop.ui.pages.search.messages_tab import MessagesTab
from biny_desktop.ui.pages.search.tab import ResultTab
from biny_desktop.ui.pages.search.words_tab import WordsTab
from biny_desktop.ui.theme import theme_signals
from biny_desktop.ui.widgets.filter_chips import FilterChips
from biny_desktop.ui.widgets.form import tab_row
from biny_desktop.ui.widgets.hit_list import SearchBox
from biny_desktop.ui.widgets.labels import hairline, label

TYPING_MS = 250
"""A question is asked when typing has rested for this long."""


class SearchPage(Page):
    """A tab is asked when it is shown and the question is another one; each keeps its own hits."""

    icon_name = "search"

    def __init__(self, product: Product, calls: Calls, bridge: Bridge, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.title = _("Search")
        self._product, self._calls = product, calls
        self.box, self.chips, self.count = SearchBox(), FilterChips(), label(role="small")
        self._glass = self.box.addAction(icon("search", "muted"), QLineEdit.ActionPosition.LeadingPosition)
        self.words = WordsTab(product, calls, bridge)
        self.meaning = MeaningTab(product, calls, bridge)
        self.activities = ActivitiesTab(product, calls, bridge)
        self.messages = MessagesTab(product, calls, bridge)
        self._tabs: list[ResultTab] = []
        self.tabs, self._stack, self._controls = QTabBar(), QStackedWidget(), QStackedWidget()
        self.tabs.setAccessibleName(_("What to search"))
        self._typing = QTimer(self, singleShot=True, interval=TYPING_MS)
        self._lay_out()
        self._add_tab(_("Words"), self.words)
        self._add_tab(_("Meaning"), self.meaning)
        self._add_tab(_("Activities"), self.activities)
        self._add_tab(_("Messages"), self.messages)
        self._connect()
        self._on_tab(0)

    # -- layout --------------------------------------------------------------------------------------------------------

    def _lay_out(self) -> None:
        first = QHBoxLayout()
        first.setSpacing(12)
        first.addWidget(self.box, 1)
        first.addWidget(self._controls)
        second = QHBoxLayout()
        second.setSpacing(12)
        second.addWidget(self.chips, 1)
        second.addWidget(self.count)
        head = QVBoxLayout()
        head.setContentsMargins(16, 12, 16, 8)
        head.setSpacing(8)
        head.addLayout(first)
        head.addLayout(second)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(tab_row(self.tabs))
        column.addWidget(hairline())
        column.addLayout(head)
        column.addWidget(hairline())
        column.addWidget(self._stack, 1)

    def _add_tab(self, name: str, tab: ResultTab) -> None:
        self._tabs.append(tab)
        place = self.tabs.addTab(name)
        self.tabs.setTabToolTip(place, _("{name} (Ctrl+Tab)").format(name=name))
        self._stack.addWidget(tab)
        self._controls.addWidget(tab.controls)
        tab.source_selected.connect(self.source_selected)
        tab.open_requested.connect(self.open_requested)
        tab.page_requested.connect(self.page_requested)
        tab.tab_requested.connect(self.open_part)
        tab.filter_asked.connect(self.chips.add)
        tab.asked_again.connect(self._on_asked_again)
        tab.counted.connect(lambda words, tab=tab: self.count.setText(words) if tab is self.tab() else None)

    def _connect(self) -> None:
        self.box.textEdited.connect(lambda _text: self._typing.start())
        self.box.textChanged.connect(lambda text: None if text else self._typing.start())
        self.box.returnPressed.connect(self.ask)
        self.box.down_pressed.connect(lambda: self.tab().to_hits())
        self._typing.timeout.connect(lambda: self.ask(typing=True))
        self.chips.changed.connect(self.ask)
        self.chips.write_asked.connect(self._write)
        self.chips.apps_wanted.connect(self._load_apps)
        self.tabs.currentChanged.connect(self._on_tab)
        for keys, step in (("Ctrl+Tab", 1), ("Ctrl+Shift+Tab", -1)):
            shortcut = QShortcut(QKeySequence(keys), self)
            shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            shortcut.activated.connect(lambda step=step: self._step(step))
        theme_signals().changed.connect(self._paint_icons)
        self._paint_icons()

    def _paint_icons(self, *_theme: object) -> None:
        self._glass.setIcon(icon("search", "muted"))
        clear = self.box.findChild(QAction, "_q_qlineeditclearaction")
        if clear is not None:  # Qt's own picture is of another style
            clear.setIcon(icon("close", "muted"))

    # -- tabs ----------------------------------------------------------------------------------------------------------

    def tab(self) -> ResultTab:
        """The search shown."""
        return self._tabs[self.tabs.currentIndex()]

    def open_part(self, name: str) -> None:
        keys = [each.key for each in self._tabs]
        if name in keys:
            self.tabs.setCurrentIndex(keys.index(name))

    def _on_tab(self, index: int) -> None:
        tab = self._tabs[index]
        self._stack.setCurrentIndex(index)
        self._controls.setCurrentIndex(index)
        self.box.setPlaceholderText(tab.placeholder)
        self.chips.set_uses(tab.uses)
        self.count.setText(tab.count)
        if self._question() != tab.question:
            self.ask()

    def _step(self, step: int) -> None:
        self.tabs.setCurrentIndex((self.tabs.currentIndex() + step) % self.tabs.count())

    def _on_asked_again(self) -> None:
        self.chips.set_uses(self.tab().uses)
        self.ask()

    # -- asking --------------------------------------------------------------------------------------------------------

    def search_for(self, text: str) -> None:
        words, filters = split(text, self.tab().keys)
        self.chips.set_filters(filters)
        self.box.setText(words)
        self.box.setFocus()
        self.ask()

    def ask(self, *, typing: bool = False) -> None:
        """Ask the tab for what is written; finished filters move from the box to the chips."""
        self._typing.stop()
        text = self.box.text()
        words, filters = split(text, self.tab().keys)
        if filters and (not typing or text.endswith(" ")):
            self.chips.set_filters([*self.chips.filters, *filters])
            self.box.setText(f"{words} " if typing and words else words)
            self._typing.stop()
        self.tab().ask(self._question())

    def _question(self) -> str:
        return join(self.box.text(), self.chips.used())

    def refresh(self) -> None:
        self.tab().refresh()

    def find(self) -> None:
        self.box.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.box.selectAll()

    def _write(self, start: str) -> None:
        self.box.setText(f"{self.box.text().strip()} {start}".strip())
        self.box.setFocus()
        self.box.end(False)

    def _load_apps(self) -> None:
        self._calls.run(self._product.timeline.apps, self.chips.set_apps, None, self, latest="apps")

    # -- state ---------------------------------------------------------------------------------------------------------

    def save_state(self, settings: QSettings) -> None:
        settings.setValue("question", join(self.box.text(), self.chips.filters))
        settings.setValue("tab", self.tab().key)
        for tab in self._tabs:
            tab.save_state(settings)

    def restore_state(self, settings: QSettings) -> None:
        for tab in self._tabs:
            tab.restore_state(settings)
        self.open_part(settings.value("tab", "", type=str))
        words, filters = split(settings.value("question", "", type=str), (*SEGMENT_KEYS, "trigger", *MESSAGE_KEYS))
        if words or filters:
            self._take_up(words, filters)

    def _take_up(self, words: str, filters: tuple[Filter, ...]) -> None:
        self.chips.set_filters(filters)
        self.box.setText(words)
        self._on_asked_again()
