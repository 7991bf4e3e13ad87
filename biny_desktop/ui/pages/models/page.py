"""The page Models: tabs for connections, search by meaning, activities that wait, and calls."""

from PySide6.QtCore import QSettings, QTimer
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QStackedWidget, QTabBar, QVBoxLayout, QWidget

from biny_desktop.core.i18n import _, mark
from biny_desktop.service.product import Product
from biny_desktop.ui.bridge import Bridge
from biny_desktop.ui.calls import Calls
from biny_desktop.ui.pages.base import Page
from biny_desktop.ui.pages.models.calls_tab import CallsTab
from biny_desktop.ui.pages.models.meaning_tab import MeaningTab
from biny_desktop.ui.pages.models.queue_tab import QueueTab
from biny_desktop.ui.pages.models.slots_tab import SlotsTab
from biny_desktop.ui.settings_form.values import SettingValues
from biny_desktop.ui.widgets.form import tab_row
from biny_desktop.ui.widgets.labels import hairline

Tab = SlotsTab | MeaningTab | QueueTab | CallsTab
TABS = (
    ("slots", mark("Connections")),
    ("meaning", mark("Search by meaning")),
    ("activities", mark("Activities")),
    ("calls", mark("Calls")),
)
CHANGES_MS = 500


class ModelsPage(Page):
    """A tab is read when it is shown; Ctrl+PgDown and Ctrl+PgUp go through them."""

    icon_name = "models"

    def __init__(self, product: Product, calls: Calls, bridge: Bridge, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.title = _("Models")
        self._product, self._calls = product, calls
        self.values = SettingValues(product, calls, bridge, self)
        self.tabs, self._stack = QTabBar(), QStackedWidget()
        self.tabs.setAccessibleName(self.title)
        self._made: dict[str, Tab] = {}
        for _key, name in TABS:
            place = self.tabs.addTab(_(name))
            self.tabs.setTabToolTip(place, _("{name} (Ctrl+PgUp, Ctrl+PgDown)").format(name=_(name)))
            self._stack.addWidget(QWidget())
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(tab_row(self.tabs))
        column.addWidget(hairline())
        column.addWidget(self._stack, 1)
        self._changes = QTimer(self, singleShot=True, interval=CHANGES_MS)
        self._changes.timeout.connect(self._renew)
        self.tabs.currentChanged.connect(self._on_tab)
        for keys, step in (("Ctrl+PgDown", 1), ("Ctrl+PgUp", -1)):
            QShortcut(QKeySequence(keys), self).activated.connect(lambda step=step: self._step(step))
        bridge.models_changed.connect(self._changes.start)
        bridge.index_changed.connect(self._on_changed)
        bridge.segment_analysed.connect(self._on_changed)
        self.values.load()

    def _on_changed(self, _what: object) -> None:
        self._changes.start()

    def part(self, key: str) -> Tab:
        """The tab of that key, made when it is asked for the first time."""
        if key not in self._made:
            place = [each for each, _name in TABS].index(key)
            made = self._made[key] = self._make(key)
            blank = self._stack.widget(place)
            self._stack.insertWidget(place, made)
            self._stack.removeWidget(blank)
            blank.deleteLater()
        return self._made[key]

    def tab(self) -> Tab:
        """The tab shown."""
        return self.part(TABS[self.tabs.currentIndex()][0])

    def open_part(self, name: str) -> None:
        keys = [each for each, _name in TABS]
        if name in keys:
            self.tabs.setCurrentIndex(keys.index(name))

    def refresh(self) -> None:
        self.values.load()
        self.tab().refresh()

    def find(self) -> None:
        field = self.tab().first_field()
        if field is not None:
            field.setFocus()

    def showEvent(self, event: object) -> None:
        """A tab kept from the last time is not made before it is seen."""
        super().showEvent(event)
        if TABS[self.tabs.currentIndex()][0] not in self._made:
            self._on_tab(self.tabs.currentIndex())

    def save_state(self, settings: QSettings) -> None:
        settings.setValue("tab", self.tabs.currentIndex())

    def restore_state(self, settings: QSettings) -> None:
        self.tabs.setCurrentIndex(min(settings.value("tab", 0, type=int), self.tabs.count() - 1))

    def _make(self, key: str) -> Tab:
        if key == "slots":
            return SlotsTab(self._product, self._calls)
        if key == "meaning":
            return MeaningTab(self._product, self._calls, self.values)
        if key == "calls":
            return CallsTab(self._product, self._calls)
        queue = QueueTab(self._product, self._calls)
        queue.source_selected.connect(self.source_selected)
        queue.slots_asked.connect(lambda: self.open_part("slots"))
        return queue

    def _on_tab(self, index: int) -> None:
        if self.isVisible():
            tab = self.part(TABS[index][0])
            self._stack.setCurrentWidget(tab)
            tab.refresh()

    def _renew(self) -> None:
        if self.isVisible():
            self.tab().refresh()

    def _step(self, step: int) -> None:
        self.tabs.setCurrentIndex((self.tabs.currentIndex() + step) % self.tabs.count())
