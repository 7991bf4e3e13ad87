"""The tab Space: how much pictures take by size class, what ageing does next, how long they are kept, and where."""

from dataclasses import dataclass

from PySide6.QtWidgets import QProgressBar, QWidget

from biny_desktop.activity.ageing_model import AgeingPreview, RetentionState
from biny_desktop.activity.space import StorageReport, storage_report
from biny_desktop.core.i18n import _
from biny_desktop.service.product import Product
from biny_desktop.ui.calls import Calls
from biny_desktop.ui.facts import Fact, Facts
from biny_desktop.ui.formats import bytes_size
from biny_desktop.ui.item_models.table import TableModel
from biny_desktop.ui.pages.privacy.first_deletion import AgeingCard
from biny_desktop.ui.pages.privacy.move_section import PlaceSection
from biny_desktop.ui.pages.privacy.space_facts import space_facts, tier_rows, used
from biny_desktop.ui.settings_form.row import SettingRow
from biny_desktop.ui.settings_form.values import SettingValues
from biny_desktop.ui.widgets.form import ScrollColumn, Section
from biny_desktop.ui.widgets.labels import label
from biny_desktop.ui.widgets.short_table import ShortTable

KEYS = (
    "pictures.medium_h",
    "pictures.small_days",
    "pictures.delete_days",
    "pictures.quota_mb",
    "pictures.quota_to",
    "pictures.disk_stop_mb",
)


@dataclass(frozen=True, slots=True)
class _Found:
    report: StorageReport
    state: RetentionState
    preview: AgeingPreview
    zone: str
    now_ms: int


class SpaceTab(ScrollColumn):
    """Reads its rows on `refresh`, and again when a limit was changed."""

    def __init__(self, product: Product, calls: Calls, values: SettingValues) -> None:
        super().__init__(_("Space"))
        self._product, self._calls = product, calls
        self.card = AgeingCard()
        self.tiers = TableModel((_("Size"), _("Pictures"), _("Before"), _("Now")), right=(1, 2, 3))
        self.table = ShortTable(self.tiers, _("Space by size class"), _("No pictures yet."), stretch=0)
        self.bar, self.quota = QProgressBar(), label("", "muted")
        self.bar.setTextVisible(False)
        self.bar.setRange(0, 1_000)
        self.bar.setAccessibleName(_("Part of the space for pictures that is used"))
        self.facts = Facts()
        space = Section(_("Space"), _("“Before” is what they took before the last ageing."))
        for part in (self.bar, self.quota, self.table, self.facts):
            space.add(part)
        limits = Section(_("How long and how much"), _("Texts and search stay; only pictures get smaller and go."))
        for key in KEYS:
            limits.add(SettingRow(key, values))
        self.place = PlaceSection(product, calls)
        self.place.changed.connect(self.refresh)
        for part in (self.card, space, limits, self.place):
            self.add(part)
        self.card.postponed.connect(lambda: self._do(product.retention.postpone))
        self.card.agreed.connect(lambda: self._do(product.retention.agree_now))
        values.loaded.connect(self.refresh_shown)

    def first_field(self) -> QWidget | None:
        """Where Ctrl+F puts the cursor."""
        return None

    def refresh(self) -> None:
        """Count again."""
        self._calls.run(self._read, self._on_read, owner=self, latest="space")

    def refresh_shown(self) -> None:
        """Count again if this tab is seen; otherwise it does so when it is shown."""
        if self.isVisible():
            self.refresh()

    def _read(self) -> _Found:
        product, stamp = self._product, self._product.clock.stamp()
        report = storage_report(product.database, product.files, product.settings.current().pictures, stamp.at_ms)
        retention = product.retention
        return _Found(report, retention.state(), retention.preview(), stamp.zone, stamp.at_ms)

    def _on_read(self, found: _Found) -> None:
        report = found.report
        _pictures, size = used(report)
        self.bar.setValue(min(1_000, 1_000 * size // max(1, report.quota_bytes)))
        self.quota.setText(
            _("{used} of {quota} for pictures").format(used=bytes_size(size), quota=bytes_size(report.quota_bytes))
        )
        self.tiers.fill(tier_rows(report))
        facts = space_facts(report, found.zone, found.now_ms)
        if found.state.pinned_over_quota:
            text = _("Pinned pictures alone take more than the space for pictures; they are not deleted.")
            facts.append(Fact(_("Pinned"), text, role="warn"))
        self.facts.fill(facts)
        self.card.fill(found.state, found.preview, found.zone, found.now_ms)

    def _do(self, verb: object) -> None:
        self._calls.run(verb, lambda _done: self.refresh(), owner=self)
