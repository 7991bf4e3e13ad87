"""The ledger of model calls as rows, fetched page by page."""

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, Signal

from biny_desktop.core.i18n import _
from biny_desktop.models.ledger import CallPage
from biny_desktop.models.ledger_store import Call
from biny_desktop.service.product import Product
from biny_desktop.service.state_words import outcome_words, task_words
from biny_desktop.ui.calls import Calls
from biny_desktop.ui.formats import full_moment, moment, number
from biny_desktop.ui.item_models.table import Row, TableModel
from biny_desktop.ui.model_words import slot_name

PAGE = 50
Index = QModelIndex | QPersistentModelIndex


class LedgerModel(TableModel):
    """Newest first; `loaded` when the first page is there."""

    loaded = Signal()

    def __init__(self, product: Product, calls: Calls, parent: QObject | None = None) -> None:
        headings = (_("Time"), _("For"), _("Slot"), _("Model"), _("Tokens"), _("Time taken"), _("Outcome"))
        super().__init__(headings, right=(4, 5), parent=parent)
        self._product, self._calls = product, calls
        self._cursor: int | None = None
        self._fetching = False

    def load(self) -> None:
        """Read the newest page."""
        models = self._product.models
        self._fetching = True
        self._calls.run(lambda: models.calls(PAGE), self._on_first, None, self, latest="calls")

    def canFetchMore(self, parent: Index) -> bool:
        return not parent.isValid() and self._cursor is not None and not self._fetching

    def fetchMore(self, parent: Index) -> None:
        if not self.canFetchMore(parent):
            return
        self._fetching = True
        models, cursor = self._product.models, self._cursor
        self._calls.run(lambda: models.calls(PAGE, cursor), self._on_more, None, self, latest="calls")

    def _on_first(self, page: CallPage) -> None:
        self._fetching, self._cursor = False, page.next
        self.fill([self._row(call) for call in page.calls])
        self.loaded.emit()

    def _on_more(self, page: CallPage) -> None:
        self._fetching, self._cursor = False, page.next
        if page.calls:
            first = self.rowCount()
            self.beginInsertRows(QModelIndex(), first, first + len(page.calls) - 1)
            self._rows += tuple(self._row(call) for call in page.calls)
            self.endInsertRows()

    def _row(self, call: Call) -> Row:
        now = self._product.clock.stamp()
        tokens = f"{_tokens(call.tokens_in)} → {_tokens(call.tokens_out)}"
        outcome = outcome_words(call.outcome)
        slot = next((each for each in ("chat", "small", "rewrite") if each == call.slot), None)
        cells = (
            moment(call.at_ms, now.zone, now.at_ms), task_words(call.task), slot_name(slot) if slot else call.slot,
            call.model, tokens, _("{n} ms").format(n=number(call.ms)), outcome,
        )  # fmt: skip
        tip = [full_moment(call.at_ms, now.zone), call.server]
        tip += [f"{outcome}: {call.detail}"] if call.detail else []
        return Row(cells, "\n".join(tip))


def _tokens(count: int | None) -> str:
    return "–" if count is None else number(count)
