"""The tab Connections: the slots in a table, and the one chosen in a form below."""

from PySide6.QtWidgets import QWidget

from biny_desktop.core.i18n import _
from biny_desktop.service.models_care import SlotState
from biny_desktop.service.product import Product
from biny_desktop.ui.calls import Calls
from biny_desktop.ui.item_models.table import Row, TableModel
from biny_desktop.ui.model_words import slot_name, slot_use, state_words
from biny_desktop.ui.pages.models.slot_form import SlotForm
from biny_desktop.ui.widgets.form import ScrollColumn, Section
from biny_desktop.ui.widgets.short_table import ShortTable

ORDER = ("small", "chat", "rewrite")


class SlotsTab(ScrollColumn):
    """What is sent is said once, above everything."""

    def __init__(self, product: Product, calls: Calls) -> None:
        super().__init__(_("Connections"))
        self._models, self._calls = product.models, calls
        self._states: list[SlotState] = []
        note = _(
            "Everything works without a model; with one, activities get summaries and reports an account. Only "
            "redacted text is sent, never a picture, and only to the servers named here. Every call is listed under "
            "Calls."
        )
        section = Section(_("Language models"), note)
        self.model = TableModel((_("Slot"), _("State"), _("Model"), _("Server")))
        self.table = ShortTable(self.model, _("Slots"), _("Reading…"), stretch=3)
        self.form = SlotForm(product.models, calls)
        section.add(self.table)
        self.add(section)
        self.add(self.form)
        self.form.hide()
        self.table.chosen.connect(self._on_chosen)
        self.form.changed.connect(self.refresh)

    def first_field(self) -> QWidget | None:
        """Where Ctrl+F puts the cursor."""
        return self.form.url

    def refresh(self) -> None:
        """Read the slots."""
        self._calls.run(self._models.slots, self._on_slots, None, self, latest="slots")

    def _on_slots(self, states: tuple[SlotState, ...]) -> None:
        chosen = max(0, self.table.row())
        self._states = sorted(states, key=lambda state: ORDER.index(state.slot))
        self.model.fill([_row(state) for state in self._states])
        self.table.choose(chosen)
        self._on_chosen()

    def _on_chosen(self) -> None:
        row = self.table.row()
        if 0 <= row < len(self._states):
            self.form.show_slot(self._states[row])
            self.form.show()


def _row(state: SlotState) -> Row:
    place = _("{server} (this machine)").format(server=state.server) if state.local else state.server
    cells = (slot_name(state.slot), state_words(state)[0], state.model or "–", place or "–")
    return Row(cells, _("For: {use}").format(use=slot_use(state.slot)))
