"""The tab Search by meaning: which embedder and why, how far each index is, and making one anew."""

from PySide6.QtWidgets import QWidget

from biny_desktop.core.errors import BinyError
from biny_desktop.core.i18n import _
from biny_desktop.models.model import IndexStatus
from biny_desktop.service.models_care import EmbedderState
from biny_desktop.service.product import Product
from biny_desktop.service.state_words import index_kind
from biny_desktop.ui.calls import Calls
from biny_desktop.ui.facts import Fact, Facts
from biny_desktop.ui.formats import moment, number
from biny_desktop.ui.item_models.table import Row, TableModel
from biny_desktop.ui.model_words import index_words
from biny_desktop.ui.settings_form.row import SettingRow
from biny_desktop.ui.settings_form.values import SettingValues
from biny_desktop.ui.widgets.form import ScrollColumn, Section
from biny_desktop.ui.widgets.labels import label
from biny_desktop.ui.widgets.long_work import LongWork
from biny_desktop.ui.widgets.rows import action, button_row
from biny_desktop.ui.widgets.short_table import ShortTable


class MeaningTab(ScrollColumn):
    """Everything here happens on this machine."""

    def __init__(self, product: Product, calls: Calls, values: SettingValues) -> None:
        super().__init__(_("Search by meaning"))
        self._product, self._models, self._calls = product, product.models, calls
        self._statuses: tuple[IndexStatus, ...] = ()
        self.facts = Facts()
        embedder = Section(
            _("Embedder"), _("It turns texts into vectors, on this machine; nothing is sent for search by meaning.")
        )
        embedder.add(self.facts)
        for key in ("models.embedder", "models.embedder_folder", "search.meaning_floor"):
            embedder.add(SettingRow(key, values))
        self.model = TableModel(
            (_("What"), _("State"), _("Rows"), _("Prepared"), _("Waiting"), _("Last made")), right=(2, 3, 4)
        )
        self.table = ShortTable(self.model, _("What is prepared"), _("Reading…"), stretch=1)
        self.rebuild = action(_("Rebuild"), _("Make all vectors of the chosen kind anew; the old ones serve meanwhile"))
        self.rebuild.setEnabled(False)
        self.work = LongWork(calls)
        self.said = label("", "muted", wrap=True)
        self.said.hide()
        note = _("New texts are prepared by themselves while you do not type, the newest first.")
        prepared = Section(_("What is prepared"), note)
        for part in (self.table, button_row(self.rebuild), self.work, self.said):
            prepared.add(part)
        self.add(embedder)
        self.add(prepared)
        self.table.chosen.connect(self._enable)
        self.rebuild.clicked.connect(self._on_rebuild)
        self.work.busy.connect(lambda _busy: self._enable())

    def first_field(self) -> QWidget | None:
        """Where Ctrl+F puts the cursor."""
        return self.table.view

    def refresh(self) -> None:
        """Read the indexes at once; the embedder may have to be loaded first."""
        self._calls.run(self._models.indexes, self._on_indexes, None, self, latest="indexes")
        self._calls.run(self._models.embedder_state, self._on_embedder, None, self, latest="embedder")

    def _on_embedder(self, state: EmbedderState) -> None:
        found = state.fingerprint
        facts = [Fact(_("Why"), state.why)]
        if found is None:
            facts.insert(0, Fact(_("In use"), _("none: search by meaning is not possible"), role="warn"))
        else:
            kind = _("{n} dimensions, {kind}").format(n=found.dims, kind=found.quantisation)
            facts = [Fact(_("In use"), found.model, found.id), Fact(_("Vectors"), kind), *facts]
        self.facts.fill(facts)

    def _on_indexes(self, statuses: tuple[IndexStatus, ...]) -> None:
        chosen = max(0, self.table.row())
        self._statuses = statuses
        self.model.fill([self._row(status) for status in statuses])
        self.table.choose(chosen)
        self._enable()

    def _row(self, status: IndexStatus) -> Row:
        now = self._product.clock.stamp()
        made = "–" if status.built_at_ms is None else moment(status.built_at_ms, now.zone, now.at_ms)
        numbers = (number(status.rows), number(status.indexed), number(status.pending))
        own = _("Compared with the middle of your own texts.") if status.own_means else ""
        return Row((index_kind(status.kind), index_words(status), *numbers, made), own)

    def _enable(self) -> None:
        self.rebuild.setEnabled(0 <= self.table.row() < len(self._statuses) and not self.work.running())

    def _on_rebuild(self) -> None:
        kind, models = self._statuses[self.table.row()].kind, self._models
        self.said.hide()
        self.work.start(
            _("Rebuilding: {what}").format(what=index_kind(kind)), lambda watch: models.rebuild(kind, watch),
            self._on_rebuilt, self._on_failed,
        )  # fmt: skip

    def _on_rebuilt(self, status: IndexStatus) -> None:
        self.said.setText(_("Rebuilt: {n} rows are prepared.").format(n=number(status.indexed)))
        self.said.show()
        self.refresh()

    def _on_failed(self, error: BinyError) -> None:
        self._calls.failed.emit(error)
        self.refresh()
