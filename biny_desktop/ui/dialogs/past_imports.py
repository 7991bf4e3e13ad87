"""The imports of the past: what each brought in, how it ended, and taking one out again (spec 05 §10)."""

from functools import partial
from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QAbstractItemView, QFrame, QMessageBox, QVBoxLayout, QWidget

from biny_desktop.conversation.importers.importing import Imports
from biny_desktop.conversation.importers.model import ImportBatch, RollbackReport
from biny_desktop.core.clock import Clock
from biny_desktop.core.i18n import _, listed
from biny_desktop.ui.calls import Calls
from biny_desktop.ui.dialogs.work_dialog import WorkDialog, button
from biny_desktop.ui.facts import Facts
from biny_desktop.ui.formats import full_moment, moment, number
from biny_desktop.ui.import_words import amounts, count_facts, format_words, state_words, undone_facts
from biny_desktop.ui.item_models.table import Row, TableModel
from biny_desktop.ui.theme import tokens
from biny_desktop.ui.widgets.labels import label
from biny_desktop.ui.widgets.table_view import ROW_PX, TableView

WIDTH_PX: Final = 680
ROWS_MAX: Final = 6
"""The table is at most so many rows high; more scroll."""
SOURCE: Final = 1


class PastImportsDialog(WorkDialog):
    """`undone(RollbackReport)` when one was taken out."""

    undone = Signal(object)

    def __init__(self, imports: Imports, calls: Calls, clock: Clock, parent: QWidget | None = None) -> None:
        super().__init__(_("Past imports"), WIDTH_PX, calls, parent)
        self._imports, self._calls, self._clock = imports, calls, clock
        self.batches: tuple[ImportBatch, ...] = ()
        self.box: QMessageBox | None = None
        headings = (_("When"), _("Source"), _("Format"), _("State"), _("Chats"), _("Messages"))
        self.model = TableModel(headings, right=(4, 5))
        self.table = TableView(self.model, _("Past imports"), stretch=SOURCE)
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.table.setToolTip(_("Arrow keys choose an import"))
        self.boxed = QFrame()
        self.boxed.setProperty("role", "boxed")
        inside = QVBoxLayout(self.boxed)
        inside.setContentsMargins(1, 1, 1, 1)
        inside.addWidget(self.table)
        self.nothing = label(_("Nothing was imported yet. Imports will stand here, to be undone."), "muted", wrap=True)
        self.nothing.hide()
        self.facts = Facts()
        self.undo = button(
            _("Undo this import…"), _("Take out again what it brought in; it is asked once more"), "danger"
        )
        self.lay_out((self.nothing, self.boxed, self.facts), (self.undo,), (self.close_button,))
        self.undo.clicked.connect(self._on_undo)
        self.table.selectionModel().currentRowChanged.connect(lambda *_rows: self._on_chosen())
        self._enable()
        self._read()

    def chosen(self) -> ImportBatch | None:
        """The import that is chosen in the table."""
        row = self.table.currentIndex().row()
        return self.batches[row] if 0 <= row < len(self.batches) else None

    # -- reading -------------------------------------------------------------------------------------------------------

    def _read(self, receipt: RollbackReport | None = None) -> None:
        self._calls.run(self._imports.batches, partial(self._on_batches, receipt), self.fail, self, latest="batches")

    def _on_batches(self, receipt: RollbackReport | None, found: tuple[ImportBatch, ...]) -> None:
        before = self.chosen()
        self.batches = found
        stamp = self._clock.stamp()
        self.model.fill([_row(each, stamp.at_ms, stamp.zone) for each in found])
        self.boxed.setVisible(bool(found))
        self.nothing.setVisible(not found)
        self.table.setFixedHeight(_height(self.table, len(found)))
        ids = [each.id for each in found]
        if found:
            self.table.selectRow(ids.index(before.id) if before is not None and before.id in ids else 0)
        self._on_chosen()
        if receipt is not None:
            self._show(receipt)
        elif found:
            self.table.setFocus()
        self.fit()

    def _on_chosen(self) -> None:
        batch = self.chosen()
        self.facts.fill([] if batch is None else count_facts(batch.counts))
        self.facts.setVisible(batch is not None)
        self.say("")
        self._enable()

    def set_busy(self, busy: bool) -> None:
        super().set_busy(busy)
        self.table.setEnabled(not busy)
        self._enable()

    def _enable(self) -> None:
        batch = self.chosen()
        there = batch is not None and batch.state not in ("running", "rolled_back")
        self.undo.setEnabled(there and not self.work.running())

    # -- undoing -------------------------------------------------------------------------------------------------------

    def _on_undo(self) -> None:
        batch = self.chosen()
        if batch is None:
            return
        box = QMessageBox(QMessageBox.Icon.NoIcon, "Biny", _("Undo this import?"), parent=self)
        box.setInformativeText(_what_goes(batch))
        go = box.addButton(_("Undo it"), QMessageBox.ButtonRole.DestructiveRole)
        go.setProperty("role", "danger")
        go.style().unpolish(go)  # it has had its look since it was added
        go.style().polish(go)
        box.setDefaultButton(box.addButton(_("Cancel"), QMessageBox.ButtonRole.RejectRole))
        go.clicked.connect(lambda _on=False: self._take_out(batch))
        self.box = box
        box.open()

    def _take_out(self, batch: ImportBatch) -> None:
        gone = _("What was taken out is gone, the rest stays. Undoing it again goes on.")
        self.start(
            _("Undoing the import"), lambda watch: self._imports.rollback(batch.id, watch), self._on_undone,
            stopped=gone, kept=gone,
        )  # fmt: skip

    def _on_undone(self, done: RollbackReport) -> None:
        self.undone.emit(done)
        self._read(done)

    def _show(self, done: RollbackReport) -> None:
        self.facts.fill(undone_facts(done))
        if done.stayed:
            self.say(_("Taken out. Chats that you wrote on in stay as they are."), "warn")
        else:
            self.say(_("Taken out. The same can be imported again at any time."), "ok")
        self.close_button.setFocus()


def _row(batch: ImportBatch, now_ms: int, zone: str) -> Row:
    counts = batch.counts
    cells = (
        moment(batch.started_at_ms, zone, now_ms), batch.source, format_words(batch.format), state_words(batch.state),
        number(counts.sessions_new + counts.sessions_grown), number(counts.messages_new),
    )  # fmt: skip
    mine = _("The user's turns are your own words.") if batch.mine else _("The user's turns are not your own words.")
    return Row(cells, f"{batch.source}\n{full_moment(batch.started_at_ms, zone)}\n{mine}")


def _what_goes(batch: ImportBatch) -> str:
    counts = batch.counts
    what = listed(amounts(counts.sessions_new, counts.messages_new, counts.memories))
    return _(
        "It brought in: {what}. What is left of it goes for good. Chats that you wrote on stay, and so do memories "
        "that you approved. The source is not touched: it can be imported again."
    ).format(what=what)


def _height(table: TableView, rows: int) -> int:
    head = table.horizontalHeader().sizeHint().height()
    return head + min(rows, ROWS_MAX) * tokens().px(ROW_PX) + 2
