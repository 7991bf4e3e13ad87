"""The page Privacy & storage: tabs for rules, secrets, space, and encryption and backup, each made when first shown."""

from PySide6.QtWidgets import QWidget

from biny_desktop.core.i18n import _, mark
from biny_desktop.service.product import Product
from biny_desktop.storage.keys import Keyring
from biny_desktop.ui.bridge import Bridge
from biny_desktop.ui.calls import Calls
from biny_desktop.ui.pages.tabbed import TabbedPage

TABS = (
    ("rules", mark("Rules")),
    ("secrets", mark("Secrets")),
    ("space", mark("Space")),
    ("keeping", mark("Encryption & backup")),
)


class PrivacyPage(TabbedPage):
    """`keyring`: where the key is kept; None: the system's."""

    icon_name = "shield"
    TABS = TABS

    def __init__(
        self,
        product: Product,
        calls: Calls,
        bridge: Bridge,
        keyring: Keyring | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(_("Privacy & storage"), product, calls, bridge, parent)
        self._keyring = keyring
        bridge.pictures_aged.connect(self._on_pictures)
        bridge.first_deletion_planned.connect(self._on_first_deletion)
        self.values.load()

    def make_tab(self, key: str) -> QWidget:
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

    def _on_first_deletion(self, _at_ms: int) -> None:
        self._on_pictures()

    def _on_pictures(self) -> None:
        if self.made.get("space") is not None and self.made["space"].isVisible():
            self.made["space"].refresh()
