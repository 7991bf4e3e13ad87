"""The page Privacy & storage: tabs for rules, secrets, space, and encryption and backup."""

from PySide6.QtCore import QSettings
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QStackedWidget, QTabBar, QVBoxLayout, QWidget

from biny_desktop.core.i18n import _
from biny_desktop.service.data_care.care import Care
from biny_desktop.service.product import Product
from biny_desktop.storage.keys import Keyring, SystemKeyring
from biny_desktop.ui.bridge import Bridge
from biny_desktop.ui.calls import Calls
from biny_desktop.ui.pages.base import Page
from biny_desktop.ui.pages.privacy.keeping_tab import KeepingTab
from biny_desktop.ui.pages.privacy.rules_tab import RulesTab
from biny_desktop.ui.pages.privacy.secrets_tab import SecretsTab
from biny_desktop.ui.pages.privacy.space_tab import SpaceTab
from biny_desktop.ui.settings_form.values import SettingValues
from biny_desktop.ui.widgets.form import tab_row
from biny_desktop.ui.widgets.labels import hairline

Tab = RulesTab | SecretsTab | SpaceTab | KeepingTab


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
        self.title = _("Privacy & storage")
        self.values = SettingValues(product, calls, bridge, self)
        care = Care(product.folders, keyring or SystemKeyring(), product.clock)
        self.tabs, self._stack = QTabBar(), QStackedWidget()
        self.tabs.setAccessibleName(self.title)
        self.rules = RulesTab(product, calls, self.values)
        self.secrets = SecretsTab(product, calls, self.values)
        self.space = SpaceTab(product, calls, self.values)
        self.keeping = KeepingTab(product, calls, care)
        for name, tab in (
            (_("Rules"), self.rules),
            (_("Secrets"), self.secrets),
            (_("Space"), self.space),
            (_("Encryption & backup"), self.keeping),
        ):
            self.tabs.setTabToolTip(
                self.tabs.addTab(name.replace("&", "&&")), _("{name} (Ctrl+PgUp, Ctrl+PgDown)").format(name=name)
            )
            self._stack.addWidget(tab)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(tab_row(self.tabs))
        column.addWidget(hairline())
        column.addWidget(self._stack, 1)
        self.tabs.currentChanged.connect(self._on_tab)
        for keys, step in (("Ctrl+PgDown", 1), ("Ctrl+PgUp", -1)):
            QShortcut(QKeySequence(keys), self).activated.connect(lambda step=step: self._step(step))
        bridge.pictures_aged.connect(self.space.refresh_shown)
        bridge.first_deletion_planned.connect(lambda _at: self.space.refresh_shown())
        self.values.load()
        self.tab().refresh()

    def tab(self) -> Tab:
        """The tab shown."""
        return self._stack.currentWidget()

    def open_part(self, name: str) -> None:
        part = getattr(self, name, None)
        if isinstance(part, QWidget) and self._stack.indexOf(part) >= 0:
            self.tabs.setCurrentIndex(self._stack.indexOf(part))

    def refresh(self) -> None:
        self.values.load()
        self.tab().refresh()

    def find(self) -> None:
        """The box to try something is where one finds out what happens to it."""
        field = {self.rules: self.rules.trial.app, self.secrets: self.secrets.trial.text}.get(self.tab())
        if field is not None:
            field.setFocus()

    def save_state(self, settings: QSettings) -> None:
        settings.setValue("tab", self.tabs.currentIndex())

    def restore_state(self, settings: QSettings) -> None:
        self.tabs.setCurrentIndex(min(settings.value("tab", 0, type=int), self.tabs.count() - 1))

    def _on_tab(self, index: int) -> None:
        self._stack.setCurrentIndex(index)
        self.tab().refresh()

    def _step(self, step: int) -> None:
        self.tabs.setCurrentIndex((self.tabs.currentIndex() + step) % self.tabs.count())
