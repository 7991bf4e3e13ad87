"""The tab Secrets: what is hidden in text and pictures, how often it was, the user's patterns, a box to try a text."""

from dataclasses import dataclass

from PySide6.QtWidgets import QWidget

from biny_desktop.activity.redaction_store import Pattern, PrivateTime
from biny_desktop.core.i18n import _
from biny_desktop.service.privacy import Hidden
from biny_desktop.service.product import Product
from biny_desktop.ui.calls import Calls
from biny_desktop.ui.formats import duration, number
from biny_desktop.ui.item_models.table import Row, TableModel
from biny_desktop.ui.pages.privacy.try_box import TryText
from biny_desktop.ui.pages.privacy.user_rules import UserPatterns
from biny_desktop.ui.settings_form.row import SettingRow
from biny_desktop.ui.settings_form.values import SettingValues
from biny_desktop.ui.widgets.form import ScrollColumn, Section
from biny_desktop.ui.widgets.short_table import ShortTable
from biny_desktop.ui.words import reason_words, secret_words

DAYS = 30


@dataclass(frozen=True, slots=True)
class _Found:
    hidden: Hidden
    private: tuple[PrivateTime, ...]
    patterns: tuple[Pattern, ...]


class SecretsTab(ScrollColumn):
    """Reads its rows on `refresh`."""

    def __init__(self, product: Product, calls: Calls, values: SettingValues) -> None:
        super().__init__(_("Secrets"))
        self._product, self._calls = product, calls
        counts = Section(
            _("Hidden in the last {n} days").format(n=DAYS), _("Only counts are kept, never what was hidden.")
        )
        self.counts = TableModel((_("Kind"), _("Times")), right=(1,))
        counts.add(ShortTable(self.counts, counts.title, _("Nothing was hidden yet."), stretch=0))
        private = Section(_("Private time in the last {n} days").format(n=DAYS))
        self.private = TableModel((_("Reason"), _("Stretches"), _("Time")), right=(1, 2))
        private.add(ShortTable(self.private, private.title, _("No private windows were in front."), stretch=0))
        self.patterns = UserPatterns(product.privacy, calls)
        self.trial = TryText(product.privacy, calls)
        what = Section(
            _("What is hidden"),
            _("Keys, tokens, passwords, one-time codes, card and account numbers are always hidden."),
        )
        for key in ("redact.email", "redact.phone", "redact.paint", "redact.unscreened"):
            what.add(SettingRow(key, values))
        for part in (what, self.trial, self.patterns, counts, private):
            self.add(part)
        self.patterns.changed.connect(self.refresh)
        values.loaded.connect(self.trial.look)

    def first_field(self) -> QWidget | None:
        """Where Ctrl+F puts the cursor."""
        return self.trial.text

    def refresh(self) -> None:
        """Read counts and patterns again."""
        self._calls.run(self._read, self._on_read, owner=self, latest="secrets")

    def _read(self) -> _Found:
        care = self._product.privacy
        return _Found(care.hidden(DAYS), care.private_time(DAYS), care.patterns())

    def _on_read(self, found: _Found) -> None:
        rows = [Row((secret_words(kind), number(count))) for kind, count in found.hidden.by_type]
        if rows:
            rows.append(Row((_("Together"), number(found.hidden.total))))
        self.counts.fill(rows)
        self.private.fill(
            [
                Row((reason_words("private", each.reason), number(each.rows), duration(each.ms)))
                for each in found.private
            ]
        )
        self.patterns.fill(found.patterns)
        self.trial.look()
