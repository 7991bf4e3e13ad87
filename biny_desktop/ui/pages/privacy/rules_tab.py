"""The tab Rules: what happens to private windows, the user's rules, a box to try a window, the built-in lists."""

from dataclasses import dataclass

from PySide6.QtWidgets import QWidget

from biny_desktop.capture.rules_store import StoredRule
from biny_desktop.core.i18n import _
from biny_desktop.service.privacy import BuiltinRule
from biny_desktop.service.product import Product
from biny_desktop.ui.calls import Calls
from biny_desktop.ui.pages.privacy.builtin_lists import BuiltinLists
from biny_desktop.ui.pages.privacy.try_box import TryWindow
from biny_desktop.ui.pages.privacy.user_rules import UserRules
from biny_desktop.ui.settings_form.row import SettingRow
from biny_desktop.ui.settings_form.values import SettingValues
from biny_desktop.ui.widgets.form import ScrollColumn, Section

KEYS = ("privacy.unknown", "privacy.trace", "privacy.name_private_apps")


@dataclass(frozen=True, slots=True)
class _Found:
    builtins: tuple[BuiltinRule, ...]
    rules: tuple[StoredRule, ...]
    zone: str


class RulesTab(ScrollColumn):
    """Reads its rows on `refresh`."""

    def __init__(self, product: Product, calls: Calls, values: SettingValues) -> None:
        super().__init__(_("Rules"))
        self._product, self._calls = product, calls
        self.rules = UserRules(product.privacy, calls)
        self.trial = TryWindow(product.privacy, calls)
        policy = Section(_("Private windows"))
        for key in KEYS:
            policy.add(SettingRow(key, values))
        self.lists = BuiltinLists()
        for part in (self.rules, self.trial, policy, self.lists):
            self.add(part)
        self.rules.changed.connect(self.refresh)
        self.lists.switched.connect(self._on_switched)
        values.loaded.connect(self.trial.look)

    def first_field(self) -> QWidget | None:
        """Where Ctrl+F puts the cursor."""
        return self.trial.app

    def refresh(self) -> None:
        """Read the rules again."""
        self._calls.run(self._read, self._on_read, owner=self, latest="rules")

    def _read(self) -> _Found:
        care = self._product.privacy
        return _Found(care.builtins(), care.user_rules(), self._product.clock.stamp().zone)

    def _on_read(self, found: _Found) -> None:
        self.rules.fill(found.rules, found.zone)
        self.lists.fill(found.builtins)
        self.trial.look()

    def _on_switched(self, rule_id: str, on: bool) -> None:
        self._calls.run(
            lambda: self._product.privacy.set_builtin(rule_id, on=on), lambda _done: self.refresh(), owner=self
        )
