"""A page of tabs, each made when it is first shown and read whenever it is shown."""

from collections.abc import Sequence

from PySide6.QtCore import QSettings
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QStackedWidget, QTabBar, QVBoxLayout, QWidget

from biny_desktop.core.i18n import _
from biny_desktop.service.product import Product
from biny_desktop.ui.bridge import Bridge
from biny_desktop.ui.calls import Calls
from biny_desktop.ui.pages.base import Page
from biny_desktop.ui.settings_form.values import SettingValues
from biny_desktop.ui.widgets.form import tab_row
from biny_desktop.ui.widgets.labels import hairline


class TabbedPage(Page):
    """Ctrl+PgDown and Ctrl+PgUp go through the tabs. A page gives `TABS` (key, untranslated name) and `make_tab`.

    A tab has `refresh()` and `first_field()`. `values` are the settings that tabs show; the page loads them when all of
    it is built.
    """

    TABS: Sequence[tuple[str, str]] = ()

    def __init__(
        self, title: str, product: Product, calls: Calls, bridge: Bridge, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.title = title
        self._product, self._calls = product, calls
        self.values = SettingValues(product, calls, bridge, self)
        self.tabs, self._stack = QTabBar(), QStackedWidget()
        self.tabs.setAccessibleName(title)
        self.made: dict[str, QWidget] = {}
        for _key, name in self.TABS:
            place = self.tabs.addTab(_(name).replace("&", "&&"))
            self.tabs.setTabToolTip(place, _("{name} (Ctrl+PgUp, Ctrl+PgDown)").format(name=_(name)))
            self._stack.addWidget(QWidget())
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(tab_row(self.tabs))
        column.addWidget(hairline())
        column.addWidget(self._stack, 1)
        self.tabs.currentChanged.connect(self._on_tab)
        for keys, step in (("Ctrl+PgDown", 1), ("Ctrl+PgUp", -1)):
            QShortcut(QKeySequence(keys), self).activated.connect(lambda step=step: self._step(step))

    def make_tab(self, key: str) -> QWidget:
        """The tab of that key; called once."""
        raise LookupError(key)

    def part(self, key: str) -> QWidget:
        """The tab of that key, made when it is asked for the first time."""
        if key not in self.made:
            place = self._keys().index(key)
            made = self.made[key] = self.make_tab(key)
            blank = self._stack.widget(place)
            self._stack.insertWidget(place, made)
            self._stack.removeWidget(blank)
            blank.deleteLater()
        return self.made[key]

    def tab(self) -> QWidget:
        """The tab shown."""
        return self.part(self._keys()[self.tabs.currentIndex()])

    def open_part(self, name: str) -> None:
        if name in self._keys():
            self.tabs.setCurrentIndex(self._keys().index(name))

    def refresh(self) -> None:
        self.values.load()
        self.tab().refresh()

    def find(self) -> None:
        """The first field of a tab is where one finds things, or finds out what happens to them."""
        field = self.tab().first_field()
        if field is not None:
            field.setFocus()

    def showEvent(self, event: object) -> None:
        """A tab kept from the last time is not made before it is seen."""
        super().showEvent(event)
        if self._keys()[self.tabs.currentIndex()] not in self.made:
            self._on_tab(self.tabs.currentIndex())

    def save_state(self, settings: QSettings) -> None:
        settings.setValue("tab", self.tabs.currentIndex())

    def restore_state(self, settings: QSettings) -> None:
        self.tabs.setCurrentIndex(min(settings.value("tab", 0, type=int), self.tabs.count() - 1))

    def _keys(self) -> list[str]:
        return [key for key, _name in self.TABS]

    def _on_tab(self, index: int) -> None:
        if self.isVisible():
            tab = self.part(self._keys()[index])
            self._stack.setCurrentWidget(tab)
            tab.refresh()

    def _step(self, step: int) -> None:
        self.tabs.setCurrentIndex((self.tabs.currentIndex() + step) % self.tabs.count())
