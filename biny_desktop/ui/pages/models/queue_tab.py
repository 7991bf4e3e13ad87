"""The tab Activities: how many wait for a summary, which failed and why, and trying those again."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from biny_desktop.activity.segments.model import Segment, Status
from biny_desktop.core.anchors import Anchor
from biny_desktop.core.i18n import _
from biny_desktop.service.product import Product
from biny_desktop.ui.calls import Calls
from biny_desktop.ui.facts import Fact, Facts
from biny_desktop.ui.formats import moment, number
from biny_desktop.ui.item_models.table import Row, TableModel
from biny_desktop.ui.model_words import failure_of
from biny_desktop.ui.segment_words import segment_title
from biny_desktop.ui.widgets.form import ScrollColumn, Section
from biny_desktop.ui.widgets.labels import label
from biny_desktop.ui.widgets.rows import action, button_row
from biny_desktop.ui.widgets.short_table import ShortTable

FAILED_MOST = 50


@dataclass(frozen=True, slots=True)
class Queue:
    """Activities by status, those that failed, and whether a model is there to ask."""

    counts: dict[Status, int]
    failed: tuple[Segment, ...]
    ready: bool


class QueueTab(ScrollColumn):
    """`source_selected(Anchor)` for a failed activity; `slots_asked` to connect a model."""

    source_selected = Signal(object)
    slots_asked = Signal()

    def __init__(self, product: Product, calls: Calls) -> None:
        super().__init__(_("Activities"))
        self._product, self._calls = product, calls
        self._failed: tuple[Segment, ...] = ()
        self.facts = Facts()
        self.no_model = label(_("No small model is connected, so none is summed up."), "muted", wrap=True)
        self.to_slots = action(_("Connect a model"), _("Show the tab Connections"))
        self._offer = button_row(self.no_model, self.to_slots)
        note = _("Closed activities are summed up one at a time while you do not type; each is tried three times.")
        counts = Section(_("Summaries of activities"), note)
        counts.add(self._offer)
        counts.add(self.facts)
        self.model = TableModel((_("When"), _("Activity"), _("Why")))
        self.table = ShortTable(self.model, _("Failed"), _("None has failed."), stretch=1)
        self.again = action(_("Try again"), _("Ask about the chosen one again, with all its tries (Enter)"))
        self.all_again = action(_("Try all again"), _("Ask about all of these again"))
        self.source = action(_("Show source"), _("Show the chosen one in the source panel"))
        failed = Section(_("Failed"))
        failed.add(self.table)
        failed.add(button_row(self.again, self.all_again, self.source))
        self.add(counts)
        self.add(failed)
        self._connect()

    def _connect(self) -> None:
        self._offer.hide()
        self.table.chosen.connect(self._enable)
        self.table.opened.connect(lambda row: self._retry(self._failed[row : row + 1]))
        self.again.clicked.connect(lambda: self._retry(self._chosen()))
        self.all_again.clicked.connect(lambda: self._retry(self._failed))
        self.source.clicked.connect(self._on_source)
        self.to_slots.clicked.connect(self.slots_asked)
        self._enable()

    def first_field(self) -> QWidget | None:
        """Where Ctrl+F puts the cursor."""
        return self.table.view

    def refresh(self) -> None:
        """Count and list again."""
        product = self._product

        def look() -> Queue:
            analysis = product.analysis
            return Queue(analysis.counts(), analysis.failures(FAILED_MOST), product.client.ready("small"))

        self._calls.run(look, self._on_queue, None, self, latest="queue")

    def _on_queue(self, queue: Queue) -> None:
        self._offer.setVisible(not queue.ready)
        lines: tuple[tuple[Status, str], ...] = (
            ("pending", _("Waiting")), ("skipped_no_model", _("No model")), ("analysed", _("Summed up")),
            ("not_worth", _("Nothing to say")), ("failed", _("Failed")),
        )  # fmt: skip
        always = ("pending", "analysed", "failed")
        shown = [(words, queue.counts.get(status, 0), status in always) for status, words in lines]
        self.facts.fill([Fact(words, number(count)) for words, count, needed in shown if count or needed])
        self._failed = queue.failed
        self.model.fill([self._row(segment) for segment in queue.failed])
        self._enable()

    def _row(self, segment: Segment) -> Row:
        when = moment(segment.start_ms, segment.zone, self._product.clock.now_ms())
        told = self._product.models.explain(failure_of(segment.reason))
        return Row((when, segment_title(segment), _(told.what)), _(told.hint) if told.hint else "")

    def _chosen(self) -> tuple[Segment, ...]:
        row = self.table.row()
        return self._failed[row : row + 1] if row >= 0 else ()

    def _enable(self) -> None:
        self.again.setEnabled(bool(self._chosen()))
        self.source.setEnabled(bool(self._chosen()))
        self.all_again.setEnabled(bool(self._failed))

    def _retry(self, segments: Sequence[Segment]) -> None:
        analysis = self._product.analysis

        def work() -> None:
            for segment in segments:
                analysis.retry(segment.id)

        self._calls.run(work, lambda _none: self.refresh(), None, self)

    def _on_source(self) -> None:
        for segment in self._chosen():
            self.source_selected.emit(Anchor("segment", str(segment.id), segment.start_ms, segment.zone))
