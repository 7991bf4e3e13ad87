"""The page Privacy & storage: tabs for rules, secrets, space, and encryption and backup, each made when first shown."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QSettings
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QStackedWidget, QTabBar, QVBoxLayout, QWidget

from biny_desktop.core.i18n import _, mark
from biny_desktop.service.product import Product
from biny_desktop.storage.keys import Keyring
from biny_desktop.ui.bridge import Bridge
from biny_desktop.ui.calls import Calls
from biny_desktop.ui.pages.base import Page
from biny_desktop.ui.settings_form.values import SettingValues
from biny_desktop.ui.widgets.form import tab_row
from biny_desktop.ui.widgets.labels import hairline

if TYPE_CHECKING:
    from biny_desktop.ui.pages.privacy.keeping_tab import KeepingTab
    from biny_desktop.ui.pages.privacy.rules_tab import RulesTab
    from biny_desktop.ui.pages.privacy.secrets_tab import SecretsTab
    from biny_desktop.ui.pages.privacy.space_tab import SpaceTab

    Tab = RulesTab | SecretsTab | SpaceTab | KeepingTab

TABS = (
    ("rules", mark("Rules")),
    ("secrets", mark("Secrets")),
    ("space", mark("Space")),
    ("keeping", mark("Encryption & backup")),
)


class PrivacyPage(Page):
    """A tab is read when it is shown; Ctrl+PgDown and Ctrl+PgUp go through them."""

    icon_name = "shield"

    def __init__(
        self,
        product: Product,
        calls: Calls,
        bridge: Bridge,
        keyring: Keyring | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._product, self._calls, self._keyring = product, calls, keyring
        self.title = _("Privacy & storage")
        self.values = SettingValues(product, calls, bridge, self)
        self.tabs, self._stack = QTabBar(), QStackedWidget()
        self.tabs.setAccessibleName(self.title)
        self._made: dict[str, Tab] = {}
        for _key, name in TABS:
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
        bridge.pictures_aged.connect(self._on_pictures)
        bridge.first_deletion_planned.connect(self._on_first_deletion)
        self.values.load()

    def _on_first_deletion(self, _at_ms: int) -> None:
        self._on_pictures()

    def part(self, key: str) -> "Tab":
        """The tab of that key, made when it is asked for the first time."""
        if key not in self._made:
            place = [each for each, _name in TABS].index(key)
            made = self._made[key] = self._make(key)
            blank = self._stack.widget(place)
            self._stack.insertWidget(place, made)
            self._stack.removeWidget(blank)
            blank.deleteLater()
        return self._made[key]

    def tab(self) -> "Tab":
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
        """The box to try something is where one finds out what happens to it."""
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

    def _make(self, key: str) -> "Tab":
        product, calls, values = self._product, self._calls, self.values
        if key == "rules":
            from biny_desktop.ui.pages.privacy.rules_tab import RulesTab

            return RulesTab(product, calls, values)
        if key == "secrets":
            from biny_desktop.ui.pages.privacy.secrets_tab import SecretsTab

            return SecretsTab(product, calls, values)
        if key == "space":
            from biny_desktop.ui.pages.privacy.space_tab import SpaceTab

            return SpaceTab(product, calls, values)
        from biny_desktop.service.data_care.care import Care
        from biny_desktop.storage.keys import SystemKeyring
        from biny_desktop.ui.pages.privacy.keeping_tab import KeepingTab

        return KeepingTab(product, calls, Care(product.folders, self._keyring or SystemKeyring(), product.clock))

    def _on_tab(self, index: int) -> None:
        tab = self.part(TABS[index][0])
        self._stack.setCurrentWidget(tab)
        tab.refresh()

    def _on_pictures(self) -> None:
        if self._made.get("space") is not None and self._made["space"].isVisible():
            self._made["space"].refresh()

    def _step(self, step: int) -> None:
        self.tabs.setCurrentIndex((self.tabs.currentIndex() + step) % self.tabs.count())
